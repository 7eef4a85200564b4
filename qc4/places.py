"""Where ids stand in a list, told of many at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import repeat
from operator import ne

import numpy as np

from qc4.arrays import BoolArray, IntArray
from qc4.text import are_ascii, comparison_key

MANY = 10_000
"""From so many ids on, sorted hashes tell places faster than a dictionary, which no cache holds."""
_AT_A_TIME = 4_096
"""Ids that a cache holds."""
_PLACE_BITS = 24
"""Up to so many bits tell a place; the others of 64 are those of the hash."""


class Places:
    """The ids of a list, and where each stands: the last place of one that is there twice.

    >>> Places(["a", "b"]).of(["b", "x", "a"])
    array([ 1, -1,  0])
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids

    @property
    def all_differ(self) -> bool:
        """True if no id is there twice, in whichever Unicode form."""
        if not are_ascii(self.ids):
            return len(set(map(comparison_key, self.ids))) == len(self.ids)
        if not _are_many(self.ids):
            return len(set(self.ids)) == len(self.ids)
        return len(self._index_of_alike) == int(self._are_alike.sum())

    def of(self, ids: Sequence[str]) -> IntArray:
        """(ids,) the place of each; -1 for what is not in the list."""
        if not (_are_many(self.ids) and _are_many(ids)):
            return np.fromiter(map(self._index.get, ids, repeat(-1)), np.int64, len(ids))
        hashes, order = self._hashed
        wanted, asked = _hashed(ids)
        near = np.searchsorted(hashes, wanted).clip(max=hashes.size - 1)
        found, alike = np.empty(asked.size, dtype=np.int64), np.empty(asked.size, dtype=bool)
        found[asked], alike[asked] = order[near], self._are_alike[near]
        for place in np.flatnonzero(alike).tolist():
            found[place] = self._index_of_alike.get(ids[place], -1)
        self._forget_others(found, ids)
        return found

    def _forget_others(self, found: IntArray, ids: Sequence[str]) -> None:
        """Set to -1 the places of ids that are not in the list, whatever their hashes say.

        In the order of the list: ids lie in memory as they were read, and mostly those of a group do so in that order,
        too, so that a cache holds what comes next.
        """
        known = self.ids
        packed = _packed(found)
        packed.sort()
        for start in range(0, len(ids), _AT_A_TIME):
            places, asked = _unpacked(packed[start : start + _AT_A_TIME])
            there = [known[place] for place in places.tolist()]
            wanted = [ids[number] for number in asked.tolist()]
            if there != wanted:
                found[asked[np.fromiter(map(ne, there, wanted), bool, asked.size)]] = -1

    @cached_property
    def _index(self) -> dict[str, int]:
        return {id: place for place, id in enumerate(self.ids)}

    @cached_property
    def _hashed(self) -> tuple[IntArray, IntArray]:
        return _hashed(self.ids)

    @cached_property
    def _are_alike(self) -> BoolArray:
        """(ids,) in the order of the hashes, whether others have the same."""
        hashes, _ = self._hashed
        same = np.concatenate([[False], hashes[1:] == hashes[:-1], [False]])
        alike: BoolArray = np.logical_or(same[1:], same[:-1])
        return alike

    @cached_property
    def _index_of_alike(self) -> dict[str, int]:
        """The ids that have not a hash of their own, and their places: seldom any but those that are there twice."""
        alike = self._hashed[1][self._are_alike]
        return {self.ids[place]: place for place in np.sort(alike).tolist()}


def all_differ(ids: Sequence[str]) -> bool:
    """Return whether no id is there twice, in whichever Unicode form."""
    return Places(ids).all_differ


def _are_many(ids: Sequence[str]) -> bool:
    return MANY <= len(ids) <= 1 << _PLACE_BITS


def _hashed(ids: Sequence[str]) -> tuple[IntArray, IntArray]:
    """(ids,) the upper bits of all hashes, in order, and (ids,) whose each is: both by one sort of plain numbers."""
    packed = _packed(np.fromiter(map(hash, ids), np.int64, len(ids)) >> _PLACE_BITS)
    packed.sort()
    return _unpacked(packed)


def _packed(numbers: IntArray) -> IntArray:
    """(numbers,) each with its place in its lower bits: sorted, they stay together."""
    return numbers << _PLACE_BITS | np.arange(numbers.size, dtype=np.int64)


def _unpacked(packed: IntArray) -> tuple[IntArray, IntArray]:
    """(numbers,) what was packed, and (numbers,) the place of each."""
    return packed >> _PLACE_BITS, packed & ((1 << _PLACE_BITS) - 1)
