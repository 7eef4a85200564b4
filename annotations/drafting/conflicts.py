"""Two people at once: which operations clash with entries their sender had not seen, and what can be carried over.

Operations on sets of pages commute and only need their topics to exist. Operations on the structure clash where an
entry they missed changed a topic they name, or the list of children they speak about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotations.drafting.fitting import MisfitError
from annotations.drafting.state import DraftState
from qc4.problems.wording import quoted

Entry = Mapping[str, Any]
"""A log entry as clients get it; ``revision``, ``by``, ``operations`` and ``changes`` are looked at."""

# Fields that hold a topic. Everything else in this table is about structure; what is not in it is about pages.
_STRUCTURAL = {
    "add_topic": ("parent",),
    "rename": ("topic",),
    "describe": ("topic",),
    "topic_note": ("topic",),
    "move": ("topic", "parent"),
    "promote": ("topic",),
    "demote": ("topic",),
    "reorder": ("topic",),
    "merge": ("topics", "into"),
    "split": ("topic",),
    "delete_topic": ("topic", "pages"),
    "step": ("topic",),
}
_ORDERING = {"move", "promote", "demote", "reorder"}
# Where a topic merged away may be replaced by the one it went into: the sender speaks about pages or a place for them.
_FOLLOWS = {
    "add_topic": ("parent",),
    "move": ("parent",),
    "delete_topic": ("pages",),
    "assign": ("topics",),
    "unassign": ("topics",),
    "only": ("topic",),
    "accept": ("topics", "hints"),
    "reject": ("hints",),
    "suggest": ("topics", "hints"),
    "fill_other": ("topic",),
}


@dataclass(frozen=True, slots=True)
class Clash:
    """One operation of a batch that cannot simply follow an entry its sender had not seen."""

    operation: int
    topic: str | None
    revision: int
    by: str
    message: str


def clashes(state: DraftState, operations: Sequence[Mapping[str, Any]], missed: Iterable[Entry]) -> list[Clash]:
    """What keeps operations from being carried out on ``state``, which the entries ``missed`` have led to.

    Args:
        operations: a batch whose sender had seen everything before the missed entries.

    Returns:
        At most one clash per operation, with the last entry that is in its way; empty if all can be carried out, as far
        as others are concerned (compiling them may still refuse).
    """
    effects = [_Effects(entry) for entry in missed]
    effects.reverse()
    found = [_clash(state, number, operation, effects) for number, operation in enumerate(operations)]
    return [clash for clash in found if clash is not None]


def rebased(
    state: DraftState, operations: Sequence[Mapping[str, Any]], missed: Iterable[Entry]
) -> list[dict[str, Any]]:
    """The operations with topics that are gone replaced by those they were merged into.

    Only where the sender put pages somewhere; what was done to the vanished topic itself (renaming it, say) stays as it
    is and remains a conflict for a person to look at.
    """
    went = _merged(missed)

    def follow(value: Any) -> Any:
        # Each merge is followed once: with undo between them, two topics may have been merged into each other.
        for _ in went:
            if isinstance(value, str) and value not in state.topics and value in went:
                value = went[value]
        return value

    return [_following(operation, follow) for operation in operations]


def changed_by(misfit: MisfitError, entries: Iterable[Entry]) -> Entry | None:
    """The last of the entries that changed what an undo found different; None if none of them did."""
    for entry in reversed(list(entries)):
        for change in entry["changes"]:
            topic = change["topic"]["id"] if isinstance(change.get("topic"), Mapping) else change.get("topic")
            if (misfit.topic is not None and misfit.topic == topic) or _is_page_note(change, misfit.page):
                return entry
            if change["c"] in ("topic+", "place") and misfit.topic is not None:
                parent = change["topic"]["parent"] if change["c"] == "topic+" else change["new"][0]
                if parent == misfit.topic:
                    return entry
    return None


def _is_page_note(change: Mapping[str, Any], page: str | None) -> bool:
    return page is not None and change["c"] == "note" and change["page"] == page


class _Effects:
    """What one entry did to the structure."""

    def __init__(self, entry: Entry) -> None:
        self.revision: int = entry["revision"]
        self.by: str = entry["by"]
        self.changed: set[str] = set()
        self.removed: set[str] = set()
        self.child_lists: set[str | None] = set()
        for change in entry["changes"]:
            self._note(change)

    def _note(self, change: Mapping[str, Any]) -> None:
        if change["c"] in ("topic+", "topic-"):
            self.child_lists.add(change["topic"]["parent"])
            if change["c"] == "topic-":
                self.removed.add(change["topic"]["id"])
        elif change["c"] == "place":
            self.changed.add(change["topic"])
            self.child_lists |= {change["old"][0], change["new"][0]}
        elif change["c"] == "set":
            self.changed.add(change["topic"])


def _clash(state: DraftState, number: int, operation: Mapping[str, Any], effects: Sequence[_Effects]) -> Clash | None:
    # What has another form is refused by compiling.
    kind = _text_or_none(operation.get("kind")) or ""
    structural = _STRUCTURAL.get(kind)
    named = _named(operation, structural if structural is not None else _FOLLOWS.get(kind, ()))
    if kind == "delete_topic" and operation.get("children") == "delete":
        named |= {below for topic in named & state.topics.keys() for below in state.subtree(topic)}
    lists = _child_lists(state, operation) if kind in _ORDERING else set()
    for entry in effects:
        gone = sorted((named & entry.removed) - state.topics.keys())
        hit = sorted(named & (entry.changed | entry.removed)) if structural is not None else []
        if gone or hit:
            topic = (gone or hit)[0]
            return Clash(number, topic, entry.revision, entry.by, _message(state, topic, entry))
        if lists & entry.child_lists:
            message = f"{entry.by} changed the order or number of the topics there (revision {entry.revision})."
            return Clash(number, _first(lists & entry.child_lists), entry.revision, entry.by, message)
    return None


def _message(state: DraftState, topic: str, entry: _Effects) -> str:
    if topic not in state.topics:
        return f"{entry.by} deleted or merged the topic {quoted(topic)} (revision {entry.revision})."
    return f"{entry.by} changed {quoted(state.topics[topic].name)} (revision {entry.revision})."


def _first(parents: set[str | None]) -> str | None:
    return sorted(parents, key=lambda parent: parent or "")[0]


def _named(operation: Mapping[str, Any], fields: Iterable[str]) -> set[str]:
    """The topics in some fields of an operation, whatever their form; what has another form is refused by compiling."""
    found: set[str] = set()
    for field in fields:
        value = operation.get(field)
        # Where the pages of a deleted topic go is a topic only in the form {"topic": id}; else it is a word.
        if field != "pages" or isinstance(value, Mapping):
            _collect(value, found)
    return found


def _collect(value: Any, found: set[str]) -> None:
    if isinstance(value, str):
        found.add(value)
    elif isinstance(value, Mapping):
        # {"topic": id} says where pages go; a suggested topic has a new id and the parent it is to have.
        target = value.get("parent") if "parent" in value else value.get("topic")
        if isinstance(target, str):
            found.add(target)
    elif isinstance(value, list | tuple):
        for item in value:
            _collect(item[0] if isinstance(item, list | tuple) and item else item, found)


def _child_lists(state: DraftState, operation: Mapping[str, Any]) -> set[str | None]:
    """The parents whose children an operation takes from or adds to."""
    topic = operation.get("topic")
    if not isinstance(topic, str) or topic not in state.topics:
        return set()
    parent, at = state.place(topic)
    lists: set[str | None] = {parent}
    if operation["kind"] == "move":
        lists.add(_text_or_none(operation.get("parent")))
    elif operation["kind"] == "promote" and parent is not None:
        lists.add(state.topics[parent].parent)
    elif operation["kind"] == "demote" and at > 0:
        lists.add(state.children[parent][at - 1])
    return lists


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _merged(missed: Iterable[Entry]) -> dict[str, str]:
    went: dict[str, str] = {}
    for entry in missed:
        for operation in entry.get("operations") or ():
            if operation["kind"] == "merge":
                went |= {topic: operation["into"] for topic in operation["topics"] if topic != operation["into"]}
    return went


def _following(operation: Mapping[str, Any], follow: Any) -> dict[str, Any]:
    new = dict(operation)
    for field in _FOLLOWS.get(str(operation.get("kind")), ()):
        if field in new and (field != "pages" or isinstance(new[field], Mapping)):
            new[field] = _replaced(new[field], follow)
    return new


def _replaced(value: Any, follow: Any) -> Any:
    if isinstance(value, Mapping):
        key = "parent" if "parent" in value else "topic"
        return {**value, key: follow(value.get(key))}
    if isinstance(value, list | tuple):
        return [
            [follow(item[0]), *item[1:]] if isinstance(item, list | tuple) and item else _replaced(item, follow)
            for item in value
        ]
    return follow(value)
