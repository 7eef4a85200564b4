"""What follows from where the topics of a draft stand, without names and pages: spans of levels, and order.

Most steps move pages or rename, and leave the tree as it is, so that it is worked out once for many states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from annotations.drafting.topics import Topic


@dataclass(frozen=True, slots=True)
class Outline:
    """The topics of a state as a tree.

    Attributes:
        starts: topic id -> the level it starts on, in tree order; suggestions included.
        first: the same without the suggestions.
        children: topic id -> its children, of those in ``first`` that have any.
        n_levels: how many levels there are; 1 where there is no topic.
    """

    starts: Mapping[str, int]
    first: Mapping[str, int]
    children: Mapping[str, list[str]]
    n_levels: int
    last: Mapping[str, int]
    """Topic id -> the last level of its span: above its children, or the last of all."""

    @classmethod
    def of(cls, topics: Mapping[str, Topic], below: Mapping[str | None, tuple[str, ...]]) -> Outline:
        """
        Args:
            below: topic id, or None for the roots -> topic ids in order.
        """
        starts: dict[str, int] = {}
        for topic in in_order(below):
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


def in_order(below: Mapping[str | None, tuple[str, ...]]) -> Iterator[str]:
    """All topics, parents first, siblings in order."""
    stack = list(reversed(below.get(None, ())))
    while stack:
        yield (topic := stack.pop())
        stack.extend(reversed(below.get(topic, ())))
