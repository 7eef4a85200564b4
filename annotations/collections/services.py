"""Make collections, change their settings, and hide them from the public."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.crypto import get_random_string
from django.utils.text import slugify

from accounts import mail
from accounts.audit import Kind, log
from accounts.models import User
from annotations.access import visible_collections
from annotations.limits import (
    ADDRESS_CHARS,
    BIBTEX_CHARS,
    LANGUAGE_CHARS,
    LICENCE_CHARS,
    LINE_CHARS,
    NAME_CHARS,
    SLUG_CHARS,
)
from annotations.models import Collection, DraftTime, Membership, Role
from annotations.people.services.participation import set_participation
from annotations.people.services.roles import refuse_closed
from common.confusables import normalised_name, unseen_problems
from common.web_urls import is_web_address
from qc4.bibliography import bibtex_fault
from qc4.problems import InputError, Problem
from qc4.wording import quoted


@dataclass(frozen=True, slots=True)
class CollectionFacts:
    """What is said of a new collection.

    Attributes:
        user: None on the command line, where nobody is signed in: then nobody owns it.
        face: what else is said of it, by the names of ``Collection.FACE``.
        participation: who may submit; "" for its members.
        slug: its place in addresses; by default made from the name (`free_slug`).
    """

    name: str
    user: User | None
    description: str = ""
    public: bool = False
    slug: str | None = None
    face: Mapping[str, str] | None = None
    participation: str = ""

    def refuse_problems(self) -> None:
        """Raise InputError where the name is empty, too long, or taken by a collection this person can see; the slug
        is taken; what is said of it is wrong."""
        problems = [*name_problems(self.name, self.user), *face_problems(self.face or {})]
        if self.slug is not None and Collection.objects.filter(slug=self.slug).exists():
            problems.append(Problem("slug-taken", "slug", repr(self.slug), "a slug that no collection has"))
        if problems:
            raise InputError(problems)


def create_collection(**facts: Any) -> Collection:
    """A new, empty collection; the person who makes it becomes its owner.

    Args:
        facts: as of `CollectionFacts`.

    Raises:
        InputError: as `CollectionFacts.refuse_problems`.
    """
    return open_collection(Collection(), CollectionFacts(**facts))


def open_collection(collection: Collection, facts: CollectionFacts) -> Collection:
    """Let a collection be seen, one not saved yet or one that has arrived; raises as `create_collection`."""
    facts.refuse_problems()
    user, hidden = facts.user, facts.user is not None and not facts.public
    collection.name, collection.description, collection.created_by = (
        normalised_name(facts.name),
        facts.description,
        user,
    )
    collection.visibility = Collection.Visibility.PUBLIC if facts.public else Collection.Visibility.PRIVATE
    for name, text in clean_face(facts.face or {}).items():
        setattr(collection, name, text)
    collection.participation = facts.participation or Collection.Participation.MEMBERS
    collection.arriving_at, collection.created_at = None, Now()
    with transaction.atomic():
        try:
            with transaction.atomic():
                collection.slug = facts.slug or free_slug(collection.name, hidden=hidden)
                collection.save()
        except IntegrityError:  # somebody took the slug in this instant; theirs is visible now
            collection.slug = free_slug(collection.name, hidden=hidden)
            collection.save()
        collection.refresh_from_db(fields=["created_at"])
        if user is not None:
            refuse_closed(user)
            Membership.objects.create(collection=collection, user=user, role=Role.OWNER)
    return collection


LONGEST = {
    "licence": LICENCE_CHARS, "licence_url": ADDRESS_CHARS, "citation": BIBTEX_CHARS, "contact": LINE_CHARS,
    "language": LANGUAGE_CHARS,
}  # fmt: skip
"""Characters of what is said of a collection."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


def face_problems(face: Mapping[str, str]) -> list[Problem]:
    """What is wrong with what is said of a collection (names as in ``Collection.FACE``); all of it."""
    problems = []
    said = clean_face(face)
    for name, text in said.items():
        if len(text) > LONGEST[name]:
            problems.append(Problem("long-text", name, f"{len(text):,} characters", f"at most {LONGEST[name]:,}"))
    if (text := said.get("licence_url", "")) and not is_web_address(text):
        expected = "an address that starts with https://"
        problems.append(Problem("bad-address", "licence_url", quoted(text[:80]), expected))
    if (text := said.get("citation", "")) and (fault := bibtex_fault(text)):
        problems.append(Problem("bad-bibtex", "citation", fault, "BibTeX"))
    if (text := said.get("language", "")) and not _LANGUAGE.fullmatch(text):
        problems.append(Problem("bad-language", "language", quoted(text[:40]), "a language tag, such as en or pt-BR"))
    return problems


def clean_face(face: Mapping[str, str]) -> dict[str, str]:
    """What is said, without white space around it."""
    return {name: face[name].strip().replace("\r\n", "\n") for name in Collection.FACE if name in face}


