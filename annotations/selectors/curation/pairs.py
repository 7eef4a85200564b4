"""How far curators agree, two by two, over all queries both have submitted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from accounts.models import User
from annotations.agreement.kept import FIGURES, KeptPairs, Numbers, Values, from_bytes, joined
from annotations.limits import PAIRS_AT_ONCE
from annotations.models import Draft, QueryAgreement
from annotations.selectors.curation.grid import Listed
from annotations.selectors.curation.overview import Overview
from annotations.selectors.curation.readings import places_of
from annotations.selectors.dependence import dependence_of, may_depend, told
from qc4.records import Record
from qc4.version import ENGINE_VERSION

TITLES = {
    "outlier_kappa": "Outlier kappa",
    "outlier_ac1": "Outlier AC1",
    "qc4_first": "QC4-F of first",
    "qc4_second": "QC4-F of second",
    "bcubed_precision": "BCubed precision",
    "bcubed_recall": "BCubed recall",
    "bcubed_f": "BCubed F",
}
"""What is kept of two drafts. BCubed takes the second's topics for the clusters: either's precision is the recall of
the other way."""
EITHER_WAY = {"qc4": ("qc4_first", "qc4_second")}
"""What stands in the mean over everybody, where nobody is first or second."""
OVERALL = {
    "outlier_kappa": "Outlier kappa",
    "outlier_ac1": "Outlier AC1",
    "qc4": "QC4-F, mean of both ways",
    "bcubed_f": "BCubed F",
}


@dataclass(frozen=True, slots=True)
class Reason(Record):
    """Why a figure is undefined, and for how many comparisons."""

    KEYS = "why times"

    why: str
    times: int


@dataclass(frozen=True, slots=True)
class Mean(Record):
    """The mean of a figure where it is defined, over ``n`` queries; why it is not elsewhere."""

    TITLE = "AgreementMean"
    KEYS = "figure title value n undefined"

    figure: str
    title: str
    value: float | None
    n: int
    undefined: Sequence[Reason] = ()

    @property
    def reasons(self) -> str:
        """Why it is undefined, in words; "" where it is defined everywhere."""
        return "; ".join(f"undefined {reason.times} ×: {reason.why}" for reason in self.undefined)


@dataclass(frozen=True, slots=True)
class DependentQuery(Record):
    """A query on which two curators' agreement is no independent one, and why."""

    KEYS = "query=query.key why"

    query: Listed
    why: str


@dataclass(frozen=True, slots=True)
class PairLine(Record):
    """Two curators and the means over the queries both submitted, as far as they are worked out."""

    KEYS = "first=first.username second=second.username queries means dependent"

    first: User
    second: User
    queries: int
    means: Sequence[Mean]
    dependent: Sequence[DependentQuery] = ()
    """The queries among them on which they do not agree independently."""


@dataclass(frozen=True, slots=True)
class TeamAgreement(Record):
    """All pairs of curators, and the mean over everybody.

    Attributes:
        queries: how many have two submitted drafts or more that whoever looks may see.
        overall: the mean over queries of the mean over a query's pairs.
        dependent: how many of the compared pairs of drafts are not independent: somebody had seen others' work.
        independent: as ``overall``, without those.
        pending: how many pairs of drafts are still to be compared.
        missing: the first of them, as many as are compared at once.
    """

    KEYS = "queries compared pending dependent overall independent pairs"

    queries: int
    compared: int
    pending: int
    dependent: int
    overall: Sequence[Mean]
    independent: Sequence[Mean]
    pairs: Sequence[PairLine]
    missing: Sequence[tuple[int, int]]

    @property
    def total(self) -> int:
        return self.compared + self.pending

    @property
    def both(self) -> list[tuple[Mean, Mean]]:
        """The means over all, each beside that over independent pairs alone."""
        return list(zip(self.overall, self.independent, strict=True))

    @property
    def has_reasons(self) -> bool:
        """Whether a figure of two curators is undefined on some query."""
        return any(mean.undefined for line in self.pairs for mean in line.means)


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


@dataclass(frozen=True, slots=True)
class Compared:
    """All pairs of drafts whose figures are kept, a row each.

    Attributes:
        rows, first, second: of which query and which curators they are, as places in `Sides`.
        why: pair -> why it is not independent; those that are are not there.
    """

    kept: KeptPairs
    rows: Numbers
    first: Numbers
    second: Numbers
    why: Mapping[int, str]

    def __len__(self) -> int:
        return len(self.kept)

    def figure(self, key: str) -> tuple[Values, Numbers]:
        """Values and reasons of every pair."""
        column = FIGURES.index(key)
        return self.kept.values[:, column], self.kept.why[:, column]


def team_agreement(seen: Overview) -> TeamAgreement:
    """What is kept of the submitted drafts as they are now; five queries to the database."""
    sides = _sides(seen)
    found = _compared(seen, sides)
    everything = np.arange(len(found))
    return TeamAgreement(
        queries=int((sides.n_pairs > 0).sum()),
        compared=len(found),
        pending=int(sides.n_pairs.sum()) - len(found),
        dependent=len(found.why),
        overall=_overall(found, everything),
        independent=_overall(found, np.setdiff1d(everything, list(found.why))),
        pairs=sorted(
            _lines(seen, sides, found), key=lambda line: (line.first.get_username(), line.second.get_username())
        ),
        missing=list(islice(_missing(sides, found), PAIRS_AT_ONCE)),
    )


def _sides(seen: Overview) -> Sides:
    """Of queries whoever looks works on alone there are none."""
    order = np.argsort(list(seen.people))
    drafts = np.where(seen.grid.hidden[:, None], 0, seen.grid.submitted)[:, order]
    users = list(seen.people.values())
    return Sides(drafts, seen.grid.revision[:, order], [users[n] for n in order.tolist()])


