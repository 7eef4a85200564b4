"""How far curators agree, two by two, over all queries both have submitted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from accounts.models import User
from annotations.agreement.kept import Numbers
from annotations.limits import PAIRS_AT_ONCE
from annotations.selectors.curation.compared import Compared, Sides, compared, missing
from annotations.selectors.curation.dependents import DependentPairs
from annotations.selectors.curation.overview import Overview
from qc4.records import Record

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
class PairLine(Record):
    """Two curators and the means over the queries both submitted, as far as they are worked out.

    Attributes:
        dependent: on how many of the queries they do not agree independently.
    """

    KEYS = "first=first.username second=second.username queries means dependent"

    first: User
    second: User
    queries: int
    means: Sequence[Mean]
    dependent: int


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
        dependents: those that are not independent, page by page.
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
    dependents: DependentPairs

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


def team_agreement(seen: Overview) -> TeamAgreement:
    """What is kept of the submitted drafts as they are now; four queries to the database."""
    sides, found = compared(seen)
    return TeamAgreement(
        queries=int((sides.n_pairs > 0).sum()),
        compared=len(found),
        pending=int(sides.n_pairs.sum()) - len(found),
        dependent=int(found.is_dependent.sum()),
        overall=_overall(found, np.arange(len(found))),
        independent=_overall(found, np.flatnonzero(~found.is_dependent)),
        pairs=sorted(_lines(sides, found), key=lambda line: (line.first.get_username(), line.second.get_username())),
        missing=list(islice(missing(sides, found), PAIRS_AT_ONCE)),
        dependents=DependentPairs(seen, sides, found),
    )


def _lines(sides: Sides, found: Compared) -> Iterator[PairLine]:
    """Every two curators who have both submitted. A query has one comparison of theirs."""
    users = sides.users
    places, groups, counts = np.unique(found.first * len(users) + found.second, return_inverse=True, return_counts=True)
    means = [_of_groups(key, title, found, groups, len(places)) for key, title in TITLES.items()]
    dependent = np.bincount(groups[found.is_dependent], minlength=len(places)).tolist()
    for group, (place, count) in enumerate(zip(places.tolist(), counts.tolist(), strict=True)):
        first, second = divmod(place, len(users))
        figures = [of_all[group] for of_all in means]
        yield PairLine(users[first], users[second], count, figures, dependent[group])


def _of_groups(key: str, title: str, found: Compared, groups: Numbers, size: int) -> list[Mean]:
    """The mean of a figure over each group of pairs."""
    values, why = found.figure(key)
    defined = why < 0
    n = np.bincount(groups[defined], minlength=size)
    means = np.bincount(groups[defined], values[defined], minlength=size) / n.clip(min=1)
    reasons = _reasons(found, groups[~defined], why[~defined])
    return [
        Mean(key, title, mean if of else None, of, reasons.get(group, ()))
        for group, (mean, of) in enumerate(zip(means.tolist(), n.tolist(), strict=True))
    ]


def _overall(found: Compared, chosen: Numbers) -> list[Mean]:
    """The means over queries of the means of all of these pairs that a query has."""
    return [_over_queries(key, title, found, chosen, EITHER_WAY.get(key, (key,))) for key, title in OVERALL.items()]


def _over_queries(key: str, title: str, found: Compared, chosen: Numbers, parts: Sequence[str]) -> Mean:
    """Of figures that may be in several parts, which count alike."""
    of_parts = [found.figure(part) for part in parts]
    values, why = (np.concatenate([part[n][chosen] for part in of_parts]) for n in (0, 1))
    defined, rows = why < 0, np.tile(found.rows[chosen], len(parts))
    counts = np.bincount(rows[defined])
    sums = np.bincount(rows[defined], values[defined])[counts > 0]
    mean = float((sums / counts[counts > 0]).mean()) if len(sums) else None
    undefined = why[~defined]
    return Mean(key, title, mean, len(sums), _reasons(found, np.zeros_like(undefined), undefined).get(0, ()))


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
