"""Primitive changes, from which log entries are replayed: plain JSON, each with an exact inverse.

    {"c": "topic+" | "topic-", "topic": {fields of Topic}, "at": index}     topic-: without children, members, hints
    {"c": "set", "topic": id, "field": "name" | "description" | "note" | "step" | "suggested", "old": ..., "new": ...}
    {"c": "place", "topic": id, "old": [parent | null, index], "new": [parent | null, index]}
    {"c": "altered", "topic": id}                                           a merge or split changed its meaning
    {"c": "in+" | "in-", "topic": id, "pages": [...], "above": id}          "above" is optional, see below
    {"c": "rest+" | "rest-", "topic": id, "pages": [...]}
    {"c": "hint+" | "hint-", "topic": id, "pages": [...]}
    {"c": "out+" | "out-" | "flag+" | "flag-" | "seen", "pages": [...]}
    {"c": "note", "page": id, "old": text, "new": text}
    {"c": "meant+" | "meant-", "topic": id, "name": text, "into": id, "held": bool, "pages": [...]}

A page is stored only at its finest topics. ``in+`` puts pages into a topic, and therefore into all its ancestors up to
``above``, the lowest ancestor that holds them already; if they were stored there, they no longer are. ``in-`` takes
them out of the same topics, and ``above`` keeps them. Without ``above``, no ancestor held the pages before or keeps
them. ``rest-`` stops storing pages at a topic because a topic that holds them is about to become its descendant; the
topic holds the pages throughout. ``rest+`` is its inverse. ``meant+`` records that somebody put pages into a topic that
others had merged into ``into`` meanwhile, and whether ``into`` held them before. Undoing the merge moves them back.

Pages are in the order of the page list. Only pages that really change are listed. The index of ``place`` counts the
siblings without the topic itself. ``seen`` and ``altered`` only record what makes pages stale, and are their own
inverse. No change contains marks: they follow from the order in which topics reached level 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from annotations.drafts.state_machine.state import DraftState, Topic, give_mark

Change = dict[str, Any]

_SHAPING = {"step", "suggested"}
"""Fields that determine where topics are in the tree."""

_OPPOSITE = {
    "topic+": "topic-",
    "topic-": "topic+",
    "in+": "in-",
    "in-": "in+",
    "rest+": "rest-",
    "rest-": "rest+",
    "meant+": "meant-",
    "meant-": "meant+",
    "hint+": "hint-",
    "hint-": "hint+",
    "out+": "out-",
    "out-": "out+",
    "flag+": "flag-",
    "flag-": "flag+",
}


def apply(state: DraftState, changes: Iterable[Mapping[str, Any]], revision: int) -> DraftState:
    """Return the state after the changes of the log entry with this revision. The given state is not modified.

    The changes must have been compiled or rebased for exactly this state.
    """
    new = state.copy()
    for change in changes:
        apply_in_place(new, change, revision)
    return new


def apply_in_place(state: DraftState, change: Mapping[str, Any], revision: int) -> None:
    """Apply one change to a state that nobody else uses."""
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
            state.store(topic, pages)
            if "above" in change:
                state.unstore(change["above"], pages)
        case "in-":
            state.unstore(topic, pages)
            if "above" in change:
                above = change["above"]
                state.store(above, [page for page in pages if not state.is_in(page, above)])
        case "rest+":
            state.store(topic, pages)
        case "rest-":
            state.unstore(topic, pages)
        case "hint+":
            state.hints[topic] = state.hints_of(topic).union(pages)
        case "hint-":
            _take_hints(state, topic, pages)
        case "meant+" | "meant-":
            _mean(state, change)
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
    """Record which pages people looked at and which topics changed their meaning, for `stale_pages`."""
    if change["c"] in {"in+", "out+", "seen"}:
        state.touched.update(dict.fromkeys(change["pages"], revision))
    elif change["c"] == "altered" or (change["c"] == "set" and change["field"] == "description"):
        state.changed[change["topic"]] = revision


def invert(changes: Iterable[Mapping[str, Any]]) -> list[Change]:
    """Return the changes that undo these changes."""
    return [_inverse(change) for change in reversed(list(changes))]


def _inverse(change: Mapping[str, Any]) -> Change:
    inverse = {**change, "c": _OPPOSITE.get(change["c"], change["c"])}
    if "new" in change:
        inverse["old"], inverse["new"] = change["new"], change["old"]
    return inverse


def topic_to_json(topic: Topic) -> dict[str, Any]:
    """Return the fields of a topic in the form that changes and the workspace use."""
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


def _take_hints(state: DraftState, topic: str, pages: Iterable[str]) -> None:
    left = state.hints_of(topic).difference(pages)
    if left:
        state.hints[topic] = left
    else:
        state.hints.pop(topic, None)


def _mean(state: DraftState, change: Mapping[str, Any]) -> None:
    meant = dict(state.meant.get(change["topic"], {}))
    for page in change["pages"]:
        if change["c"] == "meant+":
            meant[page] = (change["into"], change["held"])
        else:
            meant.pop(page, None)
    if meant:
        state.meant[change["topic"]] = meant
    else:
        state.meant.pop(change["topic"], None)


def _note(state: DraftState, page: str, text: str) -> None:
    if text:
        state.notes[page] = text
    else:
        state.notes.pop(page, None)
