"""Curators' working time on their own drafts, as far as it has been computed."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, Sum

from accounts.models import User
from annotations.access import May
from annotations.models import Collection, Draft, DraftTime
from annotations.team.selectors.overview import Overview
from annotations.team.selectors.totals import placed_pages
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class CuratorTime(Record):
    """A curator's working time, and the number of pages placed in their drafts."""

    KEYS = "curator=curator.username seconds placed seconds_per_page"

    curator: User
    seconds: float
    placed: int

    @property
    def seconds_per_page(self) -> float | None:
        """Seconds per placed page; None if nothing is placed or no time is computed."""
        return self.seconds / self.placed if self.placed and self.seconds else None

    @property
    def total_words(self) -> str:
        """The time as "2 h 5 min", or in seconds if it is under a minute."""
        minutes, seconds = divmod(round(self.seconds), 60)
        hours, minutes = divmod(minutes, 60)
        if hours:
            return f"{hours} h {minutes} min"
        return f"{minutes} min" if minutes else f"{seconds} s"


def times_of(seen: Overview) -> list[CuratorTime]:
    """Return the times that the viewer may see: all times if they may publish, otherwise their own.

    The result is empty if the collection does not compute times. Other curators' times exclude queries that the viewer
    annotates but has not submitted, because they would reveal progress.
    """
    if seen.collection.timing == Collection.Timing.OFF:
        return []
    visible = Q(user=seen.person) | ~Q(draft__query__in=seen.alone)
    rows = DraftTime.objects.filter(
        visible, draft__query__collection=seen.collection, draft__kind=Draft.Kind.OWN, draft__archived_at=None
    )
    seconds = dict(rows.order_by().values_list("user").annotate(total=Sum("seconds")))
    everybody = May.PUBLISH in seen.may
    pages = placed_pages(seen.person, seen.people, seen.grid)
    return [
        CuratorTime(user, seconds.get(who, 0.0), pages[who])
        for who, user in seen.people.items()
        if user == seen.person or everybody
    ]
