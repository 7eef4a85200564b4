"""The (page, topic) slots in which coverage is worked out from the bottom up, for pages with several leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qc4.arrays import FloatArray, IntArray, ShortIntArray
from qc4.measures.qc4.sorting import run_lengths, run_numbers, running_count, starts_of


@dataclass(frozen=True, eq=False)
class Split:
    """Slots whose topics have children that start on one level, and the slots of these children.

    Attributes:
        children: the slots of the topics that start on the level; those of one parent are neighbours.
        of_child: (children,) the place of each one's parent in ``parents``.
        parents: (parents,) their slots.
        counts: (parents,) how many children each has, as float.
    """

    children: slice
    of_child: IntArray
    parents: IntArray
    counts: FloatArray


@dataclass(frozen=True, eq=False)
class Slots:
    """The (multi page, topic) pairs for which coverage is worked out from the bottom up.

    Attributes:
        size: number of slots.
        at: (levels, anchors) slot of the anchor's page and its topic on the level.
        root_topic: (root slots,) topic index of the first slots, those of level-1 topics.
        splits: for each level but the first, the slots whose topics split there.
    """

    size: int
    at: ShortIntArray | IntArray
    root_topic: IntArray
    splits: tuple[Split, ...]


def open_slots(topics: IntArray, shared_level: ShortIntArray) -> Slots:
    """Open a slot where a page's topic starts; anchors that share the topic share the slot.

    Args:
        topics: (levels, anchors) topic of each anchor on each level.
        shared_level: (anchors,) as in ``Leaves``.
    """
    at = np.empty(topics.shape, dtype=np.int32 if topics.size < 2**31 else np.int64)
    topic = topics[0]
    opens = shared_level < 1
    at[0] = running_count(opens) - 1
    root_topic = topic[opens]
    size = root_topic.size
    splits = []
    for i in range(1, topics.shape[0]):
        coarser_topic, topic = topic, topics[i]
        starts_here = topic != coarser_topic
        opens = starts_here & (shared_level < i + 1)
        at[i] = np.where(starts_here, size - 1 + running_count(opens), at[i - 1])
        parent = at[i - 1][opens]
        starts = starts_of(parent)
        counts = run_lengths(starts, parent.size).astype(np.float64)
        of_child = run_numbers(starts, parent.size)
        splits.append(Split(slice(size, size + parent.size), of_child, parent[starts], counts))
        size += parent.size
    return Slots(size, at, root_topic, tuple(splits))
