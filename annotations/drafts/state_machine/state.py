"""The state of a draft: its topics, their hierarchy, and their pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any

Pages = frozenset[str]
NO_PAGES: Pages = frozenset()


@dataclass(eq=False)
class DraftState:
    """Topics, placements and notes. Treat it as immutable: `apply` returns a new state and does not modify the old one.

    Topics without children, members or hints have no entry in these maps, and pages without a note none in ``notes``.

    Attributes:
        pages: page ids in the order of the page list.
        topics: topic id -> topic.
        children: topic id, or None for the roots -> topic ids in order.
        members: topic id -> the pages whose finest topic it is: the topic holds them, and none of its subtopics does.
        hints: topic id -> suggested members, which have no effect; never pages that the topic holds already.
        outliers: pages of the outlier topic; none of them is in a topic.
        flags: pages that a person wants to come back to.
        notes: page -> text.
        extra: fields of the document that the format does not define.
        touched: page -> revision at which a person last placed or confirmed it. Not part of equality.
        changed: topic -> revision at which its meaning changed. Not part of equality.
        meant: topic that was merged away -> page that somebody put into it without knowing of the merge -> the topic
            that holds the page instead, and whether that topic held it before. Not part of equality.
        marks: topic that is or was on level 1 -> its mark. Not part of equality.
    """

    pages: tuple[str, ...]
    topics: dict[str, Topic] = field(default_factory=dict)
    children: dict[str | None, tuple[str, ...]] = field(default_factory=dict)
    members: dict[str, Pages] = field(default_factory=dict)
    hints: dict[str, Pages] = field(default_factory=dict)
    outliers: Pages = NO_PAGES
    flags: Pages = NO_PAGES
    notes: dict[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    touched: dict[str, int] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)
    meant: dict[str, dict[str, tuple[str, bool]]] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)

    __hash__ = None  # type: ignore[assignment]  # how Python says that it cannot be hashed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DraftState) and self._content() == other._content()

    def _content(self) -> tuple[Any, ...]:
        tree = (self.pages, self.topics, self.children)
        return (*tree, self.members, self.hints, self.outliers, self.flags, self.notes, self.extra)

    def copy(self) -> DraftState:
        """Return a state whose maps can be changed without affecting this one. Immutable parts are shared."""
        twin = replace(
            self,
            topics=self.topics.copy(),
            children=self.children.copy(),
            members=self.members.copy(),
            hints=self.hints.copy(),
            notes=self.notes.copy(),
            touched=self.touched.copy(),
            changed=self.changed.copy(),
            meant=self.meant.copy(),
            marks=self.marks.copy(),
        )
        # Computed here if missing: one state may have many copies, and each copy might have none.
        twin.__dict__ |= {"rank": self.rank, "_held": self._held.copy(), "_places": self._places.copy()}
        if "outline" in self.__dict__:
            twin.__dict__["outline"] = self.outline
        return twin

    @cached_property
    def rank(self) -> dict[str, int]:
        """Page id -> index in the page list."""
        return {page: number for number, page in enumerate(self.pages)}

    def ordered(self, pages: Iterable[str]) -> list[str]:
        """Return pages in the order of the page list."""
        return sorted(pages, key=self.rank.__getitem__)

    # --- Derived values, which are passed on to copies -----------------------------------------------------------

    @cached_property
    def outline(self) -> Outline:
        """The topics as a tree, without their pages."""
        return Outline.of(self.topics, self.children)

    @cached_property
    def _held(self) -> dict[str, Pages]:
        """Topic -> all its pages, for the topics requested so far."""
        return {}

    def topics_changed(self) -> None:
        """Discard values derived from the topics; for `annotations.drafts.state_machine.changes`."""
        self.__dict__.pop("outline", None)
        self._held.clear()

    @cached_property
    def _places(self) -> dict[str, tuple[str, ...]]:
        """Page -> the topics that store it; pages without a topic may be missing."""
        found: dict[str, list[str]] = defaultdict(list)
        for topic, pages in self.members.items():
            for page in pages:
                found[page].append(topic)
        return {page: tuple(topics) for page, topics in found.items()}

    def store(self, topic: str, pages: Iterable[str]) -> None:
        """Store pages at a topic. The caller (`changes`) ensures that no page is stored twice."""
        new = self.members_of(topic).union(pages)
        if "_places" in self.__dict__:
            for page in new - self.members_of(topic):
                self._places[page] = (*self._places.get(page, ()), topic)
        self._set_members(topic, new)

    def unstore(self, topic: str, pages: Iterable[str]) -> None:
        """Stop storing pages at a topic; for `annotations.drafts.state_machine.changes`."""
        old = self.members_of(topic)
        new = old.difference(pages)
        if "_places" in self.__dict__:
            for page in old - new:
                self._places[page] = tuple(each for each in self._places[page] if each != topic)
        self._set_members(topic, new)

    def _set_members(self, topic: str, pages: Pages) -> None:
        if pages:
            self.members[topic] = pages
        else:
            self.members.pop(topic, None)
        for step in self.path(topic):
            self._held.pop(step, None)

    # --- The tree ---------------------------------------------------------------------------------------------------

    def children_of(self, parent: str | None) -> tuple[str, ...]:
        return self.children.get(parent, ())

    def subtree(self, topic: str) -> Iterator[str]:
        """Yield a topic and its descendants, parents first, siblings in order."""
        stack = [topic]
        while stack:
            current = stack.pop()
            yield current
            stack.extend(reversed(self.children_of(current)))

    def tree(self) -> Iterator[str]:
        """Return all topics, parents first, siblings in order."""
        # While topics are being moved, it is not worth computing their levels.
        return iter(self.outline.starts) if "outline" in self.__dict__ else tree_order(self.children)

    def path(self, topic: str) -> list[str]:
        """Return topic ids from the root down to the topic itself."""
        found = []
        step: str | None = topic
        while step is not None:
            found.append(step)
            step = self.topics[step].parent
        return found[::-1]

    def deepest_start(self, topic: str) -> int:
        """Return the deepest level on which a topic or one of its descendants starts."""
        start = 1 + sum(self.topics[above].step for above in self.path(topic)[:-1])
        deepest, stack = start, [(topic, start)]
        while stack:
            current, level = stack.pop()
            deepest = max(deepest, level)
            below = level + self.topics[current].step
            stack.extend((child, below) for child in self.children_of(current))
        return deepest

    def place(self, topic: str) -> tuple[str | None, int]:
        """Return the parent of a topic and its index among its siblings."""
        parent = self.topics[topic].parent
        return parent, self.children[parent].index(topic)

    # --- Memberships ------------------------------------------------------------------------------------------------

    def members_of(self, topic: str) -> Pages:
        """Return the pages whose finest topic this is: it holds them, and none of its subtopics does."""
        return self.members.get(topic, NO_PAGES)

    def hints_of(self, topic: str) -> Pages:
        return self.hints.get(topic, NO_PAGES)

    def pages_in(self, topic: str) -> Pages:
        """Return all pages of a topic: those stored at it and at its descendants."""
        held = self._held
        if topic not in held:
            held[topic] = NO_PAGES.union(*(self.members_of(below) for below in self.subtree(topic)))
        return held[topic]

    def all_pages_in(self) -> dict[str, Pages]:
        """Return `pages_in` for every topic, in one pass; in tree order."""
        order, held = list(self.outline.starts), self._held
        for topic in reversed(order):
            if topic not in held:
                below = [held[child] for child in self.children_of(topic)]
                held[topic] = self.members_of(topic).union(*below)
        return {topic: held[topic] for topic in order}

    def placed(self) -> Pages:
        """Return the pages in any topic, which are the pages in a topic of level 1."""
        return NO_PAGES.union(*self.members.values())

    def finest_topics(self, page: str) -> list[str]:
        """Return the finest topics that hold a page."""
        return list(self._places.get(page, ()))

    def is_in(self, page: str, topic: str) -> bool:
        """True if a topic, or one below it, holds a page."""
        return any(topic in self.path(place) for place in self._places.get(page, ()))

    def holders_above(
        self, topic: str, pages: Iterable[str], keep: Collection[str] = ()
    ) -> dict[str | None, list[str]]:
        """Group pages by the lowest ancestor of a topic that holds them by other means than the topic itself.

        Args:
            keep: ancestors that hold the pages in any case.

        Returns:
            The ancestor, or None if there is none -> its pages, in the order of the page list.
        """
        above = self.path(topic)[-2::-1]
        found: dict[str | None, list[str]] = {}
        if not above:
            ordered = self.ordered(pages)
            return {None: ordered} if ordered else {}
        for page in self.ordered(pages):
            places = self._places.get(page, ())
            held = {step for place in places if place != topic for step in self.path(place)}
            holder = next((step for step in above if step in keep or step in held), None)
            found.setdefault(holder, []).append(page)
        return found


def finest_members(
    members: Mapping[str, Pages], held: Mapping[str, Pages], children: Mapping[str | None, Sequence[str]]
) -> dict[str, Pages]:
    """Return the members of each topic that none of its subtopics holds; topics without such members are omitted.

    Args:
        held: all pages of each topic, including those of its subtopics.
        children: topic -> its subtopics.
    """
    only = {
        topic: pages.difference(*(held[child] for child in children.get(topic, ()))) for topic, pages in members.items()
    }
    return {topic: pages for topic, pages in only.items() if pages}


# --- Topics -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of a draft.

    ``step`` is the number of levels below this topic at which its children start, so that rule R5 holds after every
    move. A ``suggested`` topic was proposed by a program. It and its hints have no effect until a person accepts it. An
    accepted topic is never below a suggested one.
    """

    id: str
    name: str
    description: str = ""
    note: str = ""
    parent: str | None = None
    step: int = 1
    suggested: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


