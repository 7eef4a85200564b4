"""Two people at once: what gets in the way of what, and what can be carried over.

`TABLE` is the only place that says so. Operations on sets of pages commute: they need their topics to exist, and where
one was merged away, the topic it went into stands for it. Operations on the structure clash where an entry their sender
had not seen changed the very thing they speak about. Browsers do not judge: they send, and show what becomes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotations.drafting.errors import no_effect
from annotations.drafting.fitting import MisfitError
from annotations.drafting.state import DraftState

Entry = Mapping[str, Any]
"""A log entry as clients get it; ``revision``, ``by``, ``label``, ``operations`` and ``changes`` are looked at."""

Fact = tuple[str | None, str]
"""What was changed: (topic, what), as in `Row`; "joined" and "left" speak of its children, None being above level 1.
A page's note is (page, "remark")."""


@dataclass(frozen=True, slots=True)
class Row:
    """What an operation needs to be as its sender saw it.

    Attributes:
        about: fields with the topics it is about. Nothing can stand for one that is gone.
        hit_by: what of these topics nobody may have changed meanwhile: a field; "place", their parent or index;
            "added", they came, or came back; "pages", they got members; "siblings", the list of topics they stand in.
        goes_to: fields with the topics its pages or topics go to. For one that was merged away, the one it went into
            stands.
    """

    about: tuple[str, ...] = ()
    hit_by: frozenset[str] = frozenset()
    goes_to: tuple[str, ...] = ()


_PLACE = frozenset({"place"})
_ANYTHING = frozenset({"name", "description", "note", "step", "suggested", "place", "added"})

TABLE: dict[str, Row] = {
    "add_topic": Row(goes_to=("parent",)),
    "rename": Row(("topic",), frozenset({"name"})),
    "describe": Row(("topic",), frozenset({"description"})),
    "topic_note": Row(("topic",), frozenset({"note"})),
    "step": Row(("topic",), frozenset({"step"})),
    "move": Row(("topic",), _PLACE, ("parent",)),
    "promote": Row(("topic",), _PLACE),
    "demote": Row(("topic",), _PLACE | {"siblings"}),
    "reorder": Row(("topic",), _PLACE),
    "merge": Row(("topics",), _ANYTHING, ("into",)),
    "split": Row(("topic",), _ANYTHING),
    # Also of what is deleted with it. Who deletes what holds pages has to know of them; a merge takes them along.
    "delete_topic": Row(("topic",), _ANYTHING | {"pages"}, ("pages",)),
    "assign": Row(goes_to=("topics",)),
    "unassign": Row(("topics",)),
    "only": Row(goes_to=("topic",)),
    "suggest": Row(goes_to=("hints",)),
    "accept": Row(goes_to=("topics", "hints")),
    "reject": Row(("topics", "hints")),
    "fill_other": Row(("topic",)),
}
"""kind of operation -> what it needs. Those that are not here need nothing, and clash with nothing."""


class News:
    """What the sender of a batch had not seen.

    Args:
        state: what all entries have led to.
        entries: those the sender had not seen, oldest first.
    """

    def __init__(self, state: DraftState, entries: Sequence[Entry]) -> None:
        self._state = state
        self._latest_first = [(entry, _changed(entry)) for entry in reversed(entries)]
        self._went = {source: into for entry in entries for source, into in _merges(entry)}

    def in_the_way(self, operations: Sequence[Any]) -> list[Entry]:
        """The entries that keep operations from being carried out; of several for one operation the latest.

        Where there are none, all can be carried out as far as others are concerned; compiling them may still refuse.
        """
        found = [entry for operation in operations for entry in self._latest_in_the_way(operation)]
        return list({entry["revision"]: entry for entry in found}.values())

    def followed(self, operations: Sequence[Any]) -> list[Any]:
        """Operations that do not clash, with the topics that stand for those that were merged away.

        Raises:
            OperationError: ``no-effect``, where others have merged all that was to be merged.
        """
        found = [each for operation in operations for each in self._following(operation)] if self._went else operations
        if operations and not found:
            raise no_effect()
        return list(found)

    def _latest_in_the_way(self, operation: Any) -> list[Entry]:
        at_stake = self._at_stake(operation, _row(operation))
        return [entry for entry, changed in self._latest_first if at_stake & changed][:1]

    def _at_stake(self, operation: Any, row: Row) -> set[Fact]:
        about, goes_to = self._about(operation, row), set(_named(operation, row.goes_to))
        lost = {topic for topic in goes_to if self._standing(topic) not in self._state.topics}
        lost |= {self._standing(topic) for topic in lost} | (about - self._state.topics.keys())
        found: set[Fact] = {(topic, "gone") for topic in lost}
        found |= {(topic, what) for topic in about for what in row.hit_by}
        if "siblings" in row.hit_by:
            lists = {self._state.topics[topic].parent for topic in about - lost}
            found |= {(parent, what) for parent in lists for what in ("joined", "left")}
        return found

    def _about(self, operation: Any, row: Row) -> set[str]:
        found = set(_named(operation, row.about))
        if _is(operation, "merge"):
            # What went into the same topic meanwhile is where it was to go.
            into = {self._standing(topic) for topic in _named(operation, row.goes_to)}
            return {topic for topic in found if self._standing(topic) not in into}
        if _is(operation, "delete_topic") and operation.get("children") == "delete":
            return found.union(*(self._state.subtree(topic) for topic in found & self._state.topics.keys()))
        return found

    def _standing(self, topic: str) -> str:
        """The topic itself, or the one it was merged into."""
        # Each merge is followed once: with undo between them, two topics may have been merged into each other.
        for _ in self._went:
            if topic not in self._state.topics:
                topic = self._went.get(topic, topic)
        return topic

    def _following(self, operation: Any) -> list[Any]:
        fields = [field for field in _row(operation).goes_to if field in operation]
        if not fields:
            return [operation]
        new = {**operation, **{field: _with_topics(field, operation[field], self._standing) for field in fields}}
        return self._left_to_merge(new) if new["kind"] == "merge" else [new]

    def _left_to_merge(self, merge: Mapping[str, Any]) -> list[Any]:
        merged = [topic for topic in _named(merge, ("topics",)) if self._standing(topic) != topic]
        if not merged:
            return [merge]
        left = [topic for topic in merge["topics"] if topic not in merged]
        return [{**merge, "topics": left}] if left else []


