"""A limit on the slow requests that a web process handles at a time.

A web process has few threads. Slow requests (reading a large file, an explanation, a comparison, asking another host)
hold at most half of them, so the other half still serves plain pages. A person holds one place at a time. A request
never waits for a place: if none is free it gets 503, with the time to retry (`qc4site.errors.api.unavailable`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local

from django.conf import settings

from common.caller import caller, caller_address


class CrowdedError(Exception):
    """There is no place for this work now.

    Attributes:
        own: True if the caller's other work is in the way, False if other people's is.
    """

    def __init__(self, what: str, *, own: bool = False) -> None:
        super().__init__(f"no place for {what}: {'the same person has one' if own else 'all are taken'}")
        self.own = own


class Capacity:
    """The places of one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken: Counter[str] = Counter()
        self._by_kind: Counter[str] = Counter()
        self._thread = local()

    @contextmanager
    def place(
        self, kind: str, *, when: bool = True, at_once: int | None = None, one_each: bool = True
    ) -> Iterator[None]:
        """Hold a place while the body runs. A thread that holds one already needs no other.

        Args:
            kind: what the work is called in the log.
            when: False for work that turns out to be quick: it takes no place.
            at_once: how much work of this kind may run at once, where that is less than half of the threads.
            one_each: False for short work, of which one person may do several things at once.

        Raises:
            CrowdedError: there is no place.
        """
        if not when:
            yield
            return
        holder = "" if getattr(self._thread, "holds", False) else self._enter(kind, one_each=one_each)
        try:
            with self._of_kind(kind, at_once):
                yield
        finally:
            if holder:
                self._leave(holder)

    def _enter(self, kind: str, *, one_each: bool) -> str:
        """Take a place; returns who holds it."""
        most = settings.SLOW_WORK_AT_ONCE
        person, address = caller(), caller_address()
        if person and one_each:
            holder, share = f"person {person.pk}", 1
        elif person:  # short work is counted for itself: it keeps nobody from their one long work
            holder, share = f"person {person.pk}, short", most
        else:  # many people may share an address; commands and workers have none
            holder, share = f"address {address}", max(1, most // 2) if address else most
        with self._lock:
            own = self._taken[holder] >= share
            if own or self._taken.total() >= most:
                raise CrowdedError(kind, own=own)
            self._taken[holder] += 1
        self._thread.holds = True
        return holder

    def _leave(self, holder: str) -> None:
        self._thread.holds = False
        with self._lock:
            self._taken[holder] -= 1
            if not self._taken[holder]:
                del self._taken[holder]

    @contextmanager
    def _of_kind(self, kind: str, at_once: int | None) -> Iterator[None]:
        with self._lock:
            if at_once is not None and self._by_kind[kind] >= at_once:
                raise CrowdedError(kind)
            self._by_kind[kind] += 1
        try:
            yield
        finally:
            with self._lock:
                self._by_kind[kind] -= 1


slow_work = Capacity().place
