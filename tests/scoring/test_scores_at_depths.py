"""Nested clusterings: submissions have a score at each depth, and leaderboards cut at one depth."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.boards.robustness.selectors import check_robustness
from evaluation.models import Run, RunColumn, Submission
from evaluation.ranking.leaderboard import leaderboard
from evaluation.scoring import exports
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.scores import Cell
from evaluation.submissions.selectors import submission_scores
from qc4.model.clustering import Cluster, Clustering, SubmissionDocument
from tests.samples.submissions import hand_in

Finish = Callable[..., None]
Parts = Sequence[tuple[str, Sequence[str], str | None]]

DEEP: Parts = [("all", ["p1", "p2", "p3", "p4"], None), ("half", ["p1", "p2"], "all"), ("one", ["p1"], "half")]
"""Saturn has the topics {p1, p2} and {p3, p4}: these clusters have purity .5 at depth 1, and 1 at depths 2 and 3."""
FLAT: Parts = [("all", ["p1", "p2", "p3", "p4"], None)]
MEASURES = ["qc4_f", "purity"]


def answer(name: str, **queries: Parts) -> SubmissionDocument:
    return SubmissionDocument(
        tuple(
            Clustering(query, tuple(Cluster(id, tuple(pages), "", parent) for id, pages, parent in clusters))
            for query, clusters in queries.items()
        ),
        name,
    )


@pytest.fixture
def nested(collection: Collection, gold_version: object, owner: User, finish: Finish) -> Submission:
    """One algorithm with clusters of depth 3, and one whose clusters are the first one's cut at depth 1."""
    found, run = hand_in(collection, answer("Deep", saturn=DEEP), owner, measures=MEASURES)
    _, other = hand_in(collection, answer("Flat", saturn=FLAT), owner, measures=MEASURES)
    assert run is not None
    assert other is not None
    finish(run)
    finish(other)
    return found


def values(collection: Collection, owner: User, **choice: str) -> dict[str, float | None]:
    board = leaderboard(collection, owner, BoardOptions(("purity",), queries=("saturn",), **choice))
    return {row.algorithm.name: row.mean.value if row.mean else None for row in board.rows}


def test_leaderboards_cut_as_deep_as_the_level_by_default(
    nested: Submission, collection: Collection, owner: User
) -> None:
    assert values(collection, owner) == {"Deep": 0.5, "Flat": 0.5}
    assert values(collection, owner, depth="1") == {"Deep": 0.5, "Flat": 0.5}
    assert values(collection, owner, depth="finest") == {"Deep": 1.0, "Flat": 0.5}
    assert values(collection, owner, depth="2") == {"Deep": 1.0, "Flat": 0.5}
    assert values(collection, owner, depth="9") == values(collection, owner, depth="finest")


def test_flat_clusterings_have_one_stored_column_per_measure_and_level(nested: Submission) -> None:
    found = RunColumn.objects.values_list("run__submission__algorithm__name", "measure", "depth")
    of_level_1 = set(found.filter(level__in=["", "1"]))
    deep = {("Deep", "purity", depth) for depth in (0, 1, 2)} | {("Deep", "qc4_f", 0)}
    assert of_level_1 == deep | {("Flat", "purity", 0), ("Flat", "qc4_f", 0)}
    assert dict(Run.objects.values_list("submission__algorithm__name", "deepest")) == {"Deep": 3, "Flat": 1}


def test_leaderboard_marks_scores_of_cuts(nested: Submission, collection: Collection, owner: User) -> None:
    board = leaderboard(
        collection, owner, BoardOptions(("purity", "qc4_f"), depth="2", queries=("saturn",)), details=True
    )
    assert board.deepest == 3
    assert [(column.name, column.level_words) for column in board.columns] == [
        ("purity[1, depth 2]", "level 1, depth 2"),
        ("qc4_f", ""),
    ]
    cut = {row.algorithm.name: [mean.cut for mean in row.means.values()] for row in board.rows}
    assert cut == {"Deep": [1, 0], "Flat": [0, 0]}


def test_submission_page_has_a_score_for_each_depth(nested: Submission) -> None:
    found = submission_scores(nested, None, measures=["purity", "qc4_f"])
    assert found is not None
    assert [(column.key, column.depth) for column in found.columns] == [
        ("purity", 1), ("purity", 2), ("purity", 0), ("qc4_f", 0),
    ]  # fmt: skip
    cells: Sequence[Cell] = next(cells for query, _, cells in found.lines if query.key == "saturn")
    assert [(cell.value, cell.cut_words) for cell in cells[:3]] == [
        (0.5, "cut at depth 1 of 3"),
        (1.0, "cut at depth 2 of 3"),
        (1.0, "cut at depth 3 of 3"),
    ]
    assert cells[3].cut is None


