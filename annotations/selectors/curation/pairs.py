"""How far curators agree, two by two, over all queries both have submitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from accounts.models import User
from annotations.models import Draft, PairAgreement, Query
from annotations.selectors.curation.overview import Overview
from annotations.selectors.dependence import dependence_of, told
from qc4.records import Record
from qc4.version import ENGINE_VERSION

FIGURES = {
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

    query: Query
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
        missing: pairs of drafts that are still to be compared.
    """

    KEYS = "queries compared pending dependent overall independent pairs"

    queries: int
    compared: int
    dependent: int
    overall: Sequence[Mean]
    independent: Sequence[Mean]
    pairs: Sequence[PairLine]
    missing: Sequence[tuple[int, int]]

    @property
    def pending(self) -> int:
        return len(self.missing)

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


Figures = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two drafts of one query, the figures kept of them, and why they are not independent; "" where they are."""

    first: Draft
    second: Draft
    figures: Figures
    why: str

    @property
    def people(self) -> tuple[int, int]:
        return self.first.curator_id or 0, self.second.curator_id or 0


def team_agreement(seen: Overview) -> TeamAgreement:
    """What is kept of the submitted drafts as they are now; five queries to the database."""
    pairs = _pairs(seen)
    kept = _kept(seen)
    dependence = dependence_of(list({draft.pk: draft for pair in pairs for draft in pair}.values()))
    found = [
        ComparedPair(one, other, kept[key], told([dependence[pk] for pk in (one.pk, other.pk) if pk in dependence]))
        for one, other in pairs
        if (key := _key(one, other)) in kept
    ]
    independent = [pair for pair in found if not pair.why]
    by_people: dict[tuple[int, int], list[ComparedPair]] = {}
    for pair in found:
        by_people.setdefault(pair.people, []).append(pair)
    lines = [_line(seen, *people, rows) for people, rows in by_people.items()]
    return TeamAgreement(
        queries=len({one.query_id for one, _ in pairs}),
        compared=len(found),
        dependent=len(found) - len(independent),
        overall=_overall(found),
        independent=_overall(independent),
        pairs=sorted(lines, key=lambda line: (line.first.get_username(), line.second.get_username())),
        missing=[(one.pk, other.pk) for one, other in pairs if _key(one, other) not in kept],
    )


def _line(seen: Overview, first: int, second: int, rows: Sequence[ComparedPair]) -> PairLine:
    means = [_mean(key, title, [[row.figures[key]] for row in rows]) for key, title in FIGURES.items()]
    dependent = [DependentQuery(row.first.query, row.why) for row in rows if row.why]
    return PairLine(seen.people[first], seen.people[second], len(rows), means, dependent)


def _overall(pairs: Iterable[ComparedPair]) -> list[Mean]:
    by_query: dict[int, list[Figures]] = {}
    for pair in pairs:
        by_query.setdefault(pair.first.query_id, []).append(pair.figures)
    return [_mean(key, title, _of_queries(key, by_query.values())) for key, title in OVERALL.items()]


def _pairs(seen: Overview) -> list[tuple[Draft, Draft]]:
    """Every two curators' latest submitted drafts of a query, of queries whoever looks does not work on alone."""
    own = Draft.objects.filter(query__collection=seen.collection, kind=Draft.Kind.OWN, archived_at=None)
    rows = own.filter(status=Draft.Status.SUBMITTED).exclude(query__in=seen.alone).order_by("query__position", "pk")
    drafts = rows.select_related("query", "curator").defer("summary")
    latest = {(draft.query_id, draft.curator_id): draft for draft in drafts if draft.curator_id in seen.people}
    by_query: dict[int, list[Draft]] = {}
    for draft in latest.values():
        by_query.setdefault(draft.query_id, []).append(draft)
    return [
        pair
        for sides in by_query.values()
        for pair in combinations(sorted(sides, key=lambda draft: draft.curator_id or 0), 2)
    ]


def _key(one: Draft, other: Draft) -> tuple[object, ...]:
    return one.pk, other.pk, one.head, other.head


def _kept(seen: Overview) -> dict[tuple[object, ...], Figures]:
    rows = PairAgreement.objects.filter(first__query__collection=seen.collection, engine=ENGINE_VERSION).order_by()
    columns = rows.values_list("first", "second", "first_head", "second_head", "figures")
    return {tuple(key): figures for *key, figures in columns}


def _of_queries(key: str, queries: Iterable[Sequence[Figures]]) -> list[list[Mapping[str, Any]]]:
    """Per query: the figure of every pair, either way where it has two."""
    return [[row[part] for row in rows for part in EITHER_WAY.get(key, (key,))] for rows in queries]


def _mean(key: str, title: str, queries: Sequence[Sequence[Mapping[str, Any]]]) -> Mean:
    """The mean over queries of the mean of what each has."""
    values = [[one["value"] for one in rows if "value" in one] for rows in queries]
    means = [fmean(row) for row in values if row]
    reasons = Counter(one["undefined"] for rows in queries for one in rows if "undefined" in one)
    told = [Reason(why, times) for why, times in reasons.most_common()]
    return Mean(key, title, fmean(means) if means else None, len(means), told)
