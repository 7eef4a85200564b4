"""Which submission of an algorithm, and which run of a submission, is effective."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from annotations.challenges.access import hiding_collections
from annotations.models import Collection
from evaluation.limits import BEST_OF
from evaluation.models import Algorithm, Run, RunColumn, Submission
from evaluation.runs.scheduling import UNFINISHED
from evaluation.scoring.columns import Column, columns
from qc4.arrays import FloatArray
from qc4.measures.registry import REGISTRY
from qc4.model.policies import Policies

DEFAULT = Policies()

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)
Runs = tuple[Run, ...]
"""Evaluations that count together, one for each repeat, the last submission's last."""


class Evaluated(NamedTuple):
    """What it follows from whether a finished evaluation counts: of many, these facts alone are read."""

    pk: int
    submission: int
    algorithm: int
    repeat: str

    @classmethod
    def of(cls, run: Run, submission: Submission) -> Evaluated:
        return cls(run.pk, submission.pk, submission.algorithm_id, submission.repeat)


FACTS = ("pk", "submission_id", "submission__algorithm_id", "submission__repeat")
"""Where evaluations have what is `Evaluated`, in its order."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Which of an algorithm's submissions counts, for one person.

    Attributes:
        counts: one of ``Algorithm.Counts``.
        by: the key of the measure the best is chosen by.
        pinned: the id of the pinned submission.
    """

    counts: str = Algorithm.Counts.LATEST
    by: str = ""
    pinned: int | None = None

    @property
    def words(self) -> str:
        """For people and files: "latest", "best by QC4-F", "pinned"."""
        return f"best by {REGISTRY.get(self.by).title}" if self.counts == Algorithm.Counts.BEST else self.counts

    @property
    def is_latest(self) -> bool:
        return self.counts == Algorithm.Counts.LATEST


LATEST = Rule()


def last_by(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, Row]:
    """Key -> the last of the rows that have it."""
    return {key(row): row for row in rows}


def rules_of(submissions: QuerySet[Submission]) -> dict[int, Rule]:
    """Algorithm id -> its rule, for algorithms of these submissions whose latest is not what counts.

    Whoever does not see a pinned submission (or where it was deleted) has the latest of those they see. Nor does the
    best count where a challenge hides gold standards: which one it is would tell of them. One query to the database.

    Args:
        submissions: those somebody sees.
    """
    seen = submissions.order_by()
    chosen = Algorithm.objects.exclude(counts=Algorithm.Counts.LATEST).filter(pk__in=seen.values("algorithm"))
    chosen = chosen.exclude(Q(counts=Algorithm.Counts.BEST) & Q(collection__in=hiding_collections()))
    rows = chosen.annotate(sees=Exists(seen.filter(pk=OuterRef("pinned")))).order_by()
    found = rows.values_list("pk", "counts", "counts_by", "pinned", "sees")
    return {pk: rule for pk, counts, by, pinned, sees in found if (rule := _rule(counts, by, pinned, sees)) is not None}


def rules_where(counts: Iterable[str], submissions: QuerySet[Submission]) -> dict[int, Rule]:
    """As `rules_of`; it asks the database only where some algorithm has a rule.

    Args:
        counts: of the algorithms that matter, `Algorithm.counts`.
    """
    return rules_of(submissions) if {*counts} - {Algorithm.Counts.LATEST} else {}


def rules_among(submissions: Sequence[Submission]) -> dict[int, Rule]:
    """As `rules_of`, of submissions that are read already, with their algorithms; it asks the database only where the
    best of some counts."""
    seen = {one.pk for one in submissions}
    chosen = {
        one.algorithm_id: (one.collection_id, one.algorithm)
        for one in submissions
        if one.algorithm.counts != Algorithm.Counts.LATEST
    }
    best = {collection for collection, one in chosen.values() if one.counts == Algorithm.Counts.BEST}
    hiding = set(hiding_collections().filter(pk__in=best).values_list("pk", flat=True)) if best else set()
    facts = {
        pk: (one.counts, one.counts_by, one.pinned_id, one.pinned_id in seen)
        for pk, (collection, one) in chosen.items()
        if one.counts != Algorithm.Counts.BEST or collection not in hiding
    }
    return {pk: rule for pk, of_one in facts.items() if (rule := _rule(*of_one)) is not None}


def _rule(counts: str, by: str, pinned: int | None, sees: bool) -> Rule | None:
    """Args: sees: whether the pinned submission is seen. None where the latest counts."""
    if counts == Algorithm.Counts.BEST:
        return Rule(counts, by)
    return Rule(counts, by, pinned) if sees else None


def counting(runs: Iterable[Run], rules: Mapping[int, Rule]) -> dict[int, Runs]:
    """As `counting_each`, of one gold version under one set of policies."""
    return counting_each({"": runs}, rules)[""]


