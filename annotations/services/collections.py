"""Make collections."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from accounts.models import User
from annotations.access import visible_collections
from annotations.limits import NAME_CHARS, SLUG_CHARS
from annotations.models import Collection, Membership, Role
from qc4.problems import InputError, Problem


def create_collection(
    *, name: str, user: User | None, description: str = "", public: bool = False, slug: str | None = None
) -> Collection:
    """A new, empty collection; the person who makes it becomes its owner.

    Args:
        user: None on the command line, where nobody is signed in: then nobody owns it.
        slug: its place in addresses; by default made from the name, numbered where it is taken.

    Raises:
        InputError: the name is empty, too long, or taken by a collection this person can see; the slug is taken.
    """
    name = name.strip()
    problems = name_problems(name, user)
    if slug is not None and Collection.objects.filter(slug=slug).exists():
        problems.append(Problem("slug-taken", "slug", repr(slug), "a slug that no collection has"))
    if problems:
        raise InputError(problems)
    visibility = Collection.Visibility.PUBLIC if public else Collection.Visibility.PRIVATE
    facts = {"name": name, "description": description, "visibility": visibility, "created_by": user}
    with transaction.atomic():
        try:
            with transaction.atomic():
                collection = Collection.objects.create(slug=slug or _free_slug(name), **facts)
        except IntegrityError:  # somebody took the slug in this instant; theirs is visible now
            collection = Collection.objects.create(slug=_free_slug(name), **facts)
        if user is not None:
            Membership.objects.create(collection=collection, user=user, role=Role.OWNER)
    return collection


def name_problems(name: str, user: User | None) -> list[Problem]:
    """Why a new collection may not have this name. Private collections of others are not given away."""
    name = name.strip()
    if not name:
        return [Problem("no-name", "name", "no name", "a name for the collection")]
    if len(name) > NAME_CHARS:
        return [Problem("long-name", "name", f"{len(name):,} characters", f"at most {NAME_CHARS}")]
    in_sight = Collection.objects.all() if user is None else visible_collections(user or AnonymousUser())
    taken = in_sight.filter(name__iexact=name).first()
    if taken is not None:
        fix = "Choose another name, or delete that collection first; an import never changes an existing one."
        return [
            Problem("name-taken", "name", f"the collection {taken.name!r} (slug {taken.slug!r})", "a new name", fix)
        ]
    return []


def _free_slug(name: str) -> str:
    """A slug from the name: ``ambient``, then ``ambient-2``, ..; names without Latin letters become ``collection``."""
    wanted = slugify(name)[: SLUG_CHARS - 8].strip("-") or "collection"
    slug, number = wanted, 2
    while Collection.objects.filter(slug=slug).exists():
        slug, number = f"{wanted}-{number}", number + 1
    return slug
