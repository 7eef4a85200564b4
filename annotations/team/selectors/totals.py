"""Totals of each curator over all queries, and curators who wait for others."""

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
    """A curator's totals over all queries.

    Pages are counted in own drafts, not in shared ones. ``placed`` and ``last_active`` exclude progress that is hidden
    from the viewer.
    """

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
    """The number of queries on which one curator has submitted and waits for another assigned curator."""

    KEYS = "waiting=waiting.username for=late.username queries=n_queries"

    waiting: User
    late: User
    n_queries: int


def totals(collection: Collection, person: User, people: Mapping[int, User], grid: Grid) -> list[Total]:
    """Return the totals of current and former curators, in the order of ``people``."""
    tables = (
        grid.given,
        grid.finished & ~grid.working,
        grid.working,
        grid.overdue,
        _visible_placed_pages(person, people, grid),
    )
    sums = [table.sum(axis=0).tolist() for table in tables]
    active = _last_active(collection, person, [query.pk for query in grid.queries if grid.hidden[query.place]])
    return [
        Total(user, assigned, done, begun, overdue, placed, active.get(user.pk))
        for user, assigned, done, begun, overdue, placed in zip(people.values(), *sums, strict=True)
    ]


def placed_pages(person: User, people: Mapping[int, User], grid: Grid) -> dict[int, int]:
    """Return a dict of user id -> number of pages placed in their own drafts, as in `Total`."""
    return dict(zip(people, _visible_placed_pages(person, people, grid).sum(axis=0).tolist(), strict=True))


def waits(people: Mapping[int, User], grid: Grid) -> list[Wait]:
    """Return which curators wait for which, most queries first. Ties are in the order of their first query."""
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


def _visible_placed_pages(person: User, people: Mapping[int, User], grid: Grid) -> Numbers:
    """Return the number of pages placed, or 0 if it is hidden from the viewer."""
    mine = np.array([who == person.pk for who in people], dtype=bool)
    visible: Numbers = np.where(~grid.hidden[:, None] | mine, grid.placed, 0)
    return visible


def _last_active(collection: Collection, person: User, hidden: list[int]) -> dict[int, datetime]:
    """Return a dict of user id -> time when they last viewed a draft or changed their own, except on hidden queries."""
    visible = Q(user=person) | ~Q(draft__query__in=hidden) | Q(draft__kind=Draft.Kind.SHARED)
    seen = DraftPresence.objects.filter(visible, draft__query__collection=collection).order_by()
    found = dict(seen.values_list("user_id").annotate(latest=Max("seen_at")))
    drafts = Draft.objects.filter(query__collection=collection, archived_at=None, curator__isnull=False).order_by()
    changed = drafts.filter(Q(curator=person) | ~Q(query__in=hidden))
    for who, at in changed.values_list("curator_id").annotate(latest=Max("changed_at")):
        found[who] = max(found.get(who, at), at)
    return found
