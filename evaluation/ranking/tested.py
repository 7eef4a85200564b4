"""The algorithms that are tested together, on which queries and how: input of leaderboards, comparisons and charts.

`Question` has the rows that a request has read. `Tested` has only their ids, which are stored with the result and sent
to a worker. The worker reads the rows again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotations.models import GoldVersion
from evaluation.models import Run
from evaluation.ranking.entries import Entry
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.scores import ScoredQuery, queries_of
from evaluation.scoring.tables import Stored, Table, read, table
from qc4.measures.registry import REGISTRY
from qc4.stats import Method
from qc4.stats.scores import Missing
from work.answers import InputsDeleted

ColumnKey = tuple[str, str, int]
"""Measure, level and depth of a column."""


@dataclass(frozen=True, slots=True)
class TestedAlgorithm:
    """An algorithm's effective evaluations. The name is part of the input, because ties and files are ordered by it."""

    id: int
    name: str
    runs: tuple[int, ...]
    submissions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TestedSelection:
    """A `Question` by ids.

    Attributes:
        collection, version: ids.
        algorithms: those with evaluations; the rows of tables.
        queries: ids of the visible queries.
        baseline: id of an algorithm.
    """

    collection: int
    version: int
    algorithms: tuple[TestedAlgorithm, ...]
    queries: tuple[int, ...]
    missing: Missing
    method: Method
    baseline: int | None = None

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> Iterable[str]:
        return (f"submission {pk}" for one in self.algorithms for pk in one.submissions)

    @property
    def cells(self) -> int:
        """Number of scores in a column."""
        return len(self.algorithms) * len(self.queries)

    @property
    def pairs(self) -> float:
        """Cost of testing all pairs: algorithms squared x queries, weighted with the number of draws."""
        return len(self.algorithms) * self.cells * relative_effort(self.method)


class OfTestedSelection:
    """Base of inputs that contain a `tested`."""

    __slots__ = ()
    tested: TestedSelection

    @property
    def scope(self) -> str:
        return self.tested.scope

    @property
    def sources(self) -> Iterable[str]:
        return self.tested.sources


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """Entries of a collection on some queries of a gold version, and how they are compared.

    Attributes:
        entries: those that have a run.
        queries: ids of the visible queries.
    """

    version: GoldVersion
    entries: tuple[Entry, ...]
    queries: tuple[int, ...]
    missing: Missing
    method: Method
    baseline: int | None = None

    @property
    def tested(self) -> TestedSelection:
        return TestedSelection(
            self.version.collection_id,
            self.version.pk,
            tuple(_tested(entry) for entry in self.entries if entry.runs),
            self.queries,
            self.missing,
            self.method,
            self.baseline,
        )


def _tested(entry: Entry) -> TestedAlgorithm:
    submissions = tuple(run.submission_id or 0 for run in entry.runs)
    return TestedAlgorithm(entry.algorithm.pk, entry.algorithm.name, tuple(run.pk for run in entry.runs), submissions)


@dataclass(frozen=True, slots=True)
class ResolvedRequest:
    """A question whose rows were read again.

    Attributes:
        stored: all queries of the version, in the order of stored scores.
        seen: the queries of the question.
    """

    question: ComparisonRequest
    stored: tuple[ScoredQuery, ...]
    seen: tuple[ScoredQuery, ...]

    def tables(self, columns: Sequence[BoardColumn], stored: Stored | None = None) -> dict[BoardColumn, Table]:
        """Return column -> its scores as a table. One database query, unless ``stored`` has the columns."""
        algorithms = [entry.runs for entry in self.question.entries]
        if stored is None:
            stored = read([run for runs in algorithms for run in runs], columns) if algorithms else {}
        return {column: table(column, algorithms, stored, self.stored, self.seen) for column in columns}


def resolve_inputs(some: Sequence[TestedSelection]) -> list[ResolvedRequest]:
    """Read the rows of some questions again. Three database queries, however many questions there are.

    Raises:
        Gone: a row was deleted in the meantime.
    """
    ids = [pk for one in some for algorithm in one.algorithms for pk in algorithm.runs]
    runs = Run.objects.filter(pk__in=ids).select_related("submission__algorithm").in_bulk()
    versions = GoldVersion.objects.select_related("collection").in_bulk({one.version for one in some})
    if len(runs) < len(set(ids)) or any(one.version not in versions for one in some):
        raise InputsDeleted
    stored = queries_of(versions.values())
    return [_resolved(one, versions[one.version], runs, stored[one.version]) for one in some]


def _resolved(
    one: TestedSelection, version: GoldVersion, runs: Mapping[int, Run], stored: tuple[ScoredQuery, ...]
) -> ResolvedRequest:
    entries = []
    for of in one.algorithms:
        counted = tuple(runs[pk] for pk in of.runs)
        submission = counted[-1].submission
        if submission is None:
            raise InputsDeleted
        submission.algorithm.name = of.name
        entries.append(Entry(submission.algorithm, submission, counted))
    wanted = set(one.queries)
    seen = tuple(query for query in stored if query.pk in wanted)
    question = ComparisonRequest(version, tuple(entries), one.queries, one.missing, one.method, one.baseline)
    return ResolvedRequest(question, stored, seen)


def column_at(place: ColumnKey) -> BoardColumn:
    """Return the column with this measure, level and depth."""
    measure, level, depth = place
    return BoardColumn(REGISTRY.get(measure), level, depth)


def relative_effort(method: Method) -> float:
    """Return how many times longer the method's draws take than those of the default method; at least 1."""
    return max(1.0, method.draws / Method().draws)


def vars_of(method: Method) -> dict[str, Any]:
    """Return the options of a method by name."""
    return {name: getattr(method, name) for name in method.__slots__}
