"""One word for one thing: an algorithm is compared, by QC4-F, on every page and in every file of the site."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.console import summary_table
from evaluation.models import Submission
from tests.given_scores import give, many_queries
from tests.pages.conftest import Visit
from tests.places import DOCS

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


# What people read: neither addresses and values of forms nor what is to be typed as it stands.
TYPED = re.compile(r"<(code|pre|script|option|textarea)\b.*?</\1>|<[^>]+>", re.DOTALL)
KEYS = re.compile(r"\b(qc4_f|bcubed_f|nmi_sqrt)\b")
EVERY_PAGE = (*PAGES, "topic-coverage", "model-selection", "submit", "gold-publish", "curate", "people")


@pytest.mark.parametrize("name", EVERY_PAGE)
def test_pages_call_measures_by_their_titles(visit: Visit, owner: User, compared: Collection, name: str) -> None:
    address = reverse(name, args=[] if name == "collections" else [compared.slug])
    answer = visit(owner).get(address, {"draws": "200"} if name in {"leaderboard", "compare"} else {})
    assert KEYS.findall(TYPED.sub(" ", answer.content.decode())) == []


@pytest.mark.parametrize("name", ["submission", "why", "query", "draft"])
def test_pages_of_one_thing_do_too(visit: Visit, owner: User, scored: Submission, name: str) -> None:
    key = scored.clusterings.first().query.key  # type: ignore[union-attr]  # it has some
    args = {"submission": [scored.pk], "why": [scored.pk, key], "query": [scored.collection.slug, key]}
    if name == "draft":
        address = reverse("drafts", args=[scored.collection.slug, key])
    else:
        address = reverse(name, args=args[name])
    said = TYPED.sub(" ", visit(owner).get(address).content.decode())
    assert KEYS.findall(said) == []


def test_documents_and_commands_do_too() -> None:
    for path in sorted((DOCS / "users").glob("*.md")):
        prose = re.sub(r"```.*?```|`[^`]*`", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert KEYS.findall(prose) == [], path.name
    assert KEYS.findall(summary_table([])) == []