def counting_each(boards: Mapping[Key, Iterable[Run]], rules: Mapping[int, Rule]) -> dict[Key, dict[int, Runs]]:
    """For each board algorithm id -> those of its evaluations that count together, as `counted_each`."""
    rows = {key: {run.pk: run for run in runs} for key, runs in boards.items()}
    facts = {
        key: [Evaluated.of(run, run.submission) for run in of_one.values() if run.submission]
        for key, of_one in rows.items()
    }
    return {
        key: {algorithm: tuple(rows[key][one.pk] for one in some) for algorithm, some in of_board.items()}
        for key, of_board in counted_each(facts, rules).items()
    }


def counted_each(
    boards: Mapping[Key, Iterable[Evaluated]], rules: Mapping[int, Rule]
) -> dict[Key, dict[int, tuple[Evaluated, ...]]]:
    """For each board algorithm id -> those of its evaluations that count together.

    A submission that is marked as a repeat counts beside the other repeats and takes the place of an earlier one of the
    same mark. One without a mark takes the place of everything before it, and gives way to repeats. So submissions come
    in sets; by default the last set counts, by its rule an algorithm may have another one. An algorithm whose pinned
    submission has no evaluation on a board has none there. At most one query to the database.

    Args:
        boards: evaluations against a gold version under a set of policies, as `finished` orders them.
    """
    sets = {key: _sets_of_algorithms(runs, rules) for key, runs in boards.items()}
    contested = [
        run.pk
        for of_board in sets.values()
        for algorithm, known in of_board.items()
        if len(known) > 1 and rules.get(algorithm, LATEST).counts == Algorithm.Counts.BEST
        for one in known
        for run in one
    ]
    means = _means(contested, {rule.by for rule in rules.values() if rule.by})
    found: dict[Key, dict[int, tuple[Evaluated, ...]]] = {}
    for key, of_board in sets.items():
        chosen = ((pk, _chosen(known, rules.get(pk, LATEST), means)) for pk, known in of_board.items())
        found[key] = {pk: one for pk, one in chosen if one}
    return found


def counting_runs(submissions: QuerySet[Submission]) -> frozenset[int]:
    """Ids of the evaluations that count on a board, each on that of its gold version and policies. A few queries.

    Args:
        submissions: those somebody sees.
    """
    ordinary = submissions.filter(sweep=None)
    boards: dict[tuple[Hashable, ...], list[Evaluated]] = defaultdict(list)
    done = finished(ordinary, policies=None).select_related(None)
    rules: set[str] = set()
    rows = done.values_list("gold_version_id", "policies", "submission__algorithm__counts", *FACTS)
    for version, policies, counts, *facts in rows:
        boards[version, *sorted(policies.items())].append(Evaluated(*facts))
        rules.add(counts)
    of_boards = counted_each(boards, rules_where(rules, ordinary)).values()
    return frozenset(run.pk for of_board in of_boards for runs in of_board.values() for run in runs)


def finished(submissions: QuerySet[Submission], policies: Policies | None = DEFAULT) -> QuerySet[Run]:
    """The finished evaluations of these submissions; what counts comes last: the latest gold version, then the latest
    submission, then the latest run.

    Args:
        policies: under which they are; None for any.
    """
    return finished_of(Run.objects.filter(kind=Run.Kind.EVALUATION, submission__in=submissions), policies)


def finished_of(evaluations: QuerySet[Run], policies: Policies | None = DEFAULT) -> QuerySet[Run]:
    """As `finished`, of evaluations, as `evaluation.access.visible_evaluations` finds them."""
    done = evaluations.filter(state=Run.State.DONE)
    if policies is not None:
        done = done.filter(policies=policies.to_dict())
    rows = done.select_related("submission__algorithm", "gold_version")
    return rows.order_by("gold_version__number", "submission_id", "pk")


def latest_submissions(collection: Collection) -> QuerySet[Submission]:
    """Those of `latest_ids`, with their algorithms."""
    rows = Submission.objects.filter(pk__in=latest_ids(collection))
    return rows.select_related("collection", "algorithm").order_by("pk")


def latest_ids(collection: Collection) -> list[int]:
    """What is scored by itself: of every algorithm the latest submission, published and private ones apart (a private
    one hides no public one), the pinned one, and where the best counts all that it is the best of.

    Of an algorithm whose submissions are marked as repeats the latest of each mark, since the last one without. A few
    queries to the database.
    """
    ordinary = Submission.objects.filter(collection=collection, sweep=None).order_by()
    kinds = ("algorithm", "algorithm__counts", "published", "created_by", "repeat")
    groups = sorted(ordinary.values_list(*kinds).annotate(Max("pk")), key=lambda group: group[-1])
    found: dict[tuple[int, bool, int | None], dict[str, int]] = {}
    for algorithm, _, published, user, mark, pk in groups:
        marks = found.setdefault((algorithm, published, user), {})
        if not mark or "" in marks:
            marks.clear()
        marks[mark] = pk
    latest = [pk for marks in found.values() for pk in marks.values()]
    has_rules = any(counts != Algorithm.Counts.LATEST for _, counts, *_ in groups)
    return list(dict.fromkeys([*latest, *_by_rule(ordinary)])) if has_rules else latest


