"""Giving and taking roles."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from accounts import mail, notices
from accounts.audit import Kind, log
from accounts.mail import notify
from accounts.models import User
from annotations.access import MAY, May, capabilities
from annotations.models import Assignment, Collection, Invitation, Membership, ParticipationRequest, Role, RoleOffer
from qc4.problems import InputError, Problem


def add_role(*, collection: Collection, user: User, role: str, by: User | None = None) -> Membership:
    """Give a person a role; nothing changes if they have it. Who asked to submit and now may has their answer.

    Args:
        by: who gives it, if it is somebody else: the person is told by e-mail then.

    Raises:
        InputError: there is no such role; the account was deleted or switched off.
    """
    if role not in Role.values:
        raise InputError([Problem("unknown-role", "role", repr(role), f"one of {', '.join(Role.values)}")])
    with transaction.atomic():
        refuse_closed(user)
        membership, is_new = Membership.objects.get_or_create(collection=collection, user=user, role=role)
        if May.SUBMIT in MAY[role]:
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


def refuse_closed(user: User) -> None:
    """Raise InputError where an account was deleted or suspended: it gets no role. One that is being deleted is waited
    for, in the transaction that gives the role."""
    if not User.objects.select_for_update().filter(pk=user.pk, is_active=True):
        found = f"{user.get_username()}, whose account is closed"
        raise InputError([Problem("closed-account", "username", found, "somebody who can sign in")])


def remove_role(*, collection: Collection, user: User, role: str) -> None:
    """Take a role away; the last owner stays.

    Whoever may not curate any more has no assigned queries (their drafts stay); links by which a former owner invited
    stop working, and what they offered is withdrawn, so that nobody comes back by their own.

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
        if collection.memberships.filter(user=user, role=role).delete()[0]:
            log(Kind.ROLE_TAKEN, account=user, collection=collection.pk, about=role)
        take_what_it_gave(collection, user)


def take_what_it_gave(collection: Collection, user: User) -> None:
    """What somebody has no longer whose roles here are fewer: assigned queries, links and offers of their own."""
    may = capabilities(user, collection)
    if May.CURATE not in may:
        Assignment.objects.filter(query__collection=collection, curator=user).delete()
    if May.MANAGE not in may:
        Invitation.objects.filter(collection=collection, created_by=user, revoked_at=None).update(revoked_at=Now())
        waiting = RoleOffer.objects.filter(collection=collection, offered_by=user, state=RoleOffer.State.OPEN)
        waiting.update(state=RoleOffer.State.WITHDRAWN, ended_at=Now())
