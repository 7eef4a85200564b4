"""F of each topic with its best cluster, wherever in the tree that is."""

from __future__ import annotations

import math

import numpy as np

from qc4.measures.registry import measure
from qc4.views.tree import TREES, Trees, cells
from qc4.views.view import ANY_CLUSTERS


@measure(
    TREES,
    key="tree_f",
    title="Tree F",
    family="tree",
    meaning="F of each topic with its best cluster of any depth, mean over the topics of all levels by their sizes.",
    formula="Σ_t |t| max_c F(t,c) / Σ_t |t|, F(t,c) = 2|t ∩ c| / (|t| + |c|)",
    source="larsen1999",
    accepts=ANY_CLUSTERS,
    degenerate="The root, which holds every page, is no cluster. More clusters never lower it.",
)
def tree_f(trees: Trees) -> float:
    shared, sizes = cells(trees), trees.topics.sizes
    f = 2 * shared.shared / (sizes[shared.topic] + trees.clusters.sizes[shared.cluster])
    best = np.zeros(sizes.size)
    np.maximum.at(best, shared.topic, f)
    return math.fsum(best * sizes) / int(sizes.sum())
