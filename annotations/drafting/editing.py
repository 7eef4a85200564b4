"""An operation at work: every step is recorded as a change and carried out at once, so that the next step sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotations.drafting.changes import Change, apply_in_place, topic_to_json
from annotations.drafting.errors import OperationError
from annotations.drafting.state import DraftState
from annotations.drafting.topics import Topic


class Edit:
    """A private copy of a state, and the changes made to it so far.

    The methods keep what always holds in a draft: an outlier is in no topic (R2), parents form a forest (R5), nothing
    that counts lies below a suggestion, and what is a member is not also a hint. None of them records a change that
    changes nothing.

    Args:
        most_pages: how many pages all changes together may list; OperationError beyond. A short operation can ask for
            the product of all pages and all topics.
    """

    def __init__(self, state: DraftState, most_pages: int | None = None) -> None:
        self.state = state.copy()
        self.changes: list[Change] = []
        self._most_pages = most_pages
        self._pages_listed = 0

    def record(self, change: Change) -> None:
        self._pages_listed += len(change.get("pages", ()))
        if self._most_pages is not None and self._pages_listed > self._most_pages:
            found = f"One step would move pages in or out of topics more than {self._most_pages:,} times."
            raise OperationError("too-many-pages", found, "Take fewer pages or fewer topics at a time.")
        # The revision is not known yet; it only matters for the books about stale pages, which this copy is not asked.
        apply_in_place(self.state, change, 0)
        self.changes.append(change)

    # --- Topics -----------------------------------------------------------------------------------------------------

    def add_topic(self, topic: Topic, at: int | None = None) -> None:
        """Add a topic among its siblings, at the end unless told where."""
        if not topic.suggested:
            self.accept_path(topic.parent)
        end = len(self.state.children_of(topic.parent))
        self.record({"c": "topic+", "topic": topic_to_json(topic), "at": end if at is None else min(at, end)})

    def remove_topic(self, topic: str) -> None:
        """Remove a topic that has no children; its members and hints leave it first."""
        self.take(topic, self.state.members_of(topic))
        self.take_hints(topic, self.state.hints_of(topic))
        at = self.state.place(topic)[1]
        self.record({"c": "topic-", "topic": topic_to_json(self.state.topics[topic]), "at": at})

    def set(self, topic: str, field: str, new: Any) -> None:
        old = getattr(self.state.topics[topic], field)
        if old != new:
            self.record({"c": "set", "topic": topic, "field": field, "old": old, "new": new})

    def place(self, topic: str, parent: str | None, at: int | None = None) -> None:
        """Put a topic below a parent, at the end unless told where; the index counts the others."""
        if not self.state.topics[topic].suggested:
            self.accept_path(parent)
        old = self.state.place(topic)
        end = len(self.state.children_of(parent)) - (old[0] == parent)
        new = (parent, end if at is None else min(at, end))
        if old != new:
            self.record({"c": "place", "topic": topic, "old": list(old), "new": list(new)})

    def accept_path(self, topic: str | None) -> None:
        """Accept a topic and its ancestors as topics, the highest first; not their hints."""
        for step in self.state.path(topic) if topic is not None else ():
            self.set(step, "suggested", False)

    def altered(self, topic: str) -> None:
        self.record({"c": "altered", "topic": topic})

    # --- Pages ------------------------------------------------------------------------------------------------------

    def put(self, topic: str, pages: Iterable[str]) -> None:
        """Make pages direct members: they stop being outliers, and the topic stops being a suggestion."""
        wanted = frozenset(pages)
        if wanted:
            self.accept_path(topic)
        self._pages("out-", wanted & self.state.outliers)
        self.take_hints(topic, wanted)
        self._topic_pages("in+", topic, wanted - self.state.members_of(topic))

    def take(self, topic: str, pages: Iterable[str]) -> None:
        """Take pages out of a topic's direct members."""
        self._topic_pages("in-", topic, self.state.members_of(topic).intersection(pages))

    def hint(self, topic: str, pages: Iterable[str]) -> None:
        """Suggest pages for a topic, except its direct members and outliers, which a person decided about."""
        decided = self.state.members_of(topic) | self.state.hints_of(topic) | self.state.outliers
        self._topic_pages("hint+", topic, frozenset(pages) - decided)

    def take_hints(self, topic: str, pages: Iterable[str]) -> None:
        self._topic_pages("hint-", topic, self.state.hints_of(topic).intersection(pages))

    def make_outliers(self, pages: Iterable[str]) -> None:
        """Pages leave all topics, as members and as hints, and become outliers."""
        wanted = frozenset(pages)
        for topic in self._holding(wanted):
            self.take(topic, wanted)
            self.take_hints(topic, wanted)
        self._pages("out+", wanted - self.state.outliers)

    def clear_outliers(self, pages: Iterable[str]) -> None:
        self._pages("out-", self.state.outliers.intersection(pages))

    def flag(self, pages: Iterable[str]) -> None:
        self._pages("flag+", frozenset(pages) - self.state.flags)

    def unflag(self, pages: Iterable[str]) -> None:
        self._pages("flag-", self.state.flags.intersection(pages))

    def seen(self, pages: Iterable[str]) -> None:
        self._pages("seen", frozenset(pages))

    def note(self, page: str, text: str) -> None:
        old = self.state.notes.get(page, "")
        if old != text:
            self.record({"c": "note", "page": page, "old": old, "new": text})

    def _holding(self, pages: frozenset[str]) -> list[str]:
        """Topics that hold any of the pages as members or hints, in tree order."""
        tables = (self.state.members, self.state.hints)
        found = {topic for table in tables for topic, held in table.items() if not held.isdisjoint(pages)}
        return [topic for topic in self.state.tree() if topic in found] if len(found) > 1 else list(found)

    def _topic_pages(self, kind: str, topic: str, pages: frozenset[str]) -> None:
        if pages:
            self.record({"c": kind, "topic": topic, "pages": self.state.ordered(pages)})

    def _pages(self, kind: str, pages: frozenset[str]) -> None:
        if pages:
            self.record({"c": kind, "pages": self.state.ordered(pages)})
