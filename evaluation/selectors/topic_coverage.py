"""Coverage of every topic of a hierarchy, also of those below level 1, which QC4's own numbers leave out.

For the pages of the site: dense arrays, fit for the one query a person looks at. `measures.qc4` computes the same
numbers for level 1, sparse and fast; the tests hold the two together.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from measures.case import Case
from measures.hierarchy import Hierarchy
from measures.qc4 import qc4

FloatArray = npt.NDArray[np.float64]


def topic_coverage(case: Case) -> FloatArray:
    """(topics,) mean over a topic's pages of PC(d, t, first level of t), in [0, 1].

    Source: QC4 paper section 3.2, topic coverage: PC(d,t,l) is the mean, over the topics t' of level l below t that
    hold d, of the larger of PC'(d,t',l) and PC(d,t',l+1).
    """
    hierarchy = case.gold.hierarchy
    holds = hierarchy.pages.toarray().astype(bool)
    below = np.zeros(holds.shape)
    found = np.zeros(hierarchy.n_topics)
    subtopics = _subtopics(hierarchy)
    for level in reversed(hierarchy.levels):
        on = hierarchy.topics_on(level)
        reached = np.maximum(_reached(case, holds, level), below)[on] * holds[on]
        within = subtopics[:, on].astype(np.float64)
        count = within @ holds[on]
        below = np.divide(within @ reached, count, out=np.zeros_like(below), where=count > 0)
        starting = hierarchy.first == level
        found[starting] = (below * holds).sum(axis=1)[starting] / np.maximum(hierarchy.sizes[starting], 1)
    return found


def _reached(case: Case, holds: npt.NDArray[np.bool_], level: int) -> FloatArray:
    """(topics, pages) PC': the best precision times random scaling among the page's clusters of this level."""
    rows = {cluster_id: row for row, cluster_id in enumerate(case.cluster_ids)}
    best = np.zeros(holds.shape)
    for part in qc4(case).clusters:
        if part.level != level:
            continue
        row = rows[part.id]
        members = case.clusters.indices[case.clusters.indptr[row] : case.clusters.indptr[row + 1]]
        worth = holds[:, members].sum(axis=1) / members.size * min(1.0, part.s_random)
        best[:, members] = np.maximum(best[:, members], worth[:, None])
    return best


def _subtopics(hierarchy: Hierarchy) -> npt.NDArray[np.bool_]:
    """(topics, topics) whether the second is the first or below it."""
    inside = np.eye(hierarchy.n_topics, dtype=bool)
    for topic, parent in enumerate(hierarchy.parent.tolist()):
        while parent >= 0:
            inside[parent, topic] = True
            parent = int(hierarchy.parent[parent])
    return inside
