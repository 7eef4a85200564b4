"""Agreement of each pair of curators on the queries for which both have submitted drafts."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from accounts.models import User
from annotations.agreement.selectors import size_problems
from annotations.agreement.statistics import Agreement, compare
from annotations.drafts.selectors.dependence import dependence_of, dependent_drafts_in
from annotations.drafts.selectors.documents import documents_of
from annotations.models import Collection, Draft
from annotations.team.selectors.grid import Flags, ListedQuery, Numbers
from annotations.team.selectors.overview import Overview
from qc4.arrays import FloatArray, IntArray
from qc4.records import Record
from work.answers import Answer, InputsDeleted, Pending
from work.budget import is_in_request


@dataclass(frozen=True)
class SubmittedDrafts:
    """The latest submitted draft of each curator and query, and the pairs of these drafts.

    Attributes:
        table: ids of query, curator and draft, and the revision, sorted by query and curator. In a pair, the curator
            with the older account comes first.
        dependent: ids of dependent drafts.
    """

    table: Numbers
    dependent: Set[int]

    @property
    def content(self) -> str:
        """The SHA-256 of the table and the dependent drafts."""
        found = sha256(self.table.astype("<i8").tobytes())
        found.update(np.array(sorted(self.dependent), "<i8").tobytes())
        return found.hexdigest()

    @cached_property
    def groups(self) -> list[Numbers]:
        """The row numbers of each query that has at least two drafts."""
        _, starts = np.unique(self.table[:, 0], return_index=True)
        return [rows for rows in np.split(np.arange(len(self.table)), starts[1:]) if len(rows) > 1]

    @cached_property
    def pairs(self) -> Numbers:
        """(pairs, 2) row numbers of each pair of drafts, query by query, in the order of `combinations`."""
        found = [rows[np.column_stack(np.triu_indices(len(rows), 1))] for rows in self.groups]
        return np.concatenate(found) if found else np.empty((0, 2), dtype=np.int64)

    @cached_property
    def is_dependent(self) -> Flags:
        """(pairs,) whether at least one of the two drafts is dependent."""
        dependent = np.isin(self.table[:, 2], list(self.dependent))
        return np.asarray(dependent[self.pairs].any(axis=1), dtype=bool)


def submitted_drafts(collection: Collection, without: Some[int]) -> SubmittedDrafts:
    """Return the submitted drafts of a collection, except for queries in ``without``, with four database queries."""
    own = Draft.objects.filter(query__collection=collection, kind=Draft.Kind.OWN, archived_at=None)
    rows = own.filter(status=Draft.Status.SUBMITTED).exclude(query__in=without).order_by("query", "curator", "pk")
    latest = {row[:2]: row for row in rows.values_list("query_id", "curator_id", "pk", "revision")}
    table = np.array(list(latest.values()), dtype=np.int64).reshape(-1, 4)
    return SubmittedDrafts(table, dependent_drafts_in(collection) & set(table[:, 2].tolist()))


# --- Dependent drafts -------------------------------------------------------------------------------------------------

DRAFTS_CHANGED = "The drafts have just changed."
"""Replaces the reason if the drafts have changed between finding the dependent pairs and reading their reasons."""


@dataclass(frozen=True, slots=True)
class DependentPair:
    """Two curators whose drafts of a query are compared, and why their agreement is not independent."""

    query: ListedQuery
    first: User
    second: User
    why: str


class PairPlace(NamedTuple):
    """The index of a pair among all pairs, and the ids of its two drafts."""

    pair: int
    drafts: tuple[int, ...]


class DependentPairs:
    """All dependent pairs, in the order of the queries. `rows` adds the reasons for the pairs on a page."""

    def __init__(self, seen: Overview, submitted: SubmittedDrafts) -> None:
        self._seen, self._submitted = seen, submitted

    def places(self) -> list[PairPlace]:
        """Return the place of each pair."""
        submitted, order = self._submitted, {query.pk: query.place for query in self._seen.grid.queries}
        pairs = np.flatnonzero(submitted.is_dependent)
        rows = submitted.pairs[pairs]
        queries, people = submitted.table[rows[:, 0], 0].tolist(), submitted.table[rows, 1].tolist()
        # A draft may have come since the overview was read.
        found = [
            (order[query], pair)
            for query, of_pair, pair in zip(queries, people, pairs.tolist(), strict=True)
            if query in order and self._seen.people.keys() >= set(of_pair)
        ]
        return [PairPlace(pair, tuple(submitted.table[submitted.pairs[pair], 2].tolist())) for _, pair in sorted(found)]

    def rows(self, places: Sequence[PairPlace]) -> list[DependentPair]:
        """Return these pairs with the reasons; at most three database queries."""
        submitted, people = self._submitted, self._seen.people
        queries = {query.pk: query for query in self._seen.grid.queries}
        drafts = Draft.objects.filter(pk__in={pk for place in places for pk in place.drafts} & submitted.dependent)
        why = dependence_of(list(drafts.select_related("curator").defer("summary"))) if places else {}
        found = []
        for pair, of_pair in places:
            query, curators = (
                submitted.table[submitted.pairs[pair, 0], 0],
                submitted.table[submitted.pairs[pair], 1].tolist(),
            )
            words = " ".join(why[pk].sentence for pk in of_pair if pk in why) or DRAFTS_CHANGED
            found.append(DependentPair(queries[int(query)], people[curators[0]], people[curators[1]], words))
        return found


# --- Agreement over all queries ---------------------------------------------------------------------------------------
# Agreement is computed in two steps. The first compares the pairs of drafts of each query. Its results stay valid until
# another draft of that query is submitted. The second step computes means over all queries.

TITLES = {
    "outlier_kappa": "Outlier kappa",
    "outlier_ac1": "Outlier AC1",
    "qc4_first": "QC4-F of first",
    "qc4_second": "QC4-F of second",
    "bcubed_precision": "BCubed precision",
    "bcubed_recall": "BCubed recall",
    "bcubed_f": "BCubed F",
}
"""The figures of a pair of drafts and their titles. BCubed uses the second draft's topics as clusters. With the roles
exchanged, precision and recall are exchanged too."""
FIGURE_SOURCES: dict[str, tuple[str, str | int | None]] = {
    "outlier_kappa": ("outlier_kappa", None),
    "outlier_ac1": ("outlier_ac1", None),
    "qc4_first": ("qc4_f", "first"),
    "qc4_second": ("qc4_f", "second"),
    "bcubed_precision": ("bcubed_precision", 1),
    "bcubed_recall": ("bcubed_recall", 1),
    "bcubed_f": ("bcubed_f", 1),
}
"""Figure -> the measure in a comparison, with its level or with the draft whose topics are the clusters."""
COMBINED_FIGURES = {"qc4": ("qc4_first", "qc4_second")}
"""Figures of the mean over all pairs, which does not distinguish the first and the second curator."""
OVERALL = {
    "outlier_kappa": "Outlier kappa",
    "outlier_ac1": "Outlier AC1",
    "qc4": "QC4-F, mean of both directions",
    "bcubed_f": "BCubed F",
}
TOO_LARGE = "the drafts are too large to compare here"
CHEAP_PAGES = 1_000
"""Number of pages, counted once per pair of drafts, that are compared in a tenth of a second."""
PAIR_COST = 150
"""Fixed cost of a pair, expressed as a number of pages."""


@dataclass(frozen=True, slots=True)
class Reason(Record):
    """Why a figure is undefined, and the number of comparisons that this concerns."""

    KEYS = "why times"

    why: str
    times: int


@dataclass(frozen=True, slots=True)
class Mean(Record):
    """The mean of a figure over the ``n`` queries for which it is defined, and why it is undefined for others."""

    TITLE = "AgreementMean"
    KEYS = "figure title value n undefined"

    figure: str
    title: str
    value: float | None
    n: int
    undefined: tuple[Reason, ...] = ()

    @property
    def reasons(self) -> str:
        """A text with the reasons why the figure is undefined; "" if it is always defined."""
        return "; ".join(f"undefined {reason.times} ×: {reason.why}" for reason in self.undefined)


@dataclass(frozen=True, slots=True)
class PairLine(Record):
    """Two curators and the means over the queries for which both have submitted drafts.

    Attributes:
        dependent: the number of these queries with a dependent comparison.
    """

    KEYS = "first=first.username second=second.username queries means dependent"

    first: User
    second: User
    queries: int
    means: Sequence[Mean]
    dependent: int


@dataclass(frozen=True, slots=True)
class TeamAgreement(Record):
    """Agreement of all pairs of curators, and the overall means.

    Attributes:
        queries: the number of queries with at least two submitted drafts that the viewer may see.
        compared: the number of pairs of drafts of these queries.
        overall: means over queries of the mean over each query's pairs.
        dependent: the number of dependent pairs, in which a curator had seen others' work.
        independent: the same means without dependent pairs.
        dependents: the dependent pairs, loaded page by page.
        pending: whether the means are still being computed, so that they are missing here.
    """

    KEYS = "queries compared dependent overall independent pairs"

    queries: int
    compared: int
    dependent: int
    dependents: DependentPairs
    overall: Sequence[Mean] = ()
    independent: Sequence[Mean] = ()
    pairs: Sequence[PairLine] = ()
    pending: bool = False

    @property
    def both(self) -> list[tuple[Mean, Mean]]:
        """Pairs of a mean over all pairs and the mean over independent pairs only."""
        return list(zip(self.overall, self.independent, strict=True))

    @property
    def has_reasons(self) -> bool:
        """True if a figure of two curators is undefined for a query."""
        return any(mean.undefined for line in self.pairs for mean in line.means)


# --- The pairs of a query ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class QueryAsked:
    """The submitted drafts of a query.

    Attributes:
        drafts: the id and revision of each draft.
        pages: the number of the query's pages.
    """

    collection: int
    query: int
    drafts: tuple[tuple[int, int], ...]
    pages: int

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(f"draft {pk}" for pk, _ in self.drafts)


@dataclass(frozen=True)
class Figures:
    """The figures of all pairs of drafts, with a row for each pair and a column for each of `TITLES`.

    Attributes:
        values: the figures; NaN if undefined.
        why: the index of the reason in ``reasons``; -1 if the figure is defined.
    """

    values: FloatArray
    why: IntArray
    reasons: tuple[str, ...]


def _compare(asked: Sequence[QueryAsked]) -> list[Figures]:
    """Compare all pairs of drafts of each query, without confidence intervals."""
    ids = [pk for one in asked for pk, _ in one.drafts]
    known = Draft.objects.select_related("query", "curator").in_bulk(ids)
    if any(pk not in known or known[pk].revision != revision for one in asked for pk, revision in one.drafts):
        raise InputsDeleted
    pairs = [list(combinations([known[pk] for pk, _ in one.drafts], 2)) for one in asked]
    within = {(one.pk, other.pk) for of in pairs for one, other in of if not size_problems((one, other))}
    read = [known[pk] for pk in dict.fromkeys(pk for pair in within for pk in pair)]
    documents = {draft.pk: document for draft, document in zip(read, documents_of(read), strict=True)}
    return [
        _figures([compare(documents[a], documents[b], groups=0) if (a, b) in within else None for a, b in numbers])
        for numbers in ([(one.pk, other.pk) for one, other in of] for of in pairs)
    ]


def _figures(found: Sequence[Agreement | None]) -> Figures:
    """Return the figures of compared pairs, in which None is a pair that is too large to compare."""
    values = np.full((len(found), len(FIGURE_SOURCES)), np.nan)
    why, reasons = np.full(values.shape, -1), dict[str, int]()
    for row, agreement in enumerate(found):
        for column, where in enumerate(FIGURE_SOURCES.values()):
            figure = agreement.figure(*where) if agreement else None
            if figure is None or figure.value is None:
                # Keep only the general rule at the end of a reason, because page numbers differ by query.
                words = figure.undefined.rpartition("; ")[2] if figure else TOO_LARGE
                why[row, column] = reasons.setdefault(words, len(reasons))
            else:
                values[row, column] = figure.value
    return Figures(values, why, tuple(reasons))


QUERY = Answer(
    "agreement-of-query",
    QueryAsked,
    Figures,
    lambda asked: _compare([asked])[0],
    cost=lambda asked: comb(len(asked.drafts), 2) * (asked.pages + PAIR_COST),
    cheap=CHEAP_PAGES,
)


# --- The team ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TeamAsked:
    """The submitted drafts of a collection.

    Attributes:
        without: ids of excluded queries.
        content: the SHA-256 of the drafts and their revisions (`SubmittedDrafts.content`), as there may be thousands.
        cost: the cost of comparing all pairs, in pages.
    """

    collection: int
    without: tuple[int, ...]
    content: str
    cost: int

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> tuple[str, ...]:
        """No sources, because drafts are deleted only with their collection."""
        return ()


@dataclass(frozen=True, slots=True)
class PairFound:
    """The stored form of `PairLine`, with the curators' ids."""

    first: int
    second: int
    queries: int
    means: tuple[Mean, ...]
    dependent: int


