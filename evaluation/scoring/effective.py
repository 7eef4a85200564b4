"""Choose the effective submission of an algorithm, and the effective run of a submission."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from annotations.challenges.access import collections_hiding_gold
from annotations.models import Collection
from evaluation.limits import BEST_OF
from evaluation.models import Algorithm, Run, RunColumn, Submission
from evaluation.runs.scheduling import UNFINISHED
from evaluation.scoring.columns import BoardColumn, columns
from qc4.arrays import FloatArray
from qc4.measures.registry import REGISTRY
from qc4.model.policies import Policies

DEFAULT = Policies()

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)
Runs = tuple[Run, ...]
"""Evaluations of repeats, which count together, with that of the last submission last."""


class EvaluationFacts(NamedTuple):
    """The facts about a finished evaluation that decide whether it is effective, without reading whole rows."""

    pk: int
    submission: int
    algorithm: int
    repeat: str

    @classmethod
    def of(cls, run: Run, submission: Submission) -> EvaluationFacts:
        return cls(run.pk, submission.pk, submission.algorithm_id, submission.repeat)


EVALUATION_FACTS = ("pk", "submission_id", "submission__algorithm_id", "submission__repeat")
"""Lookup paths of the fields of `Evaluated`, in their order."""


@dataclass(frozen=True, slots=True)
class EffectiveRule:
    """The rule that chooses an algorithm's effective submission, for one person.

    Attributes:
        counts: one of ``Algorithm.Counts``.
        by: key of the measure by which the best submission is chosen.
        pinned: id of the pinned submission.
    """

    counts: str = Algorithm.Counts.LATEST
    by: str = ""
    pinned: int | None = None

    @property
    def words(self) -> str:
        """The rule in words: "latest", "best by QC4-F", "pinned"."""
        return f"best by {REGISTRY.get(self.by).title}" if self.counts == Algorithm.Counts.BEST else self.counts

    @property
    def is_latest(self) -> bool:
        return self.counts == Algorithm.Counts.LATEST


LATEST = EffectiveRule()


def last_by_key(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, Row]:
    """Return key -> the last row with this key."""
    return {key(row): row for row in rows}


def rules_of(submissions: QuerySet[Submission]) -> dict[int, EffectiveRule]:
    """Return algorithm id -> its rule, for algorithms of these submissions with another rule than the latest.

    A person who does not see the pinned submission (or if it was deleted) gets the latest one that they see. While a
    challenge hides gold standards, the rule "best" does not apply, because it would reveal something about them. One
    database query.

    Args:
        submissions: the submissions that a person sees.
    """
    seen = submissions.order_by()
    chosen = Algorithm.objects.exclude(counts=Algorithm.Counts.LATEST).filter(pk__in=seen.values("algorithm"))
    chosen = chosen.exclude(Q(counts=Algorithm.Counts.BEST) & Q(collection__in=collections_hiding_gold()))
    rows = chosen.annotate(sees=Exists(seen.filter(pk=OuterRef("pinned")))).order_by()
    found = rows.values_list("pk", "counts", "counts_by", "pinned", "sees")
    return {pk: rule for pk, counts, by, pinned, sees in found if (rule := _rule(counts, by, pinned, sees)) is not None}


def rules_if_any(counts: Iterable[str], submissions: QuerySet[Submission]) -> dict[int, EffectiveRule]:
    """As `rules_of`, but without a database query if no algorithm has another rule than the latest.

    Args:
        counts: values of `Algorithm.counts` of the relevant algorithms.
    """
    return rules_of(submissions) if {*counts} - {Algorithm.Counts.LATEST} else {}


def rules_of_loaded(submissions: Sequence[Submission]) -> dict[int, EffectiveRule]:
    """As `rules_of`, for submissions in memory with their algorithms; queries the database only for the rule "best"."""
    seen = {one.pk for one in submissions}
    chosen = {
        one.algorithm_id: (one.collection_id, one.algorithm)
        for one in submissions
        if one.algorithm.counts != Algorithm.Counts.LATEST
    }
    best = {collection for collection, one in chosen.values() if one.counts == Algorithm.Counts.BEST}
    hiding = set(collections_hiding_gold().filter(pk__in=best).values_list("pk", flat=True)) if best else set()
    facts = {
        pk: (one.counts, one.counts_by, one.pinned_id, one.pinned_id in seen)
        for pk, (collection, one) in chosen.items()
        if one.counts != Algorithm.Counts.BEST or collection not in hiding
    }
    return {pk: rule for pk, of_one in facts.items() if (rule := _rule(*of_one)) is not None}


def _rule(counts: str, by: str, pinned: int | None, sees: bool) -> EffectiveRule | None:
    """Return the rule, or None if the latest is effective; ``sees``: whether the pinned submission is visible."""
    if counts == Algorithm.Counts.BEST:
        return EffectiveRule(counts, by)
    return EffectiveRule(counts, by, pinned) if sees else None


def effective_runs(runs: Iterable[Run], rules: Mapping[int, EffectiveRule]) -> dict[int, Runs]:
    """As `counting_each`, for one gold version and one set of scoring options."""
    return effective_runs_by_board({"": runs}, rules)[""]


def effective_runs_by_board(
    boards: Mapping[Key, Iterable[Run]], rules: Mapping[int, EffectiveRule]
) -> dict[Key, dict[int, Runs]]:
    """Return, for each leaderboard, algorithm id -> its effective evaluations, as `counted_each`."""
    rows = {key: {run.pk: run for run in runs} for key, runs in boards.items()}
    facts = {
        key: [EvaluationFacts.of(run, run.submission) for run in of_one.values() if run.submission]
        for key, of_one in rows.items()
    }
    return {
        key: {algorithm: tuple(rows[key][one.pk] for one in some) for algorithm, some in of_board.items()}
        for key, of_board in effective_evaluations_by_board(facts, rules).items()
    }


def effective_evaluations_by_board(
    boards: Mapping[Key, Iterable[EvaluationFacts]], rules: Mapping[int, EffectiveRule]
) -> dict[Key, dict[int, tuple[EvaluationFacts, ...]]]:
    """Return, for each leaderboard, algorithm id -> its effective evaluations, which count together.

    A submission that is marked as a repeat counts beside the other repeats and replaces an earlier one with the same
    mark. A submission without a mark replaces all earlier ones, and is replaced by later repeats. So submissions form
    sets. By default the last set is effective; an algorithm's rule can choose another one. An algorithm whose pinned
    submission has no evaluation on a leaderboard is absent from it. At most one database query.

    Args:
        boards: evaluations against a gold version with a set of scoring options, in the order of `finished`.
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
    found: dict[Key, dict[int, tuple[EvaluationFacts, ...]]] = {}
    for key, of_board in sets.items():
        chosen = ((pk, _chosen(known, rules.get(pk, LATEST), means)) for pk, known in of_board.items())
        found[key] = {pk: one for pk, one in chosen if one}
    return found


