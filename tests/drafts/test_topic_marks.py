"""Marks of level-1 topics: given once, permanent, and unique until there are more topics than marks."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from annotations.drafts.state_machine import (
    DraftState,
    apply,
    compile_batch,
    from_document,
    from_json,
    invert,
    to_json,
)
from annotations.drafts.state_machine.state import DISTINCT_MARKS
from qc4.model.gold_document import Topic
from tests.drafts.strategies import PAGE_LIST, Played, logs
from tests.drafts.test_draft_operations import document


def after(state: DraftState, *operations: dict[str, Any]) -> DraftState:
    return apply(state, compile_batch(state, operations), 1)


def add(*names: str, parent: str | None = None) -> list[dict[str, Any]]:
    return [{"kind": "add_topic", "topic": name, "name": name, "parent": parent} for name in names]


def gone(name: str) -> dict[str, Any]:
    return {"kind": "delete_topic", "topic": name, "children": "delete", "pages": "unplace"}


EMPTY = DraftState(tuple(page.id for page in PAGE_LIST.pages))


def test_level_1_topics_get_marks_in_order() -> None:
    state = after(
        EMPTY, *add("a", "b"), *add("a1", parent="a"), {"kind": "move", "topic": "b", "parent": None, "at": 0}
    )
    assert state.marks == {"a": 0, "b": 1}
    assert after(state, {"kind": "move", "topic": "a1", "parent": None}).marks == {"a": 0, "b": 1, "a1": 2}


def test_restored_topic_keeps_its_mark() -> None:
    state = after(EMPTY, *add("a", "b"))
    deleting = compile_batch(state, [gone("a")])
    without = after(apply(state, deleting, 2), *add("c"))
    assert without.marks["c"] == 2, "the deleted topic keeps its mark"
    assert apply(without, invert(deleting), 4).marks["a"] == 0
    below = after(state, {"kind": "move", "topic": "a", "parent": "b"}, *add("c"))
    assert after(below, {"kind": "move", "topic": "a", "parent": None}).marks == {"a": 0, "b": 1, "c": 2}


def test_marks_of_deleted_topics_are_reused_once_all_are_given() -> None:
    names = [f"t{number}" for number in range(DISTINCT_MARKS)]
    state = after(after(EMPTY, *add(*names)), gone("t7"))
    again = after(state, *add("new", "more"))
    assert (again.marks["new"], again.marks["more"]) == (7, DISTINCT_MARKS)
    assert after(again, *add("t7")).marks["t7"] == DISTINCT_MARKS + 1, "another topic has its mark now"


def test_document_gives_marks_in_its_order() -> None:
    state = from_document(document(Topic("b", "B", None, 1, ("1",)), Topic("a", "A", None, 1, ("2",))))
    assert state.marks == {"b": 0, "a": 1}


def test_state_without_marks_gets_them_in_tree_order() -> None:
    stored = to_json(after(EMPTY, *add("a", "b"), {"kind": "move", "topic": "b", "parent": None, "at": 0}))
    del stored["marks"]
    assert from_json(stored, EMPTY.pages).marks == {"b": 0, "a": 1}


@given(logs())
def test_marks_are_unique_and_permanent(log: list[Played]) -> None:
    for entry in log:
        marks, roots = entry.after.marks, entry.after.children_of(None)
        assert len({marks[root] for root in roots}) == len(roots)
        for root in entry.before.children_of(None):
            assert marks[root] == entry.before.marks[root]
