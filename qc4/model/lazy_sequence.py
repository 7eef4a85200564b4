"""Sequences that create their items on access, for millions of items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

Item = TypeVar("Item")


class LazySequence(Sequence[Item]):
    """A lazy sequence that compares, hashes and prints like a tuple."""

    @abstractmethod
    def made(self, place: int) -> Item:
        """Return the item at a position, counted from 0."""

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        places = range(len(self))[index]
        return self.made(places) if isinstance(places, int) else tuple(map(self.made, places))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, tuple | LazySequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
