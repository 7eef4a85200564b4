"""The simulated curator of the benchmark chooses the right keys for its pages."""

from __future__ import annotations

from bench.curator import (
    Plan,
    Suggestions,
    implied_topics,
    keys_for_group,
    keys_for_page,
    keys_for_subtopics,
    keys_for_topics,
)

# Each letter of a page's name is a topic of level 1: animals (a), boats (b) or cars (c). Names of subtopics follow.
TREE = {"animals": ["cats", "dogs"], "boats": [], "cars": ["racing"]}
MEMBERS = {
    "animals": {"a", "a cats", "a dogs", "a cats dogs", "ab cats", "abc"},
    "cats": {"a cats", "a cats dogs", "ab cats"},
    "dogs": {"a dogs", "a cats dogs"},
    "boats": {"ab cats", "abc", "bc", "bc racing"},
    "cars": {"abc", "bc", "bc racing", "c"},
    "racing": {"bc racing"},
}
PLAN = Plan(sorted({page for pages in MEMBERS.values() for page in pages} | {"none"}), TREE, MEMBERS)
NOTHING = Suggestions()


def keys(page: str, offered: Suggestions = NOTHING, **later: str) -> list[str]:
    return keys_for_page(PLAN, page, offered, later)


def test_one_topic_takes_one_key() -> None:
    assert keys_for_topics(["2"]) == ["2"]
    assert keys("a") == ["1"]


def test_first_of_two_topics_stays_on_the_page() -> None:
    assert keys_for_topics(["1", "2"]) == ["Shift+Digit1", "2"]
    assert keys("ab cats") == ["Shift+Digit1", "2"]


def test_auto_advance_is_off_for_three_topics() -> None:
    assert keys_for_topics(["1", "2", "3"]) == ["p", "1", "2", "3", "p", "n"]
    assert keys("abc") == ["p", "1", "2", "3", "p", "n"]


def test_page_in_no_topic_is_an_outlier() -> None:
    assert keys("none") == ["o"]


def test_subtopics_have_their_own_digits_and_no_subtopic_is_skipped() -> None:
    assert keys_for_subtopics(PLAN, "a dogs", "animals") == ["2"]
    assert keys_for_subtopics(PLAN, "a cats dogs", "animals") == ["Shift+Digit1", "2"]
    assert keys_for_subtopics(PLAN, "a", "animals") == ["j"]
    assert keys_for_subtopics(PLAN, "bc racing", "cars") == ["1"]


def test_prediction_is_accepted_only_if_it_is_complete() -> None:
    assert keys("a cats", Suggestions("cats")) == ["a"]
    assert keys("a cats", Suggestions("dogs")) == ["1"]
    assert keys("a cats dogs", Suggestions("cats")) == ["1"]
    assert keys("ab cats", Suggestions("cats")) == ["Shift+Digit1", "2"]


def test_most_similar_page_is_copied_only_if_its_topics_are_right() -> None:
    def same(*topics: str) -> Suggestions:
        return Suggestions(same=frozenset(topics))

    assert keys("ab cats", same("cats", "boats")) == ["="]
    assert keys("ab cats", same("animals", "boats")) == ["="]  # the subtopic is chosen later
    assert keys("ab cats", same("dogs", "boats")) == ["Shift+Digit1", "2"]
    assert keys("ab cats", same("boats")) == ["Shift+Digit1", "2"]
    assert keys("bc", same("boats", "cars", "animals")) == ["Shift+Digit2", "3"]


def test_similar_page_with_some_of_the_subtopics_is_not_copied() -> None:
    members = MEMBERS | {"cats": MEMBERS["cats"] | {"abc"}, "dogs": MEMBERS["dogs"] | {"abc"}}
    plan = Plan(PLAN.pages, TREE, members)
    offered = Suggestions(same=frozenset({"cats", "boats", "cars"}))
    assert keys_for_page(plan, "abc", offered, {}) == ["p", "1", "2", "3", "p", "n"]


def test_topic_that_is_always_implied_is_placed_later() -> None:
    assert implied_topics(PLAN, ["bc", "bc racing", "abc"]) == {"cars": "boats"}
    assert implied_topics(PLAN, ["bc", "bc racing", "abc", "c"]) == {}
    assert implied_topics(PLAN, ["bc", "bc racing"]) == {}, "too few pages to decide"
    assert keys("bc", cars="boats") == ["3"]
    assert keys("abc", cars="boats") == ["Shift+Digit1", "3"]
    assert keys("ab cats", cars="boats") == ["Shift+Digit1", "2"]


def test_waiting_pages_of_one_subtopic_are_placed_together() -> None:
    plan = Plan(
        list("uvwxyz"), {"animals": ["cats", "dogs"]}, {"animals": set("uvwxyz"), "cats": set("uvwxy"), "dogs": {"z"}}
    )
    assert keys_for_group(plan, list("uvwxy"), "animals") == ["Shift+X", "1"]
    assert keys_for_group(plan, list("uv"), "animals") == [], "placing page by page is as fast"
    assert keys_for_group(plan, list("uvz"), "animals") == [], "another subtopic"


def test_waiting_pages_without_a_subtopic_are_deselected() -> None:
    plan = Plan(list("uvwxyz"), {"animals": ["cats"]}, {"animals": set("uvwxyz"), "cats": set("uwxyz")})
    assert keys_for_group(plan, list("uvwxyz"), "animals") == ["Shift+X", "j", "x", "1"]
