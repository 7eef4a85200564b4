"""What becomes of each topic in a clustering: covered, merged, split or missed.

Read off the clusters that QC4 looks at (those that are mostly outliers are left out) with one threshold, a half, so
that every topic has exactly one fate. Beside it stands what QC4 itself says of the topic, the mean of PC(d, t, l) over
its pages (`page_coverage`); of a level-1 topic that is CV(t).
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from qc4.arrays import BoolArray, IntArray
from qc4.clustering.case import Case
from qc4.measures.qc4.calculation import qc4
from qc4.measures.qc4.explanation import page_coverage
from qc4.measures.qc4.matching import common_pages
from qc4.measures.qc4.removal import remaining_clusters

HALF = 0.5
"""A cluster holds a topic if it has at least this share of the topic's pages, and is about the topic if at least this
share of its own pages are the topic's."""


class Fate(StrEnum):
    """What became of a topic; the first that is true.

    COVERED: one cluster holds it and is about it. MERGED: one cluster holds it, together with more of others. SPLIT: no
    cluster holds it, but those that are about it do together. MISSED: none of these.
    """

    COVERED = "covered"
    MERGED = "merged"
    SPLIT = "split"
    MISSED = "missed"


class TopicFate(NamedTuple):
    """A topic's fate.

    Attributes:
        id: the topic's.
        depth: the level it starts on, 1 for the coarsest.
        size: its pages.
        fate: what became of it.
        coverage: mean of PC(d, t, l) over its pages, in [0, 1].
        cluster: id of the cluster with most of its pages, the purest of several; None where no cluster has any.
        recall: the share of the topic's pages in that cluster.
        precision: the share of that cluster's pages that are the topic's.
    """

    id: str
    depth: int
    size: int
    fate: Fate
    coverage: float
    cluster: str | None
    recall: float
    precision: float


def topic_fates(case: Case) -> tuple[TopicFate, ...]:
    """The fate of every topic of every level, in the order of the gold standard."""
    hierarchy, rows = case.gold.hierarchy, remaining_clusters(case)
    clusters = case.clusters[rows]
    sizes = np.diff(clusters.indptr).astype(np.int64)
    coverage = page_coverage(case, qc4(case)).topics
    shared = common_pages(case, clusters).T.tocsr()
    found = []
    for topic, topic_id in enumerate(case.gold.topic_ids):
        place = slice(shared.indptr[topic], shared.indptr[topic + 1])
        which, common = shared.indices[place].astype(np.int64), shared.data[place]
        size = int(hierarchy.sizes[topic])
        recall, precision = common / max(size, 1), common / sizes[which]
        best = int(np.lexsort((which, -precision, -recall))[0]) if which.size else None
        about = which[precision >= HALF]
        found.append(
            TopicFate(
                id=topic_id,
                depth=int(hierarchy.first[topic]),
                size=size,
                fate=_fate(recall >= HALF, precision >= HALF, _held(case, topic, rows[about]) >= HALF * size),
                coverage=float(coverage[topic]),
                cluster=None if best is None else case.cluster_ids[int(rows[which[best]])],
                recall=0.0 if best is None else float(recall[best]),
                precision=0.0 if best is None else float(precision[best]),
            )
        )
    return tuple(found)


def _fate(holds: BoolArray, about: BoolArray, together: bool) -> Fate:
    if (holds & about).any():
        return Fate.COVERED
    if holds.any():
        return Fate.MERGED
    return Fate.SPLIT if about.any() and together else Fate.MISSED


def _held(case: Case, topic: int, rows: IntArray) -> int:
    """How many of a topic's pages some of these clusters have."""
    pages = case.gold.hierarchy.pages
    own = pages.indices[pages.indptr[topic] : pages.indptr[topic + 1]]
    return int(np.isin(own, case.clusters[rows].indices).sum())
