"""Create collections, change their settings, and hide them from the public."""

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
    BIBTEX_CHARS,
    LANGUAGE_CHARS,
    LICENCE_CHARS,
    LINE_CHARS,
    NAME_CHARS,
    SLUG_CHARS,
    URL_CHARS,
)
from annotations.models import Collection, DraftTime, Membership, Role
from annotations.people.services.participation import set_participation
from annotations.people.services.roles import require_open_account
from common.confusables import normalised_name, unseen_problems
from common.web_urls import is_web_address
from qc4.bibliography import bibtex_error
from qc4.problems import InputError, Problem
from qc4.wording import quoted


@dataclass(frozen=True, slots=True)
class CollectionFacts:
    """The properties of a new collection.

    Attributes:
        user: the owner; None on the command line, where the new collection has no owner.
        face: metadata, with the keys of ``Collection.FACE``.
        participation: who may submit; "" for members.
        slug: the name in URLs; by default derived from the name (`free_slug`).
    """

    name: str
    user: User | None
    description: str = ""
    public: bool = False
    slug: str | None = None
    face: Mapping[str, str] | None = None
    participation: str = ""

    def refuse_problems(self) -> None:
        """Raise InputError for an invalid or taken name, a taken slug or invalid metadata.

        A name is taken if a collection that this person can see has it.
        """
        problems = [*name_problems(self.name, self.user), *metadata_problems(self.face or {})]
        if self.slug is not None and Collection.objects.filter(slug=self.slug).exists():
            problems.append(Problem("slug-taken", "slug", repr(self.slug), "a slug that no other collection has"))
        if problems:
            raise InputError(problems)


def create_collection(**facts: Any) -> Collection:
    """Create an empty collection. The user becomes its owner.

    Args:
        facts: the arguments of `CollectionFacts`.

    Raises:
        InputError: see `CollectionFacts.refuse_problems`.
    """
    return open_collection(Collection(), CollectionFacts(**facts))


def open_collection(collection: Collection, facts: CollectionFacts) -> Collection:
    """Make a new or imported collection visible. Raises like `create_collection`.

    Args:
        collection: an unsaved collection, or one whose import has stored everything.
    """
    facts.refuse_problems()
    user, hidden = facts.user, facts.user is not None and not facts.public
    collection.name, collection.description, collection.created_by = (
        normalised_name(facts.name),
        facts.description,
        user,
    )
    collection.visibility = Collection.Visibility.PUBLIC if facts.public else Collection.Visibility.PRIVATE
    for name, text in clean_metadata(facts.face or {}).items():
        setattr(collection, name, text)
    collection.participation = facts.participation or Collection.Participation.MEMBERS
    collection.arriving_at, collection.created_at = None, Now()
    with transaction.atomic():
        try:
            with transaction.atomic():
                collection.slug = facts.slug or free_slug(collection.name, hidden=hidden)
                collection.save()
        except IntegrityError:  # another request has just taken the slug, so `free_slug` now finds it taken
            collection.slug = free_slug(collection.name, hidden=hidden)
            collection.save()
        collection.refresh_from_db(fields=["created_at"])
        if user is not None:
            require_open_account(user)
            Membership.objects.create(collection=collection, user=user, role=Role.OWNER)
    return collection


