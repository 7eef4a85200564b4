"""The columns of a leaderboard, against values computed by hand and against `qc4.stats`."""

from __future__ import annotations

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser

from annotations.models import Collection
from evaluation.models import Algorithm
from evaluation.ranking.board import Board, RowGroup
from evaluation.ranking.entries import SYSTEM_WORD
from evaluation.ranking.leaderboard import leaderboard
from evaluation.ranking.means import Mean
from evaluation.scoring.columns import columns
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.tables import Table
from qc4.stats import Comparison, compare, leader_sentence
from tests.samples.boards import add_run, board_of
from work import answers
from work.models import StoredAnswer

pytestmark = pytest.mark.django_db

TABLE: dict[str, list[float]] = {
    "A": [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.7, 0.9],
    "B": [0.8, 0.9, 0.6, 0.8, 0.7, 0.7, 0.6, 0.8],
    "C": [0.2, 0.1, 0.3, 0.2, 0.2, 0.1, 0.3, 0.2],
}
QUERIES = [f"q{number}" for number in range(1, 9)]


def board(collection: Collection, **choice: object) -> Board:
    return leaderboard(collection, AnonymousUser(), BoardOptions(measures=("qc4_f",), **choice))


def means(found: Board) -> dict[str, Mean]:
    return {row.algorithm.name: row.mean for row in found.rows if row.mean is not None}


def values(found: Board) -> dict[str, float | None]:
    return {name: mean.value for name, mean in means(found).items()}


def of_table(table: dict[str, list[float]], **options: object) -> Comparison:
    return compare(np.array(list(table.values())), list(table), QUERIES[: len(table["A"])], **options)


def pk(collection: Collection, name: str) -> int:
    return Algorithm.objects.get(collection=collection, name=name).pk


def test_leaderboard_agrees_with_the_comparison() -> None:
    found, expected = board(board_of(TABLE)), of_table(TABLE)
    for system in expected.systems:
        mean = means(found)[system.system]
        assert mean.system(system.system) == system
    assert found.standing.sentence == leader_sentence(expected, SYSTEM_WORD)
    assert [row.ranks for row in found.rows] == ["1–2", "1–2", "3"]


def test_gold_standard_is_on_the_leaderboard_but_not_compared() -> None:
    with_gold = board(board_of({"Gold=gold": [1.0] * 8, **TABLE}))
    without = board(board_of(TABLE))
    assert with_gold.rows[0].ranks == "–"
    assert means(with_gold)["A"] == means(without)["A"]
    assert with_gold.standing.queries == 8


def test_differences_are_row_minus_baseline() -> None:
    collection = board_of(TABLE)
    found = means(board(collection, baseline=pk(collection, "B")))
    expected = {frozenset((pair.a, pair.b)): pair for pair in of_table(TABLE, baseline="B").pairs}
    ahead, behind = expected[frozenset("AB")], expected[frozenset("BC")]
    assert found["B"].against is None
    first, last = found["A"].against, found["C"].against
    assert first is not None
    assert last is not None
    assert (first.difference, first.low, first.high) == (ahead.difference, ahead.low, ahead.high)
    assert (first.wins, first.ties, first.losses, first.p_adjusted) == (6, 0, 2, ahead.p_adjusted)
    assert (last.difference, last.low, last.high) == (-behind.difference, -(behind.high or 0), -(behind.low or 0))
    assert (last.wins, last.losses) == (0, 8)


def test_missing_clustering_counts_as_zero_or_excludes_its_query() -> None:
    lacking: list[float | str | None] = [*TABLE["B"][:7], None]
    collection = board_of({**TABLE, "B": lacking})
    zero, skip = means(board(collection)), means(board(collection, missing="skip"))
    assert zero["B"].value == pytest.approx(sum(TABLE["B"][:7]) / 8)
    assert zero["A"].value == pytest.approx(sum(TABLE["A"]) / 8)
    assert skip["B"].value == pytest.approx(sum(TABLE["B"][:7]) / 7)
    assert skip["A"].value == pytest.approx(sum(TABLE["A"][:7]) / 7)
    assert (zero["B"].counted, skip["A"].counted, zero["B"].scored, zero["B"].missing) == (8, 7, 7, 1)


def test_missing_query_is_excluded_without_a_worst_value() -> None:
    collection = board_of({"A": [0.5, 1.5, 1.0], "B": [1.0, 2.0, None]}, "vi")
    found = leaderboard(collection, AnonymousUser(), BoardOptions(measures=("vi",)))
    rows = {row.algorithm.name: row.mean for row in found.rows if row.mean}
    # B has values on 2 of 3 queries, too few to be compared. Only A is compared, on all three.
    assert rows["A"].value == pytest.approx(1.0)
    assert (rows["B"].compared, rows["B"].counted, rows["B"].value) == (False, 2, pytest.approx(1.5))


def test_algorithm_undefined_on_many_queries_does_not_affect_others() -> None:
    gaps: list[float | str | None] = [0.9, 0.9, 0.9, *["overlapping clusters"] * 5]
    collection = board_of({**TABLE, "Partly": gaps, "Never": ["overlapping clusters"] * 8})
    found = board(collection)
    assert [(row.algorithm.name, row.group) for row in found.rows[3:]] == [
        ("Partly", RowGroup.PARTIAL),
        ("Never", RowGroup.NOTHING),
    ]
    partly, never = means(found)["Partly"], means(found)["Never"]
    assert (partly.value, partly.counted, partly.scored, partly.rank) == (pytest.approx(0.9), 3, 3, None)
    assert never.reason == "undefined on 8 of 8 queries: overlapping clusters"
    assert means(found)["A"] == means(board(board_of(TABLE)))["A"]