def at_stake(state: DraftState, operations: Sequence[Any]) -> bool:
    """Whether any entry could get in the way: not where pages go into topics that are all there."""
    for operation in operations:
        row = _row(operation)
        named = set(_named(operation, row.about + row.goes_to))
        if row.hit_by or named - state.topics.keys():
            return True
    return False


def changed_by(misfit: MisfitError, entries: Iterable[Entry]) -> Entry | None:
    """The last of the entries that changed what an undo found different; None if none of them did."""
    for entry in reversed(list(entries)):
        for subject, what in _changed(entry):
            found = misfit.page if what == "remark" else misfit.topic
            if subject is not None and subject == found and what != "left":
                return entry
    return None


# --- What an entry did ------------------------------------------------------------------------------------------------


def _changed(entry: Entry) -> set[Fact]:
    return {fact for change in entry["changes"] for fact in _facts(change)}


def _facts(change: Mapping[str, Any]) -> list[Fact]:
    topic: Any = change.get("topic")
    match change["c"]:
        case "set":
            return [(topic, change["field"])]
        case "place":
            return [(topic, "place"), (change["old"][0], "left"), (change["new"][0], "joined")]
        case "topic+":
            return [(topic["id"], "added"), (topic["parent"], "joined")]
        case "topic-":
            return [(topic["id"], "gone"), (topic["parent"], "left")]
        case "in+" | "hint+":
            return [(topic, "pages" if change["c"] == "in+" else "hints")]
        case "note":
            return [(change["page"], "remark")]
    return []


def _merges(entry: Entry) -> Iterator[tuple[str, str]]:
    for operation in entry["operations"] or ():
        if operation["kind"] == "merge":
            yield from ((topic, operation["into"]) for topic in operation["topics"] if topic != operation["into"])


# --- What an operation speaks about. It comes from a browser or a program: what has another form is refused later -----


def _row(operation: Any) -> Row:
    kind = operation.get("kind") if isinstance(operation, Mapping) else None
    return TABLE.get(kind, Row()) if isinstance(kind, str) else Row()


def _is(operation: Any, kind: str) -> bool:
    return isinstance(operation, Mapping) and operation.get("kind") == kind


def _named(operation: Any, fields: Iterable[str]) -> list[str]:
    """The topics in some fields of an operation."""
    found: list[str] = []

    def note(topic: str) -> str:
        found.append(topic)
        return topic

    for field in fields:
        _with_topics(field, operation.get(field), note)
    return found


def _with_topics(field: str, value: Any, standing: Callable[[str], str]) -> Any:
    """The value of a field, with what stands for the topics in it."""
    match field, value:
        case "topic" | "parent" | "into", str():
            return standing(value)
        case "topics", [*topics]:
            return [standing(topic) if isinstance(topic, str) else topic for topic in topics]
        case "hints", [*hints]:
            return [_with_topic(hint, standing) for hint in hints]
        case "pages", {"topic": str(topic)}:
            return {**value, "topic": standing(topic)}
    return value


def _with_topic(hint: Any, standing: Callable[[str], str]) -> Any:
    match hint:
        case [str(topic), *pages]:
            return [standing(topic), *pages]
    return hint
