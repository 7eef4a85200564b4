"""Topic coverage CV(t): how well the pages of each level-1 topic are found in clusters of their own topics.

A page with one leaf is in one topic on every level, so PC(d, t, 1) is simply the best of its clusters. Only pages
with several leaves need the recursion over the levels, which runs over (page, topic) slots from the bottom up.
"""

from __future__ import annotations

import numpy as np

from measures.qc4.counting import Shares, anchors_of
from measures.qc4.prepared import FloatArray, PreparedGold, Slots
from measures.qc4.quality import OwnEntries


def topic_coverage(gold: PreparedGold, shares: Shares, own: OwnEntries, s_random: FloatArray) -> FloatArray:
    """(topics + 1,) CV(t) of the topics of level 1, 0 for all others.

    Args:
        s_random: (clusters,) S_random(c).
    """
    leaves, slots = gold.leaves, gold.slots
    precision = own.common / shares.cluster_sizes[own.cluster]
    worth = (precision * np.minimum(1.0, s_random)[own.cluster])[own.of_run]

    # A membership's worth for the page: that of the topic of the page on the cluster's level.
    best = np.zeros(gold.n_pages)
    np.maximum.at(best, shares.page, worth[shares.run_of[: shares.page.size]])
    single = leaves.multi < 0
    covered = np.zeros(gold.sizes.size)  # bincount of nothing would be integers
    covered += np.bincount(gold.root_of_leaf[leaves.first[single]], weights=best[single], minlength=gold.sizes.size)

    owner, share, anchor = anchors_of(leaves, shares)
    level = own.level[shares.cluster[shares.multi[owner]]]
    reached = np.zeros(slots.size)
    np.maximum.at(reached, slots.at[level - 1, anchor], worth[shares.run_of[share]])
    values = page_topic_coverage(slots, reached)
    root = slots.parent < 0
    covered += np.bincount(slots.root_topic[root], weights=values[root], minlength=gold.sizes.size)
    covered[gold.n_topics] = 0.0
    return covered / np.maximum(gold.sizes, 1)


def page_topic_coverage(slots: Slots, reached: FloatArray) -> FloatArray:
    """(slots,) PC(d, t, first level of t) from ``reached``, the largest PC'(d, t, l) over the levels l of t.

    PC(d, t, l) is the larger of what clusters of t reach and the mean over the topics below t that hold d.
    """
    values = reached.copy()
    for depth in range(int(slots.depth.max(initial=0)), 0, -1):
        at = np.flatnonzero(slots.depth == depth)
        below = np.bincount(slots.parent[at], weights=values[at], minlength=slots.size)
        parents = slots.parent[at]
        values[parents] = np.maximum(values[parents], below[parents] / slots.siblings[at])
    return values