MAX_METADATA_CHARS = {
    "licence": LICENCE_CHARS, "licence_url": URL_CHARS, "citation": BIBTEX_CHARS, "contact": LINE_CHARS,
    "language": LANGUAGE_CHARS,
}  # fmt: skip
"""Maximum number of characters of each metadata field."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


def metadata_problems(face: Mapping[str, str]) -> list[Problem]:
    """Return all problems in the metadata of a collection (keys as in ``Collection.FACE``)."""
    problems = []
    metadata = clean_metadata(face)
    for name, text in metadata.items():
        if len(text) > MAX_METADATA_CHARS[name]:
            problems.append(
                Problem("long-text", name, f"{len(text):,} characters", f"at most {MAX_METADATA_CHARS[name]:,}")
            )
    if (text := metadata.get("licence_url", "")) and not is_web_address(text):
        expected = "a URL that starts with https://"
        problems.append(Problem("bad-address", "licence_url", quoted(text[:80]), expected))
    if (text := metadata.get("citation", "")) and (fault := bibtex_error(text)):
        problems.append(Problem("bad-bibtex", "citation", fault, "BibTeX"))
    if (text := metadata.get("language", "")) and not _LANGUAGE.fullmatch(text):
        problems.append(Problem("bad-language", "language", quoted(text[:40]), "a language tag, such as en or pt-BR"))
    return problems


def clean_metadata(face: Mapping[str, str]) -> dict[str, str]:
    """Return the metadata without surrounding white space."""
    return {name: face[name].strip().replace("\r\n", "\n") for name in Collection.FACE if name in face}


def name_problems(name: str, user: User | None) -> list[Problem]:
    """Return the problems of a new collection's name. This does not reveal the names of others' private collections."""
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
        fix = "Choose another name, or delete that collection first. An import never changes an existing collection."
        return [
            Problem("name-taken", "name", f"the collection {taken.name!r} (slug {taken.slug!r})", "a new name", fix)
        ]
    return []


_DRAWN, _DRAWN_OF = 5, "abcdefghjkmnpqrstuvwxyz"


def free_slug(name: str, *, hidden: bool) -> str:
    """Return an unused slug made from the name: ``ambient``, then ``ambient-2`` and so on.

    Names without Latin letters become ``collection``. Slugs of private collections end in random letters, because a
    number would reveal another private collection of that name.
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
    """Save the settings of a collection. The slug does not change, so URLs stay valid.

    Args:
        participation: who may submit; "" leaves the setting unchanged.
        timing: whether curation time is computed; "" leaves the setting unchanged.
        face: metadata, with the keys of ``Collection.FACE``. Missing keys leave their field unchanged.

    Raises:
        InputError: another collection that this person can see has the name; the metadata is invalid
            (`face_problems`); or the visibility is "public" although an administrator has hidden the collection.
    """
    # Lock the row: an administrator may hide the collection while someone changes its settings.
    hidden_for = Collection.objects.select_for_update().values_list("hidden_for", flat=True).get(pk=collection.pk)
    problems = metadata_problems(face or {})
    if normalised_name(name).casefold() != collection.name.casefold():
        problems += name_problems(name, user)
    if visibility == Collection.Visibility.PUBLIC and hidden_for:
        fix = "Contact the site's administrator."
        problems.append(Problem("hidden", "visibility", f"hidden: {hidden_for}", "private", fix))
    if problems:
        raise InputError(problems)
    collection.name, collection.description, collection.visibility = normalised_name(name), description, visibility
    collection.timing = timing or collection.timing
    metadata = clean_metadata(face or {})
    for key, value in metadata.items():
        setattr(collection, key, value)
    if collection.timing == Collection.Timing.OFF:
        DraftTime.objects.filter(draft__query__collection=collection).delete()
    set_participation(collection, participation or collection.participation, user)
    collection.save(update_fields=["name", "description", "visibility", "participation", "timing", *metadata])


# --- Hiding by an administrator ---------------------------------------------------------------------------------------


def hide(collection: Collection, by: User, reason: str) -> None:
    """Make a collection private until `unhide`, and e-mail the reason to its owners."""
    with transaction.atomic():
        visible = Collection.objects.filter(pk=collection.pk, hidden_for="")
        if not visible.update(visibility=Collection.Visibility.PRIVATE, hidden_for=reason):
            raise ValidationError("This collection is already hidden.")
        log(Kind.COLLECTION_HIDDEN, actor=by, collection=collection.pk, about=reason)
        notify_owners(collection, "was hidden: only its people can see it", reason)


def unhide(collection: Collection, by: User, reason: str) -> None:
    """Let the owners make a hidden collection public again. It stays private until they do."""
    with transaction.atomic():
        if not Collection.objects.filter(pk=collection.pk).exclude(hidden_for="").update(hidden_for=""):
            raise ValidationError("This collection is not hidden.")
        log(Kind.COLLECTION_UNHIDDEN, actor=by, collection=collection.pk, about=reason)
        notify_owners(collection, "is no longer hidden: you can make it public again", reason)


def notify_owners(collection: Collection, change: str, reason: str) -> None:
    """E-mail a change by an administrator to the owners of a collection."""
    for owner in User.objects.filter(memberships__collection=collection, memberships__role=Role.OWNER).distinct():
        mail.send(owner, "collection_administered", collection=collection.name, change=change, reason=reason)
