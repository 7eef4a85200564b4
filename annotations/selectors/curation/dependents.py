"""On which queries curators do not agree independently, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accounts.models import User
from accounts.paging import ListPage, page_of_known
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


class _Place(NamedTuple):
    pair: int
    drafts: tuple[int, ...]


class DependentPairs:
    """All of them, in the order of the queries; those that a page shows are put into words."""

    def __init__(self, seen: Overview, sides: Sides, found: Compared) -> None:
        self._seen, self._sides, self._found = seen, sides, found

    def page(self, cursor: str, size: int) -> ListPage[DependentPair]:
        """As `accounts.paging` asks for it; at most three queries to the database."""
        found = page_of_known(cursor, size, self._places(), lambda place: f"{place.drafts}")
        return ListPage(self._rows(found.rows), found.previous, found.next)

    def _places(self) -> list[_Place]:
        """A cursor tells one by its drafts: pairs that come or go move no others."""
        found = self._found
        pairs = np.flatnonzero(found.is_dependent)
        pairs = pairs[np.lexsort([of[pairs] for of in (found.second, found.first, found.rows)])]
        drafts = found.kept.sides[found.kept.pairs[pairs], 0]
        return list(map(_Place, pairs.tolist(), map(tuple, drafts.tolist())))

    def _rows(self, places: Sequence[_Place]) -> list[DependentPair]:
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
