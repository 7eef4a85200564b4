"""The heat map over HTTP: the leaderboard's numbers, the order of rows and columns, and missing scores."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable
from itertools import pairwise
from statistics import mean, pstdev
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.collections.query_keys import key_to_path_segment
from annotations.models import Collection
from evaluation.boards.heat_map.selectors import STEPS
from evaluation.models import Algorithm, RunColumn, Submission
from evaluation.scoring.services import score_latest
from qc4.io.score_tables import read_score_table
from qc4.model.policies import Policies
from qc4.stats import number
from tests.fixtures.pages import Read, Visit, reading
from tests.paths import ROOT
from tests.samples.boards import board_of
from tests.samples.documents import GOOD_ANSWER
from tests.trigger_bypass import unguarded

ONE_QUERY = {"mercury": GOOD_ANSWER["mercury"]}
POOR = {"mercury": (("p1", "p4", "p7"), ("p2", "p5", "p8")), "saturn": (("p1", "p3"),)}


@pytest.fixture
def four(owner: User, submit: Callable[..., object], finish: Callable[..., None]) -> None:
    """A good, a poor and a private algorithm, and one with a clustering of only one of the two queries."""
    submit(owner, "Good")
    submit(owner, "Poor", POOR)
    submit(owner, "Half", ONE_QUERY)
    submit(owner, "Secret", published=False)
    finish()


@pytest.fixture
def read(visit: Visit, collection: Collection) -> Read:
    return reading(visit, collection, "heat-map-json")


@pytest.mark.usefixtures("four")
class TestHeatMap:
    @pytest.mark.parametrize("missing", ["worst", "skip"])
    def test_columns_match_the_leaderboards_rows(self, read: Read, owner: User, missing: str) -> None:
        found, board = read(owner, missing=missing), read(owner, "leaderboard-json", missing=missing)
        assert [one["algorithm"] for one in found["algorithms"]] == [row["algorithm"] for row in board["rows"]]
        keys = [query["query"] for query in found["queries"]]
        for place, row in enumerate(board["rows"]):
            scores = row["scores"]["qc4_f"]
            assert found["algorithms"][place]["mean"] == scores["value"]
            column = {key: values[place] for key, values in zip(keys, found["values"], strict=True)}
            assert column == dict(zip(board["queries"], scores["per_query"], strict=True))

    def test_mean_and_spread_of_a_query_use_compared_algorithms_only(self, read: Read, owner: User) -> None:
        found = read(owner)
        for query, values in zip(found["queries"], found["values"], strict=True):
            counts = [0.0 if value is None else value for value in values]  # missing counts as the worst value
            assert query["mean"] == pytest.approx(mean(counts))
            assert query["spread"] == pytest.approx(pstdev(counts))
            assert query["counted"] == found["compared_algorithms"] == 4

    def test_queries_are_sorted_hardest_first_or_as_requested(self, read: Read, owner: User) -> None:
        def order(**choices: str) -> list[dict[str, Any]]:
            return list(read(owner, **choices)["queries"])

        hardest = [query["mean"] for query in order()]
        assert hardest == sorted(hardest)
        lower = [query["mean"] for query in order(sort="cluster_count")]
        assert lower == sorted(lower, reverse=True)
        spread = [query["spread"] for query in order(rows="spread")]
        assert spread == sorted(spread, reverse=True)
        assert [query["query"] for query in order(rows="collection")] == ["mercury", "saturn"]

    def test_missing_and_undefined_scores_are_distinguished(
        self, read: Read, visit: Visit, owner: User, collection: Collection
    ) -> None:
        column = RunColumn.objects.get(run__submission__algorithm__name="Poor", measure="qc4")
        column.gaps = [["undefined", "a <reason>", [0]]]
        values = memoryview(bytearray(column.packed)).cast("d")
        values[0] = float("nan")
        column.packed = bytes(values)
        with unguarded(RunColumn):
            column.save()
        half, poor = (Algorithm.objects.get(name=name).pk for name in ("Half", "Poor"))
        gaps = {(gap["algorithm_id"], gap["state"], *gap["queries"]) for gap in read(owner, sort="qc4")["gaps"]}
        assert gaps == {(half, "missing", "saturn"), (poor, "undefined", "mercury")}
        page = visit(owner).get(reverse("heat-map", args=[collection.slug]), {"sort": "qc4"}).content.decode()
        assert 'class="num gap-missing" title="the submission has no clustering of this query"' in page
        assert 'class="num gap-undefined" title="a &lt;reason&gt;"' in page

    def test_missing_level_has_its_own_state(self, read: Read, owner: User) -> None:
        gaps = read(owner, sort="f", level="2", missing="skip")["gaps"]
        assert ("no-level", "saturn") in {(gap["state"], *gap["queries"]) for gap in gaps}

    def test_ranking_measure_is_added_to_the_listed_ones(self, read: Read, owner: User) -> None:
        assert read(owner, sort="ari", measures="quality,coverage")["measure"]["measure"] == "ari"
        assert read(owner, measures="quality,coverage")["measure"]["measure"] == "coverage"

    @pytest.mark.parametrize("choices", [{"rows": "zz"}, {"level": "9"}, {"query": "zz"}])
    def test_invalid_options_are_reported(
        self, visit: Visit, owner: User, collection: Collection, choices: dict[str, str]
    ) -> None:
        page = visit(owner).get(reverse("heat-map", args=[collection.slug]), choices)
        assert page.status_code == 400
        assert "does not exist" in page.content.decode()
        for name in ("heat-map-json", "api:heat-map"):
            answer = visit(owner).get(reverse(name, args=[collection.slug]), choices)
            assert answer.status_code == 400

    def test_page_and_files_show_the_same_numbers(
        self, read: Read, visit: Visit, owner: User, collection: Collection
    ) -> None:
        def get(name: str) -> str:
            return visit(owner).get(reverse(name, args=[collection.slug])).content.decode()

        found, page, latex = read(owner), get("heat-map"), get("heat-map-tex")
        rows = list(csv.reader(io.StringIO(get("heat-map-csv"))))
        assert rows[0] == ["query", *(one["algorithm"] for one in found["algorithms"])]
        drawn = json.loads(re.findall(r'<script id="heat-data"[^>]*>(.*?)</script>', page)[0])
        table = page.split('id="heat-table"')[1]
        for place, (query, values) in enumerate(zip(found["queries"], found["values"], strict=True)):
            assert rows[place + 1][0] == query["text"]
            assert [None if cell == "" else float(cell) for cell in rows[place + 1][1:]] == values
            shown = [number(value) for value in values if value is not None]
            line = table.split(f"<bdi>{query['text']}</bdi>")[1].split("</tr>")[0]
            assert re.findall(r"/\?gold=1\">([^<]+)</a>", line) == shown
            assert [thousandths(value) for value in drawn["values"][place] if value is not None] == shown
            assert all(digits in latex for digits in shown)
        svg = ET.fromstring(get("heat-map-svg"))
        assert svg.attrib["role"] == "img"

    def test_cells_link_to_explanations_with_the_scoring_options_shown(
        self, visit: Visit, collection: Collection, owner: User, finish: Callable[..., None]
    ) -> None:
        score_latest(collection.gold_versions.get(), Policies(overlap="first"), user=owner)
        finish()
        address = reverse("heat-map", args=[collection.slug])
        shown = visit(owner).get(address, {"overlap": "first"}).content.decode()
        assert '/?gold=1&amp;overlap=first">' in shown
        assert "overlap=first" in re.findall(r'"options": "([^"]*)"', shown)[0]
        assert '/?gold=1">' in visit(owner).get(address).content.decode()

    def test_names_with_separators_survive_the_csv_file(
        self, visit: Visit, owner: User, collection: Collection, read: Read
    ) -> None:
        Algorithm.objects.filter(name="Poor").update(name="Poor; k=3\tseed=1")
        content = visit(owner).get(reverse("heat-map-csv", args=[collection.slug])).content
        table, found = read_score_table(content), read(owner)
        assert table.systems == tuple(one["algorithm"] for one in found["algorithms"])
        assert "Poor; k=3\tseed=1" in table.systems
        values = [[None if math.isnan(value) else value for value in row] for row in table.scores.T.tolist()]
        assert values == found["values"]

    def test_api_response_equals_the_json_file(self, read: Read, owner: User) -> None:
        assert read(owner, "api:heat-map", rows="spread") == read(owner, rows="spread")


def thousandths(value: int) -> str:
    """Format a number of thousandths as the page's script does."""
    text = f"{abs(value) // 1000 or ''}.{abs(value) % 1000:03}"
    return f"-{text}" if value < 0 else text


