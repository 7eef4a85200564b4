"""The people who have a draft open now, and the page each of them is viewing."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone

from accounts.models import User
from annotations.models import Draft, DraftPresence

PRESENCE_SECONDS = 30
"""Seconds for which a person counts as present after the last request of their browser."""


class PersonHere(NamedTuple):
    """A person who has the draft open: the page they are viewing (empty for none) and the seconds since their last
    request."""

    name: str
    page: str
    seconds: int


def people_here(draft: Draft, person: User) -> list[PersonHere]:
    """Return the other people who have the draft open."""
    now = timezone.now()
    here = DraftPresence.objects.filter(draft=draft, seen_at__gt=now - timedelta(seconds=PRESENCE_SECONDS))
    rows = here.exclude(user=person).order_by("user__username").values_list("user__username", "page", "seen_at")
    return [PersonHere(name, page, max(0, int((now - seen_at).total_seconds()))) for name, page, seen_at in rows]


def record_presence(draft: Draft, user: User, page: str) -> None:
    """Record that a person is viewing that page of a draft (empty for none); one query to the database."""
    DraftPresence.objects.bulk_create(
        [DraftPresence(draft=draft, user=user, page=page, seen_at=timezone.now())],
        update_conflicts=True,
        unique_fields=["draft", "user"],
        update_fields=["page", "seen_at"],
    )