def _compared(seen: Overview, sides: Sides) -> Compared:
    """What is kept of these drafts, as far as they are what was compared; in the order of the queries."""
    kept = _kept(seen)
    rows, columns = np.nonzero(sides.drafts)
    one, other = (places_of(kept.keys[:, n], sides.drafts[rows, columns]) for n in (0, 1))
    revisions = np.append(sides.revisions[rows, columns], -1)  # the last one of a draft that is not there
    is_now = (revisions[one] == kept.keys[:, 2]) & (revisions[other] == kept.keys[:, 3])
    one, other, kept = one[is_now], other[is_now], kept.only(is_now)
    return Compared(kept, rows[one], columns[one], columns[other], _dependent(seen, kept))


def _kept(seen: Overview) -> KeptPairs:
    rows = QueryAgreement.objects.filter(query__collection=seen.collection, engine=ENGINE_VERSION).order_by()
    return joined([from_bytes(*columns) for columns in rows.values_list("numbers", "values", "reasons")])


def _dependent(seen: Overview, kept: KeptPairs) -> dict[int, str]:
    """Pair -> why it is not independent."""
    own = Draft.objects.filter(query__collection=seen.collection, kind=Draft.Kind.OWN, archived_at=None)
    drafts = may_depend(own.filter(status=Draft.Status.SUBMITTED)).select_related("curator").defer("summary")
    dependence = dependence_of(list(drafts.order_by("pk")))
    concerned = np.unique(np.nonzero(np.isin(kept.keys[:, :2], list(dependence)))[0]).tolist()
    pairs = {pair: kept.keys[pair, :2].tolist() for pair in concerned}
    return {pair: told([dependence[pk] for pk in two if pk in dependence]) for pair, two in pairs.items()}


def _missing(sides: Sides, found: Compared) -> Iterator[tuple[int, int]]:
    """The pairs that are not compared yet, in the order of the queries."""
    n_found = np.bincount(found.rows, minlength=len(sides.drafts))
    for row in (n_found < sides.n_pairs).nonzero()[0].tolist():
        there = set(map(tuple, found.kept.keys[found.rows == row, :2].tolist()))
        drafts = sides.drafts[row]
        yield from (pair for pair in combinations(drafts[drafts > 0].tolist(), 2) if pair not in there)


def _lines(seen: Overview, sides: Sides, found: Compared) -> Iterator[PairLine]:
    """Every two curators who have both submitted."""
    users, everything = sides.users, np.arange(len(found))
    places, groups, counts = np.unique(found.first * len(users) + found.second, return_inverse=True, return_counts=True)
    means = [_means(key, title, found, everything, groups, [key]) for key, title in TITLES.items()]
    dependent: dict[int, list[DependentQuery]] = {}
    for pair, why in found.why.items():
        query = seen.grid.queries[found.rows[pair]]
        dependent.setdefault(int(groups[pair]), []).append(DependentQuery(query, why))
    for group, (place, count) in enumerate(zip(places.tolist(), counts.tolist(), strict=True)):
        first, second = divmod(place, len(users))
        figures = [of_all[group] for of_all in means]
        yield PairLine(users[first], users[second], count, figures, dependent.get(group, ()))


def _overall(found: Compared, chosen: Numbers) -> list[Mean]:
    """The means of all of these pairs together."""
    one = np.zeros(len(chosen), dtype=np.int64)
    return [
        _means(key, title, found, chosen, one, EITHER_WAY.get(key, (key,)), n_groups=1)[0]
        for key, title in OVERALL.items()
    ]


def _means(
    key: str,
    title: str,
    found: Compared,
    chosen: Numbers,
    groups: Numbers,
    parts: Sequence[str],
    n_groups: int | None = None,
) -> list[Mean]:
    """For each group of the chosen pairs, the mean over queries of the mean of what each has, which may be in several
    parts."""
    n_groups = int(groups.max(initial=-1)) + 1 if n_groups is None else n_groups
    values, whys = zip(*(found.figure(part) for part in parts), strict=True)
    value, why = np.concatenate([one[chosen] for one in values]), np.concatenate([one[chosen] for one in whys])
    group, defined = np.tile(groups, len(parts)), why < 0
    n_queries = int(found.rows.max(initial=0)) + 1
    cells = (group * n_queries + np.tile(found.rows[chosen], len(parts)))[defined]
    size = n_groups * n_queries
    counts = np.bincount(cells, minlength=size).reshape(n_groups, n_queries)
    sums = np.bincount(cells, weights=value[defined], minlength=size).reshape(n_groups, n_queries)
    n = (counts > 0).sum(axis=1)
    means = (sums / counts.clip(min=1)).sum(axis=1) / n.clip(min=1)
    reasons = _reasons(found, group[~defined], why[~defined])
    return [
        Mean(key, title, mean if of else None, of, reasons.get(one, ()))
        for one, (mean, of) in enumerate(zip(means.tolist(), n.tolist(), strict=True))
    ]


def _reasons(found: Compared, groups: Numbers, why: Numbers) -> dict[int, list[Reason]]:
    """Group -> why figures are undefined, most often first."""
    told: dict[int, list[Reason]] = {}
    n_reasons = max(1, len(found.kept.reasons))
    places, times = np.unique(groups * n_reasons + why, return_counts=True)
    for place, count in zip(places.tolist(), times.tolist(), strict=True):
        group, reason = divmod(place, n_reasons)
        told.setdefault(group, []).append(Reason(found.kept.reasons[reason], count))
    for reasons in told.values():
        reasons.sort(key=lambda reason: (-reason.times, reason.why))
    return told
