"""Who leads boards, and who comes second: what pages say of a board without showing it.

It follows from which evaluations count and which queries are seen, so it is worked out once and kept by these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Some
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from accounts.person import Person
from annotations.access import hidden_gold
from annotations.models import Collection, GoldVersion
from evaluation.access import visible_evaluations, visible_submissions
from evaluation.models import Run
from evaluation.selectors.choice import Choice
from evaluation.selectors.column_means import best_first
from evaluation.selectors.columns import columns
from evaluation.selectors.entries import Entry
from evaluation.selectors.keys import Keep, Question, contents, digest
from evaluation.selectors.latest import FACTS, Evaluated, counted_each, finished_of, rules_where
from evaluation.selectors.leaderboard import LEADS_BY
from evaluation.selectors.scores import stored_and_visible
from evaluation.selectors.standings import means_alone
from evaluation.selectors.tables import read, table

FIRST = 2
"""So many of a board are told: whoever leads is compared with the second."""

RANKED = (
    *("kind", "state", "collection_id", "submission_id", "gold_version_id", "deepest"),
    *("submission__collection_id", "submission__repeat", "submission__published", "submission__created_by_id"),
    *(f"submission__algorithm__{name}" for name in ("name", "collection_id", "baseline", "settings")),
)
"""What ranking looks at of evaluations: there may be thousands."""


class Leader(NamedTuple):
    """One of the first entries of a board: an algorithm, its mean, and the number of queries behind that mean."""

    algorithm: int
    name: str
    value: float
    counted: int
    total: int


@dataclass(frozen=True, slots=True)
class _Board:
    """The evaluations that count on the board of a collection.

    Attributes:
        counted: algorithm id -> those that count together.
        names: algorithm id -> name.
        key: under which is kept who leads it.
    """

    version: GoldVersion
    counted: Mapping[int, tuple[Evaluated, ...]]
    names: Mapping[int, str]
    key: str


def leading(
    collections: Sequence[Collection],
    versions: Mapping[int, GoldVersion],
    person: Person,
    keep: Keep = lambda rows: None,
) -> dict[int, tuple[Leader, ...]]:
    """Collection id -> the first of those that are compared on its board (already checked) by qc4_f, best first, where
    anybody is; the same few queries however many there are.

    Args:
        versions: collection id -> the gold version that counts.
        keep: stores what had to be worked out, `evaluation.services.standings.keep`.
    """
    boards = _boards(collections, versions, person)
    kept = contents([board.key for board in boards.values()])
    left = {pk: board for pk, board in boards.items() if board.key not in kept}
    if left:
        found = {left[pk].key: {"leading": of_one} for pk, of_one in _worked_out(left, person).items()}
        keep(found)
        kept |= found
    told = {pk: (board, kept[board.key]["leading"]) for pk, board in boards.items()}
    return {
        pk: tuple(Leader(algorithm, board.names[algorithm], *mean) for algorithm, *mean in of_one)
        for pk, (board, of_one) in told.items()
        if of_one
    }


def _boards(
    collections: Sequence[Collection], versions: Mapping[int, GoldVersion], person: Person
) -> dict[int, _Board]:
    """Collection id -> its board, where this person sees any evaluation."""
    done = finished_of(visible_evaluations(person, *collections)).order_by("submission_id", "pk")
    of_algorithm = (f"submission__algorithm__{name}" for name in ("name", "counts"))
    of_board = done.filter(gold_version__in=versions.values())
    rows = of_board.values_list("submission__collection_id", *of_algorithm, *FACTS)
    runs: dict[int, list[Evaluated]] = defaultdict(list)
    names, rules = {}, set()
    for collection, name, counts, *facts in rows:
        run = Evaluated(*facts)
        runs[collection].append(run)
        names[run.algorithm] = name
        rules.add(counts)
    hidden: dict[int, list[int]] = defaultdict(list)
    for collection, query in hidden_gold(person).filter(collection__in=[*runs]).values_list("collection_id", "pk"):
        hidden[collection].append(query)
    counted = counted_each(runs, rules_where(rules, visible_submissions(person, *collections)))
    return {
        pk: _Board(versions[pk], some, names, _key(versions[pk], some, names, hidden[pk]))
        for pk, some in counted.items()
    }


def _key(
    version: GoldVersion, counted: Mapping[int, Sequence[Evaluated]], names: Mapping[int, str], hidden: Some[int]
) -> str:
    """SHA-256 of all that could change who leads."""
    runs = sorted((pk, names[pk], sorted(run.pk for run in some)) for pk, some in counted.items())
    return digest("leading", FIRST, version.pk, runs, sorted(hidden))


def _worked_out(boards: Mapping[int, _Board], person: Person) -> dict[int, list[tuple[int, float, int, int]]]:
    """Collection id -> algorithm, mean, queries counted and all queries of the first, from their scores."""
    column = columns((LEADS_BY,), "", 1)[0]
    wanted = [run.pk for board in boards.values() for some in board.counted.values() for run in some]
    of_runs = Run.objects.filter(pk__in=wanted).select_related("submission__algorithm").only(*RANKED)
    rows = {run.pk: run for run in of_runs}
    stored = read(rows.values(), [column])
    stored_queries, seen = stored_and_visible([board.version for board in boards.values()], person)
    found: dict[int, list[tuple[int, float, int, int]]] = {}
    for pk, board in boards.items():
        version, entries = board.version, _entries(rows, board.counted.values())
        question = Question(version, tuple(entries), (), "worst", Choice().method)
        of_board = table(column, [one.runs for one in entries], stored, stored_queries[version.pk], seen[version.pk])
        means = means_alone(question, {column: of_board})[column].means
        compared = [one for one in entries if means[one.algorithm.pk].compared]
        first = best_first(compared, means, column.measure.better)[:FIRST]
        of_first = [(one.algorithm.pk, means[one.algorithm.pk]) for one in first]
        found[pk] = [(algorithm, mean.value or 0.0, mean.counted, mean.total) for algorithm, mean in of_first]
    return found


def _entries(rows: Mapping[int, Run], counted: Iterable[Sequence[Evaluated]]) -> list[Entry]:
    """Without evaluations that were deleted meanwhile."""
    found = []
    for some in counted:
        runs = tuple(rows[one.pk] for one in some if one.pk in rows)
        submission = runs[-1].submission if runs else None
        if submission is not None:
            found.append(Entry(submission.algorithm, submission, runs))
    return found
