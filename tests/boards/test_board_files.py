"""The leaderboard as a page, CSV, JSON, API response and LaTeX: they show the same numbers; and its options."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape

import pytest
from django.urls import reverse

from annotations.models import Collection
from evaluation.boards.leaderboard import files as board_json
from evaluation.models import Algorithm
from qc4.stats import number
from tests.fixtures.pages import Visit
from tests.samples.boards import board_of
from work import answers

pytestmark = pytest.mark.django_db

NAMES = ("Lingo_2", "STC & more", "K-means")


@pytest.fixture
def collection() -> Collection:
    """Three algorithms, the first two close together, and two references: the gold standard and chance."""
    near = [0.71, 0.64, 0.83, 0.55, 0.78, 0.69, 0.74, 0.62]
    table = {
        "Gold=gold": [1.0] * 8,
        NAMES[0]: near,
        NAMES[1]: [0.74, 0.60, 0.85, 0.54, 0.81, 0.64, 0.75, 0.62],
        NAMES[2]: [0.31, 0.29, 0.35, 0.4, 0.22, 0.28, 0.33, 0.3],
        "Chance=random": [0.1, 0.12, 0.08, 0.1, 0.11, 0.09, 0.1, 0.1],
    }
    return board_of(table, quality=table, coverage=table)


def answer(visit: Visit, collection: Collection, name: str, **choice: object) -> str:
    found = visit(None).get(reverse(name, args=[collection.slug]), {"measures": "qc4_f", **choice})
    assert found.status_code == 200
    return found.content.decode()


def pk(collection: Collection, name: str) -> int:
    return Algorithm.objects.get(collection=collection, name=name).pk


def test_page_files_and_api_show_the_same_numbers(visit: Visit, collection: Collection) -> None:
    choice = {"baseline": pk(collection, "K-means")}
    page, latex = (answer(visit, collection, name, **choice) for name in ("leaderboard", "leaderboard-tex"))
    lines = csv.DictReader(io.StringIO(answer(visit, collection, "leaderboard-csv", **choice)))
    by_name = {line["algorithm"]: line for line in lines}
    client = visit(None)
    for address in ("leaderboard-json", "api:leaderboard"):
        rows = client.get(reverse(address, args=[collection.slug]), {"measures": "qc4_f", **choice}).json()["rows"]
        of_name = {row["algorithm"]: row for row in rows}
        for name in NAMES:
            mean, line = of_name[name]["scores"]["qc4_f"], by_name[name]
            assert float(line["qc4_f"]) == mean["value"]
            assert line["rank"] == str(of_name[name]["rank"])
            assert (line["rank_low"], mean["rank_low"]) == ("", None)  # with a baseline there are no places
            of_page, of_latex = row_of(page, name), latex_row(latex, name)
            assert number(mean["value"]) in of_page
            assert number(mean["value"]) in of_latex
            against = mean["against_baseline"]
            if against is not None:
                assert float(line["difference"]) == against["difference"]
                assert number(against["difference"]) in of_page
                assert number(against["difference"]) in of_latex
                assert f"{against['wins']} / {against['ties']} / {against['losses']}" in of_page
                assert f"{against['wins']}/{against['ties']}/{against['losses']}" in of_latex


def row_of(page: str, name: str, *, with_pictures: bool = False) -> str:
    row = next(row for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL) if f"<bdi>{name}</bdi></a>" in unescape(row))
    return row if with_pictures else re.sub(r"<svg.*?</svg>", "", row, flags=re.DOTALL)


def latex_row(latex: str, name: str) -> str:
    escaped = name.replace("_", r"\_").replace("&", r"\&")
    return next(line for line in latex.splitlines() if f"& {escaped} &" in line)


def test_rows_that_could_be_best_are_marked(visit: Visit, collection: Collection) -> None:
    page = answer(visit, collection, "leaderboard")
    rows = {name: row_of(page, name) for name in NAMES}
    assert [name for name in NAMES if "could be the best" in rows[name]] == ["Lingo_2", "STC & more"]
    assert "1–2" in rows["Lingo_2"]
    assert "STC &amp; more could be as good or better. The other algorithm is worse than at least one" in page


def test_ranked_rows_show_distance_behind_the_best_but_references_do_not(visit: Visit, collection: Collection) -> None:
    page = answer(visit, collection, "leaderboard")
    for name in NAMES:
        assert "behind the best by" in row_of(page, name, with_pictures=True)
    for name in ("Gold", "Chance"):
        assert "behind the best by" not in row_of(page, name, with_pictures=True)
        assert '<span class="chip">reference</span>' in row_of(page, name)
    assert "random clusters: .100" in page


def test_the_methods_sentence_names_collection_version_and_engine(visit: Visit, collection: Collection) -> None:
    latex = answer(visit, collection, "leaderboard-tex")
    assert f"QC4-F on {collection.name}, gold standard v1 (SHA-256 {'ab' * 6}), computed by QC4 Bench, engine" in latex
    assert "8 queries" in latex
    assert "seed 0" in latex


def test_url_selects_queries_and_algorithms(visit: Visit, collection: Collection) -> None:
    chosen = f"{pk(collection, 'Lingo_2')},{pk(collection, 'K-means')}"
    page = answer(visit, collection, "leaderboard", query=["q1", "q4"], algorithms=chosen)
    assert "STC &amp; more</bdi>" not in page
    assert page.count('name="query" value') == 8 + 2 * 2  # the checkboxes, and hidden fields in two other forms
    assert page.count('value="q4" checked') == 1
    assert "2 of 8" in " ".join(page.split())


@pytest.mark.parametrize("choice", [{"query": "q99"}, {"algorithms": "999999"}, {"baseline": "999999"}])
def test_unknown_query_or_algorithm_is_reported(visit: Visit, collection: Collection, choice: dict[str, str]) -> None:
    found = visit(None).get(reverse("leaderboard", args=[collection.slug]), choice)
    assert found.status_code == 400
    assert "does not exist" in found.content.decode()


def test_names_are_escaped_in_every_format(visit: Visit) -> None:
    attack = '"><script>alert(1)</script>'
    collection = board_of({attack: [0.5, 0.6], f"{attack}2#{attack}": [0.5, 0.6], f"{attack}2#b": [0.4, "<b>no</b>"]})
    page = answer(visit, collection, "leaderboard")
    assert "<script>alert" not in page
    assert "<b>no" not in page
    assert "runs" in page


def test_repeats_show_their_number_and_deviation(visit: Visit) -> None:
    collection = board_of({"A": [0.5, 0.6], "B#seed 1": [0.4, 0.4], "B#seed 2": [0.6, 0.6]})
    page = answer(visit, collection, "leaderboard")
    assert "mean of 2 runs, .400 to .600" in page
    assert "runs: seed 1, seed 2" in page


def test_large_leaderboard_written_by_worker_has_the_same_json(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    gap: list[float | str | None] = [0.5, None, "overlapping"]
    collection = board_of({"A": [0.9, 0.8, 0.7], "B#1": [0.2, 0.4, 0.6], "B#2": [0.4, 0.3, 0.5], "Partly": gap})
    client = visit(None)
    for name in ("leaderboard-json", "api:leaderboard"):
        address = reverse(name, args=[collection.slug])
        asked = {"measures": "qc4_f", "algorithms": Algorithm.objects.get(name="A").pk}
        whole = [client.get(address, options).json() for options in ({"measures": "qc4_f"}, asked)]
        with monkeypatch.context() as large:
            large.setattr(board_json, "CHEAP_VALUES", 0)
            large.setattr(answers, "STORED_FROM_SHARE", 0.0)
            streamed = [client.get(address, options) for options in ({"measures": "qc4_f"}, asked)]
            assert [json.loads(one.getvalue()) for one in streamed] == whole
