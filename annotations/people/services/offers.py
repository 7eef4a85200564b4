"""Role offers to users, and their answers. An offer gives no rights until it is accepted."""

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
    """Offer a role to a user and notify them by e-mail.

    A user who already has a role in the collection, or who has asked to submit and is offered the submitter role, gets
    the role immediately. The offer then counts as accepted.

    Raises:
        InputError: the role does not exist; the user already has it or an open offer of it, or recently declined an
            offer; or ``by`` has made too many offers within a day.
    """
    problem = _why_not(collection, user, role, by)
    if problem is not None:
        raise InputError([problem])
    try:
        with transaction.atomic():
            made = RoleOffer.objects.create(collection=collection, user=user, role=role, offered_by=by)
            if _has_consented(collection, user, role):
                _close(made, State.ACCEPTED)
                add_role(collection=collection, user=user, role=role, by=by)
            else:
                _log(Kind.ROLE_OFFERED, made, actor=by)
                _notify_user(made)
            made.refresh_from_db()
            return made
    except IntegrityError:  # another owner has just made the same offer
        raise InputError([_already_offered(user)]) from None


def accept(offer: RoleOffer) -> bool:
    """Accept an offer and give the role. Return False if the offer was already answered or withdrawn."""
    with transaction.atomic():
        if not _close(offer, State.ACCEPTED):
            return False
        _log(Kind.OFFER_ACCEPTED, offer, actor=offer.user)
        add_role(collection=offer.collection, user=offer.user, role=offer.role)
    return True


def decline(offer: RoleOffer) -> bool:
    """Decline an offer. Return False if it was already answered or withdrawn."""
    with transaction.atomic():
        if not _close(offer, State.DECLINED):
            return False
        _log(Kind.OFFER_DECLINED, offer, actor=offer.user)
    return True


def withdraw(offer: RoleOffer) -> bool:
    """Withdraw an offer. Return False if it was already answered or withdrawn."""
    with transaction.atomic():
        if not _close(offer, State.WITHDRAWN):
            return False
        _log(Kind.OFFER_WITHDRAWN, offer)
    return True


def _why_not(collection: Collection, user: User, role: str, by: User) -> Problem | None:
    if role not in Role.values:
        return Problem("unknown-role", "role", repr(role), f"one of {', '.join(Role.values)}")
    name = user.get_username()
    if collection.memberships.filter(user=user, role=role).exists():
        return Problem(
            "has-role", "username", f"{name}, who is already {role}", f"a user who is not {role}", "Nothing to do."
        )
    offers = collection.role_offers.filter(user=user)
    if offers.filter(role=role, state=State.OPEN).exists():
        return _already_offered(user)
    lately = timezone.now() - timedelta(days=OFFER_AGAIN_DAYS)
    if offers.filter(state=State.DECLINED, ended_at__gt=lately).exists():
        fix = f"Offer again {OFFER_AGAIN_DAYS} days after they declined."
        return Problem("declined-lately", "username", f"{name}, who declined recently", "another user", fix)
    today = timezone.now() - timedelta(days=1)
    if RoleOffer.objects.filter(offered_by=by, offered_at__gt=today).count() >= MOST_OFFERS:
        found = f"{MOST_OFFERS} offers from you within a day"
        return Problem(
            "too-many-offers", "username", found, "fewer offers", "Offer more tomorrow, or make an invitation link."
        )
    return None


def _already_offered(user: User) -> Problem:
    found = f"{user.get_username()}, who already has an offer of this role"
    return Problem(
        "offered-already", "username", found, "a user without an offer", "Wait for the answer, or withdraw the offer."
    )


def _has_consented(collection: Collection, user: User, role: str) -> bool:
    if collection.memberships.filter(user=user).exists():
        return True
    asked = collection.participation_requests.filter(user=user, state=ParticipationRequest.State.OPEN)
    return role == Role.SUBMITTER and asked.exists()


def _close(offer: RoleOffer, state: str) -> bool:
    """Close an open offer with one conditional statement, so that only one of several simultaneous answers applies."""
    done = RoleOffer.objects.filter(pk=offer.pk, state=State.OPEN).update(state=state, ended_at=Now())
    offer.refresh_from_db(fields=["state", "ended_at"])
    return bool(done)


def _log(kind: Kind, offer: RoleOffer, actor: User | None = None) -> None:
    log(kind, actor=actor, account=offer.user, collection=offer.collection_id, about=offer.role)


def _notify_user(offer: RoleOffer) -> None:
    facts = {
        "collection": offer.collection.name,
        "role": offer.role,
        "by": offer.offered_by.get_username(),
        "page": mail.link("account") + "#offers",
    }
    notify([offer.user], notices.INVITATIONS, "role_offered", **facts)
