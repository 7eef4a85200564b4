"""Leaderboards and comparisons have the F of the means, and name pairs that mean QC4-F orders differently."""

from __future__ import annotations

import csv
import io

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from annotations.models import Collection
from evaluation.boards.compare.comparison import ComparisonOptions
from evaluation.boards.compare.selectors import compare_algorithms
from evaluation.boards.leaderboard.files import board_table
from evaluation.ranking.board import Board
from evaluation.ranking.leaderboard import leaderboard
from evaluation.scoring.options import BoardOptions
from qc4.tables import as_csv
from tests.samples.boards import Scores, board_of
from work import answers

pytestmark = pytest.mark.django_db

NOBODY = AnonymousUser()
QUALITY: Scores = {"Even": [0.5] * 4, "Spread": [1.0, 0.1, 1.0, 0.1], "Gold=gold": [1.0] * 4}
COVERAGE: Scores = {"Even": [0.5] * 4, "Spread": [0.1, 1.0, 0.1, 1.0], "Gold=gold": [1.0] * 4}
SPREAD = 0.2 / 1.1
F: Scores = {"Even": [0.5] * 4, "Spread": [SPREAD] * 4, "Gold=gold": [1.0] * 4}


def board(collection: Collection, **choice: object) -> Board:
    return leaderboard(collection, NOBODY, BoardOptions(**choice))


@pytest.fixture
def turned() -> Collection:
    return board_of(F, quality=QUALITY, coverage=COVERAGE)


def test_leaderboard_names_the_reversed_pair_and_has_the_column(turned: Collection) -> None:
    found = board(turned)
    assert found.f_of_means is not None
    assert "Even is ahead of Spread (.500 against .182)" in found.f_of_means.sentence
    of_means = found.f_of_rows()
    values = {row.algorithm.name: of_means[row.algorithm.pk] for row in found.rows}
    assert {name: one and round(one.value, 6) for name, one in values.items()} == {
        "Gold": 1.0, "Even": 0.5, "Spread": 0.55,
    }  # fmt: skip
    lines = {line["algorithm"]: line for line in csv.DictReader(io.StringIO(as_csv(board_table(found))))}
    assert float(lines["Spread"]["f_of_means"]) == pytest.approx(0.55)
    assert lines["Spread"]["f_of_means queries counted"] == "4"
    assert found.to_dict()["f_of_means"]["reversals"] == [{"ahead": "Even", "behind": "Spread"}]


def test_stored_result_equals_the_computed_one(turned: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "STORED_FROM_SHARE", 0.0)
    first = board(turned).f_of_means
    monkeypatch.setattr("evaluation.ranking.f_of_means.resolve_inputs", None)
    assert board(turned).f_of_means == first


def test_column_needs_all_three_measures_and_two_algorithms(turned: Collection) -> None:
    assert board(turned, measures=("qc4_f", "quality")).f_of_means is None
    even = next(row.algorithm.pk for row in board(turned).rows if row.algorithm.name == "Even")
    assert board(turned, algorithms=(even,), family="shown").f_of_means is None


def test_column_is_absent_if_the_measures_use_different_queries(turned: Collection) -> None:
    gap: Scores = {**QUALITY, "Spread": [1.0, 0.1, 1.0, "undefined"], "Even": [0.5] * 4}
    assert board(board_of(F, quality=gap, coverage=COVERAGE)).f_of_means is None


def test_comparison_by_qc4_f_has_the_column_with_tests(turned: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "evaluation.boards.compare.selectors.compare_pair", lambda *_, **__: None
    )  # reads gold standards
    found = compare_algorithms(turned, NOBODY, ComparisonOptions(BoardOptions(measures=("qc4_f",))))
    assert found.f_of_means is not None
    (pair,) = found.f_of_means.pairs
    assert (pair.a, pair.b) == ("Spread", "Even")
    assert pair.p_adjusted is not None
    assert compare_algorithms(turned, NOBODY, ComparisonOptions(BoardOptions(measures=("quality",)))).f_of_means is None


def test_comparison_page_has_no_p_values_of_another_statistic(
    client: Client, turned: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.boards.compare.selectors.compare_pair", lambda *_, **__: None)
    page = client.get(reverse("compare", args=[turned.slug]), {"measures": "qc4_f"}).content.decode()
    section = page[page.index('id="f-of-means"') :]
    section = section[: section.index("</section>")]
    assert "Differences between pairs" in section
    assert "p, adjusted" not in section
    answer = client.get(reverse("compare-json", args=[turned.slug]), {"measures": "qc4_f"}).json()
    assert answer["f_of_means"]["pairs"][0]["p_adjusted"] is not None
