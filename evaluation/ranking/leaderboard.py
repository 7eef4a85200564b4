"""The leaderboard: one row per algorithm with the mean of each chosen measure over the queries of a gold version."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from django.db.models import QuerySet

from accounts.person import Person
from annotations.collections.vectors import latest_vectors
from annotations.gold.selectors import latest_version
from annotations.models import Collection, GoldVersion
from evaluation.models import Algorithm, Submission
from evaluation.ranking.board import Board, BoardMean, BoardRow, RowGroup
from evaluation.ranking.entries import Entry, entries
from evaluation.ranking.f_of_means import find_f_of_means, shown_columns
from evaluation.ranking.means import ColumnStanding, Means, mean_sort_key
from evaluation.ranking.standings import standings
from evaluation.ranking.tested import ComparisonRequest
from evaluation.scoring.cells import looks_at_vectors
from evaluation.scoring.columns import BoardColumn, columns, level_choices
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.scores import ScoredQuery, shown_depths, stored_and_visible
from evaluation.scoring.selectors import on_older_vectors
from evaluation.scoring.tables import Table, read, table
from qc4.measures.registry import REGISTRY
from qc4.model.policies import CHOICES
from qc4.model.query_names import QueryNames
from qc4.problems import InputError, Problem, ProblemList
from qc4.version import ENGINE_VERSION
from qc4.wording import quoted
from work.answers import Pending
from work.budget import TooManyAnswers

DEFAULT_RANKING = "qc4_f"
"""The ranking column by default; if it is not shown, the first main measure of a family is."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The algorithms, queries and columns that options select: the input of leaderboards, comparisons and charts.

    Attributes:
        entries: the shown algorithms, with or without scores.
        algorithms: every algorithm that can be shown, id -> row.
        stored_queries: all queries of the version, also hidden ones, in the order of stored scores; never shown.
        deepest: the largest depth of the shown algorithms' clusters, on queries that are not hidden.
        whole: the selection with all algorithms, if only some are shown but all are tested together.
    """

    collection: Collection
    choice: BoardOptions
    version: GoldVersion | None
    latest_version: GoldVersion | None
    all_queries: tuple[ScoredQuery, ...]
    queries: tuple[ScoredQuery, ...]
    columns: tuple[BoardColumn, ...]
    sort: BoardColumn
    levels: tuple[str, ...]
    entries: tuple[Entry, ...]
    algorithms: dict[int, Algorithm]
    stored_queries: tuple[ScoredQuery, ...]
    deepest: int
    whole: Selection | None = None

    @property
    def tested(self) -> Selection:
        """The selection whose algorithms are tested together: all of the leaderboard, or the shown ones."""
        return self.whole or self

    @property
    def scored(self) -> tuple[Entry, ...]:
        """The entries that have a run, which are the rows of `tables`."""
        return tuple(entry for entry in self.entries if entry.run is not None)

    @property
    def why_options(self) -> dict[str, str]:
        """The URL parameters of explanations: the gold version, and scoring options that differ from the defaults."""
        gold = {"gold": f"{self.version.number}"} if self.version else {}
        given = self.choice.parameters()
        return gold | {name: given[name][0] for name in CHOICES if name in given}

    @property
    def question(self) -> ComparisonRequest | None:
        if self.version is None:
            return None
        return ComparisonRequest(
            self.version,
            self.scored,
            tuple(query.pk for query in self.queries),
            self.choice.missing,
            self.choice.method,
            self.choice.baseline,
        )

    def tables(self, of: Sequence[BoardColumn] | None = None) -> dict[BoardColumn, Table]:
        """Return column -> its scores as a table, by default of the shown columns. One database query."""
        algorithms = [entry.runs for entry in self.scored]
        columns = self.columns if of is None else of
        stored = read([run for runs in algorithms for run in runs], columns) if algorithms else {}
        return {column: table(column, algorithms, stored, self.stored_queries, self.queries) for column in columns}


class OfSelection:
    """Base of results about a `selection`."""

    __slots__ = ()
    selection: Selection

    @property
    def collection(self) -> Collection:
        return self.selection.collection

    @property
    def version(self) -> GoldVersion | None:
        return self.selection.version

    @property
    def choice(self) -> BoardOptions:
        return self.selection.choice

    @property
    def engine(self) -> str:
        return ENGINE_VERSION

    @property
    def waiting(self) -> int:
        """Number of algorithms without scores."""
        return len(self.selection.entries) - len(self.selection.scored)


def select(
    collection: Collection,
    person: Person | None,
    choice: BoardOptions,
    *,
    submissions: QuerySet[Submission] | None = None,
) -> Selection:
    """Return what options select in a collection (already checked), as this person sees it.

    Args:
        person, submissions: as for `evaluation.ranking.entries.entries`.

    Raises:
        InputError: a measure, sort column, level, depth, gold version, query or algorithm is unknown; lists all
            problems of the first kind.
    """
    latest = latest_version(collection)
    version = _version(collection, choice.gold) if choice.gold is not None else latest
    held, every = (
        one[version.pk] if version else () for one in stored_and_visible([version] if version else [], person)
    )
    n_levels = max((query.n_levels for query in every), default=1)
    shown = columns(choice.measures, choice.level, n_levels, choice.policies, choice.depth)
    sort = _sort_column(shown, choice.sort)
    found = entries(collection, person, version, choice.policies, submissions=submissions)
    algorithms = {entry.algorithm.pk: entry.algorithm for entry in found}
    choice = options_with_current_ids(collection, replace(choice, queries=_keys_of(every, choice.queries)), algorithms)
    check_algorithms(choice, algorithms)
    wanted = {*choice.algorithms, choice.baseline} if choice.algorithms else set(algorithms)
    shown_entries = tuple(entry for entry in found if entry.algorithm.pk in wanted)
    depths = shown_depths((run for entry in shown_entries for run in entry.runs), held, every)
    selection = Selection(
        collection=collection,
        choice=choice,
        version=version,
        latest_version=latest,
        all_queries=every,
        queries=tuple(query for query in every if query.key in choice.queries) if choice.queries else every,
        columns=shown,
        sort=sort,
        levels=level_choices(n_levels),
        entries=shown_entries,
        algorithms=algorithms,
        stored_queries=held,
        deepest=max(depths.values(), default=1),
    )
    if choice.family != "all" or len(shown_entries) == len(found):
        return selection
    return replace(selection, whole=replace(selection, entries=found))


def leaderboard(
    collection: Collection,
    person: Person | None,
    choice: BoardOptions | None = None,
    *,
    details: bool = False,
    submissions: QuerySet[Submission] | None = None,
) -> Board:
    """Return the leaderboard of a collection (already checked) as this person sees it.

    Args:
        details: include the queries behind each mean.
        submissions: as for `select`.

    Raises:
        InputError: as `select`.
        Pending: it is being computed; its `meanwhile` is the part that is ready.
    """
    asked = choice or BoardOptions()
    # A pair has a comparison page of its own; here it is a leaderboard of two.
    asked = replace(asked, family="shown") if asked.family == "pair" else asked
    found = select(collection, person, asked, submissions=submissions)
    tested = found.tested
    of_columns, pending = standings(tested.question, found.columns, found.sort)
    parts = shown_columns({column.key: column for column in found.columns})
    of_values = tested.tables() if details else tested.tables([found.sort])
    f_of_both = None
    if parts and tested.question is not None and not pending:
        try:
            f_of_both = find_f_of_means(tested.question, parts)
        except Pending:
            pending = True
    rows = _rows(found, of_columns, of_values, details=details)
    shown = {column.key: of_columns[column] for column in found.columns if column in of_columns}
    board = Board(
        collection=collection,
        version=found.version,
        latest_version=found.latest_version,
        choice=found.choice,
        all_queries=found.all_queries,
        queries=found.queries,
        columns=found.columns,
        sort=found.sort,
        levels=found.levels,
        algorithms=found.algorithms,
        rows=ordered(rows, found.sort, reverse=found.choice.reverse),
        standings=shown,
        standing=of_columns.get(found.sort) or ColumnStanding(Means.of({}), 0, ranks=False),
        pending=pending,
        deepest=found.deepest,
        f_of_means=f_of_both,
    )
    if pending:
        raise Pending(board)
    return board


def board_or_partial(collection: Collection, person: Person, choice: BoardOptions | None = None) -> Board | None:
    """Return the leaderboard, or its ready part while the rest is being computed; None if no part is ready."""
    try:
        return leaderboard(collection, person, choice)
    except Pending as pending:
        return cast("Board | None", pending.meanwhile)
    except TooManyAnswers:
        return None


def _version(collection: Collection, number: int) -> GoldVersion:
    version = collection.gold_versions.filter(number=number).first()
    if version is None:
        known = ", ".join(map(str, collection.gold_versions.values_list("number", flat=True))) or "none yet"
        raise InputError([Problem("unknown-gold-version", "gold", str(number), f"one of: {known}")])
    return version


def _sort_column(shown: Sequence[BoardColumn], sort: str) -> BoardColumn:
    by_key = {column.key: column for column in shown}
    if not sort:
        mains = (column for column in shown if column.key == REGISTRY.family_of(column.measure).main)
        return by_key.get(DEFAULT_RANKING) or next(mains, shown[-1])
    if sort not in by_key:
        raise InputError([Problem("unknown-sort", "sort", repr(sort), f"one of {', '.join(by_key)}")])
    return by_key[sort]


def _keys_of(every: tuple[ScoredQuery, ...], names: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of the queries that a URL names by key or text.

    Raises:
        InputError: the gold version has no such query, or several.
    """
    problems, known = ProblemList(), QueryNames({query.key: query.text for query in every})
    keys = {name: known.key(name) for name in names}
    for name, key in keys.items():
        if key not in known.texts:
            known.note_unknown(name, "query", quoted(name[:80]), problems)
    problems.refuse_errors()
    return tuple(dict.fromkeys(keys.values()))


