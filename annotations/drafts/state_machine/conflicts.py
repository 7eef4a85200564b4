"""Concurrent edits: which operations conflict with which entries, and which can be carried over.

`TABLE` alone defines this. Operations on sets of pages commute. They only need their topics to exist; if a topic was
merged away, the topic it was merged into takes its place. Operations on the structure conflict with an entry that their
sender had not seen if it changed the same topics, or put pages into topics that they move or delete. Pages that others
have placed unseen stay where they are. Browsers do not decide about conflicts: they send operations and show the
result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotations.drafts.state_machine.changes import Change, apply
from annotations.drafts.state_machine.editing import OperationError, no_effect
from annotations.drafts.state_machine.operations import compile_batch
from annotations.drafts.state_machine.rebase import SkippedPart
from annotations.drafts.state_machine.state import NO_PAGES, DraftState
from qc4.wording import counted

# --- What an entry did ------------------------------------------------------------------------------------------------

Entry = Mapping[str, Any]
"""A log entry as sent to clients. ``revision``, ``by``, ``label``, ``operations`` and ``changes`` are used."""

Fact = tuple[str | None, str]
"""What was changed: (topic, aspect), as in `Row`. "joined" and "left" are about the topic's children; None is the
parent of level 1. A page's note is (page, "remark")."""


def changed_facts(entry: Entry) -> set[Fact]:
    """Return everything that an entry changed."""
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


