"""How long curators worked on drafts of their own, as far as that has been counted."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, Sum

from accounts.models import User
from annotations.access import May
from annotations.models import Collection, Draft, DraftTime
from annotations.team.selectors.overview import Overview
from annotations.team.selectors.totals import placed
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class CuratorTime(Record):
    """One curator's time, and how many pages have their place in drafts of theirs."""

    KEYS = "curator=curator.username seconds placed seconds_per_page"

    curator: User
    seconds: float
    placed: int

    @property
    def seconds_per_page(self) -> float | None:
        """None where nothing is placed, or nothing was counted."""
        return self.seconds / self.placed if self.placed and self.seconds else None

    @property
    def total_words(self) -> str:
        """ "2 h 5 min"; under a minute in seconds."""
        minutes, seconds = divmod(round(self.seconds), 60)
        hours, minutes = divmod(minutes, 60)
        if hours:
            return f"{hours} h {minutes} min"
        return f"{minutes} min" if minutes else f"{seconds} s"


def times_of(seen: Overview) -> list[CuratorTime]:
    """Everybody's time for who may publish, one's own for others; nothing where the collection does not time people.

    Queries whoever looks annotates and has not submitted are left out of others' time: it would tell how far they are.
    """
    if seen.collection.timing == Collection.Timing.OFF:
        return []
    told = Q(user=seen.person) | ~Q(draft__query__in=seen.alone)
    rows = DraftTime.objects.filter(
        told, draft__query__collection=seen.collection, draft__kind=Draft.Kind.OWN, draft__archived_at=None
    )
    seconds = dict(rows.order_by().values_list("user").annotate(total=Sum("seconds")))
    everybody = May.PUBLISH in seen.may
    pages = placed(seen.person, seen.people, seen.grid)
    return [
        CuratorTime(user, seconds.get(who, 0.0), pages[who])
        for who, user in seen.people.items()
        if user == seen.person or everybody
    ]
