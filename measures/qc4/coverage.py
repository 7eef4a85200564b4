"""Topic coverage CV(t): how well the pages of each level-1 topic are found in clusters of their own topics.

A page with one leaf is in one topic on every level, so PC(d, t, 1) is simply the best of its clusters. Only pages
with several leaves need the recursion over the levels, which runs over (page, topic) slots from the bottom up.
"""

from __future__ import annotations

import numpy as np

from measures.qc4.counting import Shares
from measures.qc4.prepared import FloatArray, PreparedGold, Slots
from measures.qc4.quality import OwnEntries


def topic_coverage(gold: PreparedGold, shares: Shares, own: OwnEntries, s_random: FloatArray) -> FloatArray:
    """(topics + 1,) CV(t) of the topics of level 1, 0 for all others.

    Args:
        s_random: (clusters,) S_random(c).
    """
    slots, multi = gold.slots, shares.multi
    precision = own.common / shares.cluster_sizes[own.cluster]
    # What a membership is worth for a page in the topic: P(c, t) min(1, S_random(c)), t on the cluster's level.
    worth = (precision * np.minimum(1.0, s_random)[own.cluster])[own.of_run]

    best = np.zeros(gold.n_pages)
    np.maximum.at(best, shares.single_page, worth[shares.single_run])
    covered = np.bincount(gold.root_of_page, weights=best, minlength=gold.sizes.size)

    level = np.repeat(own.level[multi.cluster], np.diff(multi.ptr))
    reached = np.zeros(slots.size)
    slot = slots.at.ravel()[(level - 1) * slots.at.shape[1] + multi.anchor]
    np.maximum.at(reached, slot, worth[multi.run])
    roots = cover_from_below(slots, reached)[: slots.root_topic.size]
    covered += np.bincount(slots.root_topic, weights=roots, minlength=gold.sizes.size)
    covered[gold.n_topics] = 0.0
    return covered / np.maximum(gold.sizes, 1)


def cover_from_below(slots: Slots, reached: FloatArray) -> FloatArray:
    """(slots,) PC(d, t, first level of t) from ``reached``, the largest PC'(d, t, l) over the levels l of t.

    PC(d, t, l) is the larger of what clusters of t reach and the mean over the topics below t that hold d.
    """
    values = reached.copy()
    for split in reversed(slots.splits):
        if split.parents.size:
            mean = np.add.reduceat(values[split.children], split.starts) / split.counts
            values[split.parents] = np.maximum(values[split.parents], mean)
    return values
