"""The progress of a draft agrees with the checks of publishing."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from annotations.drafts.state_machine import DraftState, apply, compile, progress, stale_pages, to_document
from qc4.model.rules import check
from tests.drafts.strategies import PAGE_LIST, PAGES, states


def after(*operations: dict) -> DraftState:
    """Return an empty draft after operations, one entry each."""
    state = DraftState(PAGES)
    for revision, operation in enumerate(operations, 1):
        state = apply(state, compile(state, operation), revision)
    return state


def add(topic: str, pages: str = "", parent: str | None = None, **more) -> dict:
    fields = {"topic": topic, "name": topic.title(), "parent": parent, "pages": list(pages)}
    return {"kind": "add_topic", **fields, **more}


@given(states(16))
def test_issues_equal_problems_found_when_publishing(state: DraftState):
    expected = Counter((problem.severity, problem.code) for problem in check(to_document(state, PAGE_LIST)))
    assert Counter((issue.severity, issue.code) for issue in progress(state).issues) == expected


@given(states(16))
def test_only_drafts_without_errors_can_be_published(state: DraftState):
    problems = [problem for problem in check(to_document(state, PAGE_LIST)) if problem.severity == "error"]
    assert bool(progress(state).errors) == bool(problems)


@given(states(16))
def test_every_fix_resolves_its_issue(state: DraftState):
    for issue in progress(state).issues:
        if issue.fix is not None:
            fixed = progress(apply(state, compile(state, issue.fix), 99))
            assert (issue.code, issue.topic, issue.level) not in {(i.code, i.topic, i.level) for i in fixed.issues}


def test_level_coverage_counts_topics_and_outliers():
    state = after(
        add("cars", "1234"), add("dealers", "12", "cars"), add("wild", "56"), {"kind": "outlier", "pages": ["8"]}
    )
    found = progress(state)
    assert [(level.level, level.placed, level.total) for level in found.levels] == [(1, 7, 8), (2, 5, 8)]
    assert (found.outliers, found.left_over, found.topics) == (1, {"cars": 2}, 3)


def test_topic_with_deeper_children_spans_levels_between():
    state = after(add("cars", "1234"), add("dealers", "12", "cars"), {"kind": "step", "topic": "cars", "step": 2})
    assert [level.placed for level in progress(state).levels] == [4, 4, 2]


def test_issues_have_place_and_fix():
    state = after(add("cars", "123"), add("dealers", "12", "cars"), add("empty"), add("CARS", "45", name="CARS"))
    errors = {issue.code: issue for issue in progress(state).errors}
    assert errors["page-without-topic"].rule == "R1"
    assert errors["empty-topic"].fix == {
        "kind": "delete_topic",
        "topic": "empty",
        "children": "lift",
        "pages": "unplace",
    }
    assert errors["duplicate-name"].fix == {"kind": "merge", "topics": ["CARS"], "into": "cars"}
    places = {(issue.level, issue.topic, issue.pages) for issue in progress(state).errors if issue.rule == "R1"}
    assert places == {(1, None, ("6", "7", "8")), (2, "cars", ("3",))}


def test_unicode_forms_of_a_name_are_equal():
    state = after(add("a", "12", name="Caf\u00e9"), add("b", "34", name="CAFE\u0301\u200b"))
    assert [issue.topic for issue in progress(state).errors if issue.code == "duplicate-name"] == ["b"]


def test_empty_draft_has_one_issue():
    [issue] = progress(DraftState(PAGES)).issues
    assert issue.code == "no-gold"


def test_suggestions_do_not_affect_progress_but_are_counted():
    suggest = {
        "kind": "suggest",
        "source": "clusters",
        "topics": [{"topic": "s", "name": "S", "parent": None}],
        "hints": [["s", ["1", "2"]], ["cars", ["2", "3"]]],
    }
    found = progress(after(add("cars", "12345678"), suggest))
    assert (found.topics, found.suggested_topics, found.suggested) == (1, 1, 2)
    assert [issue.code for issue in found.issues] == ["topic-holds-all"]


def test_pages_of_redescribed_topic_are_stale_until_confirmed():
    described = (add("cars", "12"), add("wild", "3"), {"kind": "describe", "topic": "cars", "text": "Not the animal"})
    assert stale_pages(after(*described)) == {"1", "2"}
    assert stale_pages(after(*described, {"kind": "seen", "pages": ["2"]})) == {"1"}


def test_merge_makes_existing_pages_of_target_stale():
    merged = after(add("cars", "12"), add("dealers", "3"), {"kind": "merge", "topics": ["dealers"], "into": "cars"})
    assert stale_pages(merged) == {"1", "2"}


@pytest.mark.parametrize("kind", ["flag", "note"])
def test_remarks_change_only_their_own_progress_value(kind: str):
    before = after(add("cars", "12"))
    operation = {"flag": {"pages": ["1"]}, "note": {"page": "1", "text": "odd"}}[kind]
    now = progress(apply(before, compile(before, {"kind": kind, **operation}), 2))
    assert now.flagged == (kind == "flag")
    assert now.levels == progress(before).levels