# --- Outline ----------------------------------------------------------------------------------------------------------
# Most operations move pages or rename topics and do not change the tree. Many states therefore share one outline.


@dataclass(frozen=True, slots=True)
class Outline:
    """The topics of a state as a tree.

    Attributes:
        starts: topic id -> the level on which it starts, in tree order; including suggestions.
        first: the same without suggestions.
        children: topic id -> its children; only topics in ``first`` that have children.
        n_levels: number of levels; 1 if there are no topics.
    """

    starts: Mapping[str, int]
    first: Mapping[str, int]
    children: Mapping[str, list[str]]
    n_levels: int
    last: Mapping[str, int]
    """Topic id -> the last level of its span: the one above its children, or the last level of all."""

    @classmethod
    def of(cls, topics: Mapping[str, Topic], below: Mapping[str | None, tuple[str, ...]]) -> Outline:
        """
        Args:
            below: topic id, or None for the roots -> topic ids in order.
        """
        starts: dict[str, int] = {}
        for topic in tree_order(below):
            parent = topics[topic].parent
            starts[topic] = 1 if parent is None else starts[parent] + topics[parent].step
        first = {topic: level for topic, level in starts.items() if not topics[topic].suggested}
        children = {
            topic: kept for topic in first if (kept := [child for child in below.get(topic, ()) if child in first])
        }
        n_levels = max(first.values(), default=1)
        last = {
            topic: level + topics[topic].step - 1 if topic in children else n_levels for topic, level in first.items()
        }
        return cls(starts, first, children, n_levels, last)