def test_chosen_queries_and_algorithms_form_their_own_leaderboard() -> None:
    collection = board_of(TABLE)
    part = board(
        collection, queries=("q1", "q3", "q5"), algorithms=(pk(collection, "A"), pk(collection, "C")), family="shown"
    )
    alone = board(board_of({name: [TABLE[name][place] for place in (0, 2, 4)] for name in ("A", "C")}))
    assert means(part) == means(alone)
    assert [query.key for query in part.queries] == ["q1", "q3", "q5"]


def test_stored_standing_equals_the_computed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = board_of({"Gold=gold": [1.0] * 8, **TABLE, "Partly": [0.9, 0.9, *["overlapping"] * 6]})
    monkeypatch.setattr(answers, "STORED_FROM_SHARE", 0.0)
    worked_out = [board(collection), board(collection, baseline=pk(collection, "B"))]
    stored = StoredAnswer.objects.filter(name="board")
    assert stored.count() == 2
    monkeypatch.setattr("evaluation.ranking.standings.resolve_inputs", None)
    read = [board(collection), board(collection, baseline=pk(collection, "B"))]
    for one, other in zip(read, worked_out, strict=True):
        assert one.standing == other.standing
        assert means(one) == means(other)


def test_new_run_changes_the_leaderboard(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = board_of(TABLE)
    monkeypatch.setattr(answers, "STORED_FROM_SHARE", 0.0)
    board(collection)
    add_run(collection, "C", [1.0] * 8)
    assert values(board(collection))["C"] == 1.0
    assert StoredAnswer.objects.filter(name="board").count() == 2


class TestRepeats:
    """Runs of one algorithm that count together."""

    def test_row_is_the_mean_over_repeats_for_each_query(self) -> None:
        collection = board_of({"A": [0.5, 0.5], "B#1": [0.2, 0.4], "B#2": [0.4, 0.8]})
        mean = means(board(collection))["B"]
        assert (mean.value, mean.runs) == (pytest.approx(0.45), 2)
        assert (mean.runs_low, mean.runs_high) == (pytest.approx(0.3), pytest.approx(0.6))
        assert mean.runs_deviation == pytest.approx(0.3 / 2**0.5)

    def test_comparison_uses_the_means_of_repeats(self) -> None:
        spread = np.array([0.05, -0.05] * 4)
        runs = {"B#x": (TABLE["B"] + spread).tolist(), "B#y": (TABLE["B"] - spread).tolist()}
        folded = board_of({"A": TABLE["A"], "C": TABLE["C"], **runs})
        found, plain = means(board(folded))["B"], means(board(board_of(TABLE)))["B"]
        assert found.value == pytest.approx(plain.value)
        assert (found.behind_low, found.behind_high) == (
            pytest.approx(plain.behind_low), pytest.approx(plain.behind_high)
        )  # fmt: skip
        assert (found.rank_low, found.rank_high) == (plain.rank_low, plain.rank_high)

    def test_latest_submission_of_each_repeat_counts(self) -> None:
        collection = board_of({"B#1": [0.2, 0.2], "B#2": [0.4, 0.4]})
        add_run(collection, "B#1", [0.8, 0.8])
        assert values(board(collection))["B"] == pytest.approx(0.6)

    def test_submission_without_a_repeat_replaces_all_earlier_ones(self) -> None:
        collection = board_of({"B#1": [0.2, 0.2], "B#2": [0.4, 0.4]})
        add_run(collection, "B", [0.9, 0.9])
        assert (values(board(collection))["B"], means(board(collection))["B"].runs) == (pytest.approx(0.9), 1)
        add_run(collection, "B#3", [0.5, 0.5])
        assert (values(board(collection))["B"], means(board(collection))["B"].runs) == (pytest.approx(0.5), 1)

    def test_rule_for_missing_queries_applies_to_each_run(self) -> None:
        collection = board_of({"A": [0.5, 0.5], "B#1": [0.2, None], "B#2": [0.4, 0.8]})
        zero, skip = means(board(collection)), means(board(collection, missing="skip"))
        assert zero["B"].value == pytest.approx((0.3 + 0.4) / 2)
        assert (skip["B"].value, skip["B"].compared) == (pytest.approx(0.3), False)

    def test_score_undefined_in_one_run_is_undefined_with_a_reason(self) -> None:
        collection = board_of({"A": [0.5, 0.5], "B#1": [0.2, "no clusters"], "B#2": [0.4, 0.8]})
        found = next(row for row in board(collection).rows if row.algorithm.name == "B")
        assert found.gaps[1].reason == "in 1 of 2 runs: no clusters"
        assert found.mean is not None
        assert (found.mean.value, found.mean.counted) == (pytest.approx(0.3), 1)


def test_part_of_a_table_keeps_marks_of_its_own_rows() -> None:
    column, rows = columns(("qc4_f",), "", 1)[0], (frozenset({0}), frozenset[int](), frozenset({0}))
    cuts: tuple[dict[int, tuple[int, int]], ...] = ({}, {0: (1, 2)}, {})
    whole = Table(column, (), np.zeros((3, 1)), ({}, {}, {}), ((), (), ()), rows, cuts)
    assert whole.part([1, 2]).flattened == (frozenset(), frozenset({0}))
    assert whole.part([1, 2]).cuts == ({0: (1, 2)}, {})
