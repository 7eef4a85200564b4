"""Which topics of two hierarchies are the same topic: the assignment with the largest sum of Jaccard coefficients.

Topics of ALL levels are aligned at once, not level by level: what one person calls a topic of its own is often a
subtopic for the other, and it is the same topic all the same. Jaccard decides; only where it leaves a choice (a topic
and its only subtopic hold the same pages) the name does, and then the level.

Source: Kuhn, The Hungarian method for the assignment problem, Naval Research Logistics 2, 1955; Jaccard, 1901.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linear_sum_assignment

from annotations.agreement.sides import Flags, Side
from qc4.arrays import FloatArray, IntArray
from qc4.text import name_key

MINIMUM = 0.5
"""Topics that share less of their pages than this are not aligned, unless they have the same name: from a half on, the
pages in both are at least as many as those in one only, and a small part of a broad topic is not that topic."""
_PREFERENCE = 1e-6
"""What an equal level adds, and twice an equal name: too little to outweigh pages, enough to decide between equals."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An aligned topic of either side (indexes), the pages they share and their Jaccard coefficient."""

    first: int
    second: int
    shared: int
    jaccard: float


@dataclass(frozen=True, eq=False)
class Alignment:
    """The topics of both sides, one to one where they are the same.

    Attributes:
        shared: (first's topics, second's topics) pages in both.
        jaccard: the same over the pages in either; 0 where neither has a page.
        pairs: the aligned ones, in the order of the first side.
    """

    shared: IntArray
    jaccard: FloatArray
    pairs: tuple[Pair, ...]

    @cached_property
    def second_of(self) -> dict[int, int]:
        return {pair.first: pair.second for pair in self.pairs}

    @cached_property
    def first_of(self) -> dict[int, int]:
        return {pair.second: pair.first for pair in self.pairs}

    @property
    def only_first(self) -> list[int]:
        """Topics of the first side without a partner."""
        return [topic for topic in range(self.shared.shape[0]) if topic not in self.second_of]

    @property
    def only_second(self) -> list[int]:
        return [topic for topic in range(self.shared.shape[1]) if topic not in self.first_of]


def align(first: Side, second: Side, minimum: float = MINIMUM) -> Alignment:
    """Align the topics of two sides.

    Args:
        minimum: the smallest Jaccard coefficient, in (0, 1], at which topics of different names are aligned.
    """
    shared, jaccard = overlap(first, second)
    pairs = tuple(
        Pair(row, column, int(shared[row, column]), float(jaccard[row, column]))
        for row, column in matched(jaccard, preferences(first, second), minimum)
    )
    return Alignment(shared, jaccard, pairs)


@dataclass(frozen=True, eq=False)
class Preferences:
    """(first's topics, second's topics) whether they have the same name, and start on the same level."""

    same_name: Flags
    same_level: Flags


def preferences(first: Side, second: Side) -> Preferences:
    """What decides between topics that share equally much."""
    same_level = first.hierarchy.first[:, np.newaxis] == second.hierarchy.first[np.newaxis, :]
    return Preferences(_same_names(first, second), np.asarray(same_level, dtype=bool))


def matched(jaccard: FloatArray, preferred: Preferences, minimum: float) -> list[tuple[int, int]]:
    """Rows and columns of the assignment with the largest sum, where a pair is allowed at all."""
    allowed = (jaccard >= minimum) | ((jaccard > 0) & preferred.same_name)
    liking = 2 * preferred.same_name + preferred.same_level
    rows, columns = linear_sum_assignment(np.where(allowed, jaccard + _PREFERENCE * liking, 0.0), maximize=True)
    found = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(row, column) for row, column in found if allowed[row, column]]


def overlap(first: Side, second: Side) -> tuple[IntArray, FloatArray]:
    """(first's topics, second's topics) shared pages, and Jaccard coefficients."""
    table = first.hierarchy.pages.astype(np.int64) @ second.hierarchy.pages.T.astype(np.int64)
    shared = np.asarray(table.toarray(), dtype=np.int64)
    either = first.hierarchy.sizes[:, np.newaxis] + second.hierarchy.sizes[np.newaxis, :] - shared
    return shared, shared / np.maximum(either, 1)


def _same_names(first: Side, second: Side) -> Flags:
    one, other = (np.array([name_key(name) for name in side.topic_names], dtype=object) for side in (first, second))
    return np.asarray(one[:, np.newaxis] == other[np.newaxis, :], dtype=bool)
