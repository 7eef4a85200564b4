"""The measures of a stream run: what they are called, what they mean, and which end is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from qc4.streams.flat import EXTERNAL, INTERNAL

Best = Literal["high", "low", ""]


@dataclass(frozen=True, slots=True)
class StreamMeasure:
    """One measure over time. ``best`` is empty where it describes the stream and not the clustering."""

    key: str
    title: str
    meaning: str
    best: Best = "high"

    @property
    def arrow(self) -> str:
        return {"high": "↑", "low": "↓", "": ""}[self.best]


_TRUTH = "of the points that count, whatever the clustering"
CMM_MEASURES = (
    StreamMeasure("cmm", "CMM", "1 where no point that counts is missed, misplaced or noise in a cluster"),
    StreamMeasure("missed", "1 − missed", "1 less what missed points cost CMM: 1 where none is missed"),
    StreamMeasure("misplaced", "1 − misplaced", "1 less what misplaced points cost CMM: 1 where none is misplaced"),
    StreamMeasure("noise", "1 − noise", "1 less what noise in clusters costs CMM: 1 where no cluster holds any"),
    StreamMeasure("basic", "basic CMM", "CMM without merging classes, model errors and the discount for near misses"),
    StreamMeasure("separability", "separability", f"classes after merging over classes before, {_TRUTH}", ""),
    StreamMeasure("redundancy", "redundancy", f"share inside two or more balls of classes, {_TRUTH}", ""),
)
FLAT_MEASURES = (
    StreamMeasure("ari", "adjusted Rand", "adjusted Rand index"),
    StreamMeasure("purity", "purity", "purity"),
    StreamMeasure("f_zaki", "F", "mean over clusters of each one's F with its largest class"),
    StreamMeasure("v_measure", "V-measure", "V-measure"),
    StreamMeasure("van_dongen", "1 − van Dongen", "van Dongen's distance, turned so that 1 is best"),
    StreamMeasure("vi", "1 − VI / ln n", "variation of information, turned so that 1 is best"),
    StreamMeasure("silhouette", "(1 + silhouette) / 2", "silhouette, brought to 0 to 1, on 500 points at most"),
    StreamMeasure("c_index", "1 − C index", "C index, turned so that 1 is best, on 500 points at most"),
    StreamMeasure("ssq", "SSQ", "sum of squared distances to the nearest cluster centre", "low"),
)
MEASURES = {measure.key: measure for measure in (*CMM_MEASURES, *FLAT_MEASURES)}
EXTERNAL_KEYS, INTERNAL_KEYS = EXTERNAL, INTERNAL
LOSSES = ("missed", "misplaced", "noise")
"""What CMM lacks to 1 is the sum of what these lack to 1."""
