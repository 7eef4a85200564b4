"""Requests to submit to a collection, answers to them, and the participation setting."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts import mail, notices
from accounts.mail import notify
from accounts.models import User
from annotations.access import May, capabilities, may_request_to_submit, owners_of, visible_collections
from annotations.limits import MOST_REQUESTS
from annotations.models import Collection, ParticipationRequest, Role
from annotations.people.selectors import can_ask_again_at, last_request
from annotations.people.services.roles import add_role
from qc4.problems import InputError, Problem

State = ParticipationRequest.State


def ask(*, collection: Collection, user: User, message: str = "") -> ParticipationRequest:
    """Request the right to submit to a collection, and notify its owners by e-mail.

    Raises:
        InputError: this person may already submit, has an open request, was declined recently or has made too many
            requests within a day; or the collection takes no requests.
    """
    problem = _why_not(collection, user)
    if problem is None:
        try:
            with transaction.atomic():
                made = ParticipationRequest.objects.create(collection=collection, user=user, message=message.strip())
                _notify_owners(made)
                return made
        except IntegrityError:  # the same person has just asked, for example with a double click
            problem = _already_asked()
    raise InputError([problem])


def withdraw(request: ParticipationRequest) -> bool:
    """Withdraw a request. Return False if it was already answered."""
    return _close(request, State.WITHDRAWN, None)


def accept(request: ParticipationRequest, by: User) -> bool:
    """Accept a request and make the person a submitter. Return False if it was already answered or withdrawn."""
    with transaction.atomic():
        if not _close(request, State.ACCEPTED, by):
            return False
        add_role(collection=request.collection, user=request.user, role=Role.SUBMITTER)
        _notify_requester(request, "request_accepted", by)
    return True


def decline(request: ParticipationRequest, by: User, reason: str = "") -> bool:
    """Decline a request with a reason. Return False if it was already answered or withdrawn."""
    with transaction.atomic():
        if not _close(request, State.DECLINED, by, reason.strip()):
            return False
        _notify_requester(request, "request_declined", by, reason=reason.strip() or "(none was given)")
    return True


def set_participation(collection: Collection, setting: str, by: User | None) -> None:
    """Set who may submit, on the collection object that the caller saves.

    If any signed-in user may submit now, open requests count as accepted.
    """
    collection.participation = setting
    if collection.is_public and setting == Collection.Participation.ANYBODY:
        waiting = collection.participation_requests.filter(state=State.OPEN)
        waiting.update(state=State.ACCEPTED, answered_by=by, answered_at=Now())


def _why_not(collection: Collection, user: User) -> Problem | None:
    allowed = capabilities(user, collection)
    if May.SUBMIT in allowed:
        return Problem("may-submit", "request", "a user who may already submit", "a user who may not", "Submit.")
    last = last_request(user, collection)
    if last is not None and last.is_open:
        return _already_asked()
    if not may_request_to_submit(collection, allowed):
        fix = "Contact one of its owners and ask to become a submitter."
        expected = "a collection that takes requests"
        return Problem("not-on-request", "request", "a collection that takes no requests", expected, fix)
    if again_at := can_ask_again_at(last):
        fix = f"Ask again after {again_at:%Y-%m-%d %H:%M} UTC."
        return Problem("declined-lately", "request", "a request that was declined recently", "no such request", fix)
    since = timezone.now() - timedelta(days=1)
    if user.participation_requests.filter(asked_at__gt=since).count() >= MOST_REQUESTS:
        found = f"{MOST_REQUESTS} requests from you within a day"
        return Problem("too-many-requests", "request", found, "fewer requests", "Ask tomorrow.")
    return None


def _already_asked() -> Problem:
    fix = "Wait for the answer, or withdraw the request."
    return Problem("asked-already", "request", "an open request from you", "no open request", fix)


def _close(request: ParticipationRequest, state: str, by: User | None, reason: str = "") -> bool:
    """Close an open request with one conditional statement, so that only one of several concurrent answers applies."""
    waiting = ParticipationRequest.objects.filter(pk=request.pk, state=State.OPEN)
    done = waiting.update(state=state, answered_by=by, answered_at=Now(), reason=reason)
    request.refresh_from_db()
    return bool(done)


def _notify_owners(request: ParticipationRequest) -> None:
    collection = request.collection
    facts = {
        "who": request.user.get_username(),
        "collection": collection.name,
        "message": request.message or "(none)",
        "page": mail.link("people", collection.slug) + "#requests",
    }
    notify(owners_of(collection), notices.REQUESTS, "request_asked", **facts)


def _notify_requester(request: ParticipationRequest, email: str, by: User, **facts: str) -> None:
    """Notify the person who asked, unless they can no longer see the collection, whose name may have changed."""
    collection = request.collection
    if not visible_collections(request.user).filter(pk=collection.pk).exists():
        return
    page = mail.link("collection", collection.slug)
    facts = {"collection": collection.name, "by": by.get_username(), "page": page, **facts}
    notify([request.user], notices.ANSWERS, email, **facts)
