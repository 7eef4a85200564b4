"""Each curator over all queries, and who waits for whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db.models import Max, Q

from accounts.models import User
from annotations.models import Collection, Draft, DraftPresence
from annotations.team.selectors.grid import Grid, Numbers
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Total(Record):
    """One curator over all queries. Pages are those of own drafts: in a shared one nobody's are counted. What is hidden
    from whoever looks is in neither ``placed`` nor ``last_active``."""

    KEYS = "curator=curator.username assigned done begun overdue placed last_active"

    curator: User
    assigned: int
    done: int
    begun: int
    overdue: int
    placed: int
    last_active: datetime | None


@dataclass(frozen=True, slots=True)
class Wait(Record):
    """On how many queries somebody who has submitted waits for somebody who was assigned the same ones."""

    KEYS = "waiting=waiting.username for=late.username queries=n_queries"

    waiting: User
    late: User
    n_queries: int


def totals(collection: Collection, person: User, people: Mapping[int, User], grid: Grid) -> list[Total]:
    """Everybody who may curate or did, in the order of ``people``."""
    tables = grid.given, grid.finished & ~grid.working, grid.working, grid.overdue, _told(person, people, grid)
    sums = [table.sum(axis=0).tolist() for table in tables]
    active = _last_active(collection, person, [query.pk for query in grid.queries if grid.hidden[query.place]])
    return [
        Total(user, assigned, done, begun, overdue, placed, active.get(user.pk))
        for user, assigned, done, begun, overdue, placed in zip(people.values(), *sums, strict=True)
    ]


def placed(person: User, people: Mapping[int, User], grid: Grid) -> dict[int, int]:
    """Person -> how many pages have their place in drafts of theirs, as `Total` has it."""
    return dict(zip(people, _told(person, people, grid).sum(axis=0).tolist(), strict=True))


def waits(people: Mapping[int, User], grid: Grid) -> list[Wait]:
    """Who waits for whom, most queries first; equals in the order of the first query they wait for."""
    users = list(people.values())
    found: list[tuple[int, int, Wait]] = []
    for who in np.flatnonzero(grid.waiting.any(axis=0)).tolist():
        rows = np.flatnonzero(grid.waiting[:, who])
        late = grid.late[rows]
        counts, firsts = late.sum(axis=0).tolist(), rows[late.argmax(axis=0)].tolist()
        found += [
            (-counts[other], firsts[other], Wait(users[who], users[other], counts[other]))
            for other in np.flatnonzero(late.any(axis=0)).tolist()
        ]
    return [wait for *_, wait in sorted(found, key=lambda one: one[:2])]


def _told(person: User, people: Mapping[int, User], grid: Grid) -> Numbers:
    """Pages that have their place, where that may be told."""
    mine = np.array([who == person.pk for who in people], dtype=bool)
    told: Numbers = np.where(~grid.hidden[:, None] | mine, grid.placed, 0)
    return told


def _last_active(collection: Collection, person: User, hidden: list[int]) -> dict[int, datetime]:
    """Person -> when they were last seen in a draft, or last changed one of their own, as far as that is told."""
    told = Q(user=person) | ~Q(draft__query__in=hidden) | Q(draft__kind=Draft.Kind.SHARED)
    seen = DraftPresence.objects.filter(told, draft__query__collection=collection).order_by()
    found = dict(seen.values_list("user_id").annotate(latest=Max("seen_at")))
    drafts = Draft.objects.filter(query__collection=collection, archived_at=None, curator__isnull=False).order_by()
    changed = drafts.filter(Q(curator=person) | ~Q(query__in=hidden))
    for who, at in changed.values_list("curator_id").annotate(latest=Max("changed_at")):
        found[who] = max(found.get(who, at), at)
    return found
