"""Which topics of several hierarchies are the same topic: each side's topics are aligned with what those before have.

The sides come in an order. The topics of the first are concepts; those of each further one join the concept they share
most with (the mean Jaccard coefficient with its topics so far), one to one, and the rest are concepts of their own. For
two sides this is `align`. The order can matter where sides differ much; it is the order in which drafts are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from annotations.agreement.alignment import MINIMUM, Alignment, Preferences, matched, overlap, preferences
from annotations.agreement.sides import Side

SideName: TypeAlias = Literal["first", "second", "third", "fourth", "fifth", "sixth"]
SIDES: tuple[SideName, ...] = ("first", "second", "third", "fourth", "fifth", "sixth")
"""What sides are called in addresses, answers and files, in their order."""


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A topic of the comparison. Topics that are the same go by that of the first side that has it."""

    side: SideName
    topic: int


@dataclass(frozen=True, slots=True)
class Concept:
    """Topics that are the same topic: side -> its topic, in the order of the sides."""

    topics: Mapping[SideName, int]

    @property
    def symbol(self) -> Symbol:
        return Symbol(*next(iter(self.topics.items())))

    def joined(self, other: Concept) -> Concept:
        """Both as one."""
        both = {**self.topics, **other.topics}
        return Concept({side: both[side] for side in SIDES if side in both})


def concepts(sides: Sequence[Side], minimum: float = MINIMUM) -> tuple[Concept, ...]:
    """The concepts of several sides, those of earlier sides first; ``minimum`` as of `align`."""
    found: list[dict[SideName, int]] = []
    for name, side in zip(SIDES, sides, strict=False):
        pairs = dict(_joining(found, sides, side, minimum)) if found else {}
        for concept, topic in pairs.items():
            found[concept][name] = topic
        taken = set(pairs.values())
        found += [{name: topic} for topic in range(side.n_topics) if topic not in taken]
    return tuple(map(Concept, found))


def of_pairs(alignment: Alignment) -> tuple[Concept, ...]:
    """The concepts of two sides that are aligned."""
    n_first, n_second = alignment.shared.shape
    found: list[dict[SideName, int]] = [{"first": topic} for topic in range(n_first)]
    for pair in alignment.pairs:
        found[pair.first]["second"] = pair.second
    found += [{"second": topic} for topic in range(n_second) if topic not in alignment.first_of]
    return tuple(map(Concept, found))


def _joining(
    found: Sequence[Mapping[SideName, int]], sides: Sequence[Side], side: Side, minimum: float
) -> list[tuple[int, int]]:
    """Which concepts (indexes) the topics of a further side join."""
    shape = len(found), side.n_topics
    jaccard, members = np.zeros(shape), np.zeros((shape[0], 1))
    same_name, same_level = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    for name, earlier in zip(SIDES, sides, strict=False):
        rows = [row for row, topics in enumerate(found) if name in topics]
        own = [found[row][name] for row in rows]
        if not rows:
            continue
        liked = preferences(earlier, side)
        jaccard[rows] += overlap(earlier, side)[1][own]
        same_name[rows] |= liked.same_name[own]
        same_level[rows] |= liked.same_level[own]
        members[rows] += 1
    return matched(jaccard / np.maximum(members, 1), Preferences(same_name, same_level), minimum)