def effective_run_ids(submissions: QuerySet[Submission]) -> frozenset[int]:
    """Return the ids of the evaluations that are effective for their gold version and scoring options. A few queries.

    Args:
        submissions: the submissions that a person sees.
    """
    ordinary = submissions.filter(sweep=None)
    boards: dict[tuple[Hashable, ...], list[EvaluationFacts]] = defaultdict(list)
    done = finished(ordinary, policies=None).select_related(None)
    rules: set[str] = set()
    rows = done.values_list("gold_version_id", "policies", "submission__algorithm__counts", *EVALUATION_FACTS)
    for version, policies, counts, *facts in rows:
        boards[version, *sorted(policies.items())].append(EvaluationFacts(*facts))
        rules.add(counts)
    of_boards = effective_evaluations_by_board(boards, rules_if_any(rules, ordinary)).values()
    return frozenset(run.pk for of_board in of_boards for runs in of_board.values() for run in runs)


def finished(submissions: QuerySet[Submission], policies: Policies | None = DEFAULT) -> QuerySet[Run]:
    """Return the finished evaluations of these submissions, ordered so that the effective ones are last.

    The order is: gold version, then submission, then run.

    Args:
        policies: their scoring options; None for any.
    """
    return finished_of(Run.objects.filter(kind=Run.Kind.EVALUATION, submission__in=submissions), policies)


