"""Offering people roles by name, and their answers. No right is given before somebody says yes."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts import mail, notices
from accounts.audit import Kind, log
from accounts.mail import notify
from accounts.models import User
from annotations.limits import MOST_OFFERS, OFFER_AGAIN_DAYS
from annotations.models import Collection, ParticipationRequest, Role, RoleOffer
from annotations.people.services.roles import add_role
from qc4.problems import InputError, Problem

State = RoleOffer.State


def offer(*, collection: Collection, user: User, role: str, by: User) -> RoleOffer:
    """Offer somebody a role; they are told by e-mail.

    Who has a role here already said yes once, and who asked to submit wants to: they have the role at once, and the
    offer counts as accepted.

    Raises:
        InputError: there is no such role; this person has it, waits with such an offer, or declined one lately; ``by``
            offered too much within a day.
    """
    problem = _why_not(collection, user, role, by)
    if problem is not None:
        raise InputError([problem])
    try:
        with transaction.atomic():
            made = RoleOffer.objects.create(collection=collection, user=user, role=role, offered_by=by)
            if _has_said_yes(collection, user, role):
                _end(made, State.ACCEPTED)
                add_role(collection=collection, user=user, role=role, by=by)
            else:
                _log(Kind.ROLE_OFFERED, made, actor=by)
                _tell(made)
            made.refresh_from_db()
            return made
    except IntegrityError:  # another owner, in this instant
        raise InputError([_waits(user)]) from None


def accept(offer: RoleOffer) -> bool:
    """Give the person the role they said yes to; False if it was answered or withdrawn before."""
    with transaction.atomic():
        if not _end(offer, State.ACCEPTED):
            return False
        _log(Kind.OFFER_ACCEPTED, offer, actor=offer.user)
        add_role(collection=offer.collection, user=offer.user, role=offer.role)
    return True


def decline(offer: RoleOffer) -> bool:
    """The person said no; False as `accept`."""
    with transaction.atomic():
        if not _end(offer, State.DECLINED):
            return False
        _log(Kind.OFFER_DECLINED, offer, actor=offer.user)
    return True


def withdraw(offer: RoleOffer) -> bool:
    """Take back what was offered; False as `accept`."""
    with transaction.atomic():
        if not _end(offer, State.WITHDRAWN):
            return False
        _log(Kind.OFFER_WITHDRAWN, offer)
    return True


def _why_not(collection: Collection, user: User, role: str, by: User) -> Problem | None:
    if role not in Role.values:
        return Problem("unknown-role", "role", repr(role), f"one of {', '.join(Role.values)}")
    name = user.get_username()
    if collection.memberships.filter(user=user, role=role).exists():
        return Problem(
            "has-role", "username", f"{name}, who is {role} already", "somebody who is not", "Nothing to do."
        )
    offers = collection.role_offers.filter(user=user)
    if offers.filter(role=role, state=State.OPEN).exists():
        return _waits(user)
    lately = timezone.now() - timedelta(days=OFFER_AGAIN_DAYS)
    if offers.filter(state=State.DECLINED, ended_at__gt=lately).exists():
        fix = f"Offer again {OFFER_AGAIN_DAYS} days after they declined."
        return Problem("declined-lately", "username", f"{name}, who declined a short time ago", "somebody else", fix)
    today = timezone.now() - timedelta(days=1)
    if RoleOffer.objects.filter(offered_by=by, offered_at__gt=today).count() >= MOST_OFFERS:
        found = f"{MOST_OFFERS} offers of yours within a day"
        return Problem(
            "too-many-offers", "username", found, "fewer", "Offer more tomorrow, or make an invitation link."
        )
    return None


def _waits(user: User) -> Problem:
    found = f"{user.get_username()}, who has such an offer"
    return Problem(
        "offered-already", "username", found, "somebody who has none", "Wait for the answer, or withdraw it."
    )


def _has_said_yes(collection: Collection, user: User, role: str) -> bool:
    if collection.memberships.filter(user=user).exists():
        return True
    asked = collection.participation_requests.filter(user=user, state=ParticipationRequest.State.OPEN)
    return role == Role.SUBMITTER and asked.exists()


def _end(offer: RoleOffer, state: str) -> bool:
    """One conditional statement: of several answers at once one counts."""
    done = RoleOffer.objects.filter(pk=offer.pk, state=State.OPEN).update(state=state, ended_at=Now())
    offer.refresh_from_db(fields=["state", "ended_at"])
    return bool(done)


def _log(kind: Kind, offer: RoleOffer, actor: User | None = None) -> None:
    log(kind, actor=actor, account=offer.user, collection=offer.collection_id, about=offer.role)


def _tell(offer: RoleOffer) -> None:
    facts = {
        "collection": offer.collection.name,
        "role": offer.role,
        "by": offer.offered_by.get_username(),
        "page": mail.link("account") + "#offers",
    }
    notify([offer.user], notices.INVITATIONS, "role_offered", **facts)
