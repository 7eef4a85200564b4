"""Invitation links to a collection. The site sends nothing: the owner passes the link on.

As with tokens (`accounts.services.tokens`), the secret is 256 random bits. It is shown once, and only its SHA-256 is
stored.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from accounts import mail, notices
from accounts.audit import Kind, log
from accounts.mail import notify
from accounts.models import User
from accounts.signup_policy import Voucher
from annotations.access import May, capabilities
from annotations.limits import INVITATION_DAYS, MOST_INVITATION_DAYS, MOST_INVITATION_USES, SHOWN_INVITATION_CHARS
from annotations.models import Collection, Invitation, InvitationUse, Role
from annotations.people.selectors import InvitationState, find_invitation, invitation_state
from annotations.people.services.roles import add_role
from common.digests import digest
from qc4.problems import InputError, Problem, ProblemList


def invite(
    *, collection: Collection, role: str, user: User, note: str = "", days: int = INVITATION_DAYS, most_uses: int = 1
) -> tuple[Invitation, str]:
    """Create an invitation. Return it and its secret, which cannot be retrieved later.

    Raises:
        InputError: the role does not exist, or the days or uses are out of range.
    """
    problems = ProblemList()
    if role not in Role.values:
        problems.error("unknown-role", "role", repr(role), f"one of {', '.join(Role.values)}")
    if not 1 <= days <= MOST_INVITATION_DAYS:
        problems.error("bad-days", "days", str(days), f"1 to {MOST_INVITATION_DAYS} days")
    if not 1 <= most_uses <= MOST_INVITATION_USES:
        problems.error("bad-uses", "uses", str(most_uses), f"1 to {MOST_INVITATION_USES} people")
    problems.refuse_errors()
    secret = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        collection=collection,
        role=role,
        note=note,
        prefix=secret[:SHOWN_INVITATION_CHARS],
        sha256=digest(secret),
        most_uses=most_uses,
        expires_at=timezone.now() + timedelta(days=days),
        created_by=user,
    )
    log(Kind.INVITED, actor=user, collection=collection.pk, about=f"{invitation.prefix}… {role}, {note or 'anybody'}")
    return invitation, secret


def accept(invitation: Invitation, user: User) -> bool:
    """Give the person the role. Return False, without using up the invitation, if they already have it.

    A person can use an invitation once, so someone whose role was removed cannot return through the same link.

    Raises:
        InputError: the invitation is revoked, used up or expired, or this person has used it before.
    """
    collection = invitation.collection
    with transaction.atomic():
        if collection.memberships.filter(user=user, role=invitation.role).exists():
            return False
        _, first = InvitationUse.objects.get_or_create(invitation=invitation, user=user)
        # One conditional statement, so that two people cannot both take the last use.
        if not first or not _open(invitation).update(used=F("used") + 1):
            raise InputError([_invalid_invitation(invitation, first)])
        log(Kind.INVITATION_ACCEPTED, actor=user, collection=collection.pk, about=f"{invitation.prefix}…")
        add_role(collection=collection, user=user, role=invitation.role)
        _notify_maker(invitation, user)
    return True


def revoke(invitation: Invitation) -> None:
    """Make an invitation invalid immediately. People who have used it keep their roles."""
    if Invitation.objects.filter(pk=invitation.pk, revoked_at__isnull=True).update(revoked_at=Now()):
        log(Kind.INVITATION_REVOKED, collection=invitation.collection_id, about=f"{invitation.prefix}…")


def may_sign_up(token: str) -> bool:
    """Return whether an account may be created with this invitation, which allows as many accounts as uses."""
    found = find_invitation(token)
    return found is not None and invitation_state(found) == InvitationState.OPEN and found.sign_ups < found.most_uses


def use_to_sign_up(token: str) -> bool:
    """Count an account that is being created with this invitation. Return False if it is no longer valid."""
    found = find_invitation(token)
    return found is not None and bool(
        _open(found).filter(sign_ups__lt=F("most_uses")).update(sign_ups=F("sign_ups") + 1)
    )


VOUCHER = Voucher(may_sign_up, use_to_sign_up)


def _open(invitation: Invitation) -> QuerySet[Invitation]:
    now = timezone.now()
    return Invitation.objects.filter(
        pk=invitation.pk, revoked_at__isnull=True, used__lt=F("most_uses"), expires_at__gt=now
    )


def _notify_maker(invitation: Invitation, user: User) -> None:
    """Notify the person who made the invitation, if they still manage the collection."""
    maker, collection = invitation.created_by, invitation.collection
    if maker == user or May.MANAGE not in capabilities(maker, collection):
        return
    facts = {
        "who": user.get_username(),
        "collection": collection.name,
        "role": invitation.role,
        "note": invitation.note or "anybody",
        "page": mail.link("people", collection.slug),
    }
    notify([maker], notices.INVITATIONS, "invitation_accepted", **facts)


def _invalid_invitation(invitation: Invitation, first: bool) -> Problem:
    invitation.refresh_from_db()
    found = (
        f"an invitation that is {invitation_state(invitation)}" if first else "an invitation that you have used before"
    )
    fix = f"Ask {invitation.created_by.get_username()} for a new invitation."
    return Problem("useless-invitation", "invitation", found, "an open invitation", fix)
