"""CMM, the Cluster Mapping Measure for clusterings of evolving data streams.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.records import Record, to_plain
from qc4.streams.classes import Classes, merged_classes, original_classes
from qc4.streams.faults import KINDS, MISPLACED, MISSED, NOISE, Faults, find_faults
from qc4.streams.inputs import (
    Cluster,
    Points,
    check_options,
    check_size,
    checked_classes,
    checked_clusters,
    checked_points,
    checked_weights,
)

# --- Results of CMM: its value, its components, and the fault of every point ---

FaultKind = Literal["missed", "misplaced", "noise"]
PARTS = ("cmm", "missed", "misplaced", "noise", "basic", "separability", "redundancy")
"""The numbers of a result, in display order."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The worst fault of a point.

    Attributes:
        point: the index of the point.
        type: ``missed``: in no cluster; ``misplaced``: in a cluster mapped to another class; ``noise``: noise in a
            cluster.
        cluster: the cluster of the fault; None if it was missed.
        penalty: 0 to 1, before weighting.
        reason: the fault in words.
    """

    point: int
    type: FaultKind
    cluster: int | None
    penalty: float
    reason: str


@dataclass(frozen=True, eq=False)
class CMMResult(Record):
    """CMM and its components, all from 0 to 1.

    Attributes:
        cmm: 1 if there is no fault.
        missed, misplaced, noise: CMM with the faults of one type only; their differences from 1 sum to 1 - cmm.
        basic: CMM without merging, model errors and the discount for near misses.
        separability: the number of classes after merging divided by the number before.
        redundancy: the fraction of points inside two or more balls of the original classes.
        worst: the worst fault of every point, as arrays.
    """

    KEYS = f"{' '.join(PARTS)} classes mapping by_model=worst.by_model"

    cmm: float
    missed: float
    misplaced: float
    noise: float
    basic: float
    separability: float
    redundancy: float
    worst: Faults = field(repr=False)

    @property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The classes after merging, each as the labels that it consists of."""
        return self.worst.classes.members

    @property
    def mapping(self) -> tuple[int | None, ...]:
        """For each cluster, the position in `classes` of the class it is mapped to; None if it contains no class
        point."""
        return tuple(None if target < 0 else target for target in self.worst.mapping.tolist())

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All faults, by point."""
        return tuple(self._fault(point) for point in np.flatnonzero(self.worst.kind).tolist())

    def to_dict(self, faults: bool = True) -> dict[str, Any]:
        """Return JSON values, optionally without the list of faults, which may be long."""
        values = super().to_dict()
        return values | {"faults": to_plain(self.faults)} if faults else values

    def _fault(self, point: int) -> Fault:
        kind = int(self.worst.kind[point])
        cluster = int(self.worst.cluster[point])
        return Fault(
            point,
            KINDS[kind],  # type: ignore[arg-type]  # 0, the only other one, is no fault
            None if kind == MISSED else cluster,
            float(self.worst.penalty[point]),
            self._reason(point, kind, cluster),
        )

    def _reason(self, point: int, kind: int, cluster: int) -> str:
        own = int(self.worst.classes.class_of[point])
        if kind == MISSED:
            stands = "a cluster stands" if own in self.mapping else "no cluster stands"
            return f"in no cluster; {stands} for its {self._name(own)}"
        target = self.mapping[cluster]
        stands = "no class" if target is None else self._name(target)
        who = "noise" if own < 0 else f"a point of {self._name(own)}"
        return f"{who} in cluster {cluster}, which stands for {stands}"

    def _name(self, number: int) -> str:
        labels = self.classes[number]
        return f"class {labels[0]}" if len(labels) == 1 else f"merged classes {', '.join(map(str, labels))}"


Denominator = Literal["all", "fault"]


@dataclass(frozen=True, eq=False)
class GroundTruth:
    """Points and their classes, prepared for measuring many clusterings.

    Attributes:
        points: (points, dimensions).
        weights: (points,) the weight of each point.
        k: the number of neighbours used for connectivity.
        tau: classes with a higher connectivity are merged.
        classes: the classes as labelled.
    """

    points: FloatArray
    weights: FloatArray
    k: int
    tau: float
    classes: Classes

    @classmethod
    def prepare(
        cls,
        points: Points,
        classes: Sequence[int] | IntArray,
        weights: Sequence[float] | FloatArray | None = None,
        k: int = 2,
        tau: float = 0.5,
    ) -> GroundTruth:
        """Check the input and compute what does not depend on a clustering. Arguments and errors are those of `cmm`."""
        check_options(k, tau, "all")
        vectors = checked_points(points)
        labels = checked_classes(classes, len(vectors))
        n, dimensions = vectors.shape
        check_size(n, dimensions, np.unique(labels[labels >= 0]).size)
        return cls(vectors, checked_weights(weights, len(vectors)), k, tau, original_classes(vectors, labels, k))

    @cached_property
    def merged(self) -> Classes:
        """The classes after merging (section 5.3)."""
        return merged_classes(self.points, self.classes, self.k, self.tau)

    @property
    def separability(self) -> float:
        """The number of classes after merging divided by the number before, 0 to 1; 1 if there are no classes."""
        return len(self.merged.members) / len(self.classes.members) if self.classes.members else 1.0

    @property
    def redundancy(self) -> float:
        """The fraction of points that are in two or more balls of the original classes."""
        return float((self.classes.inside.sum(axis=1) > 1).mean())

    def measure(
        self,
        clusters: Iterable[Cluster],
        merge: bool = True,
        model_errors: bool = True,
        refine_missed: bool = True,
        denominator: Denominator = "all",
    ) -> CMMResult:
        """Return CMM of one clustering. Arguments and errors are those of `cmm`."""
        check_options(self.k, self.tau, denominator)
        found = checked_clusters(clusters, self.points)
        classes = self.merged if merge else self.classes
        faults = find_faults(self.points, classes, found, model_errors, refine_missed)
        basic = find_faults(self.points, self.classes, found, model_errors=False, refine_missed=False)
        return CMMResult(
            cmm=self._value(faults, (MISSED, MISPLACED, NOISE), denominator),
            missed=self._value(faults, (MISSED,), denominator),
            misplaced=self._value(faults, (MISPLACED,), denominator),
            noise=self._value(faults, (NOISE,), denominator),
            basic=self._value(basic, (MISSED, MISPLACED, NOISE), denominator),
            separability=self.separability,
            redundancy=self.redundancy,
            worst=faults,
        )

    def _value(self, faults: Faults, kinds: tuple[int, ...], denominator: Denominator) -> float:
        """Return 1 - penalties of faults of these kinds / connectivities of all points (or of all faults)."""
        counted = self.weights * np.isin(faults.kind, kinds)
        lost = float(counted @ faults.penalty)
        if lost == 0:
            return 1.0
        base = self.weights if denominator == "all" else self.weights * (faults.kind > 0)
        return max(0.0, 1.0 - lost / float(base @ faults.classes.own))


def cmm(
    points: Points,
    classes: Sequence[int] | IntArray,
    clusters: Iterable[Cluster],
    weights: Sequence[float] | FloatArray | None = None,
    k: int = 2,
    tau: float = 0.5,
    merge: bool = True,
    model_errors: bool = True,
    refine_missed: bool = True,
    denominator: Denominator = "all",
) -> CMMResult:
    """Measure how well clusters represent the classes of a stream's recent points: 1 for no fault, 0 for the worst.

    Args:
        points: (points, dimensions).
        classes: (points,) the class of each point, a whole number; -1 for noise.
        clusters: each a list of point indices, or (centre, radius). They may overlap, and points may be in no cluster.
        weights: (points,) the weight of each point, 0 or more (see `qc4.streams.stream`); all 1 by default.
        k: the number of neighbours used for connectivity.
        tau: classes with a higher connectivity are merged.
        merge: False to keep the original classes (section 5.3).
        model_errors: True to ignore faults that the classes' own balls make too (section 5.2).
        refine_missed: True to reduce the penalty of missed points near a cluster of their class (section 5.2).
        denominator: penalties are divided by the connectivities of ``all`` points, or only of points with a ``fault``,
            as printed in the paper; a single missed point then gives 0.

    Raises:
        InputError: wrong rows, clusters or options (the error reports all), or too much work for a time step.

    >>> result = cmm([[0, 0], [0, 1], [5, 5], [5, 6]], [0, 0, 1, 1], [[0, 1], [2]])
    >>> result.faults[0].reason
    'in no cluster; a cluster stands for its class 1'
    """
    truth = GroundTruth.prepare(points, classes, weights, k, tau)
    return truth.measure(clusters, merge, model_errors, refine_missed, denominator)
