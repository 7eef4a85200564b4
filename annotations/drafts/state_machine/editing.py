"""An operation in progress: each step is recorded as a change and applied at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from annotations.drafts.state_machine.changes import Change, apply_in_place, topic_to_json
from annotations.drafts.state_machine.state import DraftState, Topic


class Edit:
    """A private copy of a state, and the changes made to it so far.

    The methods keep the invariants of a draft. Outliers are in no topic (R2), and parents form a forest (R5). Accepted
    topics and pages are never below a suggestion. Pages are stored only at their finest topics, and no page is
    suggested for a topic that holds it. The methods record only changes that have an effect.

    Args:
        most_pages: maximum number of pages that all changes together may list; OperationError beyond. A short operation
            can involve every combination of page and topic.
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
        # The revision is not known yet. It only matters for stale pages, which this copy is not used for.
        apply_in_place(self.state, change, 0)
        self.changes.append(change)

    # --- Topics -----------------------------------------------------------------------------------------------------

    def add_topic(self, topic: Topic, at: int | None = None) -> None:
        """Add a topic among its siblings, by default at the end."""
        if not topic.suggested:
            self.accept_path(topic.parent)
        end = len(self.state.children_of(topic.parent))
        self.record({"c": "topic+", "topic": topic_to_json(topic), "at": end if at is None else min(at, end)})

    def remove_topic(self, topic: str, keep: Collection[str] = ()) -> None:
        """Remove a topic without children, after taking out its pages (see `take`) and hints."""
        self.take(topic, self.state.members_of(topic), keep)
        self.take_hints(topic, self.state.hints_of(topic))
        at = self.state.place(topic)[1]
        self.record({"c": "topic-", "topic": topic_to_json(self.state.topics[topic]), "at": at})

    def set(self, topic: str, field: str, new: Any) -> None:
        old = getattr(self.state.topics[topic], field)
        if old != new:
            self.record({"c": "set", "topic": topic, "field": field, "old": old, "new": new})

    def place(self, topic: str, parent: str | None, at: int | None = None) -> None:
        """Move a topic below a parent, by default to the end; ``at`` counts the other siblings."""
        if not self.state.topics[topic].suggested:
            self.accept_path(parent)
        old = self.state.place(topic)
        end = len(self.state.children_of(parent)) - (old[0] == parent)
        new = (parent, end if at is None else min(at, end))
        if old != new:
            self._make_room(topic, parent)
            self.record({"c": "place", "topic": topic, "old": list(old), "new": list(new)})

    def _make_room(self, topic: str, parent: str | None) -> None:
        """Stop storing, and suggesting, the topic's pages at the topics that are about to become its ancestors."""
        held = self.state.pages_in(topic)
        path = self.state.path(parent) if parent is not None and held else []
        for above in path:
            self.take_hints(above, held)
        for above in path:
            self._topic_pages("rest-", above, held & self.state.members_of(above))

    def accept_path(self, topic: str | None) -> None:
        """Accept a topic and its ancestors as topics, from the top down, without their hints."""
        for step in self.state.path(topic) if topic is not None else ():
            self.set(step, "suggested", False)

    def altered(self, topic: str) -> None:
        self.record({"c": "altered", "topic": topic})

    # --- Pages ------------------------------------------------------------------------------------------------------

    def put(self, topic: str, pages: Iterable[str]) -> None:
        """Put pages into a topic that does not hold them. They stop being outliers, and the topic stops being a
        suggestion."""
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
        """Take pages stored at a topic out of it and its ancestors.

        Args:
            keep: ancestors that keep the pages. Ancestors that hold them through another topic also keep them.
        """
        wanted = self.state.members_of(topic).intersection(pages)
        for above, some in self.state.holders_above(topic, wanted, keep).items():
            self.record({"c": "in-", "topic": topic, "pages": some} | _above(above))

    def take_out(self, topic: str, pages: Iterable[str]) -> None:
        """Take pages out of a topic and all its descendants; its ancestors keep them."""
        keep = self.state.path(topic)[:-1]
        for below in list(self.state.subtree(topic)):
            self.take(below, pages, keep)

    def rest(self, topic: str, pages: Iterable[str]) -> None:
        """Store pages at a topic that would otherwise lose them, because a descendant that held them has moved away."""
        self._topic_pages("rest+", topic, frozenset(pages) - self.state.pages_in(topic))

    def mean(self, topic: str, name: str, into: str, held: bool, pages: Iterable[str]) -> None:
        """Record that pages were put into a topic that had been merged away, and are in another one instead."""
        self._mean("meant+", topic, name, into, held, pages)

    def forget_meant(self, topic: str, name: str, into: str, held: bool, pages: Iterable[str]) -> None:
        """Remove the record that `mean` makes."""
        self._mean("meant-", topic, name, into, held, pages)

    def _mean(self, kind: str, topic: str, name: str, into: str, held: bool, pages: Iterable[str]) -> None:
        if ordered := self.state.ordered(pages):
            where = {"topic": topic, "name": name, "into": into, "held": held}
            self.record({"c": kind, **where, "pages": ordered})

    def hint(self, topic: str, pages: Iterable[str]) -> None:
        """Suggest pages for a topic, except pages it holds and outliers, because a person decided about those."""
        decided = self.state.pages_in(topic) | self.state.hints_of(topic) | self.state.outliers
        self._topic_pages("hint+", topic, frozenset(pages) - decided)

    def take_hints(self, topic: str, pages: Iterable[str]) -> None:
        self._topic_pages("hint-", topic, self.state.hints_of(topic).intersection(pages))

    def make_outliers(self, pages: Iterable[str]) -> None:
        """Remove pages from all topics, as members and as hints, and make them outliers."""
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
        """Return the topics that hold any of the pages as members or hints, in tree order."""
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
    """Return the field of a change that names the ancestor that holds, or keeps, its pages."""
    return {} if topic is None else {"above": topic}


# --- Errors -----------------------------------------------------------------------------------------------------------


class OperationError(ValueError):
    """An operation that cannot be applied to this state.

    Attributes:
        code: permanent code in kebab-case; ``no-effect`` if the operation would change nothing.
        message: what is wrong and where.
        fix: what to do about it; may be empty.
        index: index of the operation in its batch, from 0.
    """

    def __init__(self, code: str, message: str, fix: str = "") -> None:
        super().__init__(f"{message} {fix}".rstrip())
        self.code = code
        self.message = message
        self.fix = fix
        self.index = 0


def no_effect() -> OperationError:
    return OperationError("no-effect", "This is already the case.")