def name_problems(name: str, user: User | None) -> list[Problem]:
    """Why a new collection may not have this name. Private collections of others are not given away."""
    name = normalised_name(name)
    if not name:
        return [Problem("no-name", "name", "no name", "a name for the collection")]
    if len(name) > NAME_CHARS:
        return [Problem("long-name", "name", f"{len(name):,} characters", f"at most {NAME_CHARS}")]
    if problems := unseen_problems("name", name):
        return problems
    in_sight = Collection.objects.all() if user is None else visible_collections(user or AnonymousUser())
    taken = in_sight.filter(name__iexact=name).first()
    if taken is not None:
        fix = "Choose another name, or delete that collection first; an import never changes an existing one."
        return [
            Problem("name-taken", "name", f"the collection {taken.name!r} (slug {taken.slug!r})", "a new name", fix)
        ]
    return []


_DRAWN, _DRAWN_OF = 5, "abcdefghjkmnpqrstuvwxyz"


def free_slug(name: str, *, hidden: bool) -> str:
    """A slug from the name: ``ambient``, then ``ambient-2``, ..; names without Latin letters become ``collection``.

    What is private ends in letters drawn by chance: a number would tell of another private collection of that name.
    """
    wanted = slugify(name)[: SLUG_CHARS - 8].strip("-") or "collection"
    if hidden:
        wanted = f"{wanted}-{get_random_string(_DRAWN, _DRAWN_OF)}"
    slug, number = wanted, 2
    while Collection.objects.filter(slug=slug).exists():
        slug, number = f"{wanted}-{number}", number + 1
    return slug


# --- Settings ---------------------------------------------------------------------------------------------------------


@transaction.atomic
def change_settings(
    collection: Collection,
    *,
    name: str,
    description: str,
    visibility: str,
    participation: str = "",
    timing: str = "",
    user: User | None = None,
    face: Mapping[str, str] | None = None,
) -> None:
    """Keep a new name, description and visibility, and who may submit. The slug stays, so that addresses stay.

    Args:
        participation, timing: "" for what it was: a page from before the setting does not change it.
        face: what else is said of it, by the names of ``Collection.FACE``; what is not named stays.

    Raises:
        InputError: another collection this person can see has the name; what is said is wrong (`face_problems`); it is
            to be public, and who runs the site has hidden it.
    """
    # As it is now, and stays until this is stored: it may be hidden while somebody changes its settings.
    hidden_for = Collection.objects.select_for_update().values_list("hidden_for", flat=True).get(pk=collection.pk)
    problems = face_problems(face or {})
    if normalised_name(name).casefold() != collection.name.casefold():
        problems += name_problems(name, user)
    if visibility == Collection.Visibility.PUBLIC and hidden_for:
        fix = "Write to who runs the site."
        problems.append(Problem("hidden", "visibility", f"hidden: {hidden_for}", "private", fix))
    if problems:
        raise InputError(problems)
    collection.name, collection.description, collection.visibility = normalised_name(name), description, visibility
    collection.timing = timing or collection.timing
    said = clean_face(face or {})
    for key, value in said.items():
        setattr(collection, key, value)
    if collection.timing == Collection.Timing.OFF:
        DraftTime.objects.filter(draft__query__collection=collection).delete()
    set_participation(collection, participation or collection.participation, user)
    collection.save(update_fields=["name", "description", "visibility", "participation", "timing", *said])


# --- Hiding by an administrator ---------------------------------------------------------------------------------------


def hide(collection: Collection, by: User, reason: str) -> None:
    """Make it private, and keep its owners from making it public again until it is `unhide`-n. They are told why."""
    with transaction.atomic():
        kept = Collection.objects.filter(pk=collection.pk, hidden_for="")
        if not kept.update(visibility=Collection.Visibility.PRIVATE, hidden_for=reason):
            raise ValidationError("It is hidden already.")
        log(Kind.COLLECTION_HIDDEN, actor=by, collection=collection.pk, about=reason)
        tell_owners(collection, "was hidden: only its people see it", reason)


def unhide(collection: Collection, by: User, reason: str) -> None:
    """Let its owners make it public again; it stays private until they do."""
    with transaction.atomic():
        if not Collection.objects.filter(pk=collection.pk).exclude(hidden_for="").update(hidden_for=""):
            raise ValidationError("It is not hidden.")
        log(Kind.COLLECTION_UNHIDDEN, actor=by, collection=collection.pk, about=reason)
        tell_owners(collection, "is no longer hidden: you may make it public again", reason)


def tell_owners(collection: Collection, change: str, reason: str) -> None:
    """By e-mail."""
    for owner in User.objects.filter(memberships__collection=collection, memberships__role=Role.OWNER).distinct():
        mail.send(owner, "collection_administered", collection=collection.name, change=change, reason=reason)
