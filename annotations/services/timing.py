"""Work out how long people worked on drafts of their own, from the times in the logs.

Nothing is recorded for it: every entry of a log has its time. A running sum is kept per draft and person, and goes on
with the entries since, so that nobody reads whole logs again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotations.limits import IDLE_SECONDS, TIMED_ENTRIES
from annotations.models import Collection, Draft, DraftEntry, DraftTime


def catch_up(collection: Collection) -> int:
    """Count what was done since, for so many entries as somebody can wait for. Returns how many drafts are left; none
    where the collection does not time people."""
    behind = _behind(collection) if collection.timing == Collection.Timing.ON else []
    chosen: list[int] = []
    room = TIMED_ENTRIES
    for draft, revision, counted in behind:
        if chosen and room < revision - (counted or 0):
            break
        room -= revision - (counted or 0)
        chosen.append(draft)
    if chosen:
        _count(chosen)
    return len(behind) - len(chosen)


def _behind(collection: Collection) -> list[tuple[int, int, int | None]]:
    """The own drafts that went on since they were counted, with their revisions now and then: who made the latest entry
    has a time of that revision."""
    own = Draft.objects.filter(query__collection=collection, kind=Draft.Kind.OWN, archived_at=None, revision__gt=0)
    counted = own.annotate(counted=Max("times__revision"))
    behind = counted.filter(Q(counted=None) | Q(counted__lt=F("revision"))).order_by("pk")
    return list(behind.values_list("pk", "revision", "counted"))


def _count(drafts: Sequence[int]) -> None:
    known = {(row.draft_id, row.user_id): row for row in DraftTime.objects.filter(draft__in=drafts)}
    latest = DraftTime.objects.filter(draft=OuterRef("draft")).values("draft").annotate(latest=Max("revision"))
    entries = DraftEntry.objects.filter(
        draft__in=drafts, revision__gt=Coalesce(Subquery(latest.values("latest")), 0)
    ).order_by("draft", "revision")
    found = times_after(known, entries)
    DraftTime.objects.bulk_create(
        found.values(),
        update_conflicts=True,
        unique_fields=["draft", "user"],
        update_fields=["revision", "last_at", "seconds"],
    )


def times_after(
    known: Mapping[tuple[int, int], DraftTime], entries: QuerySet[DraftEntry]
) -> dict[tuple[int, int], DraftTime]:
    """(draft, person) -> the time with these next entries, in order, of those who made any.

    The time between two steps of one person in a draft counts as work on the later one, unless it is longer than
    `IDLE_SECONDS`: then it was a break. The first step after a break, or of all, counts for nothing.
    """
    found: dict[tuple[int, int], DraftTime] = {}
    for draft, user, revision, at in entries.values_list("draft", "user", "revision", "created_at"):
        row = found.get((draft, user)) or known.get((draft, user))
        if row is None:
            row = DraftTime(draft_id=draft, user_id=user, last_at=at)
        pause = (at - row.last_at).total_seconds()
        if 0 < pause <= IDLE_SECONDS:
            row.seconds += pause
        row.revision, row.last_at = revision, at
        found[draft, user] = row
    return found