def merged_topics(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield each topic that an entry merged away, with the topic it was merged into."""
    for operation in entry["operations"] or ():
        if operation["kind"] == "merge":
            yield from ((topic, operation["into"]) for topic in operation["topics"] if topic != operation["into"])


# --- Conflicts --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ConflictRule:
    """The parts of a draft that an operation needs unchanged since its sender saw them.

    Attributes:
        about: fields with the topics that the operation is about. No other topic can take the place of a deleted one.
        hit_by: aspects of these topics that nobody may have changed meanwhile: a field; "place", their parent or index;
            "added", they were added or restored; "siblings", the list of topics they are in; "pages" and "hints", they
            or a descendant got members or suggested members; "remark", the note of the page.
        goes_to: fields with the topics that receive pages or topics. If one was merged away, the topic it was merged
            into takes its place.
    """

    about: tuple[str, ...] = ()
    hit_by: frozenset[str] = frozenset()
    goes_to: tuple[str, ...] = ()


_HELD = frozenset({"pages", "hints"})
_PLACE = frozenset({"place"})
_MOVED = _PLACE | {"pages"}
_TEXTS = frozenset({"name", "description", "note"})
_ANYTHING = frozenset({"name", "description", "note", "step", "suggested", "place", "added"})

CONFLICT_RULES: dict[str, ConflictRule] = {
    "add_topic": ConflictRule(goes_to=("parent",)),
    "rename": ConflictRule(("topic",), frozenset({"name"})),
    "describe": ConflictRule(("topic",), frozenset({"description"})),
    "topic_note": ConflictRule(("topic",), frozenset({"note"})),
    "step": ConflictRule(("topic",), frozenset({"step"})),
    # An operation that moves, merges, splits or deletes a topic conflicts with pages put into it unseen.
    "move": ConflictRule(("topic",), _MOVED, ("parent",)),
    "promote": ConflictRule(("topic",), _MOVED),
    "demote": ConflictRule(("topic",), _MOVED | {"siblings"}),
    "reorder": ConflictRule(("topic",), _PLACE),
    "merge": ConflictRule(("topics",), _ANYTHING | {"pages"}, ("into",)),
    "split": ConflictRule(("topic",), _ANYTHING | {"pages"}),
    # This also applies to topics that are deleted along with it.
    "delete_topic": ConflictRule(("topic",), _ANYTHING | _HELD, ("pages",)),
    "assign": ConflictRule(goes_to=("topics",)),
    "unassign": ConflictRule(("topics",)),
    "only": ConflictRule(goes_to=("topic",)),
    "suggest": ConflictRule(goes_to=("hints",)),
    "accept": ConflictRule(goes_to=("topics", "hints")),
    # Suggested topics that somebody has renamed or described are not rejected along with the other suggestions.
    "reject": ConflictRule(("topics", "hints"), _TEXTS),
    "reject_all": ConflictRule((), _TEXTS),
    "note": ConflictRule((), frozenset({"remark"})),
    "fill_other": ConflictRule(("topic",)),
}
"""Kind of operation -> its requirements. Kinds that are missing have none and never conflict."""

_TAKING = ("unassign", "only", "outlier")
"""Kinds that take pages out of topics, except pages that others have put there meanwhile."""
_PLACING = ("assign", "only", "add_topic", "clear_outlier")
"""Kinds that clear the outlier mark of pages, except pages that others have made outliers meanwhile."""
OUTLIERS = None
"""Represents the outlier topic in pairs of topic and page."""
Placed = Mapping[tuple[str | None, str], Entry]
"""(topic, page) -> the entry with which somebody put the page there."""


@dataclass(frozen=True, slots=True)
class IntendedPages:
    """Pages that were put into a topic that others had merged away unseen.

    Attributes:
        topic, name: the topic that the pages were intended for, and its former name.
        into: the topic it was merged into, which receives the pages.
    """

    topic: str
    name: str
    into: str
    pages: frozenset[str]

    def changes(self, before: DraftState, after: DraftState) -> list[Change]:
        """Return the changes that record the intended topic, for pages that the receiving topic holds.

        Args:
            before: the state before the pages were put there.
        """
        landed = self.pages & after.pages_in(self.into)
        had = landed & before.pages_in(self.into)
        return [
            {"c": "meant+", "topic": self.topic, "name": self.name, "into": self.into, "held": held, "pages": pages}
            for held, some in ((False, landed - had), (True, had))
            if (pages := before.ordered(some - before.meant.get(self.topic, {}).keys()))
        ]


class UnseenEntries:
    """The entries that the sender of a batch had not seen.

    Args:
        state: the state after all entries.
        entries: the entries that the sender had not seen, oldest first.
        sender: username of the sender, whose own placements do not count as somebody else's.
    """

    def __init__(self, state: DraftState, entries: Sequence[Entry], sender: str | None = None) -> None:
        self._state, self._sender = state, sender
        self._latest_first = [(entry, changed_facts(entry)) for entry in reversed(entries)]
        self._went = {source: into for entry in entries for source, into in merged_topics(entry)}

    @cached_property
    def freed(self) -> dict[str, Entry]:
        """Map each page that somebody else took out of its place, and that has no place now, to the entry that did
        it."""
        found: dict[str, Entry] = {}
        for entry, _ in self._latest_first:
            for change in entry["changes"] if entry["by"] != self._sender else ():
                if change["c"] in {"in-", "out-"}:
                    for page in self._unplaced.intersection(change["pages"]):
                        found.setdefault(page, entry)
        return found

    @cached_property
    def _unplaced(self) -> frozenset[str]:
        return frozenset(self._state.pages) - self._state.placed() - self._state.outliers

    @cached_property
    def placed(self) -> Placed:
        """The entries with which somebody else put pages where they still are."""
        found: dict[tuple[str | None, str], Entry] = {}
        for entry, _ in self._latest_first:
            for change in entry["changes"] if entry["by"] != self._sender else ():
                if change["c"] in {"in+", "out+"}:
                    topic = change["topic"] if change["c"] == "in+" else OUTLIERS
                    now = self._held_by(topic)
                    for page in now.intersection(change["pages"]):
                        found.setdefault((topic, page), entry)
        return found

    def _held_by(self, topic: str | None) -> frozenset[str]:
        if topic is OUTLIERS:
            return self._state.outliers
        return self._state.pages_in(topic) if topic in self._state.topics else NO_PAGES

    def conflicting_entries(self, operations: Sequence[Any]) -> list[Entry]:
        """Return the entries that conflict with the operations: the latest one for each operation.

        If there are none, the operations do not conflict with others' work; compiling them may still fail.
        """
        found = [entry for operation in operations for entry in self._latest_conflicting(operation)]
        return list({entry["revision"]: entry for entry in found}.values())

    def also_placed(self, operations: Sequence[Any], entry: Entry) -> int:
        """Count the further pages that the author of a conflicting entry has put there unseen, in other entries."""
        at_stake = {fact for operation in operations for fact in self._at_stake(operation, _row(operation))}
        topics = {topic for topic, what in at_stake if what == "pages"}
        found: dict[bool, set[str]] = {True: set(), False: set()}
        for (topic, page), placed_by in self.placed.items():
            if topic in topics and placed_by["by"] == entry["by"]:
                found[placed_by is entry].add(page)
        return len(found[False] - found[True])

    def redirected(self, operations: Sequence[Any]) -> list[Any]:
        """Return operations that do not conflict, with merged-away topics replaced by the topics they were merged into.

        Raises:
            OperationError: ``no-effect`` if others have already merged everything that was to be merged.
        """
        if self._went:
            operations = [each for operation in operations for each in self._following(operation)]
            if not operations:
                raise no_effect()
        return [self._sparing(operation) for operation in operations]

    def compiled(self, operations: Sequence[Any]) -> tuple[list[Any], list[Change]]:
        """Return operations that do not conflict, as they are applied, and their changes.

        The changes also record which pages were intended for topics that were merged away.

        Raises:
            OperationError: as `compile_batch`. Recording an intended topic counts as an effect.
        """
        meant, followed, changes = self._meant(operations), self.redirected(operations), []
        try:
            changes = compile_batch(self._state, followed)
        except OperationError as error:
            if error.code != "no-effect" or not meant:
                raise
        after = apply(self._state, changes, 0)
        changes += [change for each in meant for change in each.changes(self._state, after)]
        if not changes:
            raise no_effect()
        return followed, changes

    def _meant(self, operations: Sequence[Any]) -> list[IntendedPages]:
        """Return the pages that operations put into merged-away topics, if `redirected` places them."""
        found = [each for operation in operations for each in self._meant_by(operation)] if self._went else []
        names = {
            change["topic"]["id"]: change["topic"]["name"]
            for entry, _ in reversed(self._latest_first)
            for change in entry["changes"]
            if change["c"] == "topic-"
        }
        return [IntendedPages(topic, names.get(topic, ""), self._standing(topic), pages) for topic, pages in found]

    def _meant_by(self, operation: Any) -> list[tuple[str, frozenset[str]]]:
        """Return missing topics that were merged away, with the pages that an operation puts into them."""
        topics: list[tuple[str, frozenset[str]]] = []
        if _is(operation, "assign", "only"):
            pages = self._pages(self._sparing(operation))
            topics = [(topic, pages) for topic in _named(operation, ("topic", "topics"))]
        elif _is(operation, "accept"):
            topics = [
                (topic, frozenset(page for page in pages if isinstance(page, str)))
                for hint in operation.get("hints") or ()
                for topic, pages in _as_hint(hint)
            ]
        return [(topic, pages) for topic, pages in topics if topic != self._standing(topic) in self._state.topics]

    def kept_placements(self, operations: Sequence[Any]) -> list[tuple[str, Entry]]:
        """Return messages about pages that operations leave where they are, each with the entry that put them there."""
        stays: dict[int, tuple[set[str], Entry]] = {}
        for operation in operations:
            for page, entry in self._stays(operation).items():
                stays.setdefault(entry["revision"], (set(), entry))[0].add(page)
        return [
            (
                f"{counted(len(pages), 'page')} stayed where {entry['by']} had put "
                f"{'it' if len(pages) == 1 else 'them'} meanwhile ({entry['label']}).",
                entry,
            )
            for pages, entry in stays.values()
        ]

    def _latest_conflicting(self, operation: Any) -> list[Entry]:
        at_stake = self._at_stake(operation, _row(operation))
        found = [entry for entry, changed in self._latest_first if at_stake & changed][:1]
        stays = {} if found else self._stays(operation)
        # An operation that would leave all its pages where they are conflicts as a whole.
        if stays and not _is(operation, "add_topic") and not self._pages(operation) - stays.keys():
            return [max(stays.values(), key=lambda entry: int(entry["revision"]))]
        return found

    def _stays(self, operation: Any) -> dict[str, Entry]:
        """Map each page that an operation would take from where somebody else put it, or freed it, to that entry."""
        if not self._latest_first:
            return {}
        if _is(operation, "rest_outliers"):
            return self.freed
        pages = self._pages(operation) if _is(operation, *_TAKING, *_PLACING) else frozenset()
        if not pages:
            return {}
        taken: set[str | None] = {*self._taken_from(operation)} if _is(operation, *_TAKING) else set()
        if _is(operation, *_PLACING):
            taken.add(OUTLIERS)
        placed = self.placed.items()
        return {page: entry for (topic, page), entry in placed if page in pages and topic in taken}

    def _pages(self, operation: Any) -> frozenset[str]:
        """Return the pages that an operation is about; none if it is malformed, which is rejected later."""
        if _is(operation, "rest_outliers"):
            return self._unplaced
        pages = operation.get("pages")
        well = isinstance(pages, list | tuple) and all(isinstance(page, str) for page in pages)
        return frozenset(pages) if well else frozenset()

    def _taken_from(self, operation: Any) -> set[str]:
        """Return the topics that an operation takes pages out of."""
        state, named = self._state, set(_named(operation, ("topic", "topics")))
        here = [self._standing(topic) for topic in named if self._standing(topic) in state.topics]
        below = {each for topic in here for each in state.subtree(topic)}
        if _is(operation, "unassign"):
            return below
        return state.topics.keys() - below.union(*(state.path(topic) for topic in here))

    def _sparing(self, operation: Any) -> Any:
        stays = self._stays(operation)
        if not stays:
            return operation
        if _is(operation, "rest_outliers"):
            return {"kind": "outlier", "pages": self._state.ordered(self._unplaced - stays.keys())}
        return {**operation, "pages": [page for page in operation["pages"] if page not in stays]}

    def _at_stake(self, operation: Any, row: ConflictRule) -> set[Fact]:
        about, goes_to = self._about(operation, row), set(_named(operation, row.goes_to))
        lost = {topic for topic in goes_to if self._standing(topic) not in self._state.topics}
        lost |= {self._standing(topic) for topic in lost} | (about - self._state.topics.keys())
        found: set[Fact] = {(topic, "gone") for topic in lost}
        found |= {(topic, what) for topic in self._as_seen(operation, about) for what in row.hit_by - _HELD}
        below = {each for topic in about - lost for each in self._state.subtree(topic)}
        if not self._stays_below(operation):
            found |= {(topic, what) for topic in below for what in row.hit_by & _HELD}
        if "siblings" in row.hit_by:
            lists = {self._state.topics[topic].parent for topic in about - lost}
            found |= {(parent, what) for parent in lists for what in ("joined", "left")}
        return found

    def _as_seen(self, operation: Any, about: set[str]) -> set[str]:
        """Return the topics, or the page, whose fields nobody may have changed."""
        state = self._state
        if _is(operation, "note"):
            return {operation["page"]} if isinstance(operation.get("page"), str) else set()
        if _is(operation, "reject_all"):
            return {topic for topic, found in state.topics.items() if found.suggested}
        if _is(operation, "reject"):
            whole = set(_named(operation, ("topics",))) & state.topics.keys()
            return {each for topic in whole for each in state.subtree(topic)}
        return about

    def _stays_below(self, operation: Any) -> bool:
        """True if a move keeps its parent, which does not affect pages."""
        if not _is(operation, "move") or not isinstance(operation.get("topic"), str):
            return False
        topic, parent = self._state.topics.get(operation["topic"]), operation.get("parent")
        return topic is not None and topic.parent == (self._standing(parent) if isinstance(parent, str) else parent)

    def _about(self, operation: Any, row: ConflictRule) -> set[str]:
        found = set(_named(operation, row.about))
        if _is(operation, "merge"):
            # Topics merged into the same target meanwhile are already where they were to go.
            into = {self._standing(topic) for topic in _named(operation, row.goes_to)}
            return {topic for topic in found if self._standing(topic) not in into}
        if _is(operation, "delete_topic") and operation.get("children") == "delete":
            return found.union(*(self._state.subtree(topic) for topic in found & self._state.topics.keys()))
        return found

    def _standing(self, topic: str) -> str:
        """Return the topic itself, or the topic it was merged into."""
        # Each merge is followed once: with an undo in between, two topics may have been merged into each other.
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


def may_conflict(state: DraftState, operations: Sequence[Any]) -> bool:
    """True if any entry could conflict with the operations.

    No entry can conflict if pages that are not outliers go into topics that all exist.
    """
    for operation in operations:
        row = _row(operation)
        named = set(_named(operation, row.about + row.goes_to))
        if row.hit_by or named - state.topics.keys() or _is(operation, "rest_outliers", *_TAKING):
            return True
        pages = operation.get("pages") if _is(operation, *_PLACING) else None
        if isinstance(pages, list | tuple) and any(isinstance(page, str) and page in state.outliers for page in pages):
            return True
    return False


_LEFT_BY = {
    "gone": {"gone"},
    "back": {"added"},
    "used": {"pages", "hints", "joined"},
    "changed": set(_ANYTHING),
    "moved": {"place"},
    "cycle": {"place"},
}
"""Reason why a part of an undo was skipped -> what an entry must have done to the topic; by default the field that
differs."""
_MOVED_BY = {"outliers": {"out+"}, "stay_out": {"out+"}, "others": {"in+"}, "placed": {"in+"}, "remark": {"note"}}
"""The same for pages -> the kinds of change that cause it."""
_STAYING = {"flag+", "flag-", "note", "seen"}
"""The kinds of change that keep pages in their topics."""


def is_caused_by(left: SkippedPart, entry: Entry) -> bool:
    """True if an entry caused the difference that an undo found."""
    if left.pages:
        return any(_moved(left, change) for change in entry["changes"])
    wanted = _LEFT_BY.get(left.why, {left.why})
    return any(topic == left.topic and what in wanted for topic, what in changed_facts(entry))


def former_name(topic: str | None, entry: Entry) -> str:
    """Return the former name of a topic that an entry removed; "" if it did not remove it."""
    gone = (change["topic"] for change in entry["changes"] if change["c"] == "topic-")
    return next((str(each["name"]) for each in gone if each["id"] == topic), "")


def _moved(left: SkippedPart, change: Mapping[str, Any]) -> bool:
    """True if a change to the pages, and to the topic if there is one, caused the difference that an undo found."""
    if left.why in _MOVED_BY and change["c"] not in _MOVED_BY[left.why]:
        return False
    if left.topic is not None and change["c"] in _STAYING:
        return False
    if left.pages.isdisjoint(change.get("pages", ())) and change.get("page") not in left.pages:
        return False
    return left.topic in (None, change.get("topic", left.topic), change.get("above"))


# --- The topics and pages of an operation. It comes from a browser or a program; malformed input is rejected later ----


def _row(operation: Any) -> ConflictRule:
    kind = operation.get("kind") if isinstance(operation, Mapping) else None
    return CONFLICT_RULES.get(kind, ConflictRule()) if isinstance(kind, str) else ConflictRule()


def _is(operation: Any, *kinds: str) -> bool:
    return isinstance(operation, Mapping) and operation.get("kind") in kinds


def _named(operation: Any, fields: Iterable[str]) -> list[str]:
    """Return the topics in some fields of an operation."""
    found: list[str] = []

    def note(topic: str) -> str:
        found.append(topic)
        return topic

    for field in fields:
        _with_topics(field, operation.get(field), note)
    return found


def _with_topics(field: str, value: Any, standing: Callable[[str], str]) -> Any:
    """Return the value of a field with each topic replaced by ``standing(topic)``."""
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


def _as_hint(hint: Any) -> list[tuple[str, Sequence[Any]]]:
    """Return the topic and the pages of a hint, in a list; an empty list if it is malformed."""
    match hint:
        case [str(topic), [*pages]]:
            return [(topic, pages)]
    return []
