"""Filters and sort orders of the curation overview."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum

import numpy as np
from django.utils.http import urlencode

from annotations.team.selectors.grid import Flags, Grid
from qc4.text import name_key


class QueryState(StrEnum):
    """The state of the listed queries."""

    ALL = "all"
    MINE = "mine"
    UNASSIGNED = "unassigned"
    NOT_BEGUN = "not-begun"
    OPEN = "open"
    OVERDUE = "overdue"
    WAITED_FOR = "waited-for"
    SUBMITTED = "submitted"
    TO_COMPARE = "to-compare"
    IN_ADJUDICATION = "in-adjudication"
    PUBLISHED = "published"


class QueryOrder(StrEnum):
    """The order of the listed queries."""

    COLLECTION = "collection"
    DUE = "due"
    CHANGED = "changed"


SORT_WORDS = {
    QueryOrder.COLLECTION: "yours first, then collection order",
    QueryOrder.DUE: "due date",
    QueryOrder.CHANGED: "last change",
}


@dataclass(frozen=True, slots=True)
class OverviewFilter:
    """The chosen filters: a state, words in the text or key, and a curator (user name)."""

    show: QueryState = QueryState.ALL
    q: str = ""
    curator: str = ""
    sort: QueryOrder = QueryOrder.COLLECTION

    def query_string(self, **changes: str) -> str:
        """Return the choice as a query string, without fields that are not set."""
        fields = {**asdict(self), **changes}
        plain = asdict(OverviewFilter())
        return urlencode({name: value for name, value in fields.items() if value != plain.get(name)})

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.curator)


StateCondition = Callable[[Grid, int | None], Flags]
"""A function that returns which queries belong to a list, for one curator (user id) or for all (None)."""

STATE_CONDITIONS: dict[QueryState, StateCondition] = {
    QueryState.ALL: lambda grid, who: grid.concerning(who),
    QueryState.MINE: lambda grid, who: grid.mine & grid.concerning(who),
    QueryState.UNASSIGNED: lambda grid, who: ~grid.of(grid.given, who),
    QueryState.NOT_BEGUN: lambda grid, who: grid.of(grid.not_begun, who),
    QueryState.OPEN: lambda grid, who: grid.has_open if who is None else grid.of(grid.working, who),
    QueryState.OVERDUE: lambda grid, who: grid.of(grid.overdue, who),
    QueryState.WAITED_FOR: lambda grid, who: grid.of(grid.waited_for, who),
    QueryState.SUBMITTED: lambda grid, who: grid.has_submitted if who is None else grid.of(grid.finished, who),
    QueryState.TO_COMPARE: lambda grid, who: grid.to_compare & grid.concerning(who),
    QueryState.IN_ADJUDICATION: lambda grid, who: grid.in_adjudication & grid.concerning(who),
    QueryState.PUBLISHED: lambda grid, who: grid.is_published & grid.concerning(who),
}


def matching_words(grid: Grid, choice: OverviewFilter) -> Flags:
    """Return which queries contain the words, in any state."""
    words = name_key(choice.q).split()
    texts = (name_key(f"{query.key} {query.text}") if words else "" for query in grid.queries)
    return np.array([all(word in text for word in words) for text in texts], dtype=bool)