def check_algorithms(choice: BoardOptions, known: Mapping[int, Algorithm]) -> None:
    """Check the chosen algorithms and the baseline.

    Raises:
        InputError: ids that are not known; lists all of them.
    """
    problems = ProblemList()
    asked = {"algorithms": choice.algorithms, "baseline": () if choice.baseline is None else (choice.baseline,)}
    for where, ids in asked.items():
        for pk in ids:
            if pk not in known:
                problems.error("unknown-algorithm", where, str(pk), "the id of an algorithm of this collection")
    problems.refuse_errors()


def _rows(
    found: Selection,
    of_columns: Mapping[BoardColumn, ColumnStanding],
    of_values: Mapping[BoardColumn, Table],
    *,
    details: bool,
) -> list[BoardRow]:
    runs = [run for entry in found.scored for run in entry.runs]
    on_vectors = any(looks_at_vectors(column.key) for column in found.columns)
    older = on_older_vectors(runs, latest_vectors(found.collection)) if on_vectors else frozenset()
    shown = {column.key: of_columns[column] for column in found.columns if column in of_columns}
    older_gold, table = found.version != found.latest_version, of_values[found.sort]
    numbers = {entry.algorithm.pk: number for number, entry in enumerate(found.tested.scored)}
    rows = []
    for entry in found.entries:
        row = BoardRow(entry, older_gold=older_gold)
        if entry.runs:
            number = numbers[entry.algorithm.pk]
            row.standings = shown
            row.mean = shown[found.sort.key].means[entry.algorithm.pk]
            row.older_vectors = any(run.pk in older for run in entry.runs)
            row.engines = table.engines[number]
            row.numbers, row.gaps = table.values[number], table.gaps[number]
            if details:
                row.details = {
                    column.key: BoardMean.of(row.means[column.key], of_column, number)
                    for column, of_column in of_values.items()
                }
        rows.append(row)
    return rows