def test_page_works_without_scores_or_gold_standard(
    visit: Visit, owner: User, collection: Collection, page_list_collection: Collection, scored: Submission
) -> None:
    for one in (collection, page_list_collection):
        page = visit(owner).get(reverse("heat-map", args=[one.slug]))
        assert page.status_code == 200
    assert "no published gold standard" in page.content.decode()


@pytest.mark.parametrize("key", ["mercury", "a/b", "..", "100 %", "ü?#&'\"<", "~", "x y"])
def test_url_segments_equal_those_of_reverse(key: str) -> None:
    assert reverse("query", args=["s", key]) == f"/c/s/q/{key_to_path_segment(key)}/"


def test_paper_shades_match_light_pages_and_get_darker() -> None:
    css = (ROOT / "static" / "css" / "heat.css").read_text().partition("@media")[0]
    assert tuple(re.findall(r"--heat-\d: (#\w{6})", css)) == STEPS
    grey = [sum(weight * int(one[at : at + 2], 16) for weight, at in ((3, 1), (6, 3), (1, 5))) for one in STEPS]
    assert grey == sorted(grey, reverse=True)
    assert min(before - after for before, after in pairwise(grey)) > 100


@pytest.mark.django_db
def test_picture_of_many_queries_fits_on_a_page(visit: Visit) -> None:
    board = board_of({name: [0.5, 0.25] * 250 for name in ("A", "B")})
    picture = ET.fromstring(visit(None).get(reverse("heat-map-svg", args=[board.slug])).content)
    width, height = (float(picture.attrib[side]) for side in ("width", "height"))
    assert 500 < height < 2000
    labels = [label for label in picture.iter() if label.tag.endswith("text")]
    legend = next(label for label in labels if label.text == "no such level")
    assert float(legend.attrib["x"]) + 60 < width
