"""Quality against coverage and Fig. 1 over HTTP: the leaderboard's means, the bars, and undefined values."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.boards.trade_off.selectors import FIGURES, WEIGHTS, harmonic
from evaluation.models import Algorithm, RunColumn
from qc4.stats import number
from tests.boards.test_heat_map_page import POOR
from tests.fixtures.pages import Read, Visit, reading
from tests.trigger_bypass import unguarded

PAPER = {
    "A": {"quality": ("aq", "wq"), "precision": ("ap", "wp"), "entropy": ("ae", "we")},
    "B": {"coverage": ("ac", "wc"), "recall": ("ar", "wr")},
    "C": {"qc4": ("aq", "wq", "ac", "wc"), "f": ("f",), "mi": ("mi",)},
}
"""The measures that the QC4 paper averages in each bar of Fig. 1."""


@pytest.fixture
def three(owner: User, submit: Callable[..., object], finish: Callable[..., None]) -> None:
    submit(owner, "Good")
    submit(owner, "Poor", POOR)
    submit(owner, "Secret", published=False)
    finish()


@pytest.fixture
def read(visit: Visit, collection: Collection) -> Read:
    return reading(visit, collection, "trade-off-json")


def undefine(name: str, measure: str) -> None:
    """Make a measure undefined for an algorithm."""
    for column in RunColumn.objects.filter(run__submission__algorithm__name=name, measure=measure):
        column.packed = memoryview(bytearray([0, 0, 0, 0, 0, 0, 248, 127] * (len(column.packed) // 8))).tobytes()
        column.gaps = [["undefined", "a <reason>", list(range(len(column.packed) // 8))]]
        with unguarded(RunColumn):
            column.save()


@pytest.mark.usefixtures("three")
class TestTradeOff:
    @pytest.mark.parametrize(
        ("weights", "quality", "coverage"),
        [("combined", "quality", "coverage"), ("average", "aq", "ac"), ("weighted", "wq", "wc")],
    )
    def test_axes_show_the_leaderboards_means(
        self, read: Read, owner: User, weights: str, quality: str, coverage: str
    ) -> None:
        found = read(owner, weights=weights)
        board = read(owner, "leaderboard-json", measures=f"{quality},{coverage},qc4", sort="qc4")
        assert [row["algorithm"] for row in found["rows"]] == [row["algorithm"] for row in board["rows"]]
        for row, shown in zip(found["rows"], board["rows"], strict=True):
            for axis, measure in (("quality", quality), ("coverage", coverage)):
                for name in ("value", "counted"):
                    assert row[axis][name] == shown["scores"][measure][name]
            assert row["harmonic"] == harmonic(row["quality"]["value"], row["coverage"]["value"])

    def test_bars_average_the_same_measures_as_the_paper(self, read: Read, owner: User) -> None:
        found = read(owner)
        keys = sorted({key for bars in PAPER.values() for parts in bars.values() for key in parts})
        board = {
            row["algorithm"]: row["scores"] for row in read(owner, "leaderboard-json", measures=",".join(keys))["rows"]
        }
        assert {(figure.key, bars.key) for figure in FIGURES for bars in figure.bars} == {
            (figure, bar) for figure, bars in PAPER.items() for bar in bars
        }
        for row in found["rows"]:
            for bar in row["bars"]:
                parts = PAPER[bar["figure"]][bar["measure"]]
                means = [board[row["algorithm"]][key]["value"] for key in parts]
                assert bar["value"] == pytest.approx(sum(means) / len(means), abs=1e-12)

    def test_captions_and_response_name_the_averaged_measures(
        self, read: Read, visit: Visit, owner: User, collection: Collection
    ) -> None:
        page = visit(owner).get(reverse("trade-off", args=[collection.slug])).content.decode()
        assert "Precision (mean of average precision and weighted precision, all levels)" in page
        assert "Entropy (mean of average entropy and weighted entropy, all levels, lower is better)" in page
        assert read(owner)["figures"]["A"]["precision"] == ["ap[all]", "wp[all]"]
        assert read(owner, weights="weighted")["figures"]["C"]["qc4"] == ["wq", "wc"]

    @pytest.mark.parametrize("weights", WEIGHTS)
    def test_the_page_names_the_weights_of_its_bars(
        self, visit: Visit, owner: User, collection: Collection, weights: str
    ) -> None:
        page = visit(owner).get(reverse("trade-off", args=[collection.slug]), {"weights": weights}).content.decode()
        assert f"Means: {WEIGHTS[weights]}." in page

    def test_undefined_mean_is_reported_and_others_are_shown(
        self, read: Read, visit: Visit, owner: User, collection: Collection
    ) -> None:
        undefine("Poor", "wc")
        poor = next(row for row in read(owner, weights="weighted")["rows"] if row["algorithm"] == "Poor")
        assert poor["coverage"]["value"] is None
        assert poor["harmonic"] is None
        bars = {bar["measure"]: bar for bar in poor["bars"]}
        assert bars["qc4"]["value"] is bars["coverage"]["value"] is None
        assert "a <reason>" in bars["qc4"]["undefined"]
        assert bars["quality"]["value"] is not None
        page = visit(owner).get(reverse("trade-off", args=[collection.slug]), {"weights": "weighted"})
        assert 'title="undefined on 2 of 2 queries: a &lt;reason&gt;">undefined' in page.content.decode()

    def test_page_and_files_show_the_same_numbers(
        self, read: Read, visit: Visit, owner: User, collection: Collection
    ) -> None:
        def get(name: str, **choices: str) -> str:
            return visit(owner).get(reverse(name, args=[collection.slug]), choices).content.decode()

        found, page, latex = read(owner), get("trade-off"), get("trade-off-tex")
        rows = list(csv.DictReader(io.StringIO(get("trade-off-csv"))))
        for row, line in zip(found["rows"], rows, strict=True):
            assert line["algorithm"] == row["algorithm"]
            assert float(line["quality value"]) == row["quality"]["value"]
            for bar in row["bars"]:
                assert float(line[f"{bar['figure']} {bar['measure']}"]) == bar["value"]
                for text in (page, latex, get("trade-off-svg", figure=bar["figure"])):
                    assert number(bar["value"]) in text
        for figure in ("scatter", "A", "B", "C"):
            svg = ET.fromstring(get("trade-off-svg", figure=figure))
            assert svg.attrib["role"] == "img"
            assert "var(--" not in get("trade-off-svg", figure=figure)

    def test_api_response_equals_the_json_file(self, read: Read, owner: User) -> None:
        for weights in WEIGHTS:
            assert read(owner, "api:trade-off", weights=weights) == read(owner, weights=weights)

    @pytest.mark.parametrize("choices", [{"weights": "zz"}, {"level": "9"}, {"gold": "7"}, {"algorithms": "999"}])
    def test_invalid_options_are_reported(
        self, visit: Visit, owner: User, collection: Collection, choices: dict[str, str]
    ) -> None:
        page = visit(owner).get(reverse("trade-off", args=[collection.slug]), choices)
        assert page.status_code == 400
        assert "does not exist" in page.content.decode()
        for name in ("trade-off-json", "api:trade-off"):
            assert visit(owner).get(reverse(name, args=[collection.slug]), choices).status_code == 400

    def test_unknown_figure_is_rejected(self, visit: Visit, owner: User, collection: Collection) -> None:
        answer = visit(owner).get(reverse("trade-off-svg", args=[collection.slug]), {"figure": "D"})
        assert answer.status_code == 400


@pytest.mark.usefixtures("three")
def test_scatter_plot_shows_a_long_name_whole_if_it_fits(visit: Visit, owner: User, collection: Collection) -> None:
    name = "Suffix tree clustering of phrases"
    algorithm = Algorithm.objects.get(collection=collection, name="Good")
    Algorithm.objects.filter(pk=algorithm.pk).update(name=name)
    svg = visit(owner).get(reverse("trade-off-svg", args=[collection.slug])).content.decode()
    assert f">{name}</text>" in svg


def test_page_works_without_scores_or_gold_standard(
    visit: Visit, owner: User, collection: Collection, page_list_collection: Collection
) -> None:
    page = visit(owner).get(reverse("trade-off", args=[collection.slug])).content.decode()
    assert "Run the baselines" in page
    page = visit(owner).get(reverse("trade-off", args=[page_list_collection.slug])).content.decode()
    assert "no published gold standard" in page