def test_pages_files_and_api_accept_and_report_a_depth(nested: Submission, collection: Collection, owner: User) -> None:
    client = Client()
    client.force_login(owner)
    board = f"/c/{collection.slug}/leaderboard"
    page = client.get(f"{board}/?measures=purity&depth=2").content.decode()
    assert "Nested clusters flattened at one depth on 1 of" in page
    assert '<option value="2" selected>depth 2</option>' in " ".join(page.split())
    submission = client.get(f"/submissions/{nested.pk}/?measures=purity").content.decode()
    assert "cut at depth 2 of 3" in submission
    answered = client.get(f"/api/v1/collections/{collection.slug}/leaderboard?measures=purity&depth=2").json()
    assert [column["depth"] for column in answered["measures"]] == [2]
    rows = client.get(f"/api/v1/collections/{collection.slug}/scores?measure=purity&level=1&depth=1").json()["results"]
    assert [(row["algorithm"], row["depth"], row["deepest"], row["value"]) for row in rows] == [("Deep", 1, 3, 0.5)]
    refused = client.get(f"/c/{collection.slug}/leaderboard/?depth=12")
    assert refused.status_code == 400
    assert "one of finest, 1, 2, 3" in refused.content.decode()


def test_leaderboards_of_flat_clusterings_have_no_depth_option(
    collection: Collection, gold_version: object, owner: User, finish: Finish
) -> None:
    _, run = hand_in(collection, answer("Flat", saturn=FLAT), owner, measures=MEASURES)
    finish(run)
    client = Client()
    client.force_login(owner)
    assert 'name="depth"' not in client.get(f"/c/{collection.slug}/leaderboard/").content.decode()


def test_exports_contain_every_depth(nested: Submission, collection: Collection) -> None:
    rows = [row for row in exports.scores(collection) if row["measure"] == "purity" and row["level"] == 1]
    assert [(row["algorithm"], row["depth"], row["deepest"], row["value"]) for row in rows] == [
        ("Deep", 1, 3, 0.5), ("Deep", 2, 3, 1.0), ("Deep", 3, 3, 1.0), ("Flat", None, None, 0.5),
    ]  # fmt: skip
    text = io.StringIO()
    exports.write_csv(iter(rows), text)
    assert [line["depth"] for line in csv.DictReader(io.StringIO(text.getvalue()))] == ["1", "2", "3", ""]
    as_json = io.StringIO()
    exports.write_json(iter(rows), as_json)
    assert [row["depth"] for row in json.loads(as_json.getvalue())["scores"]] == [1, 2, 3, None]


def test_comparison_with_chance_names_its_cut(nested: Submission, owner: User) -> None:
    client = Client()
    client.force_login(owner)
    address = f"{reverse('why', args=[nested.pk, 'saturn'])}?measures=purity"
    part = client.get(address, headers={"HX-Target": "chance-this"}).content.decode()
    assert "flattened at depth 1" in part


def test_robustness_includes_other_depths(nested: Submission, collection: Collection, owner: User) -> None:
    found = check_robustness(collection, owner, BoardOptions(("purity",), sort="purity", queries=("saturn",)))
    cuts = {row.name: row.difference for row in found.rows if row.kind == "cut"}
    assert cuts == {"depth 2": 0.5, "finest cut": 0.5}
    at_finest = check_robustness(
        collection, owner, BoardOptions(("purity",), sort="purity", queries=("saturn",), depth="9")
    )
    assert [row.name for row in at_finest.rows if row.kind == "cut"] == ["depth 1", "depth 2"]


def test_methods_sentence_names_level_and_cut(nested: Submission, collection: Collection, owner: User) -> None:
    client = Client()
    client.force_login(owner)
    for choice, words in (
        ("", "Purity (level 1, nested clusters cut at depth 1)"),
        ("&depth=2", "Purity (level 1, nested clusters cut at depth 2)"),
        ("&depth=finest", "Purity (level 1, nested clusters in their finest cut)"),
    ):
        for file in ("leaderboard", "compare", "heat-map"):
            address = f"/c/{collection.slug}/{file}.tex?measures=purity{choice}"
            assert words in client.get(address).content.decode(), address


def test_leaderboard_names_the_cut_of_measures_with_and_without_level(
    nested: Submission, collection: Collection, owner: User
) -> None:
    def said(*measures: str, **choice: str) -> str:
        return leaderboard(collection, owner, BoardOptions(measures, **choice)).cut_words

    assert said("purity", "qc4_f") == "depth 1"
    assert said("purity", "silhouette", level="2") == "depth 2 (finest cut where a measure has no level)"
    assert said("purity", "silhouette", depth="3") == "depth 3"
    assert said("silhouette") == said("purity", depth="finest") == "finest cut"
    assert said("qc4_f") == ""
