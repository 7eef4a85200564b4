"""The state of a draft: a topic hierarchy in the making, as replaying the draft's log gives it.

Only direct memberships are stored; a page is in a topic if it is a direct member of the topic or of a descendant.
`static/js/curate/state.js` is the same in the browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

Pages = frozenset[str]
NO_PAGES: Pages = frozenset()


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of a draft.

    ``step`` is how many levels below this topic its children start, so that rule R5 holds whatever is moved where.
    ``suggested``: proposed by a program; with its hints it counts for nothing until a person accepts it. A topic that
    is not a suggestion never lies below one that is.
    """

    id: str
    name: str
    description: str = ""
    note: str = ""
    parent: str | None = None
    step: int = 1
    suggested: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(eq=False)
class DraftState:
    """Topics, placements and remarks. Treat it as immutable: `apply` answers a new one and leaves the old as it was.

    Topics without children, members or hints have no entry in these maps, pages without a note none in ``notes``.

    Attributes:
        pages: page ids in the order of the page list.
        topics: topic id -> topic.
        children: topic id, or None for the roots -> topic ids in order.
        members: topic id -> direct members.
        hints: topic id -> suggested members, which count for nothing; never those that are direct members already.
        outliers: pages of the outlier topic; none of them is in a topic.
        flags: pages a person wants to come back to.
        notes: page -> text.
        extra: fields of the document the format does not know.
        touched: page -> revision at which a person last placed or confirmed it. Not part of equality.
        changed: topic -> revision at which its meaning changed. Not part of equality.
        marks: topic that is or was on level 1 -> its mark (`annotations.drafting.marks`). Not part of equality.
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
    marks: dict[str, int] = field(default_factory=dict)

    __hash__ = None  # type: ignore[assignment]  # how Python says that it cannot be hashed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DraftState) and self._content() == other._content()

    def _content(self) -> tuple[Any, ...]:
        tree = (self.pages, self.topics, self.children)
        return (*tree, self.members, self.hints, self.outliers, self.flags, self.notes, self.extra)

    def copy(self) -> DraftState:
        """A state whose maps can be changed without touching this one's; what never changes is shared."""
        twin = replace(
            self,
            topics=self.topics.copy(),
            children=self.children.copy(),
            members=self.members.copy(),
            hints=self.hints.copy(),
            notes=self.notes.copy(),
            touched=self.touched.copy(),
            changed=self.changed.copy(),
            marks=self.marks.copy(),
        )
        twin.__dict__["rank"] = self.rank
        return twin

    @cached_property
    def rank(self) -> dict[str, int]:
        """Page id -> place in the page list."""
        return {page: number for number, page in enumerate(self.pages)}

    def ordered(self, pages: Iterable[str]) -> list[str]:
        """Pages in the order of the page list."""
        return sorted(pages, key=self.rank.__getitem__)

    # --- The tree ---------------------------------------------------------------------------------------------------

    def children_of(self, parent: str | None) -> tuple[str, ...]:
        return self.children.get(parent, ())

    def subtree(self, topic: str) -> Iterator[str]:
        """A topic and its descendants, parents first, siblings in order."""
        stack = [topic]
        while stack:
            current = stack.pop()
            yield current
            stack.extend(reversed(self.children_of(current)))

    def tree(self) -> Iterator[str]:
        """All topics, parents first, siblings in order."""
        for root in self.children_of(None):
            yield from self.subtree(root)

    def path(self, topic: str) -> list[str]:
        """Topic ids from the root down to the topic itself."""
        found = []
        step: str | None = topic
        while step is not None:
            found.append(step)
            step = self.topics[step].parent
        return found[::-1]

    def place(self, topic: str) -> tuple[str | None, int]:
        """The parent of a topic and the topic's index among its siblings."""
        parent = self.topics[topic].parent
        return parent, self.children[parent].index(topic)

    def first_levels(self) -> dict[str, int]:
        """The level each topic starts on, in tree order; suggestions included."""
        first: dict[str, int] = {}
        for topic_id in self.tree():
            parent = self.topics[topic_id].parent
            first[topic_id] = 1 if parent is None else first[parent] + self.topics[parent].step
        return first

    # --- Memberships ------------------------------------------------------------------------------------------------

    def members_of(self, topic: str) -> Pages:
        """Direct members."""
        return self.members.get(topic, NO_PAGES)

    def hints_of(self, topic: str) -> Pages:
        return self.hints.get(topic, NO_PAGES)

    def pages_in(self, topic: str) -> Pages:
        """All pages of a topic: its direct members and those of its descendants."""
        return NO_PAGES.union(*(self.members_of(below) for below in self.subtree(topic)))

    def all_pages_in(self) -> dict[str, Pages]:
        """`pages_in` of every topic, in one pass; in tree order."""
        order = list(self.tree())
        held: dict[str, Pages] = {}
        for topic in reversed(order):
            below = [held[child] for child in self.children_of(topic)]
            held[topic] = self.members_of(topic).union(*below)
        return {topic: held[topic] for topic in order}

    def placed(self) -> Pages:
        """Pages in any topic, which are the pages in a topic of level 1."""
        return NO_PAGES.union(*self.members.values())

    def direct_topics(self, page: str) -> list[str]:
        """The topics a page is a direct member of."""
        return [topic for topic, pages in self.members.items() if page in pages]
