"""The model selection page: what the bound selects from a sweep."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Run
from evaluation.selection import selectors as model_selection
from evaluation.selection import services as sweeps
from evaluation.selection.selectors import SelectionChoices, judge
from qc4.selection import SAMPLINGS, ModelSelection, over_queries, select_model
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.samples.submissions import hand_in
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers
from work.models import StoredAnswer

Finish = Callable[..., None]
FIRST = {"overlap": "first"}


@pytest.fixture
def swept(collection: Collection, owner: User, finish: Finish) -> str:
    """URL of the page for a collection with a sweep; query ``mercury`` has a page in two topics of level 1."""
    finish(
        sweeps.enqueue(
            collection=collection, algorithms=["kmeans", "random"], clusters=[2, 3], initialisations=2, user=owner
        )
    )
    return reverse("model-selection", args=[collection.slug])


def test_page_without_sweep_says_how_to_run_one(
    visit: Visit, collection: Collection, submitter: User, reader: User
) -> None:
    address = reverse("model-selection", args=[collection.slug])
    page = visit(submitter).get(address).content.decode()
    assert "No sweep yet" in page
    assert reverse("sweeps", args=[collection.slug]) in page
    assert "Run the sweep" not in visit(reader).get(address).content.decode()


def test_form_queues_a_sweep(visit: Visit, collection: Collection, submitter: User) -> None:
    form = {"algorithms": ["kmeans", "random"], "clusters": "2, 4", "initialisations": 2, "seed": 3}
    answer = visit(submitter).post(reverse("sweeps", args=[collection.slug]), form)
    run = Run.objects.get(kind=Run.Kind.SWEEP)
    assert answer["Location"] == reverse("run", args=[run.pk])
    assert run.options == form | {"clusters": [2, 4]}
    bad = visit(submitter).post(reverse("sweeps", args=[collection.slug]), form | {"clusters": "two"}, follow=True)
    assert "Enter whole numbers separated by commas" in bad.content.decode()


def test_run_of_a_sweep_links_to_the_page(visit: Visit, swept: str, owner: User) -> None:
    run = Run.objects.get(kind=Run.Kind.SWEEP)
    page = visit(owner).get(reverse("run", args=[run.pk])).content.decode()
    assert f'href="{swept}"' in page
    assert "run_sweep space-and-cars --algorithms kmeans,random --clusters 2,3 --initialisations 2 --seed 0" in page


def test_page_shows_the_figures_and_the_selection(visit: Visit, swept: str, reader: User) -> None:
    page = visit(reader).get(swept, FIRST).content.decode()
    assert page.count('class="curves"') == 4
    assert "has the lowest bound most often" in page
    assert "best constant classifier is wrong on" in page
    one = visit(reader).get(swept, FIRST | {"query": "mercury", "level": 2, "fraction": 0.7, "delta": 0.05})
    assert "The bound selects" in one.content.decode()
    assert "with probability 0.95" in one.content.decode()


def test_query_with_pages_in_several_topics_is_undefined_with_a_reason(visit: Visit, swept: str, reader: User) -> None:
    by_default = flat(visit(reader).get(swept, {"query": "mercury"}).content.decode())
    assert "Undefined." not in by_default
    assert "A page in several topics counts for the first, because no query could be judged otherwise." in by_default
    page = visit(reader).get(swept, {"query": "mercury", "overlap": "refuse"}).content.decode()
    assert "Undefined." in page
    assert "1 page is in more than one topic on level 1" in page


@pytest.mark.parametrize(
    "choice", [{"query": "pluto"}, {"level": "x"}, {"fraction": "0.4"}, {"language": "latin"}, {"delta": "2"}]
)
def test_invalid_options_are_named(visit: Visit, swept: str, reader: User, choice: dict[str, str]) -> None:
    answer = visit(reader).get(swept, choice)
    assert answer.status_code == 400
    assert next(iter(choice.values())) in answer.content.decode()


def test_page_csv_json_and_api_have_the_same_numbers(
    visit: Visit, swept: str, collection: Collection, reader: User
) -> None:
    client = visit(reader)
    found = client.get(reverse("model-selection-json", args=[collection.slug]), FIRST).json()
    assert found == client.get(f"/api/v1/collections/{collection.slug}/model-selection", FIRST).json()
    assert len(found["figures"]["runs"]) == 8
    text = client.get(reverse("model-selection-csv", args=[collection.slug]), FIRST).content.decode()
    lines = [line for line in csv.DictReader(text.splitlines()) if line["figure"] == "runs"]
    assert [float(line["bound"]) for line in lines] == [row["bound"] for row in found["figures"]["runs"]]


def test_figures_equal_the_engines_means(
    swept: str, collection: Collection, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    selections: list[ModelSelection] = []

    def selected(*args: Any, **more: Any) -> ModelSelection:
        selections.append(select_model(*args, **more))
        return selections[-1]

    monkeypatch.setattr(model_selection, "select_model", selected)
    found, engine = judge(collection, owner, SelectionChoices(overlap="first")).figures, over_queries(selections)
    assert found is not None
    assert [row.bound for row in found.runs] == [choice.rate for choice in engine.runs(0.5)]
    assert [row.bound for row in found.clusters] == [choice.rate for choice in engine.best_starts(0.5)]
    assert [row.bound for row in found.algorithms] == [choice.rate for choice in engine.best_clusters(0.5)]
    assert [row.bound for row in found.fractions] == [choice.rate for choice in engine.over_fractions()]
    assert dict(found.languages) == {mean.language: mean.rate for mean in engine.languages(0.5)}
    other = judge(collection, owner, SelectionChoices(overlap="first", fraction=0.7, language="algo")).figures
    assert other is not None
    assert [row.bound for row in other.clusters] == [choice.rate for choice in engine.best_starts(0.7, "algo")]


def test_worker_judges_a_sweep_once_for_all_fractions_and_languages(
    visit: Visit, swept: str, collection: Collection, owner: User, reader: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, json = visit(owner), reverse("model-selection-json", args=[collection.slug])
    expected = client.get(json, FIRST).json()
    StoredAnswer.objects.all().delete()
    leave_all_to_workers(monkeypatch)
    page = client.get(swept, FIRST).content.decode()
    assert 'hx-target="#content"' in page
    assert "Undefined." not in page
    csv_of, api = (
        reverse("model-selection-csv", args=[collection.slug]),
        reverse("api:model-selection", args=[collection.slug]),
    )
    for address in (json, csv_of, api):
        answer = visit(reader).get(address, FIRST)
        assert (answer.status_code, "Retry-After" in answer) == (202, True)
    assert compute_waiting_answers() == 1
    assert client.get(json, FIRST).json() == visit(reader).get(api, FIRST).json() == expected
    assert client.get(json, FIRST | {"fraction": "0.7", "language": "algo"}).status_code == 200
    assert 'hx-target="#content"' not in client.get(swept, FIRST).content.decode()
    assert compute_waiting_answers() == 0


def test_submitted_clusterings_take_part_but_private_ones_only_for_their_owner(
    swept: str, collection: Collection, owner: User, submitter: User, reader: User
) -> None:
    document = replace(submission_document(GOOD_ANSWER, "Lingo"), parameters={"clusters": 3, "seed": 1})
    hand_in(collection, document, submitter, published=False)

    def algorithms(person: User) -> set[str]:
        return {setting.algorithm for setting in judge(collection, person, SelectionChoices()).settings}

    assert "Lingo" in algorithms(submitter)
    assert "Lingo" not in algorithms(reader)


def test_stratified_sample_has_no_guarantee(visit: Visit, swept: str, owner: User) -> None:
    asked = FIRST | {"query": "mercury"}
    uniform, stratified = (visit(owner).get(swept, asked | {"sampling": name}) for name in SAMPLINGS)
    assert "with probability 0.9" in uniform.content.decode()
    page = stratified.content.decode()
    assert "For a stratified sample, no bound is guaranteed" in page
    assert "with probability 0.9" not in page
    assert "<option selected>stratified</option>" in page


def test_sweep_with_one_algorithm_has_no_winner(
    visit: Visit, collection: Collection, owner: User, reader: User, finish: Finish
) -> None:
    finish(sweeps.enqueue(collection=collection, algorithms=["kmeans"], clusters=[2, 3], initialisations=1, user=owner))
    address = reverse("model-selection", args=[collection.slug])
    for query in ("", "saturn"):
        page = flat(visit(reader).get(address, FIRST | {"query": query}).content.decode())
        assert "The sweep has only one algorithm, K-means (snippets). The bound selects" in page
        assert "lowest bound most often" not in page