def effective_ids(submissions: QuerySet[Submission]) -> frozenset[int]:
    """Return the ids of the submissions of one algorithm that count, or will once their runs are done.

    A submission whose runs all failed or were cancelled gives way to an earlier one, as on the board. If the best of
    several counts, all of them may.

    Args:
        submissions: those of the algorithm that are considered.
    """
    runs = Run.objects.filter(kind=Run.Kind.EVALUATION, submission=OuterRef("pk"))
    hopeful = runs.filter(state__in=(Run.State.DONE, *UNFINISHED))
    rules = rules_of(submissions)
    rows = list(submissions.order_by("pk").annotate(lost=Exists(runs) & ~Exists(hopeful)))
    known = [one for one in rows if not one.lost] or rows
    rule = next(iter(rules.values()), LATEST)
    sets = _sets(known, lambda one: (one.pk, one.repeat), rule.pinned)
    if rule.pinned is not None:
        chosen = [_with(sets, rule.pinned, lambda one: one.pk)]
    else:
        chosen = sets[-BEST_OF:] if rule.counts == Algorithm.Counts.BEST else sets[-1:]
    return frozenset(one.pk for some in chosen for one in some)


def _by_rule(submissions: QuerySet[Submission]) -> list[int]:
    """The submissions of algorithms with a rule of their own that may count."""
    rules = rules_of(submissions)
    if not rules:
        return []
    of_each: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = submissions.filter(algorithm__in=rules).order_by("pk")
    for algorithm, pk, mark in rows.values_list("algorithm", "pk", "repeat"):
        of_each[algorithm].append((pk, mark))
    found: list[int] = []
    for algorithm, some in of_each.items():
        rule = rules[algorithm]
        known = _sets(some, lambda one: one, rule.pinned)
        wanted = known[-BEST_OF:] if rule.pinned is None else [_with(known, rule.pinned, lambda one: one[0])]
        found += [pk for one in wanted for pk, _ in one]
    return found


def _sets_of_algorithms(runs: Iterable[Evaluated], rules: Mapping[int, Rule]) -> dict[int, list[tuple[Evaluated, ...]]]:
    of_each: dict[int, list[Evaluated]] = defaultdict(list)
    for run in runs:
        of_each[run.algorithm].append(run)
    return {pk: _sets(some, _place, rules.get(pk, LATEST).pinned) for pk, some in of_each.items()}


def _place(run: Evaluated) -> tuple[int, str]:
    return run.submission, run.repeat


def _sets(
    rows: Iterable[Row], place: Callable[[Row], tuple[int, str]], pinned: int | None = None
) -> list[tuple[Row, ...]]:
    """What counted together one after the other.

    Args:
        place: the submission of a row, and its mark.
        pinned: a submission that none of the same mark takes the place of.
    """
    found: list[dict[str, Row]] = []
    for row in rows:
        pk, mark = place(row)
        last = found[-1] if found else {}
        before = place(last[mark])[0] if mark in last else None
        if not found or (before != pk if not mark else "" in last):
            found.append({mark: row})
        elif before != pinned or pinned is None or before == pk:
            last.pop(mark, None)
            last[mark] = row
    return [tuple(of_one.values()) for of_one in found]


def _chosen(known: Sequence[tuple[Evaluated, ...]], rule: Rule, means: Mapping[int, float]) -> tuple[Evaluated, ...]:
    if rule.pinned is not None:
        return _with(known, rule.pinned, lambda run: run.submission)
    if rule.counts != Algorithm.Counts.BEST or len(known) == 1:
        return known[-1]
    # Of equals the last; where nobody has a value that is the latest of all.
    return max(reversed(known[-BEST_OF:]), key=lambda runs: sum(means.get(run.pk, -np.inf) for run in runs) / len(runs))


def _with(known: Sequence[tuple[Row, ...]], pinned: int, pk: Callable[[Row], int]) -> tuple[Row, ...]:
    return next((one for one in reversed(known) if any(pk(row) == pinned for row in one)), ())


def _means(runs: Sequence[int], keys: Iterable[str]) -> dict[int, float]:
    """Run id -> its mean by the measure its algorithm's rule names, higher is better. A query without a value counts as
    the worst. Nothing for runs that lack the measure."""
    if not runs:
        return {}
    by_key = {column.key: column for column in columns(sorted(keys), "", 1)}
    rows = RunColumn.objects.filter(run__in=runs, measure__in=by_key)
    places = {column.place for column in by_key.values()}
    named = rows.values_list("run", "run__submission__algorithm__counts_by", "measure", "level", "depth", "packed")
    return {
        run: _mean(by_key[measure], np.frombuffer(packed, dtype="<f8"))
        for run, by, measure, level, depth, packed in named
        if by == measure and (measure, level, depth) in places
    }


def _mean(column: Column, values: FloatArray) -> float:
    sign = 1.0 if column.measure.better == "higher" else -1.0
    known = values[~np.isnan(values)]
    worst = column.worst
    if not known.size or not values.size:
        return -np.inf
    if worst is None:
        return sign * float(known.mean()) if known.size == values.size else -np.finfo(float).max / values.size
    return sign * float(known.sum() + worst * (values.size - known.size)) / values.size
