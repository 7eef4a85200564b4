"""Who is in a draft now, and which page they look at."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone

from accounts.models import User
from annotations.models import Draft, DraftPresence

HERE_SECONDS = 30
"""How long somebody counts as present after their browser was last heard of."""


class PersonHere(NamedTuple):
    """Somebody who is here: the page they look at (empty for none), and seconds since they were heard of."""

    name: str
    page: str
    seconds: int


def people_here(draft: Draft, person: User) -> list[PersonHere]:
    """The others who are here."""
    now = timezone.now()
    here = DraftPresence.objects.filter(draft=draft, seen_at__gt=now - timedelta(seconds=HERE_SECONDS))
    rows = here.exclude(user=person).order_by("user__username").values_list("user__username", "page", "seen_at")
    return [PersonHere(name, page, max(0, int((now - seen_at).total_seconds()))) for name, page, seen_at in rows]


def note(draft: Draft, user: User, page: str) -> None:
    """Somebody is here and looks at that page (empty: at none); one query."""
    DraftPresence.objects.bulk_create(
        [DraftPresence(draft=draft, user=user, page=page, seen_at=timezone.now())],
        update_conflicts=True,
        unique_fields=["draft", "user"],
        update_fields=["page", "seen_at"],
    )
