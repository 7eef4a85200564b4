"""What the two stores of counts, `accounts.tallies` and `accounts.host_counts`, have in common."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Count:
    """How many events there were in a window, which begins with the first of them."""

    number: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Place:
    """A place that an event has taken.

    Attributes:
        number: how many places were taken with this one.
        since: when the window began.
        within: how long it is.
        on_host: True if it was counted by `accounts.host_counts`.
    """

    kind: str
    key: str
    number: int
    since: datetime
    within: timedelta
    on_host: bool = False


class Store(Protocol):
    """Where events are counted. Both modules are such stores."""

    def take(self, kind: str, key: str, within: timedelta, limit: int) -> Place | None: ...
    def give_back(self, place: Place) -> None: ...
    def so_far(self, kind: str, key: str, within: timedelta) -> Count: ...
    def forget(self, kind: str, key: str) -> None: ...
