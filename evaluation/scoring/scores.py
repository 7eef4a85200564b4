"""The scores of evaluation runs by query: a value, or the reason why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from django.db.models import Max

from accounts.person import Person
from annotations.challenges.access import entries_with_visibility
from annotations.models import GoldVersion, Query
from evaluation.models import Clustering, Run, RunQuery, Score
from evaluation.scoring.columns import BoardColumn
from qc4.inputs.view import MOST_DEPTHS
from qc4.model.query_names import folded


class State(StrEnum):
    """The kinds of cells."""

    VALUE = "value"
    UNDEFINED = "undefined"
    MISSING = "missing"
    NO_LEVEL = "no-level"


@dataclass(frozen=True, slots=True)
class Cell:
    """The score of one algorithm for one query in one column. ``value`` is None unless ``state`` is VALUE.

    Attributes:
        flattened: whether a scoring option removed overlap before scoring; shown with a mark.
        cut: depth of the cut and depth of the finest cut, shown with a mark; None if nothing was cut.
    """

    state: State
    value: float | None = None
    reason: str = ""
    flattened: bool = False
    cut: tuple[int, int] | None = None

    @property
    def cut_words(self) -> str:
        """The depth at which nested clusters were cut; empty if nothing was cut."""
        return "cut at depth {} of {}".format(*self.cut) if self.cut else ""


class StoredScore(NamedTuple):
    """A score as it is stored."""

    value: float | None
    undefined: str
    flattened: bool = False
    depth: int = 0
    deepest: int = 0


@dataclass(frozen=True, slots=True)
class ScoredQuery:
    """A query of a gold version, as leaderboards need it."""

    pk: int
    key: str
    text: str
    n_levels: int


Queries = dict[int, tuple[ScoredQuery, ...]]
"""Gold version id -> its queries, in the collection's order."""


def queries_of(versions: Iterable[GoldVersion]) -> Queries:
    """Return version id -> all of its queries, in the collection's order, including hidden ones; for stored scores.

    One database query.
    """
    return stored_and_visible(versions, None)[0]


def visible_query_in(query: Query, versions: Iterable[GoldVersion], person: Person | None) -> Queries:
    """As `queries_of`, for one query; empty if its gold standard is hidden from this person."""
    return stored_and_visible(versions, person, query=query)[1]


def stored_and_visible(
    versions: Iterable[GoldVersion], person: Person | None, *, query: Query | None = None
) -> tuple[Queries, Queries]:
    """Return `queries_of`, and the same without queries whose gold standard is hidden from this person.

    The second are the queries whose scores the person may see. One database query.

    Args:
        query: the only query to return.
    """
    known = list(versions)
    stored: dict[int, list[ScoredQuery]] = {version.pk: [] for version in known}
    visible: dict[int, list[ScoredQuery]] = {version.pk: [] for version in known}
    fields = ("version_id", "query__pk", "query__key", "query__text", "gold__n_levels", "is_hidden")
    entries = (
        entries_with_visibility(person, *known)
        if query is None
        else entries_with_visibility(person, *known).filter(query=query)
    )
    rows = entries.order_by("query__position", "query__pk").values_list(*fields)
    for version, pk, key, text, levels, is_hidden in rows:
        held = ScoredQuery(pk, key, text or key, levels)
        stored[version].append(held)
        if not is_hidden:
            visible[version].append(held)
    every, told = ({pk: tuple(queries) for pk, queries in one.items()} for one in (stored, visible))
    return every, told


@dataclass(frozen=True, slots=True)
class RunScores:
    """The scores of one run.

    Attributes:
        cells: column -> one cell per query, in order.
        engines: the engine versions that computed these scores.
    """

    cells: dict[BoardColumn, tuple[Cell, ...]]
    engines: frozenset[str]


MISSING = Cell(State.MISSING, reason="the submission has no clustering of this query")
NOT_COMPUTED = "this measure was not part of the run"


class RunFacts(Protocol):
    """The facts about a finished evaluation with which its scores are found; a `Run` has them."""

    @property
    def pk(self) -> int: ...
    @property
    def submission_id(self) -> int | None: ...
    @property
    def gold_version_id(self) -> int | None: ...
    @property
    def measures(self) -> Mapping[str, int]: ...


def scores_of(
    runs: Iterable[RunFacts], columns: Sequence[BoardColumn], queries: Mapping[int, Sequence[ScoredQuery]]
) -> dict[int, RunScores]:
    """Return run id -> its scores. Two database queries, however many runs there are.

    Args:
        queries: gold version id -> the wanted queries, as from `queries_of`.
    """
    by_run = {run.pk: run for run in runs}
    asked = {query.pk for some in queries.values() for query in some}
    answered = _answered_queries(by_run, asked)
    found, engines = _found_scores(by_run, columns, asked)
    return {
        pk: RunScores(
            {
                column: tuple(
                    cell(
                        query,
                        column.level,
                        query.pk in answered[pk],
                        found.get((pk, query.pk, *column.place)),
                    )
                    for query in queries[run.gold_version_id or 0]
                )
                for column in columns
            },
            frozenset(engines[pk]),
        )
        for pk, run in by_run.items()
    }


