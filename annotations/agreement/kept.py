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
Places: TypeAlias = NDArray[np.integer[Any]]
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
SIDE, PLACE = np.dtype("<i8"), np.dtype("<i4")
"""Of numbers of drafts and revisions, and of places among a query's drafts and among its reasons."""


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
        sides: number and revision of each draft that was compared.
        pairs: a row for each pair, the first and the second as places in ``sides``.
        values: a row for each pair, a column for each of `FIGURES`; not a number where it is undefined.
        undefined: why, for each of those, row by row, as places in ``reasons``.
    """

    sides: Numbers
    pairs: Places
    values: Values
    undefined: Places
    reasons: Sequence[str]

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def keys(self) -> list[PairKey]:
        """Which pairs they are."""
        (first, first_revision), (second, second_revision) = (self.sides[self.pairs[:, n]].T.tolist() for n in (0, 1))
        return list(map(PairKey, first, second, first_revision, second_revision))

    @property
    def drafts(self) -> Numbers:
        """The same without the revisions, a row for each pair."""
        drafts: Numbers = self.sides[self.pairs, 0]
        return drafts

    @property
    def why(self) -> Numbers:
        """As ``values``, the place of the reason; -1 where the value is defined."""
        why = np.full(self.values.shape, -1, dtype=np.int64)
        why[np.isnan(self.values)] = self.undefined
        return why

    def only(self, chosen: NDArray[np.bool_]) -> KeptPairs:
        pairs, _ = np.nonzero(np.isnan(self.values))
        undefined = self.undefined[chosen[pairs]]
        return KeptPairs(self.sides, self.pairs[chosen], self.values[chosen], undefined, self.reasons)

    def to_bytes(self) -> tuple[bytes, bytes]:
        """Numbers and values; the reasons are apart."""
        used, places = np.unique(self.sides[self.pairs.ravel()], axis=0, return_inverse=True)
        sides = [len(used), *used.ravel().tolist()]
        numbers = np.array(sides, SIDE), places.ravel().astype(PLACE), self.undefined.astype(PLACE)
        return b"".join(part.tobytes() for part in numbers), self.values.astype("<f8").tobytes()


def from_bytes(numbers: bytes | memoryview, values: bytes | memoryview, reasons: Sequence[str]) -> KeptPairs:
    """What `KeptPairs.to_bytes` made.

    Raises:
        ValueError: it made something else, as in a database from before the first release.
    """
    measured = np.frombuffer(values, dtype="<f8").reshape(-1, len(FIGURES))
    n_sides, n_pairs = int.from_bytes(numbers[: SIDE.itemsize], "little"), len(measured)
    sides = np.frombuffer(numbers, SIDE, count=1 + 2 * n_sides)
    places = np.frombuffer(numbers, PLACE, offset=sides.nbytes)
    pairs, undefined = places[: 2 * n_pairs].reshape(-1, 2), places[2 * n_pairs :]
    if len(undefined) != np.count_nonzero(np.isnan(measured)):
        raise ValueError("these are no figures of pairs of drafts: each undefined one has its reason")
    return KeptPairs(sides[1:].reshape(-1, 2), pairs, measured, undefined, reasons)


def of_figures(pairs: Mapping[PairKey, Figures]) -> KeptPairs:
    """Pairs that were just compared."""
    reasons: dict[str, int] = {}
    sides = [[(key.first, key.first_revision), (key.second, key.second_revision)] for key in pairs]
    found = [figures[key] for figures in pairs.values() for key in FIGURES]
    values = np.array([figure.get("value", np.nan) for figure in found], dtype=np.float64)
    undefined = [reasons.setdefault(figure["undefined"], len(reasons)) for figure in found if "value" not in figure]
    return KeptPairs(
        np.array(sides, dtype=np.int64).reshape(-1, 2),
        np.arange(2 * len(pairs)).reshape(-1, 2),
        values.reshape(-1, len(FIGURES)),
        np.array(undefined, dtype=np.int64),
        list(reasons),
    )


def joined(parts: Sequence[KeptPairs]) -> KeptPairs:
    """All of them, one after the other."""
    if not parts:
        return of_figures({})
    reasons: dict[str, int] = {}
    pairs, undefined, n_sides = [], [], 0
    for part in parts:
        places = np.array([reasons.setdefault(words, len(reasons)) for words in part.reasons], dtype=np.int64)
        undefined.append(places[part.undefined])
        pairs.append(part.pairs + np.int64(n_sides))
        n_sides += len(part.sides)
    sides, values = np.concatenate([part.sides for part in parts]), np.concatenate([part.values for part in parts])
    return KeptPairs(sides, np.concatenate(pairs), values, np.concatenate(undefined), list(reasons))
