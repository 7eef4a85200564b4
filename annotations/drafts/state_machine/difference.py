"""Differences between two gold standards of a query, in words: topics, and the pages that moved.

Topics are the same if their ids are equal. The places of a page are its finest topics: those that hold it and whose
children do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from annotations.drafts.state_machine.serialization import from_document
from annotations.drafts.state_machine.state import Pages, Topic
from qc4.model.gold_document import GoldDocument
from qc4.records import Record
from qc4.wording import counted

_OUTLIERS = "outliers"
_NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class PageMove:
    """A page and the paths of its finest topics before and after; ``("outliers",)`` for an outlier, () for no place."""

    page: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference(Record):
    """All differences between two gold standards; topics by id, in tree order.

    Attributes:
        added, removed: topics that only the new or only the old gold standard has.
        renamed: topic -> (old name, new name).
        described: topics with a different description or note.
        moved: topic -> (old path, new path), if the parent or the first level differs.
        reordered: True if topics that kept their parent have a different order there.
        merged: removed topic -> the topic to which more than half of its pages were added.
        split: topic -> added topics that each took more than half of their pages from it.
        pages: pages that moved, except by these merges and splits.
        lines: all differences as sentences.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: Mapping[str, tuple[str, str]]
    described: tuple[str, ...]
    moved: Mapping[str, tuple[str, str]]
    reordered: bool
    merged: Mapping[str, str]
    split: Mapping[str, tuple[str, ...]]
    pages: tuple[PageMove, ...]
    lines: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.lines)


def difference(old: GoldDocument, new: GoldDocument) -> Difference:
    """Compare two gold standards of one query.

    Raises:
        InputError: if one of them has an invalid structure (see `from_document`).
    """
    return _Comparison(_Side(old), _Side(new)).difference()


class _Side:
    """One of the two gold standards."""

    def __init__(self, document: GoldDocument) -> None:
        self.state = from_document(document)
        self.topics: dict[str, Topic] = {topic: self.state.topics[topic] for topic in self.state.tree()}
        self.held = self.state.all_pages_in()
        self.first = self.state.outline.starts

    def path(self, topic: str) -> str:
        return " › ".join(self.topics[step].name for step in self.state.path(topic))

    @cached_property
    def places(self) -> dict[str, frozenset[str]]:
        """Page -> ids of its finest topics."""
        found: dict[str, set[str]] = {page: set() for page in self.state.pages}
        for topic, pages in self.held.items():
            for page in pages.difference(*(self.held[child] for child in self.state.children_of(topic))):
                found[page].add(topic)
        return {page: frozenset(topics) for page, topics in found.items()}

    def places_of(self, page: str) -> frozenset[str]:
        return self.places.get(page, frozenset())

    def paths(self, page: str) -> tuple[str, ...]:
        if page in self.state.outliers:
            return (_OUTLIERS,)
        here = self.places_of(page)
        return tuple(self.path(topic) for topic in self.topics if topic in here)


