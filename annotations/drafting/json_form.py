"""A state as plain JSON, for snapshots and the workspace, and back; nothing is lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotations.drafting.changes import topic_to_json
from annotations.drafting.marks import marks_in_order
from annotations.drafting.state import DraftState
from annotations.drafting.topics import Topic


def to_json(state: DraftState) -> dict[str, Any]:
    """The state without its page list: topics in tree order, pages in the order of the page list.

    Topics without members or hints are not named there.
    """
    return {
        "topics": [topic_to_json(state.topics[topic]) for topic in state.tree()],
        "members": {topic: state.ordered(state.members[topic]) for topic in state.tree() if topic in state.members},
        "hints": {topic: state.ordered(state.hints[topic]) for topic in state.tree() if topic in state.hints},
        "outliers": state.ordered(state.outliers),
        "flags": state.ordered(state.flags),
        "notes": {page: state.notes[page] for page in state.ordered(state.notes)},
        "touched": dict(state.touched),
        "changed": dict(state.changed),
        "meant": {topic: {page: list(to) for page, to in pages.items()} for topic, pages in state.meant.items()},
        "marks": dict(state.marks),
        "extra": dict(state.extra),
    }


def from_json(value: Mapping[str, Any], pages: Iterable[str]) -> DraftState:
    """The state `to_json` wrote. ``pages`` is the page list's ids; the value is our own and is not checked again."""
    children: dict[str | None, list[str]] = {}
    topics = {fields["id"]: Topic(**fields) for fields in value["topics"]}
    for topic in topics.values():
        children.setdefault(topic.parent, []).append(topic.id)
    return DraftState(
        pages=tuple(pages),
        topics=topics,
        children={parent: tuple(below) for parent, below in children.items()},
        members={topic: frozenset(held) for topic, held in value["members"].items()},
        hints={topic: frozenset(held) for topic, held in value["hints"].items()},
        outliers=frozenset(value["outliers"]),
        flags=frozenset(value["flags"]),
        notes=dict(value["notes"]),
        extra=value["extra"],
        touched=dict(value["touched"]),
        changed=dict(value["changed"]),
        meant={topic: _meant(pages) for topic, pages in value["meant"].items()},
        marks=dict(value["marks"]) if "marks" in value else marks_in_order(children.get(None, ())),
    )


def _meant(pages: Mapping[str, Any]) -> dict[str, tuple[str, bool]]:
    return {page: (into, held) for page, (into, held) in pages.items()}
