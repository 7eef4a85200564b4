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
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from annotations.drafting.state import NO_PAGES, DraftState, Topic

Change = dict[str, Any]

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
    _APPLY[change["c"]](state, change, revision)


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


def _add_topic(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    topic = Topic(**change["topic"])
    state.topics[topic.id] = topic
    _insert(state, topic.parent, change["at"], topic.id)


def _remove_topic(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    topic = state.topics.pop(change["topic"]["id"])
    state.changed.pop(topic.id, None)
    _detach(state, topic.parent, topic.id)


def _set(state: DraftState, change: Mapping[str, Any], revision: int) -> None:
    topic = change["topic"]
    state.topics[topic] = replace(state.topics[topic], **{change["field"]: change["new"]})
    if change["field"] == "description":
        state.changed[topic] = revision


def _place(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    topic = state.topics[change["topic"]]
    parent, at = change["new"]
    _detach(state, topic.parent, topic.id)
    state.topics[topic.id] = replace(topic, parent=parent)
    _insert(state, parent, at, topic.id)


def _insert(state: DraftState, parent: str | None, at: int, topic: str) -> None:
    siblings = state.children_of(parent)
    state.children[parent] = (*siblings[:at], topic, *siblings[at:])


def _detach(state: DraftState, parent: str | None, topic: str) -> None:
    siblings = tuple(sibling for sibling in state.children[parent] if sibling != topic)
    if siblings:
        state.children[parent] = siblings
    else:
        del state.children[parent]


def _add_members(state: DraftState, change: Mapping[str, Any], revision: int) -> None:
    state.members[change["topic"]] = state.members_of(change["topic"]).union(change["pages"])
    _seen(state, change, revision)


def _remove_members(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    _take(state.members, change)


def _add_hints(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    state.hints[change["topic"]] = state.hints_of(change["topic"]).union(change["pages"])


def _remove_hints(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    _take(state.hints, change)


def _take(table: dict[str, frozenset[str]], change: Mapping[str, Any]) -> None:
    left = table.get(change["topic"], NO_PAGES).difference(change["pages"])
    if left:
        table[change["topic"]] = left
    else:
        table.pop(change["topic"], None)


def _add_outliers(state: DraftState, change: Mapping[str, Any], revision: int) -> None:
    state.outliers = state.outliers.union(change["pages"])
    _seen(state, change, revision)


def _remove_outliers(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    state.outliers = state.outliers.difference(change["pages"])


def _add_flags(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    state.flags = state.flags.union(change["pages"])


def _remove_flags(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    state.flags = state.flags.difference(change["pages"])


def _note(state: DraftState, change: Mapping[str, Any], _revision: int) -> None:
    if change["new"]:
        state.notes[change["page"]] = change["new"]
    else:
        state.notes.pop(change["page"], None)


def _seen(state: DraftState, change: Mapping[str, Any], revision: int) -> None:
    state.touched.update(dict.fromkeys(change["pages"], revision))


def _altered(state: DraftState, change: Mapping[str, Any], revision: int) -> None:
    state.changed[change["topic"]] = revision


_APPLY: dict[str, Callable[[DraftState, Mapping[str, Any], int], None]] = {
    "topic+": _add_topic,
    "topic-": _remove_topic,
    "set": _set,
    "place": _place,
    "altered": _altered,
    "in+": _add_members,
    "in-": _remove_members,
    "hint+": _add_hints,
    "hint-": _remove_hints,
    "out+": _add_outliers,
    "out-": _remove_outliers,
    "flag+": _add_flags,
    "flag-": _remove_flags,
    "note": _note,
    "seen": _seen,
}
