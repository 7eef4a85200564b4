"""On which queries curators do not agree independently, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accounts.models import User
from accounts.paging import ListPage, page_of_known
from annotations.models import Draft
from annotations.selectors.curation.compared import Compared, Sides
from annotations.selectors.curation.grid import Listed
from annotations.selectors.curation.overview import Overview
from annotations.selectors.dependence import dependence_of


@dataclass(frozen=True, slots=True)
class DependentPair:
    """Two curators whose drafts of a query are compared, and why that is no independent agreement."""

    query: Listed
    first: User
    second: User
    why: str


class DependentPairs:
    """All of them, in the order of the queries; those that a page shows are put into words."""

    def __init__(self, seen: Overview, sides: Sides, found: Compared) -> None:
        self._seen, self._sides, self._found = seen, sides, found

    def page(self, cursor: str, size: int) -> ListPage[DependentPair]:
        """As `accounts.paging` asks for it."""
        found = page_of_known(cursor, size, self._pairs(), self._key)
        return ListPage(self._rows(found.rows), found.previous, found.next)

    def _pairs(self) -> list[int]:
        pairs = np.flatnonzero(self._found.is_dependent)
        order = np.lexsort([of[pairs] for of in (self._found.second, self._found.first, self._found.rows)])
        return list(map(int, pairs[order]))

    def _key(self, pair: int) -> str:
        """By its drafts: those of a query lost or submitted meanwhile move no others."""
        first, second = self._found.kept.pairs[pair]
        return "{} {}".format(*self._found.kept.sides[[first, second], 0])

    def _rows(self, pairs: Sequence[int]) -> list[DependentPair]:
        """At most three queries to the database."""
        found, users, queries = self._found, self._sides.users, self._seen.grid.queries
        shown = found.kept.sides[found.kept.pairs[pairs], 0]
        drafts = Draft.objects.filter(pk__in=set(shown[np.isin(shown, list(found.dependent))].tolist()))
        dependence = dependence_of(list(drafts.select_related("curator").defer("summary"))) if pairs else {}
        return [
            DependentPair(
                queries[found.rows[pair]],
                users[found.first[pair]],
                users[found.second[pair]],
                " ".join(dependence[pk].sentence for pk in two if pk in dependence),
            )
            for pair, two in zip(pairs, shown.tolist(), strict=True)
        ]
