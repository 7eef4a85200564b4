"""Who is in a draft, and which page they look at. Forgotten by itself: readers ask for the last seconds only."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import User
from annotations.models import Draft, DraftPresence


def note(draft: Draft, user: User, page: str) -> None:
    """Somebody is here and looks at that page (empty: at none); one query."""
    DraftPresence.objects.bulk_create(
        [DraftPresence(draft=draft, user=user, page=page, seen_at=timezone.now())],
        update_conflicts=True,
        unique_fields=["draft", "user"],
        update_fields=["page", "seen_at"],
    )
