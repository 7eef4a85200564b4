"""What every algorithm scores on one query, and what is still being scored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from accounts.person import Person
from annotations.models import Gold, GoldVersion, Query
from evaluation.access import visible_runs, visible_submissions
from evaluation.models import Algorithm, Run, Submission
from evaluation.selectors.columns import Column
from evaluation.selectors.latest import finished, last_by_algorithm
from evaluation.selectors.scores import Cell, queries_of, scores_of


@dataclass(frozen=True, slots=True)
class Line:
    """One algorithm's cells, in the order of the columns.

    Attributes:
        version: the gold version they are against.
        outdated: whether the query has got another gold standard since.
    """

    algorithm: Algorithm
    submission: Submission
    run: Run
    cells: tuple[Cell, ...]
    version: GoldVersion
    outdated: bool


@dataclass(frozen=True, slots=True)
class QueryScores:
    """The scores of one query as one person sees them.

    Attributes:
        gold, version: the query's latest gold standard and the version that holds it; None if none is published.
        lines: against it; of algorithms that have no such scores, against the last gold version where they have.
        queued, running: runs that will bring scores against it.
        algorithms: how many there are, with scores or without.
    """

    gold: Gold | None
    version: GoldVersion | None
    lines: tuple[Line, ...]
    queued: int
    running: int
    algorithms: int

    @property
    def waits(self) -> bool:
        """Whether there will be other scores than those shown."""
        return bool(self.queued or self.running)

    @property
    def current(self) -> int:
        """Algorithms whose scores are against the latest gold standard."""
        return sum(not line.outdated for line in self.lines)

    @property
    def outdated(self) -> int:
        return len(self.lines) - self.current

    @property
    def seen(self) -> str:
        """Changes when there is something new to show, other than how many runs wait."""
        version = self.version.pk if self.version else 0
        return f"{version}-{self.current}-{max((line.run.pk for line in self.lines), default=0)}"


def query_scores(query: Query, person: Person, columns: Sequence[Column], sort: str) -> QueryScores:
    """The scores of a query (already checked), the best by the column ``sort`` first, those without a value last."""
    entries = query.gold_entries.select_related("gold", "version").order_by("-version__number")
    versions = {entry.version_id: entry for entry in entries}
    latest = next(iter(versions.values()), None)
    if latest is None:
        return QueryScores(None, None, (), 0, 0, 0)
    by_version: dict[int, list[Run]] = defaultdict(list)
    done = finished(visible_submissions(person, query.collection)).filter(gold_version__in=versions)
    for run in last_by_algorithm(done).values():
        by_version[run.gold_version_id or 0].append(run)
    lines = [
        line
        for pk, runs in by_version.items()
        for line in _lines(query, versions[pk].version, runs, columns, versions[pk].gold_id != latest.gold_id)
    ]
    place = [column.key for column in columns].index(sort)
    lines.sort(key=lambda line: _order(line, place, columns[place]))
    work = _work(query, person, latest.version)
    algorithms = visible_submissions(person, query.collection).values("algorithm").distinct().count()
    return QueryScores(latest.gold, latest.version, tuple(lines), work["queued"], work["running"], algorithms)


def _lines(
    query: Query, version: GoldVersion, runs: Sequence[Run], columns: Sequence[Column], outdated: bool
) -> list[Line]:
    queries = [scored for scored in queries_of(version) if scored.pk == query.pk]
    found = scores_of(runs, columns, queries)
    return [
        Line(
            run.submission.algorithm,
            run.submission,
            run,
            tuple(found[run.pk].cells[column][0] for column in columns),
            version,
            outdated,
        )
        for run in runs
        if run.submission is not None
    ]


def _order(line: Line, place: int, column: Column) -> tuple[bool, float, str]:
    value = line.cells[place].value
    worse = value or 0.0 if column.measure.better == "lower" else -(value or 0.0)
    return value is None, worse, line.algorithm.name.casefold()


def _work(query: Query, person: Person, version: GoldVersion) -> dict[str, int]:
    """Runs at work for this version: evaluations, and baselines, which are evaluated once they are made."""
    about = Q(kind=Run.Kind.EVALUATION, gold_version=version) | Q(kind=Run.Kind.BASELINES)
    runs = visible_runs(person).filter(about, collection=query.collection)
    return runs.aggregate(
        queued=Count("pk", filter=Q(state=Run.State.QUEUED)), running=Count("pk", filter=Q(state=Run.State.RUNNING))
    )
