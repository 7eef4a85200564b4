"""Placements of pages in several hierarchies, expressed in aligned topics.

A *symbol* represents a topic: the concept it belongs to, which may be the topic of only one hierarchy. The placement of
a page is the set of symbols of its finest topics (their ancestors follow from these), or the outlier topic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations

from annotations.agreement.statistics.alignment import SIDES, ComparedHierarchy, Concept, SideName, Symbol


class Kind(StrEnum):
    """How hierarchies agree or differ about a page; `SEVERAL` if more than two differ."""

    AGREE = "agree"
    NEITHER = "neither has placed it"
    ONLY_FIRST = "only the first has placed it"
    ONLY_SECOND = "only the second has placed it"
    OUTLIER_FIRST = "an outlier for the first"
    OUTLIER_SECOND = "an outlier for the second"
    DEEPER_FIRST = "further down for the first"
    DEEPER_SECOND = "further down for the second"
    MORE_FIRST = "in more topics for the first"
    MORE_SECOND = "in more topics for the second"
    OTHER_TOPICS = "in other topics"
    SEVERAL = "placed differently"


@dataclass(frozen=True, slots=True)
class Placement:
    """The place of a page in one hierarchy: symbols, the outlier topic, or neither if it is not placed."""

    topics: frozenset[Symbol] = frozenset()
    outlier: bool = False

    @property
    def is_placed(self) -> bool:
        return self.outlier or bool(self.topics)


@dataclass(frozen=True, slots=True)
class PageComparison:
    """A page (index) and its placement in each hierarchy."""

    page: int
    placements: tuple[Placement, ...]
    kind: Kind

    @property
    def first(self) -> Placement:
        return self.placements[0]

    @property
    def second(self) -> Placement:
        return self.placements[1]

    @property
    def agree(self) -> bool:
        return self.kind in (Kind.AGREE, Kind.NEITHER)

    @property
    def pairs_apart(self) -> int:
        """The number of pairs of hierarchies whose placements differ."""
        return sum(one != other for one, other in combinations(self.placements, 2))


@dataclass(frozen=True, eq=False)
class Symbols:
    """The topics of the comparison and their hierarchy.

    Attributes:
        concepts: the aligned topics; every topic of every hierarchy is in one concept.
        skipped: symbols that do not exist; their pages go to the nearest ancestor that does.
        tree: symbol -> its parent, if it is not taken from the hierarchies; None if it is.
    """

    sides: tuple[ComparedHierarchy, ...]
    concepts: tuple[Concept, ...]
    skipped: frozenset[Symbol] = frozenset()
    tree: Mapping[Symbol, Symbol | None] | None = None

    @cached_property
    def parent(self) -> Mapping[Symbol, Symbol | None]:
        """Symbol -> its parent, which is taken from the first hierarchy that has the concept."""
        if self.tree is not None:
            return self.tree
        return {symbol: self.above(symbol.side, symbol.topic) for symbol in self.all if symbol not in self.skipped}

    @cached_property
    def all(self) -> tuple[Symbol, ...]:
        """Every symbol, skipped or not; those of earlier hierarchies first."""
        return tuple(concept.symbol for concept in self.concepts)

    @property
    def names(self) -> tuple[SideName, ...]:
        return SIDES[: len(self.sides)]

    def side(self, name: SideName) -> ComparedHierarchy:
        return self.sides[SIDES.index(name)]

    def of(self, name: SideName, topic: int) -> Symbol:
        """Return the symbol of a topic of one hierarchy, skipped or not."""
        return self._symbols[name, topic]

    @cached_property
    def _symbols(self) -> Mapping[tuple[SideName, int], Symbol]:
        return {place: concept.symbol for concept in self.concepts for place in concept.topics.items()}

    def standing_for(self, name: SideName, topic: int) -> Symbol | None:
        """Return the symbol of a topic or of its nearest ancestor that exists; None if none does."""
        if (name, topic) not in self._standing:
            self._standing[name, topic] = self._nearest(name, topic)
        return self._standing[name, topic]

    @cached_property
    def _standing(self) -> dict[tuple[SideName, int], Symbol | None]:
        """Results of `standing_for` so far; every page of a topic needs the same one."""
        return {}

    def _nearest(self, name: SideName, topic: int) -> Symbol | None:
        for step in reversed(self.side(name).trail(topic)):
            if (symbol := self.of(name, step)) not in self.skipped:
                return symbol
        return None

    def above(self, name: SideName, topic: int) -> Symbol | None:
        """Return the symbol that represents the parent of a topic of one hierarchy."""
        parent = int(self.side(name).hierarchy.parent[topic])
        return self.standing_for(name, parent) if parent >= 0 else None

    def placement(self, name: SideName, page: int) -> Placement:
        side = self.side(name)
        if side.is_outlier[page]:
            return Placement(outlier=True)
        found = {self.standing_for(name, topic) for topic in side.direct[page]}
        return Placement(self.deepest({symbol for symbol in found if symbol is not None}))

    def deepest(self, symbols: Collection[Symbol]) -> frozenset[Symbol]:
        """Return the symbols that are not ancestors of others of them."""
        if len(symbols) < 2:  # a fast path for most pages
            return frozenset(symbols)
        return frozenset(symbols) - self.above_all(symbols)

    def above_all(self, symbols: Collection[Symbol]) -> set[Symbol]:
        """Return the ancestors of all these symbols."""
        return {ancestor for symbol in symbols for ancestor in self.ancestors(symbol)}

    def ancestors(self, symbol: Symbol) -> list[Symbol]:
        """Return the ancestors, nearest first."""
        found = []
        while (above := self.parent[symbol]) is not None:
            found.append(above)
            symbol = above
        return found

    def majority(self, placements: Sequence[Placement]) -> Placement:
        """Return the outlier topic, or the topics, that more than half put a page into; a subtopic counts for its
        ancestors."""
        half = len(placements) / 2
        if sum(placement.outlier for placement in placements) > half:
            return Placement(outlier=True)
        votes = Counter(
            symbol for placement in placements for symbol in placement.topics | self.above_all(placement.topics)
        )
        return Placement(self.deepest({symbol for symbol, number in votes.items() if number > half}))

    def compare(self, page: int) -> PageComparison:
        placements = tuple(self.placement(name, page) for name in self.names)
        return PageComparison(page, placements, self._kind(placements))

    def _kind(self, placements: tuple[Placement, ...]) -> Kind:
        first, second, *others = placements
        if len(set(placements)) == 1:
            return Kind.AGREE if first.is_placed else Kind.NEITHER
        if others:
            return Kind.SEVERAL
        if not first.is_placed or not second.is_placed:
            return Kind.ONLY_FIRST if first.is_placed else Kind.ONLY_SECOND
        if first.outlier or second.outlier:
            return Kind.OUTLIER_FIRST if first.outlier else Kind.OUTLIER_SECOND
        return self._topics_differ(first.topics, second.topics)

    def _topics_differ(self, first: frozenset[Symbol], second: frozenset[Symbol]) -> Kind:
        if first > second or second > first:
            return Kind.MORE_FIRST if first > second else Kind.MORE_SECOND
        both = self.deepest(first | second)
        if both in (first, second):
            return Kind.DEEPER_FIRST if both == first else Kind.DEEPER_SECOND
        return Kind.OTHER_TOPICS
