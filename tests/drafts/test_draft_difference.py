"""Differences between two gold standards; each case was worked out by hand."""

from __future__ import annotations

import pytest

from annotations.drafts.state_machine import PageMove, difference
from qc4.model.gold_document import GoldDocument, Page, Topic
from qc4.problems import InputError


def document(*topics: Topic, outliers: str = "") -> GoldDocument:
    return GoldDocument("q", "q", tuple(Page(page) for page in "12345678"), topics, tuple(outliers))


def topic(topic_id: str, pages: str = "", parent: str | None = None, name: str = "", **more) -> Topic:
    return Topic(topic_id, name or topic_id.title(), parent, None, tuple(pages), more)


CARS = topic("cars", "1234")
WILD = topic("wild", "567")
BEFORE = document(CARS, WILD, outliers="8")


def test_identical_gold_standards_have_no_difference():
    same = difference(BEFORE, BEFORE)
    assert not same
    assert same.lines == ()
    assert same.pages == ()


def test_listing_pages_of_subtopics_makes_no_difference():
    listed = document(CARS, topic("new", "12", "cars"), WILD)
    left_out = document(topic("cars", "34"), topic("new", "12", "cars"), WILD)
    assert not difference(listed, left_out)


def test_added_and_removed_topics_have_sizes():
    found = difference(document(CARS, topic("gone", "56")), document(CARS, topic("new", "78")))
    assert (found.added, found.removed) == (("new",), ("gone",))
    assert found.lines[:2] == ("Added New (2 pages)", "Removed Gone (2 pages)")


def test_renamed_and_redescribed_topics():
    found = difference(
        BEFORE, document(topic("cars", "1234", name="Autos"), topic("wild", "567", note="Ask"), outliers="8")
    )
    assert found.renamed == {"cars": ("Cars", "Autos")}
    assert found.described == ("wild",)
    assert found.lines == ("Renamed Cars to Autos", "Changed the description or note of Wild")


def test_pages_of_moved_topic_do_not_count_as_moved():
    found = difference(document(CARS, WILD), document(CARS, topic("wild", "567", "cars")))
    assert found.moved == {"wild": ("the top (level 1)", "Cars (level 2)")}
    assert found.pages == ()
    assert found.lines == ("Moved Wild from the top (level 1) to Cars (level 2)",)


def test_reordered_siblings():
    found = difference(BEFORE, document(WILD, CARS, outliers="8"))
    assert found.reordered
    assert found.lines == ("Reordered topics",)


def test_merged_topic_is_not_removed_and_its_pages_have_not_moved():
    found = difference(document(CARS, topic("autos", "56"), WILD), document(topic("cars", "123456"), WILD))
    assert found.merged == {"autos": "cars"}
    assert found.removed == ("autos",)
    assert found.pages == ()
    assert found.lines == ("Merged Autos into Cars",)


def test_merge_needs_more_than_half_of_the_pages():
    found = difference(document(CARS, topic("autos", "5678")), document(topic("cars", "123456"), outliers="78"))
    assert found.merged == {}
    assert found.removed == ("autos",)
    assert found.pages == (
        PageMove("5", ("Autos",), ("Cars",)),
        PageMove("6", ("Autos",), ("Cars",)),
        PageMove("7", ("Autos",), ("outliers",)),
        PageMove("8", ("Autos",), ("outliers",)),
    )
    assert found.lines == (
        "Removed Autos (4 pages)",
        "2 pages moved from Autos to Cars",
        "2 pages moved from Autos to outliers",
    )


def test_merge_names_target_and_not_its_ancestors():
    below = topic("racing", "1", "cars")
    old = document(topic("cars"), below, topic("fast", "56"))
    new = document(topic("cars"), topic("racing", "156", "cars"))
    assert difference(old, new).merged == {"fast": "racing"}


def test_topic_split_into_subtopics():
    found = difference(
        BEFORE, document(topic("cars"), topic("x", "12", "cars"), topic("y", "34", "cars"), WILD, outliers="8")
    )
    assert found.split == {"cars": ("x", "y")}
    assert found.lines == ("Split Cars into X, Y",)


def test_new_sibling_is_a_split_but_new_subtopic_is_not():
    beside = difference(BEFORE, document(topic("cars", "12"), topic("x", "34"), WILD, outliers="8"))
    assert beside.split == {"cars": ("x",)}
    assert beside.lines == ("Split Cars into X",)
    below = difference(BEFORE, document(CARS, topic("x", "34", "cars"), WILD, outliers="8"))
    assert below.split == {}
    assert below.lines == ("Added Cars › X (2 pages)", "2 pages moved from Cars to Cars › X")


def test_topic_replaced_by_its_parts():
    found = difference(BEFORE, document(topic("x", "12"), topic("y", "34"), WILD, outliers="8"))
    assert found.split == {"cars": ("x", "y")}
    assert found.lines == ("Split Cars into X, Y",)


def test_moved_pages_are_counted_by_source_and_target():
    found = difference(BEFORE, document(topic("cars", "1258"), topic("wild", "5674"), outliers="3"))
    assert found.pages == (
        PageMove("3", ("Cars",), ("outliers",)),
        PageMove("4", ("Cars",), ("Wild",)),
        PageMove("5", ("Wild",), ("Cars", "Wild")),
        PageMove("8", ("outliers",), ("Cars",)),
    )
    assert found.lines == (
        "1 page moved from Cars to outliers",
        "1 page moved from Cars to Wild",
        "1 page moved from Wild to Cars and Wild",
        "1 page moved from outliers to Cars",
    )


def test_page_without_previous_place():
    found = difference(document(CARS, topic("wild", "56"), outliers="8"), BEFORE)
    assert found.lines == ("1 page moved from nowhere to Wild",)


def test_invalid_gold_standard_cannot_be_compared():
    with pytest.raises(InputError, match="parent"):
        difference(BEFORE, document(topic("cars", "1", "nobody")))
