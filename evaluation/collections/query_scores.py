"""Every algorithm's scores on one query, and the progress of scoring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Q
from django.db.models.fields.json import KeyTextTransform

from accounts.person import Person
from annotations.challenges.access import hidden_gold
from annotations.models import Gold, GoldVersion, Query
from evaluation.access import visible_evaluations, visible_runs, visible_submissions
from evaluation.baselines.catalogue import REFERENCES
from evaluation.models import Algorithm, Run, Submission
from evaluation.ranking.wording import ScoredAlgorithm, reference_notes
from evaluation.runs.scheduling import UNFINISHED
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.effective import DEFAULT, effective_runs_by_board, finished_of, rules_if_any
from evaluation.scoring.scores import Cell, Queries, scores_of, visible_query_in
from qc4.model.policies import Policies


@dataclass(frozen=True, slots=True)
class Line:
    """One algorithm's cells, in the order of the columns.

    Attributes:
        version: the gold version of the scores.
        outdated: True if the query has a newer gold standard.
    """

    algorithm: Algorithm
    submission: Submission
    run: Run
    cells: tuple[Cell, ...]
    version: GoldVersion
    outdated: bool


@dataclass(frozen=True, slots=True)
class Scoring:
    """The progress of scoring a query, as one person sees it; the page polls it.

    Attributes:
        gold, version: the query's latest gold standard and the version that holds it; None if none is published.
        counting: the run of each algorithm that has scores -> True if the query has a newer gold standard. The run is
            against the latest version, or else against the last version that was scored.
        queued, running: number of runs that will produce scores against it.
        algorithms: number of algorithms, with or without scores.
    """

    gold: Gold | None
    version: GoldVersion | None
    counting: Mapping[int, bool]
    queued: int
    running: int
    algorithms: int

    @property
    def waits(self) -> bool:
        """True if more scores are expected."""
        return bool(self.queued or self.running)

    @property
    def current(self) -> int:
        """Number of algorithms whose scores are against the latest gold standard."""
        return len(self.counting) - self.outdated

    @property
    def outdated(self) -> int:
        return sum(self.counting.values())

    @property
    def seen(self) -> str:
        """A token that changes if there are new scores to show; the number of waiting runs does not affect it."""
        version = self.version.pk if self.version else 0
        return f"{version}-{self.current}-{max(self.counting, default=0)}"


def scoring(query: Query, person: Person, policies: Policies = DEFAULT) -> Scoring:
    """The scoring progress of a query (already checked) under these scoring options; does not read any score."""
    seen = query.gold_entries.exclude(query__in=hidden_gold(person))
    entries = seen.select_related("gold", "version").order_by("-version__number")
    golds = {entry.version_id: entry.gold_id for entry in entries}
    latest = next(iter(entries), None)
    if latest is None:
        return Scoring(None, None, {}, 0, 0, 0)
    submissions = visible_submissions(person, query.collection)
    done = finished_of(visible_evaluations(person, query.collection), policies).filter(gold_version__in=golds)
    rows = list(done.values_list("submission__algorithm", "pk", "gold_version", "submission__algorithm__counts"))
    last = {algorithm: (run, golds[version or 0] != latest.gold_id) for algorithm, run, version, _ in rows}
    if rules := rules_if_any((counts for *_, counts in rows), submissions):
        boards: dict[int, list[Run]] = defaultdict(list)
        for run in done.filter(submission__algorithm__in=rules):
            boards[run.gold_version_id or 0].append(run)
        last = {algorithm: one for algorithm, one in last.items() if algorithm not in rules}
        for version, chosen in effective_runs_by_board(boards, rules).items():
            outdated = golds[version] != latest.gold_id
            last |= {algorithm: (runs[-1].pk, outdated) for algorithm, runs in chosen.items()}
    work = _work(query, person, latest.version)
    algorithms = submissions.values("algorithm").distinct().count()
    return Scoring(latest.gold, latest.version, dict(last.values()), work["queued"], work["running"], algorithms)


SHOWN = (
    *("kind", "collection_id", "submission_id", "measures", "gold_version__number", "gold_version__collection_id"),
    *(f"submission__{name}" for name in ("collection_id", "published", "repeat", "created_by_id")),
    *(f"submission__algorithm__{name}" for name in ("name", "baseline", "settings", "collection_id")),
)
"""The fields read from evaluations shown in the table."""


class _Sorted(NamedTuple):
    """The fields by which evaluations are sorted; there may be hundreds of evaluations."""

    pk: int
    submission_id: int
    gold_version_id: int
    name: str
    measures: Mapping[str, int]


class ScoredRuns:
    """The evaluations whose scores are in the table of a query.

    Attributes:
        runs: their primary keys, sorted best first by the column ``sort``; those without a value come last.
    """

    def __init__(self, query: Query, person: Person, known: Scoring, columns: Sequence[BoardColumn], sort: str) -> None:
        by = next(column for column in columns if column.key == sort)
        counting = Run.objects.filter(pk__in=known.counting).order_by("-pk")
        facts = ("pk", "submission_id", "gold_version_id", "submission__algorithm__name")
        rows = counting.values_list(*facts, KeyTextTransform(by.key, "measures"))
        runs = [
            _Sorted(pk, submission or 0, gold_version or 0, name, {} if version is None else {by.key: int(version)})
            for pk, submission, gold_version, name, version in rows
        ]
        versions = GoldVersion.objects.filter(pk__in={run.gold_version_id for run in runs})
        self._known, self._columns, self._queries = known, columns, visible_query_in(query, versions, person)
        value = {pk: scores.cells[by][0].value for pk, scores in scores_of(runs, [by], self._queries).items()}
        self.runs = [run.pk for run in sorted(runs, key=lambda run: _order(value[run.pk], run.name, by))]

    def lines(self, runs: Sequence[int]) -> list[Line]:
        """Return the table rows of some of the runs; a run that has been deleted since is omitted."""
        wanted = Run.objects.filter(pk__in=runs).only(*SHOWN)
        shown = wanted.select_related("submission__algorithm", "gold_version").in_bulk()
        kept = [shown[pk] for pk in runs if pk in shown]
        return _lines(kept, self._known, self._columns, self._queries)


def notes_on_query(lines: Sequence[Line], columns: Sequence[BoardColumn], sort: str) -> tuple[str, ...]:
    """Explain why reference clusterings score better on a query than algorithms in these rows.

    Args:
        columns: the columns of each row's cells.
        sort: the key of the column that orders the rows.
    """
    at = {column.key: place for place, column in enumerate(columns)}
    by = columns[at[sort]]
    sign = -1 if by.measure.better == "lower" else 1
    everybody = (
        ScoredAlgorithm(
            line.algorithm.name,
            line.algorithm.baseline,
            line.algorithm.baseline in REFERENCES,
            sign * value,
            line.cells[at["qc4_f"]].value if "qc4_f" in at else None,
        )
        for line in lines
        if (value := line.cells[at[sort]].value) is not None
    )
    return reference_notes(everybody, by.measure.title, " on this query")


def _lines(runs: Sequence[Run], known: Scoring, columns: Sequence[BoardColumn], queries: Queries) -> list[Line]:
    found = scores_of(runs, columns, queries)
    return [
        Line(
            run.submission.algorithm,
            run.submission,
            run,
            tuple(found[run.pk].cells[column][0] for column in columns),
            run.gold_version,
            known.counting[run.pk],
        )
        for run in runs
        if run.submission is not None and run.gold_version is not None
    ]


def _order(value: float | None, name: str, column: BoardColumn) -> tuple[bool, float, str]:
    worse = value or 0.0 if column.measure.better == "lower" else -(value or 0.0)
    return value is None, worse, name.casefold()


def _work(query: Query, person: Person, version: GoldVersion) -> dict[str, int]:
    """Numbers of unfinished runs for this version: evaluations, and baselines runs, which lead to evaluations."""
    about = Q(kind=Run.Kind.EVALUATION, gold_version=version) | Q(kind=Run.Kind.BASELINES)
    runs = visible_runs(person).filter(about, collection=query.collection, state__in=UNFINISHED)
    return runs.aggregate(
        queued=Count("pk", filter=Q(state=Run.State.QUEUED)), running=Count("pk", filter=Q(state=Run.State.RUNNING))
    )
