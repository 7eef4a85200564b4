"""Only algorithms with enough values are ranked, and never reference clusterings, on every page with ranks."""

from __future__ import annotations

import csv
import io

import pytest
from django.contrib.auth.models import AnonymousUser

from annotations.models import Collection
from evaluation.baselines.catalogue import BASELINES, REFERENCES
from evaluation.boards.compare.comparison import ComparisonOptions
from evaluation.boards.compare.selectors import compare_algorithms
from evaluation.boards.heat_map.selectors import heat_map
from evaluation.boards.leaderboard.files import board_paper, board_table
from evaluation.boards.options_form import presets
from evaluation.boards.robustness.selectors import check_robustness
from evaluation.collections.first_picture import first_picture
from evaluation.models import Algorithm
from evaluation.ranking.board import Board, BoardRow, RowGroup
from evaluation.ranking.leaderboard import _sort_column, leaderboard
from evaluation.ranking.leading import leaders_of
from evaluation.ranking.standings import ONLY_REFERENCES, REFERENCE_NOTE
from evaluation.scoring.columns import columns
from evaluation.scoring.options import BoardOptions
from qc4.measures.registry import REGISTRY
from qc4.tables import as_csv, as_latex
from tests.samples.boards import board_of

pytestmark = pytest.mark.django_db

A = [0.5, 0.6, 0.4, 0.5, 0.6, 0.4, 0.5, 0.6]
B = [0.4, 0.5, 0.4, 0.4, 0.5, 0.3, 0.4, 0.5]
ENDS: dict[str, list[float]] = {
    "Gold=gold": [1.0] * 8,
    "Singletons=singletons": [0.9] * 8,
    "One=one_cluster": [0.1] * 8,
    "Random=random": [0.2] * 8,
}
FEW: list[float | str | None] = [0.95, 0.95, *["overlapping clusters"] * 6]
NOBODY = AnonymousUser()


def board(collection: Collection, **choice: object) -> Board:
    return leaderboard(collection, NOBODY, BoardOptions(measures=("qc4_f",), **choice))


def row(found: Board, name: str) -> BoardRow:
    return next(row for row in found.rows if row.algorithm.name == name)


def pk(collection: Collection, name: str) -> int:
    return Algorithm.objects.get(collection=collection, name=name).pk


def test_reference_clusterings_are_declared_once() -> None:
    assert {"gold", "singletons", "one_cluster", "random"} == REFERENCES
    assert not any(BASELINES[key].reference for key in BASELINES if key not in REFERENCES)


def test_references_are_placed_by_their_mean_without_a_rank() -> None:
    with_ends, without = board(board_of({**ENDS, "A": A, "B": B})), board(board_of({"A": A, "B": B}))
    names = [one.algorithm.name for one in with_ends.rows]
    assert names == ["Gold", "Singletons", "A", "B", "Random", "One"]
    assert {one.group for one in with_ends.rows} == {RowGroup.RANKED}
    assert [one.ranks for one in with_ends.rows] == ["–", "–", "1", "2", "–", "–"]
    assert with_ends.standing.sentence == without.standing.sentence
    assert row(with_ends, "A").mean == row(without, "A").mean
    assert with_ends.best["qc4_f"] == {row(with_ends, "A").algorithm.pk}


def test_mean_over_few_queries_is_not_ranked_or_best() -> None:
    for missing, few in (("worst", FEW), ("skip", [0.95, 0.95, *[None] * 6])):
        found = board(board_of({"Few": few, "A": A, "B": B}), missing=missing)
        last = found.rows[-1]
        assert (last.algorithm.name, last.group, last.ranks) == ("Few", RowGroup.PARTIAL, "–")
        assert last.mean is not None
        assert (last.mean.value, last.mean.counted, last.mean.total) == (pytest.approx(0.95), 2, 8)
        assert last.algorithm.pk not in found.best["qc4_f"]
        line = next(
            line for line in csv.DictReader(io.StringIO(as_csv(board_table(found)))) if line["algorithm"] == "Few"
        )
        assert (line["rank"], line["rank_low"], line["could_be_best"]) == ("", "", "")
        tex = next(line for line in as_latex(board_paper(found), "board").splitlines() if "Few" in line)
        assert tex.strip().startswith("-- &")
        assert "textbf" not in tex


def test_queries_with_only_references_do_not_count() -> None:
    half: list[float | str | None] = [*A[:4], *["undefined"] * 4]
    found = board(board_of({**ENDS, "A": half, "B": half}))
    assert row(found, "A").group is RowGroup.RANKED
    assert "of 8 queries" in found.standing.sentence


