"""The skew study: do S2, PS2 and STDI detect skewed clusterings that F, accuracy and the adjusted Rand index miss?

Source: Xie et al., New criteria for evaluating the validity of clustering, CAAI TIS 12(6), 2017, sections 3.1 and 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy
from qc4.model.policies import Policies
from qc4.model.vectors import Vectors
from qc4.problems import InputError, Problem, require_package
from qc4.progress import track_progress
from qc4.records import Record
from qc4.scoring.scoring import score
from qc4.version import ENGINE_VERSION
from studies.skew.data import NOISE, DataSet, clusterings, data_sets

INDICES = ("s2", "ps2", "stdi", "f_zaki", "ari", "accuracy")
POLICIES = Policies(outliers="topic")
"""Noise is a separate class. Dropping it would hide how a clustering treats it."""
LAST_SEED = 2**32 - 1
"""The largest seed that scikit-learn accepts."""


@dataclass(frozen=True, slots=True)
class SkewRow(Record):
    """One clustering of one data set.

    Attributes:
        sizes: number of points of each class, without noise.
        noise: number of noise points.
        clusters: number of clusters.
        values: key of a measure -> value, None if it is undefined.
        undefined: key of an undefined measure -> reason.
    """

    data_set: str
    sizes: tuple[int, ...]
    noise: int
    clustering: str
    clusters: int
    values: dict[str, float | None]
    undefined: dict[str, str]


@dataclass(frozen=True, slots=True)
class SkewStudy(Record):
    """All rows, sorted by data set and clustering, and the seed that reproduces them."""

    KEYS = "engine seed policies measures data_sets=titles rows"
    engine = ENGINE_VERSION
    policies = POLICIES
    measures = INDICES

    seed: int
    titles: dict[str, str]
    rows: tuple[SkewRow, ...]

    def row(self, data_set: str, clustering: str) -> SkewRow:
        """Return one row. Raise KeyError if there is no row with these names."""
        for row in self.rows:
            if (row.data_set, row.clustering) == (data_set, clustering):
                return row
        raise KeyError((data_set, clustering))


def run(seed: int = 0) -> SkewStudy:
    """Draw the data sets, cluster them and score every clustering with `INDICES`.

    Raises:
        InputError: the seed is not in 0 .. `LAST_SEED`, or scikit-learn is not installed.
    """
    if not 0 <= seed <= LAST_SEED:
        raise InputError([Problem("out-of-range", "seed", str(seed), f"0 to {LAST_SEED:,}")])
    require_package("scikit-learn", "skew study")
    drawn = data_sets(seed)
    rows = tuple(row for data in track_progress(drawn, lambda data: data.title) for row in _rows(data, seed))
    return SkewStudy(seed, {data.key: data.title for data in drawn}, rows)


def _rows(data: DataSet, seed: int) -> list[SkewRow]:
    gold, vectors = _gold(data), Vectors.of(data.points)
    rows = []
    for name, labels in clusterings(data, seed).items():
        found = score(gold, _clustering(labels), INDICES, [1], POLICIES, vectors=vectors)
        rows.append(
            SkewRow(
                data_set=data.key,
                sizes=data.sizes,
                noise=int((data.classes == NOISE).sum()),
                clustering=name,
                clusters=len(np.unique(labels)),
                values={answer.measure: answer.value for answer in found.scores},
                undefined={answer.measure: answer.undefined for answer in found.scores if answer.undefined},
            )
        )
    return rows


def _gold(data: DataSet) -> GoldStandard:
    inside = np.flatnonzero(data.classes != NOISE)
    incidence = sp.csr_array(
        (np.ones(inside.size, dtype=np.int32), (data.classes[inside], inside)),
        shape=(len(data.sizes), data.classes.size),
    )
    roots: Sequence[int] = [-1] * len(data.sizes)
    return GoldStandard.from_hierarchy(
        Hierarchy.build(incidence, roots, outliers=np.flatnonzero(data.classes == NOISE))
    )


def _clustering(labels: IntArray) -> Clustering:
    members = ((str(label), np.flatnonzero(labels == label)) for label in np.unique(labels))
    return Clustering("", tuple(Cluster(name, tuple(map(str, pages.tolist()))) for name, pages in members))