@dataclass(frozen=True, slots=True)
class TeamFound:
    """The stored form of `TeamAgreement`."""

    pairs: tuple[PairFound, ...]
    overall: tuple[Mean, ...]
    independent: tuple[Mean, ...]


@dataclass(frozen=True)
class _AllPairs:
    """The figures of all pairs, in order."""

    submitted: SubmittedDrafts
    figures: Figures

    @property
    def rows(self) -> Numbers:
        """(pairs,) the query of each pair."""
        return np.asarray(self.submitted.table[self.submitted.pairs[:, 0], 0], dtype=np.int64)

    def figure(self, key: str) -> tuple[FloatArray, IntArray]:
        column = list(FIGURE_SOURCES).index(key)
        return self.figures.values[:, column], self.figures.why[:, column]


def _compute(asked: TeamAsked) -> TeamFound:
    collection = Collection.objects.filter(pk=asked.collection).first()
    if collection is None:
        raise InputsDeleted
    submitted = submitted_drafts(collection, asked.without)
    if submitted.content != asked.content:
        raise InputsDeleted  # a draft was submitted or reopened meanwhile, so the result is no longer needed
    pages = dict(collection.queries.values_list("pk", "stored_rows"))
    queries = []
    for rows in submitted.groups:
        query, drafts = int(submitted.table[rows[0], 0]), submitted.table[rows, 2:].tolist()
        queries.append(QueryAsked(collection.pk, query, tuple((pk, revision) for pk, revision in drafts), pages[query]))
    # Results that are cheap enough for a request are computed at once. Others are stored query by query.
    every = _AllPairs(
        submitted, _concatenated(_compare(queries) if is_in_request() else [QUERY.get(one) for one in queries])
    )
    everybody = np.ones(len(submitted.pairs), dtype=bool)
    return TeamFound(
        tuple(_pairs_of_curators(every)),
        _overall_means(every, everybody),
        _overall_means(every, ~submitted.is_dependent),
    )


