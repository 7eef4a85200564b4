"""The first two algorithms of leaderboards, for pages that mention a leaderboard without showing it.

The result depends on the effective evaluations and the visible queries, so it is computed once for these and stored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import NamedTuple

from accounts.person import Person
from annotations.models import Collection, GoldVersion
from evaluation.access import visible_evaluations, visible_submissions
from evaluation.ranking.leaderboard import DEFAULT_RANKING
from evaluation.ranking.means import best_first
from evaluation.ranking.standings import CELL, PAIRS, means_without_tests
from evaluation.ranking.tested import (
    ComparisonRequest,
    OfTestedSelection,
    TestedAlgorithm,
    TestedSelection,
    resolve_inputs,
)
from evaluation.scoring.columns import BoardColumn, columns
from evaluation.scoring.effective import (
    EVALUATION_FACTS,
    EvaluationFacts,
    effective_evaluations_by_board,
    finished_of,
    rules_if_any,
)
from evaluation.scoring.scores import stored_and_visible
from evaluation.scoring.tables import Table, read
from qc4.stats import Method
from work.answers import Answer

STORED_LEADERS = 2
"""Number of stored entries: the leader is compared with the second."""


class Leader(NamedTuple):
    """One of the first entries of a leaderboard: an algorithm, its mean, and the number of queries behind that mean."""

    algorithm: int
    name: str
    value: float
    counted: int
    total: int


@dataclass(frozen=True, slots=True)
class LeaderInputs(OfTestedSelection):
    """Inputs for the leaders of a leaderboard by qc4_f with the default options."""

    tested: TestedSelection


@dataclass(frozen=True, slots=True)
class StoredLeader:
    """Algorithm id, its mean, the number of queries behind it and the number of all queries."""

    algorithm: int
    value: float
    counted: int
    total: int


def _compute(asked: Sequence[LeaderInputs]) -> list[tuple[StoredLeader, ...]]:
    column = columns((DEFAULT_RANKING,), "", 1)[0]
    boards = resolve_inputs([one.tested for one in asked])
    stored = read([run for of in boards for entry in of.question.entries for run in entry.runs], [column])
    return [_first(of.question, of.tables([column], stored), column) for of in boards]


def _first(
    question: ComparisonRequest, tables: Mapping[BoardColumn, Table], column: BoardColumn
) -> tuple[StoredLeader, ...]:
    means = means_without_tests(question, tables)[column].means
    compared = [one for one in question.entries if means[one.algorithm.pk].compared]
    first = best_first(compared, means, column.measure.better)[:STORED_LEADERS]
    of_first = [(one.algorithm.pk, means[one.algorithm.pk]) for one in first]
    return tuple(StoredLeader(pk, mean.value or 0.0, mean.counted, mean.total) for pk, mean in of_first)


LEADING = Answer(
    "leading",
    LeaderInputs,
    tuple[StoredLeader, ...],
    lambda asked: _compute([asked])[0],
    cost=lambda asked: CELL * asked.tested.cells,
    cheap=PAIRS,
)


def leaders_of(
    collections: Sequence[Collection], versions: Mapping[int, GoldVersion], person: Person
) -> dict[int, tuple[Leader, ...]]:
    """Return collection id -> the first compared algorithms of its leaderboard (already checked) by qc4_f, best first.

    Collections without compared algorithms, or whose result is not computed yet, are absent. The number of queries
    does not depend on the number of collections.

    Args:
        versions: collection id -> the gold version to use.
    """
    boards = _inputs_of(collections, versions, person)
    told = LEADING.get_all([LeaderInputs(tested) for tested in boards.values()], _compute, is_needed=False)
    found = {}
    for (pk, tested), of_one in zip(boards.items(), told, strict=True):
        names = {one.id: one.name for one in tested.algorithms}
        if of_one:
            found[pk] = tuple(Leader(one.algorithm, names[one.algorithm], *astuple(one)[1:]) for one in of_one)
    return found


def _inputs_of(
    collections: Sequence[Collection], versions: Mapping[int, GoldVersion], person: Person
) -> dict[int, TestedSelection]:
    """Return collection id -> the inputs of its leaderboard, if this person sees any evaluation."""
    done = finished_of(visible_evaluations(person, *collections)).order_by("submission_id", "pk")
    of_algorithm = (f"submission__algorithm__{name}" for name in ("name", "counts"))
    of_board = done.filter(gold_version__in=versions.values())
    rows = of_board.values_list("submission__collection_id", *of_algorithm, *EVALUATION_FACTS)
    runs: dict[int, list[EvaluationFacts]] = defaultdict(list)
    names, rules = {}, set()
    for collection, name, counts, *facts in rows:
        run = EvaluationFacts(*facts)
        runs[collection].append(run)
        names[run.algorithm] = name
        rules.add(counts)
    counted = effective_evaluations_by_board(runs, rules_if_any(rules, visible_submissions(person, *collections)))
    _, seen = stored_and_visible([versions[pk] for pk in counted], person)
    return {
        pk: TestedSelection(
            pk,
            versions[pk].pk,
            tuple(_algorithm(algorithm, names[algorithm], of) for algorithm, of in sorted(some.items())),
            tuple(query.pk for query in seen[versions[pk].pk]),
            "worst",
            Method(),
        )
        for pk, some in counted.items()
    }


def _algorithm(pk: int, name: str, counted: Sequence[EvaluationFacts]) -> TestedAlgorithm:
    return TestedAlgorithm(pk, name, tuple(run.pk for run in counted), tuple(run.submission for run in counted))
