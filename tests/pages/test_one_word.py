"""One word for one thing: what is compared is an algorithm, on every page and in every file of the site."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from tests.given_scores import give, many_queries
from tests.pages.conftest import Visit

MEANS = {"Lingo": 0.7, "STC": 0.5, "K-means": 0.3}
PAGES = (
    "collections",
    "collection",
    "leaderboard",
    "compare",
    "measures-compared",
    "robustness",
    "heat-map",
    "trade-off",
)
FILES = (
    ("compare-tex", ""),
    ("compare-svg", "forest"),
    ("compare-svg", "matrix"),
    ("compare-svg", "differences"),
    ("leaderboard-tex", ""),
    ("measures-compared-svg", ""),
    ("measures-compared-tex", ""),
    ("robustness-svg", ""),
    ("robustness-tex", ""),
)
SYSTEM = re.compile(r"\bsystems?\b", re.IGNORECASE)
ADDRESSES = re.compile(r'(href|src|action)="[^"]*"')


@pytest.fixture
def compared(owner: User) -> Collection:
    """Three algorithms on ten queries by three measures that say the same."""
    collection = many_queries(owner, 10, public=True)
    scores = {name: [mean + 0.01 * (place * 3 % 7) for place in range(10)] for name, mean in MEANS.items()}
    for submission in give(collection, scores, owner).values():
        column = submission.runs.get().columns.get()
        for column.measure in ("quality", "coverage"):
            column.pk = None
            column.save(force_insert=True)
    return collection


@pytest.mark.parametrize("name", PAGES)
def test_pages_speak_of_algorithms(visit: Visit, compared: Collection, name: str) -> None:
    address = reverse(name, args=[] if name == "collections" else [compared.slug])
    answer = visit(None).get(address, {"draws": "200"} if name != "collections" else {})
    assert answer.status_code == 200
    said = ADDRESSES.sub("", answer.content.decode())
    assert "lgorithm" in said
    assert SYSTEM.findall(said) == []


@pytest.mark.parametrize(("name", "picture"), FILES)
def test_files_for_papers_speak_of_algorithms(visit: Visit, compared: Collection, name: str, picture: str) -> None:
    answer = visit(None).get(reverse(name, args=[compared.slug]), {"picture": picture} if picture else {})
    assert answer.status_code == 200
    assert SYSTEM.findall(answer.content.decode()) == []
