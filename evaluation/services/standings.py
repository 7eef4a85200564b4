"""Keep what columns of boards say, so that nobody works it out again."""

from __future__ import annotations

from typing import Any

from common.noting import note_if_free
from evaluation.limits import STANDINGS_KEPT
from evaluation.models import Standing


def keep(rows: dict[str, dict[str, Any]]) -> None:
    """Store standings, key -> content; the oldest give way, so that whoever asks for ever other choices fills no disk.

    A page that only reads is shown also where the database is busy writing.
    """

    def store() -> None:
        Standing.objects.bulk_create(
            [Standing(key=key, content=content) for key, content in rows.items()], ignore_conflicts=True
        )
        forget_beyond(STANDINGS_KEPT)

    note_if_free(store, "what was worked out for a board")


def forget_beyond(most: int) -> None:
    """Delete the oldest standings where there are more."""
    newest_first = Standing.objects.order_by("-created_at", "key").values_list("created_at", flat=True)
    last = next(iter(newest_first[most : most + 1]), None)
    if last is not None:
        Standing.objects.filter(created_at__lte=last).delete()
