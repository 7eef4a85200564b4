"""Accounts and roles."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now

from annotations.access import May, capabilities
from annotations.models import Assignment, Collection, Invitation, Membership, Role
from qc4.problems import InputError, Problem


def ensure_user(username: str) -> tuple[User, str | None]:
    """The account of that name, made with a random password if there is none.

    Returns:
        The account, and its password only if it was just made: it is stored hashed and cannot be shown again.

    Raises:
        InputError: the name has characters or a length an account's name may not have.
    """
    existing = User.objects.filter(username=username).first()
    if existing is not None:
        return existing, None
    _check_username(username)
    password = secrets.token_urlsafe(12)
    return User.objects.create_user(username, password=password), password


def add_role(*, collection: Collection, user: User, role: str) -> Membership:
    """Give a person a role; nothing changes if they have it."""
    if role not in Role.values:
        raise InputError([Problem("unknown-role", "role", repr(role), f"one of {', '.join(Role.values)}")])
    return Membership.objects.get_or_create(collection=collection, user=user, role=role)[0]


def remove_role(*, collection: Collection, user: User, role: str) -> None:
    """Take a role away; the last owner stays.

    Whoever may not curate any more has no assigned queries (their drafts stay); links by which a former owner invited
    stop working, so that nobody comes back by their own.

    Raises:
        InputError: nobody would own the collection any more.
    """
    with transaction.atomic():
        # Locked, so that two owners cannot remove each other at once.
        owners = list(collection.memberships.select_for_update().filter(role=Role.OWNER))
        if role == Role.OWNER and [owner.user_id for owner in owners] == [user.pk]:
            fix = "Make somebody else an owner first."
            raise InputError(
                [Problem("last-owner", "role", f"{user.get_username()!r}, the only owner", "one owner or more", fix)]
            )
        collection.memberships.filter(user=user, role=role).delete()
        _take_what_it_gave(collection, user)


def _take_what_it_gave(collection: Collection, user: User) -> None:
    may = capabilities(user, collection)
    if May.CURATE not in may:
        Assignment.objects.filter(query__collection=collection, curator=user).delete()
    if May.MANAGE not in may:
        Invitation.objects.filter(collection=collection, created_by=user, revoked_at=None).update(revoked_at=Now())


def _check_username(username: str) -> None:
    field = User._meta.get_field("username")
    valid = all(character.isalnum() or character in "@.+-_" for character in username)
    if not username or not valid or len(username) > (field.max_length or 150):
        expected = f"up to {field.max_length} letters, digits and @ . + - _"
        raise InputError([Problem("bad-username", "username", repr(username), expected)])
