"""Primitive changes, the only thing a log entry is replayed from: plain JSON, each with an exact inverse.

    {"c": "topic+" | "topic-", "topic": {fields of Topic}, "at": index}     topic-: it has no children, members, hints
    {"c": "set", "topic": id, "field": "name" | "description" | "note" | "step" | "suggested", "old": ..., "new": ...}
    {"c": "place", "topic": id, "old": [parent | null, index], "new": [parent | null, index]}
    {"c": "altered", "topic": id}                                           a merge or split changed what it means
    {"c": "in+" | "in-" | "hint+" | "hint-", "topic": id, "pages": [...]}
    {"c": "out+" | "out-" | "flag+" | "flag-" | "seen", "pages": [...]}
    {"c": "note", "page": id, "old": text, "new": text}

Pages stand in the order of the page list, and only those that really change. The index of a place counts the siblings
without the topic itself. ``seen`` and ``altered`` only keep the books about stale pages and are their own inverse.
Marks are in no change: they follow from the order in which topics came to level 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from annotations.drafting.marks import give_mark
from annotations.drafting.state import NO_PAGES, DraftState, Pages
from annotations.drafting.topics import Topic

Change = dict[str, Any]

_SHAPING = {"step", "suggested"}
"""Fields that say where topics stand in the tree."""

_OPPOSITE = {
    "topic+": "topic-",
    "topic-": "topic+",
    "in+": "in-",
    "in-": "in+",
    "hint+": "hint-",
    "hint-": "hint+",
    "out+": "out-",
    "out-": "out+",
    "flag+": "flag-",
    "flag-": "flag+",
}


def apply(state: DraftState, changes: Iterable[Mapping[str, Any]], revision: int) -> DraftState:
    """The state after the changes of one log entry; ``revision`` is the entry's. The given state stays as it is.

    The changes must have been compiled, or fitted, for this very state.
    """
    new = state.copy()
    for change in changes:
        apply_in_place(new, change, revision)
    return new


def apply_in_place(state: DraftState, change: Mapping[str, Any], revision: int) -> None:
    """Carry out one change on a state nobody else holds."""
    topic: Any = change.get("topic")
    pages = change.get("pages", ())
    match change["c"]:
        case "topic+":
            state.topics[topic["id"]] = Topic(**topic)
            state.topics_changed()
            _insert(state, topic["parent"], change["at"], topic["id"])
        case "topic-":
            _detach(state, topic["id"])
            del state.topics[topic["id"]]
            state.topics_changed()
            state.changed.pop(topic["id"], None)
        case "set":
            state.topics[topic] = replace(state.topics[topic], **{change["field"]: change["new"]})
            if change["field"] in _SHAPING:
                state.topics_changed()
        case "place":
            parent, at = change["new"]
            _detach(state, topic)
            state.topics[topic] = replace(state.topics[topic], parent=parent)
            state.topics_changed()
            _insert(state, parent, at, topic)
        case "in+":
            state.members[topic] = state.members_of(topic).union(pages)
            state.pages_changed(topic)
        case "in-":
            _take(state.members, topic, pages)
            state.pages_changed(topic)
        case "hint+":
            state.hints[topic] = state.hints_of(topic).union(pages)
        case "hint-":
            _take(state.hints, topic, pages)
        case "out+":
            state.outliers = state.outliers.union(pages)
        case "out-":
            state.outliers = state.outliers.difference(pages)
        case "flag+":
            state.flags = state.flags.union(pages)
        case "flag-":
            state.flags = state.flags.difference(pages)
        case "note":
            _note(state, change["page"], change["new"])
        case "seen" | "altered":
            pass
        case unknown:
            raise ValueError(f"unknown change: {unknown}")
    _keep_books(state, change, revision)


def _keep_books(state: DraftState, change: Mapping[str, Any], revision: int) -> None:
    """What people looked at and what changed its meaning, for `annotations.drafting.progress.stale_pages`."""
    if change["c"] in {"in+", "out+", "seen"}:
        state.touched.update(dict.fromkeys(change["pages"], revision))
    elif change["c"] == "altered" or (change["c"] == "set" and change["field"] == "description"):
        state.changed[change["topic"]] = revision


def invert(changes: Iterable[Mapping[str, Any]]) -> list[Change]:
    """The changes that take these back."""
    return [_inverse(change) for change in reversed(list(changes))]


def _inverse(change: Mapping[str, Any]) -> Change:
    inverse = {**change, "c": _OPPOSITE.get(change["c"], change["c"])}
    if "new" in change:
        inverse["old"], inverse["new"] = change["new"], change["old"]
    return inverse


def topic_to_json(topic: Topic) -> dict[str, Any]:
    """The fields of a topic, as changes and the workspace carry them."""
    return {
        "id": topic.id,
        "name": topic.name,
        "description": topic.description,
        "note": topic.note,
        "parent": topic.parent,
        "step": topic.step,
        "suggested": topic.suggested,
        "extra": dict(topic.extra),
    }


def _insert(state: DraftState, parent: str | None, at: int, topic: str) -> None:
    siblings = state.children_of(parent)
    state.children[parent] = (*siblings[:at], topic, *siblings[at:])
    if parent is None:
        give_mark(state.marks, state.children[None], topic)


def _detach(state: DraftState, topic: str) -> None:
    parent = state.topics[topic].parent
    siblings = tuple(sibling for sibling in state.children[parent] if sibling != topic)
    if siblings:
        state.children[parent] = siblings
    else:
        del state.children[parent]


def _take(table: dict[str, Pages], topic: str, pages: Iterable[str]) -> None:
    left = table.get(topic, NO_PAGES).difference(pages)
    if left:
        table[topic] = left
    else:
        table.pop(topic, None)


def _note(state: DraftState, page: str, text: str) -> None:
    if text:
        state.notes[page] = text
    else:
        state.notes.pop(page, None)
