"""Baselines that read no text: the ends of the scale every real algorithm should lie between."""

from __future__ import annotations

import zlib

import numpy as np

from evaluation.baselines.task import Answer, Parameter, Task
from qc4.model.clustering import Cluster
from qc4.model.gold_standard import GoldStandard

CLUSTERS = Parameter("k", None, "number of clusters of equal size; nothing: as many and as large as the topics", low=1)
LEVEL = Parameter("level", 1, "the gold level whose topic sizes are taken (the last one, if there are fewer)", low=1)


def gold_itself(task: Task) -> Answer:
    """Every topic of every level as a cluster of its own; the outlier topic is not among them. Scores 1 by QC4."""
    gold = _gold(task)
    hierarchy = gold.hierarchy
    clusters = []
    for topic, (topic_id, name) in enumerate(zip(gold.topic_ids, gold.topic_names, strict=True)):
        parent = int(hierarchy.parent[topic])
        pages = tuple(gold.page_ids[page] for page in hierarchy.pages[[topic]].indices.tolist())
        clusters.append(Cluster(topic_id, pages, name, gold.topic_ids[parent] if parent >= 0 else None))
    return Answer(tuple(clusters))


def singletons(task: Task) -> Answer:
    """Every page alone: perfectly pure, and of no use."""
    pages = task.document.pages
    return Answer(tuple(Cluster(f"c{n}", (page.id,), page.title or page.id) for n, page in enumerate(pages, start=1)))


def one_cluster(task: Task) -> Answer:
    """All pages together: perfect recall, and of no use."""
    pages = tuple(page.id for page in task.document.pages)
    return Answer((Cluster("c1", pages, task.document.query_text),) if pages else ())


def random_clusters(task: Task) -> Answer:
    """Clusters as large as the topics of one level of the gold, filled from the shuffled page list.

    The list is dealt out in turn and starts again when it ends, so clusters overlap only as far as the topics do,
    and as many pages stay out as there are outliers if the topics do not overlap. With ``k``, all pages are dealt into
    that many clusters instead, of sizes that differ by one at most. The shuffle depends on the seed and the query's id
    alone.
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
    return Answer(tuple(clusters), {"level": level})


def _equal_sizes(pages: int, k: int | None) -> list[int]:
    """Sizes of k clusters, largest first; fewer clusters where there are fewer pages, none without k."""
    k = min(k or 0, pages)
    return [pages // k + (number < pages % k) for number in range(k)] if k else []


def _gold(task: Task) -> GoldStandard:
    if task.gold is None:
        raise ValueError("this baseline reads the gold standard; run() checks that there is one")
    return task.gold
