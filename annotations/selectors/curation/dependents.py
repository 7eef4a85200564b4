"""On which queries curators do not agree independently, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accounts.models import User
from annotations.models import Draft
from annotations.selectors.curation.compared import Compared, Sides
from annotations.selectors.curation.grid import Listed
from annotations.selectors.curation.overview import Overview
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
    """The number of a pair among all compared pairs, and its two drafts."""

    pair: int
    drafts: tuple[int, ...]


class DependentPairs:
    """All pairs in the order of the queries; `rows` explains those that a page shows."""

    def __init__(self, seen: Overview, sides: Sides, found: Compared) -> None:
        self._seen, self._sides, self._found = seen, sides, found

    def places(self) -> list[Place]:
        """Return where each pair is found."""
        found = self._found
        pairs = np.flatnonzero(found.is_dependent)
        pairs = pairs[np.lexsort([of[pairs] for of in (found.second, found.first, found.rows)])]
        drafts = found.kept.sides[found.kept.pairs[pairs], 0]
        return list(map(Place, pairs.tolist(), map(tuple, drafts.tolist())))

    def rows(self, places: Sequence[Place]) -> list[DependentPair]:
        """Return these pairs with the reasons; at most three database queries."""
        found, users, queries = self._found, self._sides.users, self._seen.grid.queries
        drafts = Draft.objects.filter(pk__in={pk for place in places for pk in place.drafts} & found.dependent)
        why = dependence_of(list(drafts.select_related("curator").defer("summary"))) if places else {}
        return [
            DependentPair(
                queries[found.rows[pair]],
                users[found.first[pair]],
                users[found.second[pair]],
                " ".join(why[pk].sentence for pk in drafts if pk in why) or GONE,
            )
            for pair, drafts in places
        ]
