"""Add and remove roles."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from accounts import mail, notices
from accounts.audit import Kind, log
from accounts.mail import notify
from accounts.models import User
from annotations.access import RIGHTS_OF_ROLE, May, capabilities
from annotations.models import Assignment, Collection, Invitation, Membership, ParticipationRequest, Role, RoleOffer
from qc4.problems import InputError, Problem


def add_role(*, collection: Collection, user: User, role: str, by: User | None = None) -> Membership:
    """Give a user a role, unless they already have it. This also accepts their open request and offer for the role.

    Args:
        by: the user who gives the role. If it is someone else, the new member is notified by e-mail.

    Raises:
        InputError: the role does not exist, or the account was deleted or suspended.
    """
    if role not in Role.values:
        raise InputError([Problem("unknown-role", "role", repr(role), f"one of {', '.join(Role.values)}")])
    with transaction.atomic():
        require_open_account(user)
        membership, is_new = Membership.objects.get_or_create(collection=collection, user=user, role=role)
        if May.SUBMIT in RIGHTS_OF_ROLE[role]:
            waiting = collection.participation_requests.filter(user=user, state=ParticipationRequest.State.OPEN)
            waiting.update(state=ParticipationRequest.State.ACCEPTED, answered_by=by, answered_at=Now())
        offered = collection.role_offers.filter(user=user, role=role, state=RoleOffer.State.OPEN)
        offered.update(state=RoleOffer.State.ACCEPTED, ended_at=Now())
        if is_new:
            log(Kind.ROLE_GIVEN, actor=by, account=user, collection=collection.pk, about=role)
        if is_new and by is not None and by != user:
            page = mail.link("collection", collection.slug)
            facts = {"collection": collection.name, "role": role, "by": by.get_username(), "page": page}
            notify([user], notices.INVITATIONS, "role_given", **facts)
    return membership


def require_open_account(user: User) -> None:
    """Raise InputError if an account was deleted or suspended.

    Call this in the transaction that gives a role. It locks the account, so it waits for a running deletion.
    """
    if not User.objects.select_for_update().filter(pk=user.pk, is_active=True):
        found = f"{user.get_username()}, whose account is closed"
        raise InputError([Problem("closed-account", "username", found, "a user who can sign in")])


def remove_role(*, collection: Collection, user: User, role: str) -> None:
    """Remove a role from a user.

    If they may no longer curate, their assignments are deleted but their drafts stay. If they may no longer manage the
    collection, their invitations and offers end, so that they cannot return through one of them.

    Raises:
        InputError: the user is the only owner.
    """
    with transaction.atomic():
        # Lock the rows, so that two owners cannot remove each other at the same time.
        owners = list(collection.memberships.select_for_update().filter(role=Role.OWNER))
        if role == Role.OWNER and [owner.user_id for owner in owners] == [user.pk]:
            fix = "Make another user an owner first."
            raise InputError(
                [Problem("last-owner", "role", f"{user.get_username()!r}, the only owner", "another owner", fix)]
            )
        if collection.memberships.filter(user=user, role=role).delete()[0]:
            log(Kind.ROLE_TAKEN, account=user, collection=collection.pk, about=role)
        remove_lost_privileges(collection, user)


def remove_lost_privileges(collection: Collection, user: User) -> None:
    """Remove the assignments, invitations and offers for which a user no longer has the rights."""
    may = capabilities(user, collection)
    if May.CURATE not in may:
        Assignment.objects.filter(query__collection=collection, curator=user).delete()
    if May.MANAGE not in may:
        Invitation.objects.filter(collection=collection, created_by=user, revoked_at=None).update(revoked_at=Now())
        waiting = RoleOffer.objects.filter(collection=collection, offered_by=user, state=RoleOffer.State.OPEN)
        waiting.update(state=RoleOffer.State.WITHDRAWN, ended_at=Now())
