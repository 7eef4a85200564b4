"""Measures with parameters: written in one grammar, computed on request, shown like any other measure."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Run, RunColumn, Score, Submission
from qc4.measures.registry import REGISTRY
from tests.fixtures.pages import Visit

MEASURE, TITLE = "alpha_ndcg@3(alpha=0.25)", "α-nDCG@3 (α = 0.25)"
UNSCORED = "1 submission has no scores by <b>α-nDCG@3 (α = 0.25)</b> against gold v1"


@pytest.fixture
def good(owner: User, submit: Callable[..., object], finish: Callable[..., None]) -> None:
    submit(owner, "Good")
    finish()


def board(client: Client, collection: Collection, kind: str = "leaderboard", **given: str) -> str:
    answer = client.get(reverse(kind, args=[collection.slug]), given)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.mark.usefixtures("good")
class TestBoard:
    def test_new_measure_has_no_scores_and_can_be_scored(
        self, visit: Visit, owner: User, collection: Collection, finish: Callable[..., None]
    ) -> None:
        client, address = visit(owner), reverse("leaderboard", args=[collection.slug])
        page = board(client, collection, measures=f"qc4_f,{MEASURE}")
        assert UNSCORED in page
        assert "this measure was not part of the run" in page
        assert f'name="measures" value="{MEASURE}"' in page
        assert UNSCORED not in board(client, collection, measures="qc4_f,alpha_ndcg@10")

        form = {"page": "leaderboard", "gold": "1", "measures": MEASURE}
        answer = client.post(f"{reverse('score', args=[collection.slug])}?measures={MEASURE}", form)
        assert answer["Location"].startswith(f"{address}?measures=alpha_ndcg")
        run = Run.objects.latest("pk")
        assert {"qc4_f", "alpha_ndcg_10", MEASURE} <= set(run.measures)
        finish()
        page = board(client, collection, measures=MEASURE)
        assert "no scores by" not in page
        assert TITLE in page

    def test_equal_measures_are_one_column(self, visit: Visit, owner: User, collection: Collection) -> None:
        found = visit(owner).get(
            reverse("leaderboard-json", args=[collection.slug]),
            {"measures": "alpha_ndcg@10,alpha_ndcg_10,pair_f(beta=2)", "sort": "alpha_ndcg@10(alpha=0.5)"},
        )
        assert [column["measure"] for column in found.json()["measures"]] == ["alpha_ndcg_10", "pair_f2"]
        assert found.json()["sort"] == "alpha_ndcg_10"

    def test_menus_contain_the_typed_measures(self, visit: Visit, owner: User, collection: Collection) -> None:
        page = board(visit(owner), collection, measures=f"{MEASURE},ari,pair_f(beta=0.5)")
        assert f'id="other-measures" name="measures" value="{MEASURE}, pair_f(beta=0.5)"' in page
        assert 'value="ari" checked' in page
        heat_map = board(visit(owner), collection, "heat-map", sort=MEASURE)
        assert f'<option value="{MEASURE}" selected>{TITLE} ↑</option>' in heat_map

    def test_wrong_value_is_reported_with_a_fix(self, visit: Visit, owner: User, collection: Collection) -> None:
        address = reverse("leaderboard", args=[collection.slug])
        page = visit(owner).get(address, {"measures": "alpha_ndcg@3(alpha=2)"}).content.decode()
        assert "a number with at most 4 decimals from 0 to 1" in page


@pytest.mark.django_db
@pytest.mark.usefixtures("good")
def test_scores_are_stored_once_under_the_canonical_key_and_exported(
    visit: Visit, owner: User, collection: Collection, finish: Callable[..., None]
) -> None:
    client, [submission] = visit(owner), Submission.objects.all()
    asked = {"measures": ["alpha_ndcg(alpha=0.250, cutoff=3)", "kssl(k=2)"]}
    answer = client.post(
        reverse("api:submission-evaluations", args=[submission.pk]), asked, content_type="application/json"
    )
    assert answer.status_code == 202
    finish()
    assert set(Run.objects.latest("pk").measures) == {found.key for found in REGISTRY.all()} - NEED_VECTORS | {MEASURE}
    assert Score.objects.filter(measure=MEASURE).exists()
    assert not Score.objects.filter(measure__startswith="kssl(").exists()
    assert RunColumn.objects.filter(measure=MEASURE, level="1").count() == 1

    scores = client.get(reverse("api:scores", args=[collection.slug]), {"measure": "alpha_ndcg@3(alpha=.25),ari"})
    assert {row["measure"] for row in scores.json()["results"]} == {MEASURE, "ari"}
    rows = list(csv.reader(io.StringIO(board(client, collection, "leaderboard-csv", measures=MEASURE))))
    assert any(MEASURE in cell for cell in rows[0])
    assert "α-nDCG@3 (α = 0.25)" in board(client, collection, "leaderboard-tex", measures=MEASURE)
    again = client.post(
        reverse("api:submission-evaluations", args=[submission.pk]),
        {"measures": [MEASURE]},
        content_type="application/json",
    )
    assert again.status_code == 200


NEED_VECTORS = {found.key for found in REGISTRY.all() if "vectors" in found.needs}


@pytest.mark.django_db
def test_measure_with_parameters_has_a_page(client: Client) -> None:
    page = client.get(reverse("measure", args=[MEASURE])).content.decode()
    assert TITLE in page
    assert f"--measures {MEASURE}" in page
    assert client.get(reverse("api:measure", args=["alpha_ndcg@10"])).json()["key"] == "alpha_ndcg_10"
    unknown = client.get(reverse("measure", args=["alpha_ndcg@0"]))
    assert unknown.status_code == 404
    assert "Write alpha_ndcg@10." in unknown.content.decode()


@pytest.mark.django_db
def test_catalogue_lists_parameters_with_range_and_default(client: Client) -> None:
    page = client.get(reverse("measures")).content.decode()
    for declared in REGISTRY.parametrised():
        assert f"<code>{declared.pattern}</code>" in page
        for one in declared.facts.parameters:
            assert f"<code>{one.name}</code> {one.range_words}: {one.meaning}" in page