class _Comparison:
    def __init__(self, old: _Side, new: _Side) -> None:
        self.old, self.new = old, new
        self.kept = [topic for topic in new.topics if topic in old.topics]
        self.added = tuple(topic for topic in new.topics if topic not in old.topics)
        self.removed = tuple(topic for topic in old.topics if topic not in new.topics)

    def difference(self) -> Difference:
        return Difference(
            added=self.added,
            removed=self.removed,
            renamed=self.renamed,
            described=self.described,
            moved=self.moved,
            reordered=self.reordered,
            merged=self.merged,
            split=self.split,
            pages=self.pages,
            lines=(*self._topic_lines(), *self._page_lines()),
        )

    @cached_property
    def renamed(self) -> dict[str, tuple[str, str]]:
        pairs = {topic: (self.old.topics[topic].name, self.new.topics[topic].name) for topic in self.kept}
        return {topic: names for topic, names in pairs.items() if names[0] != names[1]}

    @cached_property
    def described(self) -> tuple[str, ...]:
        def said(topic: Topic) -> tuple[str, str]:
            return topic.description, topic.note

        return tuple(each for each in self.kept if said(self.old.topics[each]) != said(self.new.topics[each]))

    @cached_property
    def moved(self) -> dict[str, tuple[str, str]]:
        def place(side: _Side, topic: str) -> tuple[str | None, int]:
            return side.topics[topic].parent, side.first[topic]

        return {
            topic: (_place_name(self.old, topic), _place_name(self.new, topic))
            for topic in self.kept
            if place(self.old, topic) != place(self.new, topic)
        }

    @cached_property
    def reordered(self) -> bool:
        stayed = {topic for topic in self.kept if topic not in self.moved}
        parents = {self.new.topics[topic].parent for topic in stayed}

        def order(side: _Side, parent: str | None) -> list[str]:
            return [topic for topic in side.state.children_of(parent) if topic in stayed]

        return any(order(self.old, parent) != order(self.new, parent) for parent in parents)

    @cached_property
    def merged(self) -> dict[str, str]:
        gained = {topic: self.new.held[topic] - self.old.held[topic] for topic in self.kept}
        targets = {topic: _most_of(self.old.held[topic], gained, self.new) for topic in self.removed}
        return {topic: target for topic, target in targets.items() if target is not None}

    @cached_property
    def split(self) -> dict[str, tuple[str, ...]]:
        parts: dict[str, list[str]] = defaultdict(list)
        for topic in self.added:
            source = _most_of(self.new.held[topic], self.old.held, self.old)
            if source is not None:
                parts[source].append(topic)
        return {topic: tuple(parts[topic]) for topic in self.old.topics if self._is_split(topic, parts.get(topic, []))}

    def _is_split(self, source: str, parts: list[str]) -> bool:
        """True for several new topics from one, or for a single one if most pages it took have left a topic that still
        exists."""
        if len(parts) != 1:
            return len(parts) > 1
        taken = self.new.held[parts[0]] & self.old.held[source]
        return source in self.new.held and 2 * len(taken - self.new.held[source]) > len(taken)

    @cached_property
    def pages(self) -> tuple[PageMove, ...]:
        every = dict.fromkeys([*self.new.state.pages, *self.old.state.pages])
        return tuple(PageMove(page, self.old.paths(page), self.new.paths(page)) for page in every if self._moved(page))

    def _moved(self, page: str) -> bool:
        """True if a page has moved. A merged topic counts as its target, and a part of a split topic as the whole."""
        if (page in self.old.state.outliers) != (page in self.new.state.outliers):
            return True
        before = {self.merged.get(topic, topic) for topic in self.old.places_of(page)}
        after = {self._whole(topic, before) for topic in self.new.places_of(page)}
        return before != after

    def _whole(self, topic: str, before: set[str]) -> str:
        return next((source for source, parts in self.split.items() if topic in parts and source in before), topic)

    # --- In words ---------------------------------------------------------------------------------------------------

    def _topic_lines(self) -> list[str]:
        old, new = self.old.topics, self.new.topics
        parts = {part for found in self.split.values() for part in found}
        lines = [f"Added {self._with_size(self.new, topic)}" for topic in self.added if topic not in parts]
        lines += [f"Removed {self._with_size(self.old, topic)}" for topic in self.removed if self._just_gone(topic)]
        lines += [f"Renamed {before} to {after}" for before, after in self.renamed.values()]
        lines += [f"Changed the description or note of {new[topic].name}" for topic in self.described]
        lines += [f"Moved {new[topic].name} from {a} to {b}" for topic, (a, b) in self.moved.items()]
        lines += [f"Merged {old[source].name} into {new[target].name}" for source, target in self.merged.items()]
        for source, found in self.split.items():
            lines.append(f"Split {old[source].name} into {', '.join(new[part].name for part in found)}")
        return lines + (["Reordered topics"] if self.reordered else [])

    def _just_gone(self, topic: str) -> bool:
        return topic not in self.merged and topic not in self.split

    def _with_size(self, side: _Side, topic: str) -> str:
        return f"{side.path(topic)} ({counted(len(side.held[topic]), 'page')})"

    def _page_lines(self) -> list[str]:
        groups: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = defaultdict(int)
        for move in self.pages:
            groups[move.before, move.after] += 1
        return [
            f"{counted(number, 'page')} moved from {_listed(before)} to {_listed(after)}"
            for (before, after), number in groups.items()
        ]


def _most_of(pages: Pages, among: Mapping[str, Pages], side: _Side) -> str | None:
    """Return the topic that holds more than half of the pages; of several the smallest, then the deepest, then the
    first."""
    shared = {topic: len(pages & held) for topic, held in among.items()}
    rank = {topic: (-shared[topic], len(side.held[topic]), -side.first[topic]) for topic in shared}
    best = min(rank, key=rank.__getitem__, default=None)
    return best if best is not None and 2 * shared[best] > len(pages) else None


def _place_name(side: _Side, topic: str) -> str:
    parent = side.topics[topic].parent
    where = side.path(parent) if parent is not None else "the top"
    return f"{where} (level {side.first[topic]})"


def _listed(paths: tuple[str, ...]) -> str:
    return " and ".join(paths) or _NOWHERE
