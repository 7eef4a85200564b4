"""The catalogue and the page of every measure: the same measures everywhere, usable without scripts."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from evaluation.boards.options_form import offered_measures
from evaluation.models import Submission
from qc4.bibliography import SOFTWARE, work
from qc4.measures.registry import REGISTRY, Measure, MeasureMetadata, measure
from qc4.measures.search_results import CLUSTERS
from qc4.model.policies import CHOICES
from tests.fixtures.pages import Visit
from tests.paths import ROOT

KEYS = [found.key for found in REGISTRY.all()]


def listed(client: Client, **choices: str) -> list[str]:
    """Return the keys of the measures on the catalogue page, in order."""
    page = client.get(reverse("measures"), choices).content.decode()
    return re.findall(r'<tr id="(\w+)">', page)


@pytest.mark.django_db
def test_page_api_and_engine_have_the_same_measures_and_properties(client: Client) -> None:
    answer = client.get(reverse("api:measures")).json()
    assert listed(client) == [found["key"] for found in answer["measures"]] == KEYS
    assert answer["measures"] == [found.to_dict() for found in REGISTRY.all()]


def test_api_returns_every_property() -> None:
    in_other_words = {"view", "low", "high"}
    only_for_tests = {"gold_is_best"}
    facts = {fact.name for fact in fields(MeasureMetadata)} - in_other_words - only_for_tests
    assert facts <= set(REGISTRY.all()[0].to_dict())


@pytest.mark.django_db
@pytest.mark.parametrize("one", REGISTRY.all(), ids=lambda one: one.key)
def test_every_measure_has_a_page_with_its_properties(client: Client, one: Measure) -> None:
    answer = client.get(reverse("measure", args=[one.key]))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert answer.context["page"].measure is one
    for fact in (one.title, one.meaning, one.formula, one.source, one.view.name, one.degenerate):
        assert fact in _plain(page)
    assert "<math" in page
    assert f"--measures {one.key}" in page
    assert reverse("api:measure", args=[one.key]) in page
    assert client.get(reverse("api:measure", args=[one.key])).json() == one.to_dict()
    for sibling in REGISTRY.family(one.family):
        assert sibling is one or reverse("measure", args=[sibling.key]) in page


@pytest.mark.django_db
def test_references_are_on_the_page_in_the_api_and_in_the_bibtex_file(client: Client) -> None:
    """Every source is a known work, not only a note."""
    everything = client.get(reverse("measures-bibtex")).content.decode()
    for one in REGISTRY.all():
        assert one.works
        assert all(entry in everything for entry in one.bibtex.split("\n\n"))
        assert one.to_dict()["bibtex"] == one.bibtex
    page = _plain(client.get(reverse("measure", args=["ari"])).content.decode())
    assert (
        f'<pre id="bibtex" tabindex="0" aria-label="BibTeX of Adjusted Rand"><code>{REGISTRY.get("ari").bibtex}</code>'
        in page
    )
    assert 'data-copy="bibtex"' in page


@pytest.mark.django_db
def test_every_page_links_to_how_to_cite_the_site(client: Client) -> None:
    page = _plain(client.get(reverse("measures")).content.decode())
    assert f'href="{reverse("measures")}#cite"' in page[page.index("<footer") :]
    assert work(SOFTWARE).bibtex in page
    assert reverse("citation") in page
    assert client.get(reverse("citation")).content == (ROOT / "CITATION.cff").read_bytes()


def _plain(page: str) -> str:
    """Return the page with its entities replaced by characters."""
    for entity, sign in (("&#x27;", "'"), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"')):
        page = page.replace(entity, sign)
    return page


@pytest.mark.django_db
def test_new_measure_has_a_page_immediately(client: Client) -> None:
    with REGISTRY.temporary():
        _declare_new()
        page = client.get(reverse("measure", args=["half_of_clusters"])).content.decode()
        assert "half_of_clusters" in listed(client)
    assert "Half the clusters" in page
    assert "<mfrac>" in page
    assert client.get(reverse("measure", args=["half_of_clusters"])).status_code == 404


def _declare_new() -> None:
    @measure(
        CLUSTERS,
        key="half_of_clusters",
        title="Half the clusters",
        family="search-results",
        meaning="Half of how many clusters there are.",
        formula="|C| / 2",
        source="this test",
        high=None,
        needs=(),
        accepts=("partition", "overlap", "hierarchy", "outliers"),
    )
    def half(case: object) -> float:
        return 1.0


@pytest.mark.django_db
@pytest.mark.django_db
@pytest.mark.parametrize(("key", "read"), [("aq", {"recall"}), ("vi", {*CHOICES} - {"recall"}), ("ap", set())])
def test_measure_page_lists_only_the_policies_that_affect_it(client: Client, key: str, read: set[str]) -> None:
    page = client.get(reverse("measure", args=[key])).content.decode()
    assert {
        name for name in CHOICES if f"<dt>{name}</dt>" in page.partition("Policies that change its value")[2]
    } == read


def test_unknown_measures_get_a_suggestion(client: Client) -> None:
    answer = client.get(reverse("measure", args=["arri"]))
    assert answer.status_code == 404
    assert "&#x27;ari&#x27;" in answer.content.decode()


@pytest.mark.django_db
class TestSearch:
    def test_every_word_must_match(self, client: Client) -> None:
        assert listed(client, q="HUBERT adjusted") == ["ari"]
        assert listed(client, q="rousseeuw") == ["silhouette"]

    def test_filter_by_family(self, client: Client) -> None:
        assert listed(client, family="set-matching") == [found.key for found in REGISTRY.family("set-matching")]

    def test_filter_by_accepted_and_needed_inputs(self, client: Client) -> None:
        accepted = listed(client, accepts="overlap")
        assert "omega" in accepted
        assert "ari" not in accepted
        assert set(listed(client, needs="vectors")) == {
            found.key for found in REGISTRY.all() if "vectors" in found.needs
        }

    @pytest.mark.parametrize(
        "choices", [{"q": "no such thing"}, {"family": "sorcery"}, {"q": "<script>", "needs": "x"}]
    )
    def test_empty_result_suggests_what_to_do(self, client: Client, choices: dict[str, str]) -> None:
        page = client.get(reverse("measures"), choices).content.decode()
        assert "No measures found" in page
        assert "<script>" not in page


@pytest.mark.django_db
def test_example_shows_the_counts_behind_the_score(client: Client) -> None:
    page = client.get(reverse("measure", args=["rand"]))
    assert [number for _, _, number in page.context["page"].pairs] == [7, 3, 7, 28, 45]
    assert ".778" in page.content.decode()  # (7 + 28) / 45


@pytest.mark.django_db
def test_behaviour_is_shown_for_measures_in_the_study(client: Client) -> None:
    judged = client.get(reverse("measure", args=["bcubed_f"]))
    assert reverse("study-group", args=["split-cluster"]) in judged.content.decode()
    unjudged = client.get(reverse("measure", args=["silhouette"]))
    assert reverse("study-group", args=["split-cluster"]) not in unjudged.content.decode()


def test_leaderboards_link_to_their_measures(visit: Visit, owner: User, scored: Submission) -> None:
    address = reverse("leaderboard", args=[scored.collection.slug])
    page = visit(owner).get(address, {"measures": "ari", "level": "1"}).content.decode()
    head = page[page.index("<thead") : page.index("</thead>")]
    assert reverse("measure", args=["ari"]) in head
    assert REGISTRY.get("ari").meaning in head
    for found in (found for _, measures in offered_measures() for found in measures):
        assert reverse("measure", args=[found.key]) in page
