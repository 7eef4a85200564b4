"""Rules R1-R6: all breaches are reported together, with rule, topic, pages and level."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.io import read_gold_document, write_gold
from qc4.model import hierarchy as breaches
from qc4.model.gold_document import GoldDocument, Page, Topic
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy
from qc4.model.rules import CheckedDocument, check, complete, prepare, prepare_all
from qc4.model.structure import Structure
from qc4.problems import InputError, Problem


def document(topics: list[Topic], outliers: tuple[str, ...] = (), pages: int = 6) -> GoldDocument:
    return GoldDocument("q", "q", tuple(Page(str(n), n) for n in range(1, pages + 1)), tuple(topics), outliers)


def topic(topic_id: str, pages: str = "", parent: str | None = None, level: int | None = None, name: str = "") -> Topic:
    return Topic(topic_id, name or topic_id, parent, level, tuple(pages))


def sound() -> list[Topic]:
    return [topic("a"), topic("a1", "12", "a"), topic("a2", "23", "a"), topic("b", "45")]


def found(topics: list[Topic], outliers: tuple[str, ...] = ("6",), pages: int = 6) -> list[Problem]:
    return [problem for problem in check(document(topics, outliers, pages)) if problem.severity == "error"]


def test_a_sound_document_has_no_problems():
    assert check(document(sound(), ("6",))) == []


def test_prepare_returns_a_gold_standard():
    gold = prepare(document(sound(), ("6",)))
    assert gold.topic_ids == ("a", "a1", "a2", "b")
    assert gold.hierarchy.sizes.tolist() == [3, 2, 2, 2]
    assert gold.hierarchy.outliers.tolist() == [5]


def test_r1_names_the_pages_in_no_topic_on_level_1():
    [problem] = found(sound(), outliers=())
    assert problem.code == "page-without-topic"
    assert problem.where == "level 1"
    assert "1 page " in problem.found
    assert "'6'" in problem.found
    assert "R1" in problem.expected
    assert "complete" in problem.fix


def test_r1_names_topic_and_level_of_a_page_without_subtopic():
    [problem] = found([topic("a", "3"), topic("a1", "12", "a"), topic("b", "45")])
    assert problem.code == "page-without-topic"
    assert "level 2" in problem.where
    assert "'a'" in problem.where
    assert "'3'" in problem.found


def test_r3_names_a_page_in_another_topic_but_in_no_child():
    [problem] = found([topic("a", "3"), topic("a1", "12", "a"), topic("b", "345")])
    assert problem.code == "page-without-subtopic"
    assert "R3" in problem.expected
    assert "'3'" in problem.found


def test_r2_names_the_outliers_that_are_in_a_topic():
    [problem] = found(sound(), outliers=("6", "4"))
    assert problem.code == "outlier-in-topic"
    assert "'b'" in problem.where
    assert "'4'" in problem.found


def test_r4_names_the_empty_topic():
    assert [problem.code for problem in found([*sound(), topic("c")])] == ["empty-topic"]


def test_r5_shows_a_cycle_as_a_path():
    [problem] = [
        p for p in found([topic("a", "1", "c"), topic("b", "2", "a"), topic("c", "3", "b")]) if "cycle" in p.code
    ]
    assert "'a' > 'c' > 'b' > 'a'" in problem.found


def test_r5_reports_every_cycle_once():
    topics = [topic("a", "1", "b"), topic("b", "2", "a"), topic("x", "3", "x"), topic("y", "4", "x")]
    assert [p.code for p in found(topics)].count("parent-cycle") == 2


def test_r5_names_an_unknown_parent():
    assert "unknown-parent" in [problem.code for problem in found([*sound(), topic("c", "6", "nowhere")])]


@pytest.mark.parametrize(
    ("topics", "code"),
    [
        ([topic("a", level=2), topic("a1", "123", "a", 2), topic("b", "45")], "bad-level"),
        ([topic("a", "123", level=2), topic("b", "45")], "root-level"),
        ([topic("a"), topic("a1", "12", "a", 2), topic("a2", "23", "a", 3), topic("b", "45")], "sibling-levels"),
    ],
)
def test_r5_names_topics_on_wrong_levels(topics, code):
    assert code in [problem.code for problem in found(topics)]


def test_r6_ignores_the_case_of_sibling_names():
    topics = [topic("a", "12", name="Straße"), topic("b", "345", name="STRASSE")]
    [problem] = found(topics)
    assert problem.code == "duplicate-name"
    assert "level 1" in problem.where


def test_topics_with_different_parents_may_have_the_same_name():
    topics = [topic("a"), topic("a1", "12", "a", name="New"), topic("b"), topic("b1", "345", "b", name="New")]
    assert found(topics) == []


def test_repeated_ids_and_unknown_pages_are_reported():
    pages = (*document([]).pages, Page("1"))
    broken = GoldDocument("q", "q", pages, (topic("a", "1129"), topic("a", "3")), ("6", "6", "8"))
    problems = check(broken)
    codes = {problem.code for problem in problems}
    assert {"duplicate-page", "duplicate-topic", "unknown-page", "page-twice"} <= codes
    assert any("'9'" in problem.found for problem in problems)
    assert any(problem.where == "outliers" and "'8'" in problem.found for problem in problems)


def test_all_breaches_are_reported_together():
    codes = {problem.code for problem in found([topic("a", "12"), topic("A", "34"), topic("c")], outliers=("1",))}
    assert codes == {"page-without-topic", "outlier-in-topic", "empty-topic", "duplicate-name"}


def test_up_to_a_thousand_pages_without_a_topic_are_listed():
    [problem] = found([topic("a", "1")], outliers=(), pages=100)
    assert "99 pages" in problem.found
    assert "more" not in problem.found
    [problem] = found([topic("a", "1")], outliers=(), pages=1_101)
    assert "and 100 more" in problem.found


def test_a_page_list_alone_is_not_a_gold_standard():
    assert [problem.code for problem in found([], outliers=())] == ["no-gold"]


def test_an_empty_page_list_is_an_error():
    assert "no-pages" in [problem.code for problem in found([], (), 0)]


def test_a_very_long_chain_of_topics_is_rejected_quickly():
    chain = [topic("0", "1"), *(topic(str(n), "1", str(n - 1)) for n in range(1, 50_000))]
    assert "limit-levels" in [problem.code for problem in found(chain)]


def test_topics_that_are_trivial_equal_or_tiny_cause_warnings():
    problems = check(document([topic("all", "123456"), topic("b", "12"), topic("c", "12"), topic("d", "1")]))
    assert {problem.severity for problem in problems} == {"warning"}
    assert [problem.code for problem in problems] == ["topic-holds-all", "topic-of-one-page", "same-pages"]


def test_a_subtopic_with_all_pages_of_its_parent_causes_no_warning():
    assert check(document([topic("a"), topic("a1", "123", "a"), topic("b", "456")])) == []


def test_complete_turns_pages_in_no_topic_into_outliers():
    completed, report = complete(document(sound()))
    assert completed.outliers == ("6",)
    assert report.outliers == ("6",)
    assert "1 page became outliers" in str(report)


def test_complete_adds_a_child_for_pages_in_no_child():
    completed, report = complete(document([topic("a", "3", name="Cars"), topic("a1", "12", "a"), topic("b", "456")]))
    assert report.topics == ("a/other",)
    added = completed.topics[-1]
    assert (added.id, added.name, added.parent, added.level, added.pages) == ("a/other", "Cars (other)", "a", 2, ("3",))
    prepare(completed)


def test_completion_is_recorded_in_the_document_and_in_its_file():
    completed, _ = complete(document([topic("a", "3"), topic("a1", "12", "a"), topic("b", "45")]))
    record = {"rule": "complete", "outliers": 1, "topics": ["a/other"]}
    assert completed.extra["completion"] == record
    assert read_gold_document(write_gold(completed)).extra["completion"] == record


def test_complete_does_not_change_a_sound_document():
    whole = document(sound(), ("6",))
    assert complete(whole)[0] is whole


def test_completing_again_after_an_edit_extends_the_added_child():
    completed, _ = complete(document([topic("a", "3"), topic("a1", "12", "a"), topic("b", "456")]))
    edited = dataclasses.replace(
        completed, topics=(dataclasses.replace(completed.topics[0], pages=("3", "4")), *completed.topics[1:])
    )
    again, report = complete(edited)
    assert again.topics[-1].pages == ("3", "4")
    assert report.topics == ("a/other",)
    assert again.extra["completion"]["topics"] == ["a/other"]


def test_an_added_child_gets_an_unused_id_and_name():
    topics = [topic("a", "3"), topic("a1", "12", "a", name="a (Other)"), topic("a/other", "456")]
    completed, report = complete(document(topics))
    assert report.topics == ("a/other 2",)
    assert completed.topics[-1].name == "a (other) 2"
    prepare(completed)


def test_an_added_child_with_subtopics_is_not_extended():
    topics = [topic("a", "3"), topic("a/other", "", "a"), topic("x", "12", "a/other"), topic("b", "456")]
    completed, report = complete(document(topics))
    assert report.topics == ("a/other 2",)
    prepare(completed)


@pytest.mark.parametrize("record", ["yes", {"rule": "complete", "outliers": "x"}, {"rule": "complete", "topics": [{}]}])
def test_an_invalid_completion_record_is_replaced(record):
    drafted = dataclasses.replace(document(sound()), extra={"completion": record})
    assert complete(drafted)[0].extra["completion"] == {"rule": "complete", "outliers": 1, "topics": []}


def test_many_topics_with_the_same_pages_are_compared_quickly():
    flat = [topic(f"a{n}", "1") for n in range(20_000)]
    halves = [Topic(f"b{n}", "b", f"a{n}", None, ("1",)) for n in range(10_000)]
    problems = check(document([*flat, *halves], tuple("23456")))
    warnings = [problem for problem in problems if problem.code == "same-pages"]
    assert len(warnings) == 19_999 + 10_000


def test_complete_rejects_a_document_without_valid_structure():
    with pytest.raises(InputError):
        complete(document([topic("a", "1", "a")]))


def test_prepare_complete_still_reports_every_rule_it_cannot_repair():
    topics = [topic("a", "12"), topic("A", "3x"), topic("c")]
    with pytest.raises(InputError) as caught:
        prepare(document(topics, ("1",)), "complete")
    codes = {problem.code for problem in caught.value.problems}
    assert codes == {"unknown-page", "outlier-in-topic", "duplicate-name", "empty-topic"}


def test_prepare_rejects_an_unknown_completion_rule():
    with pytest.raises(ValueError, match="'maybe'"):
        prepare(document(sound()), "maybe")


def test_problems_of_several_queries_are_raised_together():
    with pytest.raises(InputError) as caught:
        prepare_all([document(sound()), document([topic("a", "1", "a")]), document(sound(), ("6",))])
    assert all(problem.where.startswith("query 'q'") for problem in caught.value.problems)
    assert {problem.code for problem in caught.value.problems} >= {"page-without-topic", "parent-cycle"}


@st.composite
def forests(draw):
    """Draw any forest of topics with any direct pages and no empty topic."""
    size = draw(st.integers(1, 6))
    topics = []
    for number in range(size):
        parent = draw(st.none() | st.integers(0, number - 1)) if number else None
        pages = draw(st.sets(st.integers(1, 6), min_size=1))
        topics.append(
            Topic(f"t{number}", f"t{number}", None if parent is None else f"t{parent}", None, tuple(map(str, pages)))
        )
    return document(topics)


@given(forests())
def test_completion_makes_any_forest_publishable(drafted):
    completed, _ = complete(drafted)
    assert [problem for problem in check(completed) if problem.severity == "error"] == []
    assert complete(completed)[0] is completed
    prepare(completed)


def test_a_document_is_checked_and_prepared_with_one_hierarchy(monkeypatch):
    counted = Counter()
    for name in ("level_breaches", "outlier_breaches", "_placement_breaches"):
        monkeypatch.setattr(breaches, name, _counting(getattr(breaches, name), counted))
    build = Hierarchy.build.__func__
    monkeypatch.setattr(Hierarchy, "build", classmethod(_counting(build, counted)))
    checked = CheckedDocument(document(sound(), ("6",)))
    completed, _ = checked.completed()
    assert completed.standard().hierarchy is checked.hierarchy
    assert checked.problems == ()
    assert dict(counted) == {"build": 1, "level_breaches": 1, "outlier_breaches": 1, "_placement_breaches": 1}


def _counting(function, counted):
    def counting(*arguments):
        counted[function.__name__] += 1
        return function(*arguments)

    return counting


@given(forests(), st.lists(st.integers(1, 3) | st.none(), min_size=6, max_size=6), st.sets(st.integers(1, 6)))
def test_arrays_break_the_same_rules_as_their_document(drafted, levels, outliers):
    topics = [dataclasses.replace(topic, level=level) for topic, level in zip(drafted.topics, levels, strict=False)]
    drafted = dataclasses.replace(drafted, topics=tuple(topics), outliers=tuple(map(str, sorted(outliers))))
    of_document = {problem.code for problem in CheckedDocument(drafted).errors} - {"duplicate-name"}
    of_arrays = set()
    try:
        GoldStandard.from_hierarchy(Structure(drafted).hierarchy)
    except InputError as error:
        of_arrays = {problem.code for problem in error.problems}
    if not of_document & {"root-level", "bad-level", "sibling-levels"}:
        assert of_arrays == of_document
    assert of_document <= of_arrays


def test_a_repeated_page_is_reported_only_once():
    pages = [Page("p1"), Page("p2"), Page("p1"), Page("p3")]
    topics = [Topic("t", "T", pages=("p1",))]
    found = check(GoldDocument("q", "q", pages=tuple(pages), topics=tuple(topics), outliers=("p2",)))
    told = [(problem.code, problem.found) for problem in found if problem.severity == "error"]
    assert [code for code, _ in told] == ["duplicate-page", "page-without-topic"]
    assert "'p3'" in told[1][1]
    assert "'p1'" not in told[1][1]
