"""The measures of a stream run: their titles, meanings and directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from qc4.streams.flat import EXTERNAL, INTERNAL

Best = Literal["high", "low", ""]


@dataclass(frozen=True, slots=True)
class StreamMeasure:
    """One measure over time. ``best`` is empty if it describes the stream and not the clustering."""

    key: str
    title: str
    meaning: str
    best: Best = "high"

    @property
    def arrow(self) -> str:
        return {"high": "↑", "low": "↓", "": ""}[self.best]


_TRUTH = "for the points that count, independent of the clustering"
CMM_MEASURES = (
    StreamMeasure("cmm", "CMM", "1 if no point that counts is missed, misplaced or noise in a cluster"),
    StreamMeasure("missed", "1 − missed", "1 minus CMM's loss from missed points: 1 if no point is missed"),
    StreamMeasure("misplaced", "1 − misplaced", "1 minus CMM's loss from misplaced points: 1 if no point is misplaced"),
    StreamMeasure("noise", "1 − noise", "1 minus CMM's loss from noise in clusters: 1 if no cluster contains noise"),
    StreamMeasure("basic", "basic CMM", "CMM without merging classes, model errors and the discount for near misses"),
    StreamMeasure("separability", "separability", f"number of classes after merging / before merging, {_TRUTH}", ""),
    StreamMeasure("redundancy", "redundancy", f"share inside two or more class balls, {_TRUTH}", ""),
)
FLAT_MEASURES = (
    StreamMeasure("ari", "adjusted Rand", "adjusted Rand index"),
    StreamMeasure("purity", "purity", "purity"),
    StreamMeasure("f_zaki", "F", "mean over clusters of the F with the cluster's largest class"),
    StreamMeasure("v_measure", "V-measure", "V-measure"),
    StreamMeasure("van_dongen", "1 − van Dongen", "van Dongen's distance, inverted so that 1 is best"),
    StreamMeasure("vi", "1 − VI / ln n", "variation of information, inverted so that 1 is best"),
    StreamMeasure("silhouette", "(1 + silhouette) / 2", "silhouette, rescaled to 0 to 1, on at most 500 points"),
    StreamMeasure("c_index", "1 − C index", "C index, inverted so that 1 is best, on at most 500 points"),
    StreamMeasure("ssq", "SSQ", "sum of squared distances to the nearest cluster centre", "low"),
)
MEASURES = {measure.key: measure for measure in (*CMM_MEASURES, *FLAT_MEASURES)}
EXTERNAL_KEYS, INTERNAL_KEYS = EXTERNAL, INTERNAL
LOSSES = ("missed", "misplaced", "noise")
"""The three losses of CMM: 1 − CMM is the sum of 1 − value over these."""
