"""The figures of many pairs of drafts as arrays: what is kept of a query, and read of all queries at once.

A team of ten that has finished 500 queries has 22,500 pairs. As bytes they are read in a moment; as JSON they were not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Values: TypeAlias = NDArray[np.float64]
Figures: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Figure -> {"value": a number} or {"undefined": why there is none}."""

FIGURES = (
    "outlier_kappa",
    "outlier_ac1",
    "qc4_first",
    "qc4_second",
    "bcubed_precision",
    "bcubed_recall",
    "bcubed_f",
)
"""What is kept of a pair, in the order it is kept in."""
KEY, WHY = np.dtype("<i8"), np.dtype("<i4")
"""Of numbers of drafts and revisions, and of places among the reasons of one query."""


class PairKey(NamedTuple):
    """Two drafts as they were when they were compared, by number and revision."""

    first: int
    second: int
    first_revision: int
    second_revision: int


@dataclass(frozen=True, slots=True)
class KeptPairs:
    """Pairs and their figures.

    Attributes:
        keys: a row for each pair, as `PairKey` has it.
        values: a row for each pair, a column for each of `FIGURES`; not a number where it is undefined.
        why: the same of reasons, as places in ``reasons``; -1 where the value is defined.
    """

    keys: Numbers
    values: Values
    why: Numbers
    reasons: Sequence[str]

    def __len__(self) -> int:
        return len(self.keys)

    def only(self, chosen: NDArray[np.bool_]) -> KeptPairs:
        return KeptPairs(self.keys[chosen], self.values[chosen], self.why[chosen], self.reasons)

    def to_bytes(self) -> tuple[bytes, bytes]:
        """Numbers and values; the reasons are apart."""
        return self.keys.astype(KEY).tobytes() + self.why.astype(WHY).tobytes(), self.values.astype("<f8").tobytes()


def from_bytes(numbers: bytes | memoryview, values: bytes | memoryview, reasons: Sequence[str]) -> KeptPairs:
    """What `KeptPairs.to_bytes` made."""
    measured = np.frombuffer(values, dtype="<f8").reshape(-1, len(FIGURES))
    columns, pairs = len(PairKey._fields), len(measured)
    keys = np.frombuffer(numbers, KEY, count=pairs * columns).reshape(pairs, columns)
    why = np.frombuffer(numbers, WHY, offset=keys.nbytes).reshape(pairs, len(FIGURES))
    return KeptPairs(keys, measured, why.astype(np.int64), reasons)


def of_figures(pairs: Mapping[PairKey, Figures]) -> KeptPairs:
    """Pairs that were just compared."""
    reasons: dict[str, int] = {}
    keys = np.array(list(pairs), dtype=np.int64).reshape(-1, len(PairKey._fields))
    values, why = np.full((len(pairs), len(FIGURES)), np.nan), np.full((len(pairs), len(FIGURES)), -1, dtype=np.int64)
    for row, figures in enumerate(pairs.values()):
        for column, key in enumerate(FIGURES):
            if "value" in figures[key]:
                values[row, column] = figures[key]["value"]
            else:
                why[row, column] = reasons.setdefault(figures[key]["undefined"], len(reasons))
    return KeptPairs(keys, values, why, list(reasons))


def joined(parts: Sequence[KeptPairs]) -> KeptPairs:
    """All of them, one after the other."""
    if not parts:
        return of_figures({})
    reasons: dict[str, int] = {}
    whys = []
    for part in parts:
        # -1 stays what it is: it is the last place.
        places = np.array([*(reasons.setdefault(words, len(reasons)) for words in part.reasons), -1], dtype=np.int64)
        whys.append(places[part.why])
    keys, values = np.concatenate([part.keys for part in parts]), np.concatenate([part.values for part in parts])
    return KeptPairs(keys, values, np.concatenate(whys), list(reasons))