TEAM = Answer("team-agreement", TeamAsked, TeamFound, _compute, cost=lambda asked: asked.cost, cheap=CHEAP_PAGES)


def team_agreement(seen: Overview) -> TeamAgreement:
    """Return the agreement of the currently submitted drafts.

    Raises:
        Pending: the agreement is still being computed. Its `meanwhile` has the numbers of queries and comparisons.
    """
    submitted = submitted_drafts(seen.collection, seen.alone)
    facts = TeamAgreement(
        queries=len(submitted.groups),
        compared=len(submitted.pairs),
        dependent=int(submitted.is_dependent.sum()),
        dependents=DependentPairs(seen, submitted),
    )
    pages = {query.pk: query.n_pages for query in seen.grid.queries}
    cost = sum(pages.get(query, 0) + PAIR_COST for query in submitted.table[submitted.pairs[:, 0], 0].tolist())
    asked = TeamAsked(seen.collection.pk, tuple(sorted(seen.alone)), submitted.content, cost)
    try:
        found = TEAM.get(asked)
    except Pending as pending:
        raise pending.showing(replace(facts, pending=True)) from None
    people = seen.people
    lines = [
        PairLine(people[one.first], people[one.second], one.queries, one.means, one.dependent)
        for one in found.pairs
        if one.first in people and one.second in people
    ]
    lines.sort(key=lambda line: (line.first.get_username(), line.second.get_username()))
    return replace(facts, pairs=lines, overall=found.overall, independent=found.independent)


