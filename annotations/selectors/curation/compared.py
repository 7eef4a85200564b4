"""Every two submitted drafts of a query, and what is kept of how far they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from accounts.models import User
from annotations.agreement.kept import FIGURES, KeptPairs, Numbers, Values, from_bytes, joined
from annotations.models import QueryAgreement
from annotations.selectors.curation.grid import Flags
from annotations.selectors.curation.overview import Overview
from annotations.selectors.curation.readings import places_of
from annotations.selectors.dependence import dependent_in
from qc4.version import ENGINE_VERSION


@dataclass(frozen=True, slots=True)
class Sides:
    """The latest draft every curator has submitted of every query, by number, and its revision; 0 for none. Of two
    curators, the one with the older account is the first."""

    drafts: Numbers
    revisions: Numbers
    users: Sequence[User]

    @property
    def n_pairs(self) -> Numbers:
        """Of each query."""
        count = (self.drafts > 0).sum(axis=1)
        return np.asarray(count * (count - 1) // 2, dtype=np.int64)


@dataclass(frozen=True)
class Compared:
    """All pairs of drafts whose figures are kept, a row each.

    Attributes:
        rows, first, second: of which query and which curators they are, as places in `Sides`.
        dependent: drafts that are no independent answers, by number.
    """

    kept: KeptPairs
    rows: Numbers
    first: Numbers
    second: Numbers
    dependent: Set[int]

    def __len__(self) -> int:
        return len(self.kept)

    @cached_property
    def is_dependent(self) -> Flags:
        """Which pairs are no independent ones."""
        dependent = np.isin(self.kept.sides[:, 0], list(self.dependent))
        return np.asarray(dependent[self.kept.pairs].any(axis=1), dtype=bool)

    def figure(self, key: str) -> tuple[Values, Numbers]:
        """Values and reasons of every pair."""
        column = FIGURES.index(key)
        return self.kept.values[:, column], self._why[:, column]

    @cached_property
    def _why(self) -> Numbers:
        return self.kept.why


def _sides(seen: Overview) -> Sides:
    """Of queries whoever looks works on alone there are none."""
    order = np.argsort(list(seen.people))
    drafts = np.where(seen.grid.hidden[:, None], 0, seen.grid.submitted)[:, order]
    users = list(seen.people.values())
    return Sides(drafts, seen.grid.revision[:, order], [users[n] for n in order.tolist()])


def compared(seen: Overview) -> tuple[Sides, Compared]:
    """What is to be compared, and what is kept of it, as far as the drafts are those that were compared."""
    sides = _sides(seen)
    kept = _kept(seen)
    rows, columns = np.nonzero(sides.drafts)
    places = places_of(kept.sides[:, 0], sides.drafts[rows, columns])
    revisions = np.append(sides.revisions[rows, columns], -1)  # the last one of a draft that is not there
    is_now = revisions[places] == kept.sides[:, 1]
    kept = kept.only(is_now[kept.pairs].all(axis=1))
    one, other = places[kept.pairs].T
    return sides, Compared(kept, rows[one], columns[one], columns[other], dependent_in(seen.collection))


def _kept(seen: Overview) -> KeptPairs:
    rows = QueryAgreement.objects.filter(query__collection=seen.collection, engine=ENGINE_VERSION).order_by()
    return joined([from_bytes(*columns) for columns in rows.values_list("numbers", "values", "reasons")])


def missing(sides: Sides, found: Compared) -> Iterator[tuple[int, int]]:
    """The pairs that are not compared yet, in the order of the queries."""
    n_found, pairs = np.bincount(found.rows, minlength=len(sides.drafts)), found.kept.drafts
    for row in (n_found < sides.n_pairs).nonzero()[0].tolist():
        there = set(map(tuple, pairs[found.rows == row].tolist()))
        drafts = sides.drafts[row]
        yield from (pair for pair in combinations(drafts[drafts > 0].tolist(), 2) if pair not in there)
