"""Means that are not over all queries show the number of their queries, on pages and in files."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from django.core.management import call_command
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Submission, SubmissionReport
from evaluation.scoring.scores import ScoredQuery, names_in_files
from qc4.tables import Table, as_latex, mean_cell
from qc4.wording import count_words, mean_words
from tests.fixtures.pages import Visit
from tests.samples.boards import board_of
from tests.samples.scores import give, many_queries

pytestmark = pytest.mark.django_db

OVERLAPS = "clusters overlap"
WHOLE = {
    "Lingo": [0.5, 0.6, 0.7, 0.8, 0.5, 0.6, 0.7, 0.8],
    "STC": [0.4, 0.5, 0.6, 0.7, 0.4, 0.5, 0.6, 0.7],
    "K-means": [0.3, 0.4, 0.5, 0.6, 0.3, 0.4, 0.5, 0.6],
    "Chance=random": [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
}
PARTIAL = {**WHOLE, "Lingo": [OVERLAPS, 0.6, 0.7, 0.8, 0.5, 0.6, 0.7, 0.8]}
COUNT = "7 of 8"


@pytest.fixture
def collection() -> Collection:
    """A leaderboard with QC4-F on all 8 queries, but purity and quality on 7 of them."""
    return board_of(WHOLE, purity=PARTIAL, quality=PARTIAL, coverage=WHOLE, qc4=PARTIAL)


def get(visit: Visit, collection: Collection, name: str, **choice: object) -> str:
    answer = visit(None).get(reverse(name, args=[collection.slug]), choice)
    assert answer.status_code == 200, answer.content[:400]
    return b"".join(answer.streaming_content if answer.streaming else [answer.content]).decode()


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_partial_mean_is_formatted_the_same_everywhere() -> None:
    assert count_words(28, 44) == "28 of 44"
    assert count_words(44, 44) == ""
    assert mean_words(0.7321, 28, 44) == ".732 (28 of 44)"
    assert mean_words(0.7321, 44, 44) == ".732"
    assert mean_words(None, 0, 44) == "–"
    latex = as_latex(Table([["Mean"], [mean_cell(0.7321, 28, 44)], [mean_cell(0.7321, 44, 44)]]), "means")
    assert r"  .732 {\scriptsize (28 of 44)} \\" in latex
    assert r"  .732 \\" in latex


def test_leaderboard_shows_counts_beside_partial_means_only(visit: Visit, collection: Collection) -> None:
    page = get(visit, collection, "leaderboard", measures="qc4_f,purity")
    rows = [row for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL) if "<bdi>" in row]
    assert len(rows) == 4
    for row in rows:
        cells = re.findall(r"<td.*?</td>", row, re.DOTALL)
        (purity,) = (cell for cell in cells if f">{COUNT}<" in cell)
        assert "sorted" not in purity  # the sorted column is QC4-F, over all queries


def test_latex_marks_and_explains_partial_means(visit: Visit, collection: Collection) -> None:
    latex = get(visit, collection, "leaderboard-tex", measures="qc4_f,purity")
    rows = [line for line in latex.splitlines() if "& Lingo &" in line or "& STC &" in line]
    assert all(line.count(f"({COUNT})") == 1 for line in rows)
    assert "A mean over fewer than all 8 queries is followed by the number it is over." in latex
    whole = get(visit, collection, "leaderboard-tex", measures="qc4_f,coverage")
    assert "fewer than all" not in whole


@pytest.mark.parametrize("name", ["leaderboard-json", "api:leaderboard"])
def test_leaderboard_json_has_both_counts(visit: Visit, collection: Collection, name: str) -> None:
    found = json.loads(get(visit, collection, name, measures="qc4_f,purity"))
    assert found["query_texts"][0] == "query 1"
    for row in found["rows"]:
        purity = row["scores"]["purity"]
        assert (purity["counted"], purity["queries"]) == (7, 8)


def test_leaderboard_csv_has_the_count_after_each_mean(visit: Visit, collection: Collection) -> None:
    for line in rows_of(get(visit, collection, "leaderboard-csv", measures="qc4_f,purity")):
        purity = {name: value for name, value in line.items() if name.startswith("purity")}
        counts = [value for name, value in purity.items() if name.endswith((" queries counted", " queries"))]
        assert counts == ["7", "8"]


def test_skipped_queries_lower_the_count(visit: Visit) -> None:
    board = board_of({"Lingo": [0.5, None, *[0.7] * 8], "STC": [0.4, 0.5, *[0.6] * 8]})
    assert get(visit, board, "leaderboard", measures="qc4_f", missing="skip").count(">9 of 10<") == 2
    assert ">9 of 10<" not in get(visit, board, "leaderboard", measures="qc4_f")


@pytest.mark.parametrize("name", ["trade-off", "trade-off-tex", "trade-off-svg"])
def test_trade_off_shows_counts(visit: Visit, collection: Collection, name: str) -> None:
    assert COUNT in get(visit, collection, name)


def test_trade_off_csv_and_json_have_the_counts_of_bars(visit: Visit, collection: Collection) -> None:
    line = rows_of(get(visit, collection, "trade-off-csv"))[0]
    assert (line["A quality counted"], line["B coverage counted"], line["queries"]) == ("7", "8", "8")
    bar = json.loads(get(visit, collection, "trade-off-json"))["rows"][0]["bars"][0]
    assert (bar["measure"], bar["counted"], bar["queries"]) == ("quality", 7, 8)


@pytest.mark.parametrize("name", ["heat-map", "heat-map-tex", "heat-map-svg"])
def test_heat_map_shows_counts_beside_means(visit: Visit, collection: Collection, name: str) -> None:
    found = get(visit, collection, name, sort="purity")
    assert COUNT in found
    assert "2 of 3" in found  # a query's mean over two of the three compared algorithms


def test_heat_map_json_has_both_counts(visit: Visit, collection: Collection) -> None:
    one = json.loads(get(visit, collection, "heat-map-json", sort="purity"))["algorithms"][0]
    assert (one["counted"], one["queries"]) == (7, 8)


@pytest.fixture
def with_gold(owner: User) -> Collection:
    """Two algorithms on 8 queries with page lists and topics; one score is undefined."""
    board = many_queries(owner, 8, public=True)
    give(board, {"Lingo": [None, *[0.5, 0.7] * 3, 0.6], "STC": [*[0.4, 0.5] * 4]}, owner)
    return board


def test_compare_page_shows_how_many_queries_count(visit: Visit, with_gold: Collection) -> None:
    assert f"{COUNT} queries" in get(visit, with_gold, "compare")


def test_home_and_collection_pages_show_the_leaders_count(visit: Visit) -> None:
    board = board_of(PARTIAL)
    for address in (reverse("collections"), reverse("collection", args=[board.slug])):
        assert COUNT in visit(None).get(address).content.decode()


def test_submission_and_algorithm_pages_show_counts(visit: Visit, collection: Collection) -> None:
    submission = Submission.objects.get(collection=collection, algorithm__name="Lingo")
    SubmissionReport.objects.create(submission=submission, content={"queries": [], "problems": []})
    page = visit(None).get(reverse("submission", args=[submission.pk]), {"measures": "purity"}).content.decode()
    assert COUNT in page
    board = board_of(PARTIAL)
    algorithm = Submission.objects.get(collection=board, algorithm__name="Lingo").algorithm
    assert "7/8" in visit(None).get(reverse("algorithm", args=[algorithm.pk])).content.decode()


@pytest.mark.parametrize("name", ["submission-scores-csv", "api:submission-scores"])
def test_scores_file_has_only_queries_and_means_are_separate(visit: Visit, collection: Collection, name: str) -> None:
    submission = Submission.objects.get(collection=collection, algorithm__name="Lingo")
    address = reverse(name, args=[submission.pk])
    scores = b"".join(visit(None).get(address).streaming_content).decode()
    assert [line["query"] for line in rows_of(scores)] == [f"query {place}" for place in range(1, 9)]
    means = b"".join(visit(None).get(address, {"table": "means"}).streaming_content).decode()
    (purity,) = (line for line in rows_of(means) if line["measure"].startswith("purity"))
    assert float(purity["mean"]) == pytest.approx(4.7 / 7)
    assert (purity["queries counted"], purity["queries"]) == ("7", "8")
    assert visit(None).get(address, {"table": "sums"}).status_code == 400


def test_files_use_the_page_names_of_queries(visit: Visit, with_gold: Collection) -> None:
    named = [f"query {place}" for place in range(1, 9)]
    heat = rows_of(get(visit, with_gold, "heat-map-csv", rows="collection"))
    assert [line["query"] for line in heat] == named
    differences = rows_of(get(visit, with_gold, "compare-csv", table="differences"))
    assert [line["query"] for line in differences] == named
    scores = rows_of(get(visit, with_gold, "compare-csv", table="scores"))
    assert [line["query"] for line in scores] == named[1:]  # only queries that count


def test_queries_with_the_same_text_have_keys_in_files() -> None:
    queries = [
        ScoredQuery(1, "a", "jaguar", 1),
        ScoredQuery(2, "b", "Jaguar ", 1),
        ScoredQuery(3, "c", "apple", 1),
        ScoredQuery(4, "apple", "fruit", 1),
    ]
    assert names_in_files(queries) == {"a": "jaguar (a)", "b": "Jaguar  (b)", "c": "apple (c)", "apple": "fruit"}


def test_export_of_one_submission_has_no_summary_rows(
    collection: Collection, capsys: pytest.CaptureFixture[str]
) -> None:
    submission = Submission.objects.get(collection=collection, algorithm__name="Lingo")
    call_command("export_scores", collection.slug, submission=submission.pk)
    assert [line["query"] for line in rows_of(capsys.readouterr().out)][-1] == "query 8"
    call_command("export_scores", collection.slug, submission=submission.pk, table="means")
    assert "purity" in capsys.readouterr().out