def tree_order(below: Mapping[str | None, tuple[str, ...]]) -> Iterator[str]:
    """Yield all topics, parents first, siblings in order."""
    stack = list(reversed(below.get(None, ())))
    while stack:
        yield (topic := stack.pop())
        stack.extend(reversed(below.get(topic, ())))


# --- Marks of level-1 topics ------------------------------------------------------------------------------------------
# A mark is a number from 0, shown as a colour and a shape. No two topics have the same mark. A topic keeps the mark it
# gets when it first reaches level 1 (`docs/decisions/marks-are-given-once.md`). `static/js/drafts/marks.js` does the
# same in the browser.

DISTINCT_MARKS = 32
"""Number of marks that look different: eight colours times four shapes."""


def give_mark(marks: dict[str, int], roots: Iterable[str], topic: str) -> None:
    """Give a topic of level 1 a mark, unless it has one: the smallest that was never given.

    Once all marks that look different have been given, use the smallest that no topic of level 1 has now. The former
    holder loses it.

    Args:
        marks: topic -> mark, changed in place. Topics that are gone or no longer on level 1 keep theirs.
        roots: the topics of level 1.
    """
    if topic in marks:
        return
    holders = {number: holder for holder, number in marks.items()}
    free = next((number for number in range(DISTINCT_MARKS) if number not in holders), None)
    if free is None:
        held = {marks[root] for root in roots if root in marks}
        free = next(number for number in count() if number not in held)
        if free in holders:
            del marks[holders[free]]
    marks[topic] = free


def marks_in_order(roots: Iterable[str]) -> dict[str, int]:
    """Return the marks of a hierarchy that starts with these topics on level 1, in their order."""
    return {topic: number for number, topic in enumerate(roots)}
