"""No page leads into a dead end: every link of a page that compares answers, also where there is nothing to compare."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import resolve, reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Submission
from qc4.measures.registry import REGISTRY
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.profiles import thorough

PAGES = ("leaderboard", "compare", "heat-map", "trade-off", "measures-compared", "robustness", "topic-coverage")
MEASURES = {measure.key for measure in REGISTRY.all()}
LINK = re.compile(r'<a[^>]* href="(/[^"#]*)')


def broken(visit: Visit, user: User, address: str) -> list[tuple[str, int]]:
    client = visit(user)
    answer = client.get(address)
    assert answer.status_code == 200
    links = {unescape(link) for link in LINK.findall(answer.content.decode())}
    assert links
    return [(link, status) for link in sorted(links) if (status := _answer(client, link)) >= 400]


def _answer(client: Client, link: str) -> int:
    """The status. A choice of measures links to every one; `test_measure_pages.py` opens the pages of all there are."""
    found = resolve(link.partition("?")[0])
    if found.url_name == "measure" and not found.namespace and found.kwargs["key"] in MEASURES:
        return 200
    return client.get(link).status_code


@thorough("every link of a page without algorithms")
@pytest.mark.parametrize("name", PAGES)
def test_links_of_a_page_without_algorithms_answer(
    visit: Visit, owner: User, collection: Collection, name: str
) -> None:
    assert broken(visit, owner, reverse(name, args=[collection.slug])) == []


def test_links_of_an_explained_score_answer(visit: Visit, owner: User, scored: Submission) -> None:
    assert broken(visit, owner, reverse("why", args=[scored.pk, "mercury"])) == []


@pytest.mark.parametrize("name", PAGES[1:])
def test_what_is_not_scored_under_policies_is_not_taken_for_missing(
    visit: Visit, owner: User, scored: Submission, name: str
) -> None:
    address = reverse(name, args=[scored.collection.slug])
    board = f"{reverse('leaderboard', args=[scored.collection.slug])}?"
    page = flat(unescape(visit(owner).get(address, {"overlap": "first"}).content.decode()))
    assert "No algorithm has scores against this gold version with these scoring options" in page
    assert re.search(rf'href="{re.escape(board)}[^"]*overlap=first[^"]*">leaderboard</a>', page)
    assert "No algorithm has scores against" not in visit(owner).get(address).content.decode()
