"""What every algorithm scores on one query, and what is still being scored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from accounts.person import Person
from annotations.access import hidden_gold
from annotations.models import Gold, GoldVersion, Query
from evaluation.access import visible_runs, visible_submissions
from evaluation.models import Algorithm, Run, Submission
from evaluation.runs.admission import UNFINISHED
from evaluation.selectors.columns import Column
from evaluation.selectors.latest import DEFAULT, counting_each, finished, rules_of
from evaluation.selectors.scores import Cell, scores_of, seen_in
from qc4.views.policies import Policies


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
class Scoring:
    """How far the scoring of a query is, as one person sees it: what the page asks for again and again.

    Attributes:
        gold, version: the query's latest gold standard and the version that holds it; None if none is published.
        counting: run of each algorithm that has scores -> whether the query has got another gold standard since; it is
            against the latest version, else against the last one where there are any.
        queued, running: runs that will bring scores against it.
        algorithms: how many there are, with scores or without.
    """

    gold: Gold | None
    version: GoldVersion | None
    counting: Mapping[int, bool]
    queued: int
    running: int
    algorithms: int

    @property
    def waits(self) -> bool:
        """Whether there will be other scores than those there are."""
        return bool(self.queued or self.running)

    @property
    def current(self) -> int:
        """Algorithms whose scores are against the latest gold standard."""
        return len(self.counting) - self.outdated

    @property
    def outdated(self) -> int:
        return sum(self.counting.values())

    @property
    def seen(self) -> str:
        """Changes when there is something new to show, other than how many runs wait."""
        version = self.version.pk if self.version else 0
        return f"{version}-{self.current}-{max(self.counting, default=0)}"


def scoring(query: Query, person: Person, policies: Policies = DEFAULT) -> Scoring:
    """How far the scoring of a query (already checked) under these policies is; looks at no score."""
    seen = query.gold_entries.exclude(query__in=hidden_gold(person))
    entries = seen.select_related("gold", "version").order_by("-version__number")
    golds = {entry.version_id: entry.gold_id for entry in entries}
    latest = next(iter(entries), None)
    if latest is None:
        return Scoring(None, None, {}, 0, 0, 0)
    submissions = visible_submissions(person, query.collection)
    done = finished(submissions, policies).filter(gold_version__in=golds)
    rows = done.values_list("submission__algorithm", "pk", "gold_version")
    last = {algorithm: (run, golds[version or 0] != latest.gold_id) for algorithm, run, version in rows}
    if rules := rules_of(submissions):
        boards: dict[int, list[Run]] = defaultdict(list)
        for run in done.filter(submission__algorithm__in=rules):
            boards[run.gold_version_id or 0].append(run)
        last = {algorithm: one for algorithm, one in last.items() if algorithm not in rules}
        for version, chosen in counting_each(boards, rules).items():
            outdated = golds[version] != latest.gold_id
            last |= {algorithm: (runs[-1].pk, outdated) for algorithm, runs in chosen.items()}
    work = _work(query, person, latest.version)
    algorithms = submissions.values("algorithm").distinct().count()
    return Scoring(latest.gold, latest.version, dict(last.values()), work["queued"], work["running"], algorithms)


def score_lines(query: Query, person: Person, known: Scoring, columns: Sequence[Column], sort: str) -> list[Line]:
    """The scores themselves, the best by the column ``sort`` first, those without a value last."""
    counting = Run.objects.filter(pk__in=known.counting).defer("options", "policies", "error")
    runs = list(counting.select_related("submission__algorithm", "gold_version").defer("submission__parameters"))
    versions = [run.gold_version for run in runs if run.gold_version is not None]
    found = scores_of(runs, columns, seen_in(query, versions, person))
    lines = [
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
    place = [column.key for column in columns].index(sort)
    return sorted(lines, key=lambda line: _order(line, place, columns[place]))


def _order(line: Line, place: int, column: Column) -> tuple[bool, float, str]:
    value = line.cells[place].value
    worse = value or 0.0 if column.measure.better == "lower" else -(value or 0.0)
    return value is None, worse, line.algorithm.name.casefold()


def _work(query: Query, person: Person, version: GoldVersion) -> dict[str, int]:
    """Runs at work for this version: evaluations, and baselines, which are evaluated once they are made."""
    about = Q(kind=Run.Kind.EVALUATION, gold_version=version) | Q(kind=Run.Kind.BASELINES)
    runs = visible_runs(person).filter(about, collection=query.collection, state__in=UNFINISHED)
    return runs.aggregate(
        queued=Count("pk", filter=Q(state=Run.State.QUEUED)), running=Count("pk", filter=Q(state=Run.State.RUNNING))
    )
