"""Sorting of integer keys into runs of equal keys, to count memberships without a dense table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qc4.arrays import IntArray

CELLS_PER_KEY = 16
"""A table of up to this number of cells per key is faster than sorting."""


def sort_keys(keys: IntArray, bound: int) -> tuple[IntArray, IntArray]:
    """Return non-negative ``keys`` smaller than ``bound`` in order, and the permutation that sorts them stably.

    Key and position are packed into one 64-bit number if they fit, because sorting plain numbers is several times
    faster than sorting an index.
    """
    width = max(int(keys.size).bit_length(), 1)
    if int(bound).bit_length() + width > 62:
        order = np.argsort(keys, kind="stable")
        return keys[order], order
    packed = (keys << width) | np.arange(keys.size, dtype=np.int64)
    packed.sort()
    return packed >> width, packed & ((1 << width) - 1)


class Grouped(NamedTuple):
    """Equal keys as groups.

    Attributes:
        keys: (groups,) the different keys in order.
        group: (keys,) the group of each key.
        sizes: (groups,) the number of keys in each group.
    """

    keys: IntArray
    group: IntArray
    sizes: IntArray


def grouped(keys: IntArray, bound: int) -> Grouped:
    """Group non-negative ``keys`` smaller than ``bound``, with a table of counts if it is small, else by sorting."""
    if bound <= CELLS_PER_KEY * keys.size:
        counts = np.bincount(keys, minlength=bound)
        different = np.flatnonzero(counts > 0)  # on booleans this is three times as fast
        sizes = counts[different]
        counts[different] = np.arange(different.size)  # reused for the groups, to stay in the CPU cache
        return Grouped(different, counts[keys], sizes)
    ordered, order = sort_keys(keys, bound)
    starts = starts_of(ordered)
    group = np.empty(keys.size, dtype=np.int64)
    group[order] = run_numbers(starts, keys.size)
    return Grouped(ordered[starts], group, run_lengths(starts, keys.size))


def run_starts(changes: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> IntArray:
    """Return where runs start, given for each element except the first whether it differs from the previous one."""
    begins = np.empty(changes.size + 1, dtype=bool)
    begins[0] = True
    begins[1:] = changes
    return np.flatnonzero(begins)


def starts_of(keys: IntArray) -> IntArray:
    """Return where the runs of equal keys of a sorted array start; empty if there are no keys."""
    return run_starts(keys[1:] != keys[:-1]) if keys.size else keys


def run_numbers(starts: IntArray, size: int) -> IntArray:
    """Return the number of the run of each of ``size`` elements."""
    numbers = np.zeros(size, dtype=np.int64)
    numbers[starts[1:]] = 1
    return np.cumsum(numbers, out=numbers)


def run_lengths(starts: IntArray, size: int) -> IntArray:
    lengths = np.empty_like(starts)
    np.subtract(starts[1:], starts[:-1], out=lengths[:-1])
    lengths[-1:] = size - starts[-1:]
    return lengths


def running_count(flags: npt.NDArray[np.bool_]) -> IntArray:
    """Return the number of set flags up to and including each. Without the dtype numpy is four times slower."""
    return np.cumsum(flags, dtype=np.int64)


def ranges(starts: IntArray, lengths: IntArray) -> IntArray:
    """Return the concatenation of ``arange(start, start + length)`` for all pairs."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if ends.size else 0
    return np.repeat(starts - ends + lengths, lengths) + np.arange(total, dtype=np.int64)
