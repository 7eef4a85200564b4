"""One comparison in all formats: pages, API, files, and `qc4 compare` on the exported scores show the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from django.http import HttpResponse
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Algorithm
from qc4.cli import main
from qc4.model.policies import Policies
from qc4.tables import escape_latex
from tests.boards import comparison_formats as formats
from tests.boards.comparison_formats import FigureTable
from tests.fixtures.pages import Visit
from tests.samples.boards import Scores, fill
from tests.samples.scores import many_queries

pytestmark = pytest.mark.django_db

QUERIES = 24
PART = [f"q{place:03}" for place in range(1, QUERIES + 1) if place not in {4, 11, 17}]
BASELINE = "K-means"
COMPARED = {"Lingo_2; 50 %", "@STC & <more>", "LLM", "Ward, linkage", BASELINE, "Hash"}
LEVELS = {
    "Lingo_2; 50 %": 0.68, "@STC & <more>": 0.66, "LLM#seed 1": 0.63, "LLM#seed 2": 0.57, "Ward, linkage": 0.55,
    "K-means=kmeans": 0.52, "Hash": 0.3, "Chance=random#1": 0.2, "Chance=random#2": 0.22, "Sparse": 0.5,
    "Gold=gold": 1.0,
}  # fmt: skip
"""Algorithm or repeat, as named for `fill` -> its approximate mean."""
MEANS = ("mean", "ranks")
DIFFERENCES = ("difference", "difference_low", "difference_high", "p", "counts")
ALL = (*MEANS, *DIFFERENCES)
LATEX = ("mean", *DIFFERENCES)
"""With a baseline, there are no places."""
HEADS = {"qc4_f": "qc4_f", "vi": "vi[1]"}
"""Measure -> its column in the CSV of the leaderboard."""
Ask = Callable[..., HttpResponse]


def drawn(seed: int, turned: bool = False) -> Scores:
    """Return scores with a missing clustering in one of two repeats and in one algorithm, and an undefined query."""
    random = np.random.default_rng(seed)
    hard = random.uniform(-0.2, 0.2, QUERIES)
    found: dict[str, list[float | str | None]] = {}
    for line, level in LEVELS.items():
        values = np.clip(level + hard + random.normal(0, 0.08, QUERIES), 0.0, 1.0)
        found[line] = [2.0 - 2 * value if turned else value for value in values.tolist()]
    found["LLM#seed 2"][1] = found["Ward, linkage"][6] = None
    found[f"{BASELINE}=kmeans"][8] = "overlapping clusters"
    found["Sparse"][:12] = ["overlapping clusters"] * 12
    return found


@pytest.fixture
def collection(owner: User) -> Collection:
    found = many_queries(owner, QUERIES, public=True)
    fill(found, {"qc4_f": drawn(5), "vi": drawn(6, turned=True)}, Policies(overlap="first"))
    return found


@pytest.fixture
def ask(visit: Visit, collection: Collection) -> Ask:
    """A function ``ask(name, sort, **more)`` that returns one format of the comparison under test."""
    ids = dict(Algorithm.objects.filter(collection=collection).values_list("name", "pk"))
    choice = {
        "measures": "qc4_f,vi", "query": PART, "algorithms": ",".join(map(str, ids.values())),
        "baseline": ids[BASELINE], "overlap": "first", "alpha": "0.1", "draws": "20000", "seed": "7",
        "equivalence_margin": "0.02",
    }  # fmt: skip

    def call(name: str, sort: str, **more: str) -> HttpResponse:
        found = visit(None).get(reverse(name, args=[collection.slug]), {**choice, "sort": sort, **more})
        assert found.status_code == 200, found.content.decode()[:2000]
        return found

    return call


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


@pytest.mark.parametrize("sort", ["qc4_f", "vi"])
def test_pages_api_and_files_show_the_same_numbers(ask: Ask, sort: str) -> None:
    whole = formats.compare_answer(ask("compare-json", sort).json()["comparison"])
    assert set(whole) == COMPARED
    assert whole[BASELINE].difference is None
    assert len({figures.mean for figures in whole.values()}) == len(COMPARED)
    assert any("-" in (figures.difference or "") for figures in whole.values())
    assert {figures.p for figures in whole.values()} >= {"< .0001", None}
    board, compare = text(ask("leaderboard", sort)), text(ask("compare", sort))
    column = ["qc4_f", "vi"].index(sort) + 1
    for name, fields, found in (
        ("API, comparison", ALL, formats.compare_answer(ask("api:compare", sort).json()["comparison"])),
        ("board", ALL, formats.board_page(board, column)),
        ("board, JSON", ALL, formats.board_answer(ask("leaderboard-json", sort).json(), sort)),
        ("API, board", ALL, formats.board_answer(ask("api:leaderboard", sort).json(), sort)),
        ("board, CSV", ALL, formats.board_csv(text(ask("leaderboard-csv", sort)), HEADS[sort])),
        ("board, LaTeX", ALL, formats.latex(text(ask("leaderboard-tex", sort)), 1 + column)),
        ("forest plot", ALL, formats.forest(compare)),
        ("pairs", DIFFERENCES, formats.pairs_table(compare, BASELINE)),
        ("systems, CSV", MEANS, formats.systems_csv(text(ask("compare-csv", sort, table="systems")))),
        ("pairs, CSV", DIFFERENCES, formats.pairs_csv(text(ask("compare-csv", sort)), BASELINE)),
        ("LaTeX", LATEX, formats.latex(text(ask("compare-tex", sort)), 1)),
    ):
        agree(name, fields, found, whole)


@pytest.mark.parametrize(("sort", "other"), [("qc4_f", "vi"), ("vi", "qc4_f")])
def test_measure_has_the_same_numbers_whether_or_not_it_ranks(ask: Ask, sort: str, other: str) -> None:
    whole = formats.compare_answer(ask("compare-json", other).json()["comparison"])
    column = ["qc4_f", "vi"].index(other) + 1
    agree("board", MEANS[:1], formats.board_page(text(ask("leaderboard", sort)), column), whole)
    agree("board, JSON", MEANS[:1], formats.board_answer(ask("leaderboard-json", sort).json(), other), whole)


def test_heat_map_and_trade_off_show_the_leaderboards_means(ask: Ask) -> None:
    whole = formats.board_page(text(ask("leaderboard", "qc4_f")))
    agree("heat map", MEANS[:1], formats.heat_map(text(ask("heat-map", "qc4_f"))), whole)
    agree("heat map, JSON", MEANS[:1], formats.heat_answer(ask("heat-map-json", "qc4_f").json()), whole)
    agree("heat map, LaTeX", MEANS[:1], formats.heat_latex(text(ask("heat-map-tex", "qc4_f"))), whole)


@pytest.mark.parametrize("sort", ["qc4_f", "vi"])
def test_command_reproduces_the_comparison_from_exported_scores(
    ask: Ask, sort: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(ask("compare-csv", sort, table="scores").content)
    options = [
        "--baseline",
        BASELINE,
        "--alpha",
        "0.1",
        "--draws",
        "20000",
        "--seed",
        "7",
        "--equivalence-margin",
        "0.02",
    ]
    options += ["--lower-is-better"] if sort == "vi" else []

    def run(kind: str) -> str:
        assert main(["compare", str(path), *options, "--format", kind]) == 0
        return capsys.readouterr().out

    assert run("csv") == text(ask("compare-csv", sort, table="systems"))
    assert run("csv-pairs") == text(ask("compare-csv", sort))
    whole = formats.compare_answer(ask("compare-json", sort).json()["comparison"])
    agree("LaTeX", LATEX, formats.latex(run("latex"), 1), whole)
    on_site = [line.replace("  Algorithm &", "  System &") for line in body(text(ask("compare-tex", sort)))]
    assert body(run("latex")) == on_site


def body(latex: str) -> list[str]:
    """Return the lines of a LaTeX table without its caption."""
    return [line for line in latex.splitlines() if " & " in line]


def agree(name: str, fields: Sequence[str], found: FigureTable, whole: FigureTable) -> None:
    """Check that a format has these fields for every compared algorithm, with the numbers of the comparison."""
    as_latex = {escape_latex(key): key for key in whole}
    known = {as_latex.get(key, key).removeprefix("'"): value for key, value in found.items()}
    for algorithm in COMPARED - ({BASELINE} if "mean" not in fields else set()):
        here, there = ({fact: getattr(one[algorithm], fact) for fact in fields} for one in (known, whole))
        assert here == there, f"{name}: {algorithm}"
