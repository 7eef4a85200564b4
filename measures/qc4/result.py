"""QC4 of one clustering with every part, as plain Python values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple


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

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: an infinite S_random is None."""
        return {**self._asdict(), "s_random": None if math.isinf(self.s_random) else self.s_random}


class TopicCoverage(NamedTuple):
    """One level-1 topic: id, number of pages, CV(t) in [0, 1]."""

    id: str
    size: int
    coverage: float

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


@dataclass(frozen=True)
class QC4Result:
    """QC4 with its parts. All numbers lie in [0, 1]; higher is better.

    Attributes:
        aq, wq: mean cluster quality, plain and weighted by cluster size.
        ac, wc: mean coverage of the level-1 topics, plain and weighted by topic size.
        quality, coverage: (aq + wq) / 2 and (ac + wc) / 2.
        qc4, qc4_f: arithmetic and harmonic mean of quality and coverage.
        removed: ids of the clusters left out because more than half of their pages are outliers.
        clusters: the remaining clusters, in file order.
        topics: the topics of level 1, in file order.
    """

    aq: float
    wq: float
    ac: float
    wc: float
    quality: float
    coverage: float
    qc4: float
    qc4_f: float
    removed: tuple[str, ...]
    clusters: tuple[ClusterQuality, ...]
    topics: tuple[TopicCoverage, ...]

    @classmethod
    def of_parts(
        cls, removed: tuple[str, ...], clusters: tuple[ClusterQuality, ...], topics: tuple[TopicCoverage, ...]
    ) -> QC4Result:
        """The overall numbers from the parts: 0 where nothing is left to average over.

        Source: QC4 paper section 3.2, "Overall Measurements"; quality, coverage and qc4 are the averages behind
        its Fig. 1, qc4_f is ours.
        """
        qualities = [cluster.quality for cluster in clusters]
        coverages = [topic.coverage for topic in topics]
        aq = _mean(qualities, [1] * len(clusters))
        wq = _mean(qualities, [cluster.size for cluster in clusters])
        ac = _mean(coverages, [1] * len(topics))
        wc = _mean(coverages, [topic.size for topic in topics])
        quality, coverage = (aq + wq) / 2, (ac + wc) / 2
        harmonic = 2 * quality * coverage / (quality + coverage) if quality + coverage else 0.0
        return cls(aq, wq, ac, wc, quality, coverage, (quality + coverage) / 2, harmonic, removed, clusters, topics)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; ``clusters`` and ``topics`` as the engine's file format has them."""
        return {
            "aq": self.aq,
            "wq": self.wq,
            "ac": self.ac,
            "wc": self.wc,
            "quality": self.quality,
            "coverage": self.coverage,
            "qc4": self.qc4,
            "qc4_f": self.qc4_f,
            "removed_clusters": list(self.removed),
            "clusters": [cluster.to_dict() for cluster in self.clusters],
            "topics": [topic.to_dict() for topic in self.topics],
        }


def _mean(values: list[float], weights: list[int]) -> float:
    total = sum(weights)
    return math.fsum(value * weight for value, weight in zip(values, weights, strict=True)) / total if total else 0.0
