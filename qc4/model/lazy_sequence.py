"""Tuples whose items are made when somebody asks for them, as there may be millions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

Item = TypeVar("Item")


class OnDemand(Sequence[Item]):
    """What is equal to the tuple of its items, hashed like it and shown like it."""

    @abstractmethod
    def made(self, place: int) -> Item:
        """The item at a place from 0 on."""

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        places = range(len(self))[index]
        return self.made(places) if isinstance(places, int) else tuple(map(self.made, places))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, tuple | OnDemand) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