def _answered_queries(runs: Mapping[int, RunFacts], asked: set[int]) -> dict[int, set[int]]:
    """Return run id -> those of the wanted queries for which its submission has a clustering."""
    submissions: dict[int, set[int]] = {run.submission_id: set() for run in runs.values() if run.submission_id}
    rows = Clustering.objects.filter(submission__in=submissions, query__in=asked).values_list(
        "submission_id", "query_id"
    )
    for submission, query in rows:
        submissions[submission].add(query)
    return {pk: submissions.get(run.submission_id or 0, set()) for pk, run in runs.items()}


def _found_scores(
    runs: Mapping[int, RunFacts], columns: Sequence[BoardColumn], asked: set[int]
) -> tuple[dict[tuple[int, int, str, str, int], StoredScore], dict[int, set[str]]]:
    wanted: dict[tuple[str, str], list[int]] = {}
    for column in columns:
        wanted.setdefault((column.key, column.level), []).append(column.depth)
    found: dict[tuple[int, int, str, str, int], StoredScore] = {}
    version_of: dict[tuple[int, int, str, str, int], int] = {}
    engines: dict[int, set[str]] = {pk: set() for pk in runs}
    rows = Score.objects.filter(
        evaluation__run_queries__run__in=runs,
        evaluation__run_queries__query__in=asked,
        measure__in={key for key, _ in wanted},
        level__in={level for _, level in wanted},
    ).values_list(
        "evaluation__run_queries__run_id",
        "evaluation__run_queries__query_id",
        "measure",
        "level",
        "measure_version",
        "engine",
        "value",
        "undefined",
        "flattened",
        "depth",
        "deepest",
    )
    for run, query, measure, level, version, engine, value, undefined, flattened, at, deepest in rows:
        # Runs share the evaluation of equal content, so it may have newer definitions of a measure than this run's.
        meant = runs[run].measures.get(measure)
        if (measure, level) not in wanted or (meant is not None and version != meant):
            continue
        score = StoredScore(value, undefined, flattened, at, deepest)
        for depth in wanted[measure, level]:
            place = (run, query, measure, level, depth)
            if at == (min(depth, deepest) or deepest) and version >= version_of.get(place, 0):
                version_of[place] = version
                found[place] = score
                engines[run].add(engine)
    return found, engines


def cell(query: ScoredQuery, level: str, answered: bool, score: StoredScore | None) -> Cell:
    """Return the content of a cell: a score, or the reason why there is none.

    Args:
        level: the column's level, as stored.
        answered: whether the submission has a clustering of the query.
        score: the stored score, if there is one.
    """
    if level.isdigit() and int(level) > query.n_levels:
        levels = "1 level" if query.n_levels == 1 else f"{query.n_levels} levels"
        return Cell(State.NO_LEVEL, reason=f"the gold standard of this query has {levels}")
    if score is not None:
        if score.value is None:
            return Cell(State.UNDEFINED, reason=score.undefined)
        cut = (score.depth, score.deepest) if score.depth else None
        return Cell(State.VALUE, score.value, flattened=score.flattened, cut=cut)
    return Cell(State.UNDEFINED, reason=NOT_COMPUTED) if answered else MISSING


# --- Names of queries in files: the texts on pages, so that a reader of both finds the same query ---


def names_in_files(queries: Iterable[ScoredQuery]) -> dict[str, str]:
    """Return key -> name. The name is the query's text; queries with the same text have their key after it."""
    known = list(queries)
    # A text that is also the key of another query would be ambiguous.
    taken = Counter(name for query in known for name in {folded(query.text), folded(query.key)})
    return {
        query.key: query.text if taken[folded(query.text)] == 1 else f"{query.text} ({query.key})" for query in known
    }


# --- The depth of nested clusters that a person may know: on hidden queries it can reveal the gold standard ---


def shown_depths(runs: Iterable[Run], every: Sequence[ScoredQuery], told: Sequence[ScoredQuery]) -> dict[int, int]:
    """Return finished evaluation -> the largest depth of its clusters, on the queries whose scores a person sees.

    One database query if some queries are hidden and some clusters nested, else none.

    Args:
        every, told: all queries of the gold version, and those that are not hidden.
    """
    found = {run.pk: run.deepest for run in runs}
    nested = [pk for pk, deepest in found.items() if deepest > 1]
    if not nested or len(told) == len(every):
        return found
    rows = RunQuery.objects.filter(run__in=nested, query__in=[query.pk for query in told]).order_by().values_list("run")
    on_told = dict(rows.annotate(Max("evaluation__scores__deepest")))
    return found | {pk: min(max(1, on_told.get(pk) or 1), MOST_DEPTHS) for pk in nested}