def _concatenated(parts: Sequence[Figures]) -> Figures:
    """Concatenate the figures of several queries."""
    reasons: dict[str, int] = {}
    values, why = [np.empty((0, len(FIGURE_SOURCES)))], [np.empty((0, len(FIGURE_SOURCES)), dtype=np.int64)]
    for part in parts:
        # The last element is for index -1.
        places = np.array([*(reasons.setdefault(words, len(reasons)) for words in part.reasons), -1])
        values.append(part.values)
        why.append(places[part.why])
    return Figures(np.concatenate(values), np.concatenate(why), tuple(reasons))


def _pairs_of_curators(every: _AllPairs) -> Iterator[PairFound]:
    """Yield each pair of curators that has submitted drafts of the same query, with one comparison per query."""
    curators = every.submitted.table[every.submitted.pairs, 1]
    people, groups, counts = np.unique(curators, axis=0, return_inverse=True, return_counts=True)
    groups = groups.reshape(-1)
    means = [_means_of_groups(key, title, every, groups, len(people)) for key, title in TITLES.items()]
    dependent = np.bincount(groups[every.submitted.is_dependent], minlength=len(people)).tolist()
    for group, ((first, second), count) in enumerate(zip(people.tolist(), counts.tolist(), strict=True)):
        yield PairFound(first, second, count, tuple(of_all[group] for of_all in means), dependent[group])


