"""On which queries curators do not agree independently, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accounts.models import User
from annotations.models import Draft
from annotations.selectors.curation.grid import Listed
from annotations.selectors.curation.overview import Overview
from annotations.selectors.curation.sides import Sides
from annotations.selectors.dependence import dependence_of

GONE = "It has changed just now."
"""In place of a reason that is no more: drafts are read after it was told which they are."""


@dataclass(frozen=True, slots=True)
class DependentPair:
    """Two curators whose drafts of a query are compared, and why that is no independent agreement."""

    query: Listed
    first: User
    second: User
    why: str


class Place(NamedTuple):
    """The number of a pair among all pairs, and its two drafts."""

    pair: int
    drafts: tuple[int, ...]


class DependentPairs:
    """All pairs in the order of the queries; `rows` explains those that a page shows."""

    def __init__(self, seen: Overview, sides: Sides) -> None:
        self._seen, self._sides = seen, sides

    def places(self) -> list[Place]:
        """Return where each pair is found."""
        sides, order = self._sides, {query.pk: query.place for query in self._seen.grid.queries}
        pairs = np.flatnonzero(sides.is_dependent)
        rows = sides.pairs[pairs]
        queries, people = sides.table[rows[:, 0], 0].tolist(), sides.table[rows, 1].tolist()
        # A draft may have come since the overview was read.
        found = [
            (order[query], pair)
            for query, of_pair, pair in zip(queries, people, pairs.tolist(), strict=True)
            if query in order and self._seen.people.keys() >= set(of_pair)
        ]
        return [Place(pair, tuple(sides.table[sides.pairs[pair], 2].tolist())) for _, pair in sorted(found)]

    def rows(self, places: Sequence[Place]) -> list[DependentPair]:
        """Return these pairs with the reasons; at most three database queries."""
        sides, people = self._sides, self._seen.people
        queries = {query.pk: query for query in self._seen.grid.queries}
        drafts = Draft.objects.filter(pk__in={pk for place in places for pk in place.drafts} & sides.dependent)
        why = dependence_of(list(drafts.select_related("curator").defer("summary"))) if places else {}
        found = []
        for pair, of_pair in places:
            query, curators = sides.table[sides.pairs[pair, 0], 0], sides.table[sides.pairs[pair], 1].tolist()
            words = " ".join(why[pk].sentence for pk in of_pair if pk in why) or GONE
            found.append(DependentPair(queries[int(query)], people[curators[0]], people[curators[1]], words))
        return found
