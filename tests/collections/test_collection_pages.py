"""The list of collections, a collection, a query, and its gold standard as a file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.baseline_runs import services as baselines
from evaluation.gold.services import publish_and_reevaluate
from evaluation.models import Submission
from qc4.model.gold_document import Topic
from tests.fixtures.pages import Visit
from tests.samples.documents import saturn


def test_visitors_see_only_public_collections(
    visit: Visit, collection: Collection, public_collection: Collection
) -> None:
    page = visit(None).get("/").content.decode()
    assert public_collection.name in page
    assert collection.name not in page


def test_empty_list_explains_what_to_do(visit: Visit, owner: User) -> None:
    assert "Sign in" in visit(None).get("/").content.decode()
    assert reverse("import") in visit(owner).get("/").content.decode()


def test_the_list_names_the_leader(visit: Visit, owner: User, scored: Submission) -> None:
    page = visit(owner).get("/").content.decode()
    assert scored.algorithm.name in page
    assert "scored" in page


def test_private_collection_is_404_for_others(visit: Visit, outsider: User, collection: Collection) -> None:
    address = reverse("collection", args=[collection.slug])
    assert visit(outsider).get(address).status_code == 404
    assert visit(None).get(address).status_code == 404


def test_collection_page_shows_queries_gold_and_submissions(visit: Visit, owner: User, scored: Submission) -> None:
    page = visit(owner).get(reverse("collection", args=[scored.collection.slug])).content.decode()
    for words in ("mercury", "saturn car", "2 · 3", "v1", "Lingo", "Run baselines"):
        assert words in page


def test_submissions_are_paginated(
    visit: Visit,
    owner: User,
    collection: Collection,
    submit: Callable[..., tuple[Submission, object]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaluation.collections.views.SUBMISSIONS_PER_PAGE", 2)
    links = [reverse("submission", args=[submit(owner, name)[0].pk]) for name in ("One", "Two", "Three")]
    address = reverse("collection", args=[collection.slug])
    first = visit(owner).get(address).content.decode()
    assert [link in first for link in links] == [False, True, True]
    later = re.search(r'href="([^"]+)#submissions"\s+rel="next"', first)
    assert later is not None
    second = visit(owner).get(address + later[1]).content.decode()
    assert [link in second for link in links] == [True, False, False]


def test_readers_see_only_buttons_they_can_use(visit: Visit, reader: User, collection: Collection) -> None:
    page = visit(reader).get(reverse("collection", args=[collection.slug])).content.decode()
    for words in ("Submit a clustering", "Run baselines", "People", "Settings"):
        assert words not in page


def test_a_query_shows_its_topics_pages_and_scores(visit: Visit, owner: User, scored: Submission) -> None:
    page = visit(owner).get(reverse("query", args=[scored.collection.slug, "mercury"])).content.decode()
    for words in (
        "Outboards",
        "Engines › Spare parts",
        "outlier",
        "https://p1.example/",
        "noopener noreferrer",
        "Lingo",
    ):
        assert words in page
    assert reverse("why", args=[scored.pk, "mercury"]) in page


def test_query_without_gold_standard_shows_a_message(
    visit: Visit, owner: User, page_list_collection: Collection
) -> None:
    page = visit(owner).get(reverse("query", args=[page_list_collection.slug, "saturn"])).content.decode()
    assert "has pages but no topics" in page


def test_gold_version_download_has_one_document_per_line(visit: Visit, owner: User, collection: Collection) -> None:
    answer = visit(owner).get(reverse("gold-download", args=[collection.slug, 1]))
    documents = [json.loads(line) for line in answer.content.splitlines()]
    assert [document["query"]["id"] for document in documents] == ["mercury", "saturn"]
    assert {document["format"] for document in documents} == {"qc4-gold/1"}
    assert visit(owner).get(reverse("gold-download", args=[collection.slug, 2])).status_code == 404


def test_the_catalogue_lists_every_measure(visit: Visit) -> None:
    from qc4.measures.registry import REGISTRY

    page = visit(None).get(reverse("measures")).content.decode()
    assert all(f'id="{measure.key}"' in page for measure in REGISTRY.all())


@pytest.mark.parametrize("wrong", [{"name": "open SPACE"}, {"name": "x" * 201}, {"description": "x" * 5001}])
def test_invalid_settings_are_rejected(
    visit: Visit, owner: User, collection: Collection, public_collection: Collection, wrong: dict[str, str]
) -> None:
    wanted = {"name": collection.name, "description": "Changed", "visibility": "private"} | wrong
    answer = visit(owner).post(reverse("collection-settings", args=[collection.slug]), wanted)
    assert answer.status_code == 400
    before = (collection.name, collection.description)
    collection.refresh_from_db()
    assert (collection.name, collection.description) == before


def test_collection_can_change_the_case_of_its_name(visit: Visit, owner: User, collection: Collection) -> None:
    wanted = {"name": collection.name.upper(), "description": "", "visibility": "private"}
    assert visit(owner).post(reverse("collection-settings", args=[collection.slug]), wanted).status_code == 302
    collection.refresh_from_db()
    assert collection.name == wanted["name"]


def test_baselines_made_from_gold_show_its_version(
    visit: Visit, owner: User, collection: Collection, finish: Callable[..., None]
) -> None:
    baselines.enqueue(collection=collection, keys=["gold", "random", "kmeans"], seed=5, draws=1, user=owner)
    finish()
    changed = replace(saturn(), topics=(Topic("all", "Everything", pages=("p1", "p2", "p3")),), outliers=("p4",))
    publish_and_reevaluate(collection=collection, documents=[changed], user=owner)
    finish()
    page = visit(owner).get(reverse("collection", args=[collection.slug])).content.decode()
    rows = re.findall(r"<tr>(.*?)</tr>", page.partition('id="submissions"')[2].partition("</section>")[0], re.DOTALL)
    facts = re.compile(r"<bdi>(.*?)</bdi>|>(of gold v\d|seed \d)<")
    told = [facts.findall(row) for row in rows[1:]]
    lines = sorted(" ".join(name or fact for name, fact in parts if name != "owner") for parts in told)
    assert lines == [
        "Gold standard of gold v1",
        "Gold standard of gold v2",
        "K-means (snippets) seed 5",
        "Random of gold v1 seed 5",
        "Random of gold v2 seed 5",
    ]
    remade = Submission.objects.filter(algorithm__baseline="gold").latest("pk")
    assert "of gold v2" in visit(owner).get(reverse("submission", args=[remade.pk])).content.decode()
