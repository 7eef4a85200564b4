"""Triples of pages: which two of three belong closer together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from qc4.arrays import BoolArray
from qc4.measures.registry import measure
from qc4.problems.bounds import TRIPLETS
from qc4.views.tree import TREES, Tree, Trees, cells
from qc4.views.undefined import refuse_too_much
from qc4.views.view import ANY_CLUSTERS

Depths = npt.NDArray[np.int16]


@measure(
    TREES,
    key="triplet_agreement",
    title="Triplet agreement",
    family="tree",
    meaning="How often clusters join two of three pages deeper than either with the third, where topics do.",
    formula="|{de|f in both}| / |{de|f in T}|, de|f: a topic, or a cluster, that holds d and e lies deeper than all "
    "that hold f and one of them",
    source="critchlow1996",
    accepts=ANY_CLUSTERS,
    degenerate="Where the topics tell no two of three pages apart it is 1 if the clusters do not either, else 0.",
)
def triplet_agreement(trees: Trees) -> float:
    overlap = trees.topics.shared_among_siblings.size or trees.clusters.shared_among_siblings.size
    agreeing, resolved = _one_by_one(trees) if overlap else (_agreeing(trees), _resolved(trees.topics))
    if not resolved:
        return float(not (_one_by_one(trees.swapped)[1] if overlap else _resolved(trees.clusters)))
    return agreeing / resolved


def _agreeing(trees: Trees) -> int:
    """Triples that both trees resolve alike. Exact in int64 up to 2.6 million pages.

    A triple de|f has one topic x just below the smallest one of all three, which holds d and e: f is in x's parent and
    not in x. The same holds for a cluster y. So x and y together have the pairs inside both, each with the pages that
    both parents hold and neither x nor y does.
    """
    shared = cells(trees)
    n_clusters = trees.clusters.n_sets
    keys = shared.topic * n_clusters + shared.cluster

    def pages_in(above_topic: bool, above_cluster: bool) -> npt.NDArray[np.int64]:
        """(cells,) pages in the cell's topic or its parent, and in its cluster or its parent."""
        topic = trees.topics.parent[shared.topic] if above_topic else shared.topic
        cluster = trees.clusters.parent[shared.cluster] if above_cluster else shared.cluster
        places = np.searchsorted(keys, np.maximum(topic, 0) * n_clusters + np.maximum(cluster, 0))
        found = shared.shared[np.minimum(places, keys.size - 1)]
        found = np.where(topic < 0, np.append(trees.clusters.sizes, trees.n)[cluster], found)
        return np.where((cluster < 0) & (topic >= 0), trees.topics.sizes[topic], found)

    apart = pages_in(True, True) - pages_in(True, False) - pages_in(False, True) + shared.shared
    return int((shared.shared * (shared.shared - 1) // 2 * apart).sum())


def _resolved(tree: Tree) -> int:
    """Triples of which a tree whose siblings share no page joins two deeper than the third."""
    pairs = tree.sizes * (tree.sizes - 1) // 2
    return int((pairs * (tree.parent_sizes - tree.sizes)).sum())


def _one_by_one(trees: Trees) -> tuple[int, int]:
    """Triples that both trees resolve alike, and those that the topics resolve, whatever overlaps.

    Raises:
        Undefined: more pages than `TRIPLETS`.
    """
    refuse_too_much(TRIPLETS, trees.n, "topics and clusters")
    topics, clusters = _joined(trees.topics), _joined(trees.clusters)
    agreeing = resolved = 0
    for third in range(trees.n):
        by_topics = _closer(topics, third)
        resolved += int(np.count_nonzero(by_topics))
        agreeing += int(np.count_nonzero(by_topics & _closer(clusters, third)))
    return agreeing // 2, resolved // 2


def _joined(tree: Tree) -> Depths:
    """(pages, pages) depth of the deepest set that holds both; 0 where only the root does."""
    found: Depths = np.zeros((tree.n_pages, tree.n_pages), dtype=np.int16)
    for each in np.argsort(tree.depth, kind="stable"):
        held = tree.pages.indices[tree.pages.indptr[each] : tree.pages.indptr[each + 1]]
        found[np.ix_(held, held)] = tree.depth[each]
    return found


def _closer(joined: Depths, third: int) -> BoolArray:
    """(pages, pages) whether two pages are joined deeper than either is with the third; False for it, and for one."""
    with_third = joined[third]
    found: BoolArray = (joined > with_third[:, None]) & (joined > with_third[None, :])
    np.fill_diagonal(found, val=False)
    found[third] = found[:, third] = False
    return found