@pytest.mark.parametrize("scores", [{"A": A}, {"A": A, **ENDS}])
def test_single_algorithm_is_not_ranked_or_best(scores: dict[str, list[float]]) -> None:
    found = board(board_of(scores))
    assert row(found, "A").ranks == "–"
    assert not found.best["qc4_f"]
    assert found.standing.sentence == "A is the only algorithm, on 8 queries."


def test_leaderboard_of_only_references_has_a_note_and_no_ranks() -> None:
    found = board(board_of(ENDS))
    assert [one.ranks for one in found.rows] == ["–"] * 4
    assert found.standing.note == ONLY_REFERENCES
    assert not found.best["qc4_f"]


def test_algorithms_on_disjoint_queries_are_not_ranked() -> None:
    gap = ["undefined"] * 4
    found = board(board_of({"A": [*A[:4], *gap], "B": [*gap, *B[4:]]}))
    assert [one.ranks for one in found.rows] == ["–", "–"]
    assert not found.best["qc4_f"]


def test_reference_can_be_the_baseline() -> None:
    collection = board_of({**ENDS, "A": A, "B": B})
    found = board(collection, baseline=pk(collection, "Random"))
    against = row(found, "A").mean.against  # type: ignore[union-attr]  # A has one
    assert against is not None
    assert against.difference == pytest.approx(sum(A) / 8 - 0.2)
    assert [row(found, name).ranks for name in ("A", "B", "Random")] == ["1", "2", "–"]
    assert found.baseline_note == ""
    assert found.standing.family == "baseline"
    assert row(found, "A").system is None


def test_comparisons_omit_references(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "evaluation.boards.compare.selectors.compare_pair", lambda *_, **__: None
    )  # reads gold standards
    collection = board_of({**ENDS, "A": A, "B": B})
    found = compare_algorithms(collection, NOBODY, ComparisonOptions(BoardOptions(measures=("qc4_f",))))
    assert [one.name for one in found.algorithms] == ["A", "B"]
    ids = tuple(pk(collection, name) for name in ("A", "Singletons"))
    named = compare_algorithms(collection, NOBODY, ComparisonOptions(BoardOptions(measures=("qc4_f",), algorithms=ids)))
    assert [one.name for one in named.algorithms] == ["A"]
    assert [(one.name, one.reason) for one in named.not_compared] == [("Singletons", f"{REFERENCE_NOTE}; mean .900")]


def test_robustness_considers_no_references_as_winners() -> None:
    collection = board_of({**ENDS, "A": A, "B": B})
    found = check_robustness(collection, NOBODY, BoardOptions(measures=("qc4_f",), sort="qc4_f"))
    assert [one.name for one in found.algorithms] == ["A", "B"]


def test_home_page_and_leaders_are_algorithms_not_references() -> None:
    collection = board_of({**ENDS, "A": A, "B": B})
    picture = first_picture()
    assert picture is not None
    assert [one.name for one in picture.compared.algorithms] == ["A", "B"]
    assert picture.compared.left_aside == 0
    version = collection.gold_versions.get()
    found = leaders_of([collection], {collection.pk: version}, NOBODY)[collection.pk]
    assert [one.name for one in found] == ["A", "B"]


def test_means_of_queries_include_only_ranked_algorithms() -> None:
    found = heat_map(board_of({**ENDS, "A": A, "B": B}), NOBODY, BoardOptions(measures=("qc4_f",)), "collection")
    assert found.compared_algorithms == 2
    assert found.queries[0].mean == pytest.approx(0.45)


def test_group_of_measures_is_sorted_by_its_main_measure() -> None:
    for preset in presets():
        shown = columns(preset.measures, "", 1)
        expected = "qc4_f" if "qc4_f" in preset.measures else "qc4" if preset.key == "paper" else None
        found = _sort_column(shown, "")
        assert found.key == (expected or REGISTRY.family_of(found.measure).main), preset.key
    assert _sort_column(columns(("rand", "jaccard"), "", 1), "").key == "jaccard"
    assert all(REGISTRY.family_of(REGISTRY.get(family.main)) == family for family in REGISTRY.families())


def test_leaderboard_without_ranks_has_a_caption() -> None:
    tex = as_latex(board_paper(board(board_of(ENDS))), "board")
    assert "No algorithm is ranked: only reference clusterings have values here" in tex