def ordered(rows: list[BoardRow], sort: BoardColumn, *, reverse: bool) -> tuple[BoardRow, ...]:
    """Sort rows best first; then those that are not compared, by their means; then those without a value, by name."""

    def by(row: BoardRow) -> tuple[bool, float, str]:
        return mean_sort_key(row.mean.value if row.mean else None, row.algorithm.name, sort.measure.better)

    ranked, others, nothing = (sorted((row for row in rows if row.group is group), key=by) for group in RowGroup)
    return (*(reversed(ranked) if reverse else ranked), *others, *nothing)


# --- URLs that name algorithms by their ids from before a merge ---


def current_ids(collection: Collection, ids: Iterable[int], known: Some[int]) -> tuple[int, ...]:
    """Replace the ids of merged algorithms by their current ids, each once. No query if all ids are known."""
    ids = tuple(ids)
    unknown = [pk for pk in ids if pk not in known]
    if not unknown:
        return ids
    rows = collection.former_names.filter(former_id__in=unknown).values_list("former_id", "algorithm")
    became = {former: pk for former, pk in rows if pk in known}
    return tuple(dict.fromkeys(became.get(pk, pk) for pk in ids))


def options_with_current_ids(collection: Collection, choice: BoardOptions, known: Some[int]) -> BoardOptions:
    """Return the options with current ids in place of those of merged algorithms."""
    algorithms = current_ids(collection, choice.algorithms, known)
    baseline = current_ids(collection, () if choice.baseline is None else (choice.baseline,), known)
    return replace(choice, algorithms=algorithms, baseline=baseline[0] if baseline else None)
