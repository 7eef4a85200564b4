"""What CMM says about a clustering: its value, its parts, and every point's fault."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from qc4.records import Record, plain
from qc4.streams.faults import KINDS, MISSED, Faults

FaultKind = Literal["missed", "misplaced", "noise"]
PARTS = ("cmm", "missed", "misplaced", "noise", "basic", "separability", "redundancy")
"""The numbers of a result, in the order they are shown."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A point's worst fault.

    Attributes:
        point: its index.
        type: ``missed``: in no cluster; ``misplaced``: in a cluster that stands for another class; ``noise``: noise in
            a cluster.
        cluster: the cluster of the fault; None if it was missed.
        penalty: 0 to 1, before weighting.
        reason: in words.
    """

    point: int
    type: FaultKind
    cluster: int | None
    penalty: float
    reason: str


@dataclass(frozen=True, eq=False)
class CMMResult(Record):
    """CMM and its parts, all 0 to 1.

    Attributes:
        cmm: 1 if there is no fault.
        missed, misplaced, noise: with the faults of one type only; what they lack to 1 adds up to 1 - cmm.
        basic: without merging, model errors and the discount for near misses.
        separability: classes after merging over classes before.
        redundancy: share of points inside two or more balls of the classes as labelled.
        worst: every point's worst fault, as arrays.
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
        """The classes after merging, each by the labels it is made of."""
        return self.worst.classes.members

    @property
    def mapping(self) -> tuple[int | None, ...]:
        """Per cluster, the position in `classes` of the class it stands for; None if it holds no class point."""
        return tuple(None if target < 0 else target for target in self.worst.mapping.tolist())

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault, by point."""
        return tuple(self._fault(point) for point in np.flatnonzero(self.worst.kind).tolist())

    def to_dict(self, faults: bool = True) -> dict[str, Any]:
        """Plain JSON; without the list of faults if there may be too many."""
        values = super().to_dict()
        return values | {"faults": plain(self.faults)} if faults else values

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
