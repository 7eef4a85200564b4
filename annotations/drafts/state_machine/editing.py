"""An operation while it is carried out: each step is recorded as a change and applied at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from annotations.drafts.state_machine.changes import Change, apply_in_place, topic_to_json
from annotations.drafts.state_machine.state import DraftState, Topic


class Edit:
    """A private copy of a state, and the changes made to it so far.

    The methods keep what always holds in a draft: an outlier is in no topic (R2), parents form a forest (R5), nothing
    that counts lies below a suggestion, pages are stored at their finest places only, and no page is suggested for a
    topic that holds it. None of them records a change that changes nothing.

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

    def remove_topic(self, topic: str, keep: Collection[str] = ()) -> None:
        """Remove a topic that has no children; its pages and hints leave it first, as `take` says."""
        self.take(topic, self.state.members_of(topic), keep)
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
            self._make_room(topic, parent)
            self.record({"c": "place", "topic": topic, "old": list(old), "new": list(new)})

    def _make_room(self, topic: str, parent: str | None) -> None:
        """What a topic holds is stored, and suggested, no longer at the topics it is about to come below."""
        held = self.state.pages_in(topic)
        path = self.state.path(parent) if parent is not None and held else []
        for above in path:
            self.take_hints(above, held)
        for above in path:
            self._topic_pages("rest-", above, held & self.state.members_of(above))

    def accept_path(self, topic: str | None) -> None:
        """Accept a topic and its ancestors as topics, the highest first; not their hints."""
        for step in self.state.path(topic) if topic is not None else ():
            self.set(step, "suggested", False)

    def altered(self, topic: str) -> None:
        self.record({"c": "altered", "topic": topic})

    # --- Pages ------------------------------------------------------------------------------------------------------

    def put(self, topic: str, pages: Iterable[str]) -> None:
        """Put pages into a topic, if it does not hold them: they stop being outliers, it stops being a suggestion."""
        wanted = frozenset(pages)
        if wanted:
            self.accept_path(topic)
        self._pages("out-", wanted & self.state.outliers)
        wanted -= self.state.pages_in(topic)
        if wanted:
            for step in self.state.path(topic):
                self.take_hints(step, wanted)
        for above, some in self.state.holders_above(topic, wanted).items():
            self.record({"c": "in+", "topic": topic, "pages": some} | _above(above))

    def take(self, topic: str, pages: Iterable[str], keep: Collection[str] = ()) -> None:
        """Take pages that are stored at a topic out of it and of the topics above it.

        Args:
            keep: the topics above it that keep the pages. So do those that hold them by another topic.
        """
        wanted = self.state.members_of(topic).intersection(pages)
        for above, some in self.state.holders_above(topic, wanted, keep).items():
            self.record({"c": "in-", "topic": topic, "pages": some} | _above(above))

    def take_out(self, topic: str, pages: Iterable[str]) -> None:
        """Take pages out of a topic and all topics below it; the topics above keep them."""
        keep = self.state.path(topic)[:-1]
        for below in list(self.state.subtree(topic)):
            self.take(below, pages, keep)

    def rest(self, topic: str, pages: Iterable[str]) -> None:
        """Store pages at a topic that would lose them otherwise, as one that held them has left it."""
        self._topic_pages("rest+", topic, frozenset(pages) - self.state.pages_in(topic))

    def mean(self, topic: str, name: str, into: str, held: bool, pages: Iterable[str]) -> None:
        """Remember that pages were put into a topic that had been merged away, and are in another one instead."""
        self._mean("meant+", topic, name, into, held, pages)

    def forget_meant(self, topic: str, name: str, into: str, held: bool, pages: Iterable[str]) -> None:
        """Remember it no longer."""
        self._mean("meant-", topic, name, into, held, pages)

    def _mean(self, kind: str, topic: str, name: str, into: str, held: bool, pages: Iterable[str]) -> None:
        if ordered := self.state.ordered(pages):
            where = {"topic": topic, "name": name, "into": into, "held": held}
            self.record({"c": kind, **where, "pages": ordered})

    def hint(self, topic: str, pages: Iterable[str]) -> None:
        """Suggest pages for a topic, except those it holds and outliers, which a person decided about."""
        decided = self.state.pages_in(topic) | self.state.hints_of(topic) | self.state.outliers
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


def _above(topic: str | None) -> Change:
    """The field of a change that names the topic above which holds, or keeps, its pages."""
    return {} if topic is None else {"above": topic}


# --- Errors -----------------------------------------------------------------------------------------------------------


class OperationError(ValueError):
    """An operation that cannot be carried out on this state.

    Attributes:
        code: permanent, kebab-case; ``no-effect`` means that everything is as the operation wants it already.
        message: what is wrong, with the place.
        fix: what to do about it, may be empty.
        index: which operation of a batch it was, from 0.
    """

    def __init__(self, code: str, message: str, fix: str = "") -> None:
        super().__init__(f"{message} {fix}".rstrip())
        self.code = code
        self.message = message
        self.fix = fix
        self.index = 0


def no_effect() -> OperationError:
    return OperationError("no-effect", "Everything is like that already.")
