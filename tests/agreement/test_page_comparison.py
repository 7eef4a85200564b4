"""Comparison of pages: their placements in both drafts, in aligned topics, and how they differ."""

from __future__ import annotations

import pytest
from hypothesis import given

from annotations.agreement.statistics import Agreement, Kind, compare
from annotations.agreement.statistics.alignment import Symbol, concepts_of_alignment
from annotations.agreement.statistics.placements import Symbols
from qc4.model.gold_document import GoldDocument
from tests.agreement.hierarchies import drafts, hierarchy

FIRST = hierarchy("abcdefghijk", {"Cars": "ai", "Cars/Dealers": "bcd", "Animals": "efgj"}, "h")


def kinds(second: GoldDocument, first: GoldDocument = FIRST) -> dict[str, Kind]:
    found = compare(first, second, groups=0)
    return {first.pages[page.page].id: page.kind for page in found.differing}


def test_names_of_aligned_topics_do_not_matter() -> None:
    second = hierarchy("abcdefghijk", {"Autos": "ai", "Autos/Shops": "bcd", "Wildlife": "efgj"}, "h")
    assert kinds(second) == {}


@pytest.mark.parametrize(
    ("topics", "outliers", "expected"),
    [
        ({"Cars": "i", "Cars/Dealers": "abcd", "Animals": "efgj"}, "h", {"a": Kind.DEEPER_SECOND}),
        ({"Cars": "aib", "Cars/Dealers": "cd", "Animals": "efgj"}, "h", {"b": Kind.DEEPER_FIRST}),
        ({"Cars": "ai", "Cars/Dealers": "bcd", "Animals": "aefgj"}, "h", {"a": Kind.MORE_SECOND}),
        ({"Cars": "ai", "Cars/Dealers": "bcd", "Animals": "efg"}, "hj", {"j": Kind.OUTLIER_SECOND}),
        ({"Cars": "ai", "Cars/Dealers": "bcd", "Animals": "efghj"}, "", {"h": Kind.OUTLIER_FIRST}),
        ({"Cars": "ai", "Cars/Dealers": "bcd", "Animals": "efg"}, "h", {"j": Kind.ONLY_FIRST}),
        ({"Cars": "aik", "Cars/Dealers": "bcd", "Animals": "efgj"}, "h", {"k": Kind.ONLY_SECOND}),
        ({"Cars": "ai", "Cars/Dealers": "bcdj", "Animals": "efg"}, "h", {"j": Kind.OTHER_TOPICS}),
        ({"Cars": "ai", "Cars/Dealers": "bcd", "Animals": "efg", "Birds": "j"}, "h", {"j": Kind.OTHER_TOPICS}),
    ],
)
def test_kinds_of_page_differences(topics: dict[str, str], outliers: str, expected: dict[str, Kind]) -> None:
    assert kinds(hierarchy("abcdefghijk", topics, outliers)) == expected


def test_page_that_nobody_placed_is_not_a_difference() -> None:
    found = compare(FIRST, FIRST)
    assert found.pages[10].kind == Kind.NEITHER
    assert found.pages[10].agree


def test_ancestors_of_finest_topics_do_not_count() -> None:
    """A page listed in a topic and its subtopic is in the subtopic. Some files list all pages of topics."""
    second = hierarchy("abcdefghijk", {"Cars": "aibcd", "Cars/Dealers": "bcd", "Animals": "efgj"}, "h")
    assert kinds(second) == {}


def test_pages_of_skipped_topic_go_to_its_parent() -> None:
    second = hierarchy("abcdefghijk", {"Cars": "abcdi", "Animals": "efgj"}, "h")
    found = compare(FIRST, second)
    dealers = Symbol("first", 1)
    skipping = Symbols((found.first, found.second), concepts_of_alignment(found.alignment), frozenset({dealers}))
    assert {page.kind for page in map(skipping.compare, range(10))} == {Kind.AGREE}
    assert kinds(second) == dict.fromkeys("bcd", Kind.DEEPER_FIRST)


def test_json_names_topics_and_pages() -> None:
    second = hierarchy("abcdefghijk", {"Cars": "i", "Cars/Dealers": "abcd", "Animals": "efgj", "New": ""}, "h")
    found = compare(FIRST, second, ("Ana", "Ben")).to_dict()
    assert found["aligned"][1] == {"first": "dealers", "second": "dealers", "shared": 3, "jaccard": 0.75}
    assert (found["only_first"], found["only_second"]) == ([], ["new"])
    assert found["pages"][0] == {
        "id": "a",
        "agree": False,
        "how": "further down for the second",
        "first": {"outlier": False, "topics": [{"side": "first", "topic": "cars"}]},
        "second": {"outlier": False, "topics": [{"side": "first", "topic": "dealers"}]},
    }
    assert found["overlap"][0] == [5, 4, 0, 0]


MIRRORED = {
    Kind.ONLY_FIRST: Kind.ONLY_SECOND,
    Kind.OUTLIER_FIRST: Kind.OUTLIER_SECOND,
}


def strict(found: Agreement) -> dict[int, Kind]:
    return {page.page: page.kind for page in found.pages if page.kind in MIRRORED or page.kind in MIRRORED.values()}


@given(drafts(), drafts())
def test_swapping_drafts_mirrors_unplaced_pages_and_outliers(first: GoldDocument, second: GoldDocument) -> None:
    back = MIRRORED | {other: one for one, other in MIRRORED.items()}
    there = strict(compare(first, second, groups=0))
    assert {page: back[kind] for page, kind in there.items()} == strict(compare(second, first, groups=0))


@given(drafts(), drafts())
def test_placement_never_contains_topic_and_its_ancestor(first: GoldDocument, second: GoldDocument) -> None:
    found = compare(first, second, groups=0)
    for page in found.pages:
        for placement in (page.first, page.second):
            assert not placement.topics & found.symbols.above_all(placement.topics)