def _means_of_groups(key: str, title: str, every: _AllPairs, groups: Numbers, size: int) -> list[Mean]:
    """Return the mean of a figure for each group of pairs."""
    values, why = every.figure(key)
    defined = why < 0
    n = np.bincount(groups[defined], minlength=size)
    means = np.bincount(groups[defined], values[defined], minlength=size) / n.clip(min=1)
    reasons = _reasons(every, groups[~defined], why[~defined])
    return [
        Mean(key, title, mean if of else None, of, reasons.get(group, ()))
        for group, (mean, of) in enumerate(zip(means.tolist(), n.tolist(), strict=True))
    ]


def _overall_means(every: _AllPairs, chosen: Flags) -> tuple[Mean, ...]:
    """Return means over queries of the mean over each query's chosen pairs."""
    return tuple(
        _mean_over_queries(key, title, every, chosen, COMBINED_FIGURES.get(key, (key,)))
        for key, title in OVERALL.items()
    )


def _mean_over_queries(key: str, title: str, every: _AllPairs, chosen: Flags, parts: Sequence[str]) -> Mean:
    """Return the mean over queries of a figure, or of several figures with equal weight."""
    of_parts = [every.figure(part) for part in parts]
    values, why = (np.concatenate([part[n][chosen] for part in of_parts]) for n in (0, 1))
    defined = why < 0
    _, rows = np.unique(np.tile(every.rows[chosen], len(parts))[defined], return_inverse=True)
    counts = np.bincount(rows)
    sums = np.bincount(rows, values[defined])
    mean = float((sums / counts).mean()) if len(sums) else None
    undefined = why[~defined]
    return Mean(key, title, mean, len(sums), _reasons(every, np.zeros_like(undefined), undefined).get(0, ()))


def _reasons(every: _AllPairs, groups: IntArray, why: IntArray) -> dict[int, tuple[Reason, ...]]:
    """Return a dict of group -> reasons why figures are undefined, most frequent first."""
    reasons_of: dict[int, list[Reason]] = {}
    words = every.figures.reasons
    places, times = np.unique(groups * max(1, len(words)) + why, return_counts=True)
    for place, count in zip(places.tolist(), times.tolist(), strict=True):
        group, reason = divmod(place, max(1, len(words)))
        reasons_of.setdefault(group, []).append(Reason(words[reason], count))
    return {
        group: tuple(sorted(reasons, key=lambda reason: (-reason.times, reason.why)))
        for group, reasons in reasons_of.items()
    }
