"""QC4 of one clustering with every part, as plain Python values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from qc4.arrays import FloatArray, IntArray
from qc4.model.policies import Recall
from qc4.records import Record


class ClusterQuality(NamedTuple):
    """One remaining cluster.

    Attributes:
        id: the cluster's id.
        level: L(c).
        best_topic: id of the topic that maximises F (ties: smallest level number, then first in the file).
        f: F(c, best_topic), in (0, 1].
        size: |Dc|.
        entropy: E(c), in [0, 1], 0 is best.
        s_recall: S_recall(c), in [0, 1].
        s_random: S_random(c), at least 0, possibly ``math.inf``.
        quality: QU(c), in [0, 1].
    """

    id: str
    level: int
    best_topic: str
    f: float
    size: int
    entropy: float
    s_recall: float
    s_random: float
    quality: float

    KEYS = "id level best_topic f size entropy s_recall s_random=finite_s_random quality"  # type: ignore[misc]  # no field

    @property
    def finite_s_random(self) -> float | None:
        """S_random as a JSON value: None if it is infinite."""
        return None if math.isinf(self.s_random) else self.s_random


@dataclass(frozen=True, eq=False)
class ClusterColumns:
    """(clusters,) the parts of clusters as one array per part; see `ClusterQuality`. ``best_topic`` is a topic
    index."""

    level: IntArray
    best_topic: IntArray
    f: FloatArray
    size: IntArray
    entropy: FloatArray
    s_recall: FloatArray
    s_random: FloatArray
    quality: FloatArray

    @classmethod
    def empty(cls) -> ClusterColumns:
        whole, real = np.empty(0, dtype=np.int64), np.empty(0)
        return cls(whole, whole, real, whole, real, real, real, real)

    @classmethod
    def joined(cls, blocks: Sequence[ClusterColumns]) -> ClusterColumns:
        """Return the clusters of one or more blocks in sequence."""
        return cls(*map(np.concatenate, zip(*(block._arrays() for block in blocks), strict=True)))

    def take(self, rows: IntArray) -> ClusterColumns:
        """Return the clusters at ``rows``, which may repeat."""
        return ClusterColumns(*(column[rows] for column in self._arrays()))

    def tuples(self, cluster_ids: Iterable[str], topic_ids: Sequence[str]) -> tuple[ClusterQuality, ...]:
        """Return the parts as plain Python values, with the ids of the clusters and of their best topics."""
        level, best_topic, *others = (column.tolist() for column in self._arrays())
        names = {topic: topic_ids[topic] for topic in set(best_topic)}
        topics = map(names.__getitem__, best_topic)
        return tuple(map(ClusterQuality._make, zip(cluster_ids, level, topics, *others, strict=True)))

    def _arrays(self) -> list[npt.NDArray[Any]]:
        return [getattr(self, field.name) for field in fields(self)]


class TopicCoverage(NamedTuple):
    """One level-1 topic: its id, its number of pages, and CV(t) in [0, 1]."""

    id: str
    size: int
    coverage: float


@dataclass(frozen=True, eq=False)
class QC4Result(Record):
    """QC4 with its parts. All numbers lie in [0, 1]; higher is better.

    Attributes:
        aq, wq: mean cluster quality, unweighted and weighted by cluster size.
        ac, wc: mean coverage of the level-1 topics, unweighted and weighted by topic size.
        quality, coverage: (aq + wq) / 2 and (ac + wc) / 2.
        qc4, qc4_f: arithmetic and harmonic mean of quality and coverage.
        removed: ids of the clusters excluded because more than half of their pages are outliers.
        topics: the topics of level 1, in file order.
        columns: the parts of the remaining clusters as arrays, in file order.
        cluster_ids: (remaining clusters,) their ids.
        topic_ids: the ids that ``columns.best_topic`` refers to by index.
        recall: the recall used in S_recall.
    """

    KEYS = "aq wq ac wc quality coverage qc4 qc4_f removed_clusters=removed clusters topics"

    aq: float
    wq: float
    ac: float
    wc: float
    quality: float
    coverage: float
    qc4: float
    qc4_f: float
    removed: tuple[str, ...]
    topics: tuple[TopicCoverage, ...]
    columns: ClusterColumns
    cluster_ids: Sequence[str]
    topic_ids: Sequence[str]
    recall: Recall

    @classmethod
    def of_parts(
        cls,
        removed: tuple[str, ...],
        topics: tuple[TopicCoverage, ...],
        columns: ClusterColumns,
        cluster_ids: Sequence[str],
        topic_ids: Sequence[str],
        recall: Recall,
    ) -> QC4Result:
        """Return the overall numbers computed from the parts; 0 for a mean over nothing.

        Source: QC4 paper section 3.2, "Overall Measurements"; quality, coverage and qc4 are the averages in its Fig. 1,
        and qc4_f is our addition.
        """
        aq = _mean(columns.quality)
        wq = _mean(columns.quality, columns.size)
        coverages = np.array([topic.coverage for topic in topics])
        ac = _mean(coverages)
        wc = _mean(coverages, np.array([topic.size for topic in topics], dtype=np.int64))
        quality, coverage = (aq + wq) / 2, (ac + wc) / 2
        harmonic = 2 * quality * coverage / (quality + coverage) if quality + coverage else 0.0
        both = (quality + coverage) / 2
        overall = (aq, wq, ac, wc, quality, coverage, both, harmonic)
        return cls(*overall, removed, topics, columns, cluster_ids, topic_ids, recall)

    @cached_property
    def clusters(self) -> tuple[ClusterQuality, ...]:
        """The remaining clusters, in file order; created on first access because there may be many."""
        return self.columns.tuples(self.cluster_ids, self.topic_ids)


def _mean(values: FloatArray, weights: IntArray | None = None) -> float:
    """Return the mean, unweighted or weighted; 0 of nothing. `math.fsum` makes it independent of the order."""
    if not values.size:
        return 0.0
    if weights is None:
        return math.fsum(values.tolist()) / values.size
    return math.fsum((values * weights).tolist()) / int(weights.sum())
