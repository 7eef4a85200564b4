"""Baselines that read no text: perfect and useless clusterings, between which every real algorithm should score."""

from __future__ import annotations

import zlib

import numpy as np

from evaluation.baselines.task import BaselineResult, Parameter, Task
from qc4.model.clustering import Cluster
from qc4.model.gold_standard import GoldStandard

CLUSTERS = Parameter("k", None, "number of clusters of equal size; nothing: as many and as large as the topics", low=1)
LEVEL = Parameter("level", 1, "gold level whose topic sizes are used (the last level, if there are fewer)", low=1)


def gold_topics(task: Task) -> BaselineResult:
    """Return every topic of every level as a cluster, without the outlier topic. QC4 gives it 1."""
    gold = _gold(task)
    hierarchy = gold.hierarchy
    clusters = []
    for topic, (topic_id, name) in enumerate(zip(gold.topic_ids, gold.topic_names, strict=True)):
        parent = int(hierarchy.parent[topic])
        pages = tuple(gold.page_ids[page] for page in hierarchy.pages[[topic]].indices.tolist())
        clusters.append(Cluster(topic_id, pages, name, gold.topic_ids[parent] if parent >= 0 else None))
    return BaselineResult(tuple(clusters))


def singletons(task: Task) -> BaselineResult:
    """Return every page as a cluster of its own: perfectly pure, and useless."""
    pages = task.document.pages
    return BaselineResult(
        tuple(Cluster(f"c{n}", (page.id,), page.title or page.id) for n, page in enumerate(pages, start=1))
    )


def one_cluster(task: Task) -> BaselineResult:
    """Return all pages in one cluster: perfect recall, and useless."""
    pages = tuple(page.id for page in task.document.pages)
    return BaselineResult((Cluster("c1", pages, task.document.query_text),) if pages else ())


def random_clusters(task: Task) -> BaselineResult:
    """Return clusters as large as the topics of one gold level, filled from the shuffled page list.

    The list is dealt out in order and starts again at its end. So clusters overlap only as much as the topics do. If
    the topics do not overlap, as many pages are in no cluster as there are outliers. With ``k``, all pages are dealt
    into that many clusters instead, whose sizes differ by at most one. The shuffle depends only on the seed and the
    query's id.
    """
    gold = _gold(task)
    hierarchy = gold.hierarchy
    level = min(int(task.parameters["level"]), hierarchy.n_levels)
    random = np.random.default_rng([task.seed, zlib.crc32(task.document.query_id.encode())])
    shuffled = random.permutation(gold.n_pages)
    sizes = _equal_sizes(gold.n_pages, task.parameters["k"]) or hierarchy.sizes[hierarchy.topics_on(level)].tolist()
    clusters, start = [], 0
    for number, size in enumerate(sizes, start=1):
        members = np.sort(shuffled[(start + np.arange(size)) % gold.n_pages])
        clusters.append(Cluster(f"c{number}", tuple(gold.page_ids[page] for page in members.tolist()), f"{number}"))
        start += size
    return BaselineResult(tuple(clusters), {"level": level})


def _equal_sizes(pages: int, k: int | None) -> list[int]:
    """Return the sizes of k clusters, largest first; at most one cluster per page, and an empty list without k."""
    k = min(k or 0, pages)
    return [pages // k + (number < pages % k) for number in range(k)] if k else []


def _gold(task: Task) -> GoldStandard:
    if task.gold is None:
        raise ValueError("this baseline reads the gold standard; run() checks that there is one")
    return task.gold