def finished_of(evaluations: QuerySet[Run], policies: Policies | None = DEFAULT) -> QuerySet[Run]:
    """As `finished`, for evaluations such as those of `evaluation.access.visible_evaluations`."""
    done = evaluations.filter(state=Run.State.DONE)
    if policies is not None:
        done = done.filter(policies=policies.to_dict())
    rows = done.select_related("submission__algorithm", "gold_version")
    return rows.order_by("gold_version__number", "submission_id", "pk")


def latest_submissions(collection: Collection) -> QuerySet[Submission]:
    """Return the submissions of `latest_ids`, with their algorithms."""
    rows = Submission.objects.filter(pk__in=latest_ids(collection))
    return rows.select_related("collection", "algorithm").order_by("pk")


def latest_ids(collection: Collection) -> list[int]:
    """Return the ids of submissions that are scored automatically.

    For each algorithm these are: the latest submission, separately for published and private ones (a private one does
    not hide a public one); the pinned one; and, if the best is effective, all candidates. For an algorithm with repeats
    they include the latest of each mark since the last submission without a mark. A few database queries.
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
    """Return the ids of one algorithm's submissions that are effective, or will be once their runs are done.

    A submission whose runs all failed or were cancelled is replaced by an earlier one, as on the leaderboard. If the
    best of several is effective, all of them are returned.

    Args:
        submissions: the algorithm's submissions to consider.
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
    """Return the submissions that may be effective, of algorithms with a rule of their own."""
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


def _sets_of_algorithms(
    runs: Iterable[EvaluationFacts], rules: Mapping[int, EffectiveRule]
) -> dict[int, list[tuple[EvaluationFacts, ...]]]:
    of_each: dict[int, list[EvaluationFacts]] = defaultdict(list)
    for run in runs:
        of_each[run.algorithm].append(run)
    return {pk: _sets(some, _place, rules.get(pk, LATEST).pinned) for pk, some in of_each.items()}


def _place(run: EvaluationFacts) -> tuple[int, str]:
    return run.submission, run.repeat


def _sets(
    rows: Iterable[Row], place: Callable[[Row], tuple[int, str]], pinned: int | None = None
) -> list[tuple[Row, ...]]:
    """Return the successive sets of rows that count together.

    Args:
        place: returns the submission of a row, and its mark.
        pinned: a submission that later ones with the same mark do not replace.
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


def _chosen(
    known: Sequence[tuple[EvaluationFacts, ...]], rule: EffectiveRule, means: Mapping[int, float]
) -> tuple[EvaluationFacts, ...]:
    if rule.pinned is not None:
        return _with(known, rule.pinned, lambda run: run.submission)
    if rule.counts != Algorithm.Counts.BEST or len(known) == 1:
        return known[-1]
    # A tie goes to the last set; if no set has a value, that is the latest of all.
    return max(reversed(known[-BEST_OF:]), key=lambda runs: sum(means.get(run.pk, -np.inf) for run in runs) / len(runs))


def _with(known: Sequence[tuple[Row, ...]], pinned: int, pk: Callable[[Row], int]) -> tuple[Row, ...]:
    return next((one for one in reversed(known) if any(pk(row) == pinned for row in one)), ())


def _means(runs: Sequence[int], keys: Iterable[str]) -> dict[int, float]:
    """Return run id -> its mean by the measure of its algorithm's rule, higher is better.

    A query without a value counts as the worst. Runs without the measure are absent.
    """
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


def _mean(column: BoardColumn, values: FloatArray) -> float:
    sign = 1.0 if column.measure.better == "higher" else -1.0
    known = values[~np.isnan(values)]
    worst = column.worst
    if not known.size or not values.size:
        return -np.inf
    if worst is None:
        return sign * float(known.mean()) if known.size == values.size else -np.finfo(float).max / values.size
    return sign * float(known.sum() + worst * (values.size - known.size)) / values.size
