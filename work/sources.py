"""Where work comes from: the setting ``WORK_SOURCES`` names the sources in the order of their turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import ClassVar, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from work.models import Leased

INTERACTIVE, BULK = QUEUES = ("interactive", "bulk")
"""What somebody waits for, and everything else."""


class Task(Protocol):
    """A piece of work that this process has claimed."""

    def run(self) -> bool:
        """Do it. How it went is written to its row.

        Returns:
            False if the worker should pause before it looks for more, for example because the disk is full.

        Raises:
            MemoryError: it failed for want of memory. Another process should do the next one.
        """
        ...


class Source:
    """A kind of work. Each feature has a subclass, and an instance of it that ``WORK_SOURCES`` names.

    Attributes:
        model: the table whose rows workers hold; None if they hold none.
        has_own: True if every worker has a process beside the others that does nothing else.
        is_brief: True if a piece of it is over so soon that the process kept for interactive work may take it.
    """

    model: ClassVar[type[Leased] | None] = None
    has_own: ClassVar[bool] = False
    is_brief: ClassVar[bool] = False

    def claim(self, worker: str, queue: str) -> Task | None:
        """Take the next piece of work of a queue; None if there is none. Idle workers ask twice a second."""
        raise NotImplementedError

    def load(self) -> None:
        """Import what its work needs. A worker does so once, before it forks its processes."""

    def sweep(self) -> Counter[str]:
        """Move on what nobody else would, and count what was done. Several processes may sweep at once."""
        return Counter()

    def tidy(self) -> int:
        """Delete what nothing needs any more, and count it. Each process that sweeps calls this once an hour."""
        return 0


def in_order(queues: Collection[str], *, is_kept: bool = False) -> Iterator[tuple[Source, str]]:
    """Sources with the queues that a process takes from them, in the order in which it asks them.

    Args:
        queues: those that the worker serves.
        is_kept: True for the process that is kept for the first kind of work.
    """
    for number, (path, queue) in enumerate(settings.WORK_SOURCES):
        source: Source = import_string(path)
        if queue in queues and (not is_kept or number == 0 or source.is_brief):
            yield source, queue


def in_own_process(queues: Collection[str]) -> dict[str, list[tuple[Source, str]]]:
    """Name -> sources that have a process of their own, with the queues that it takes from them."""
    found: dict[str, list[tuple[Source, str]]] = {}
    for path, queue in settings.WORK_SOURCES:
        source: Source = import_string(path)
        if source.has_own and queue in queues:
            found.setdefault(type(source).__name__.lower(), []).append((source, queue))
    return found


def every_source() -> list[Source]:
    """Each source once."""
    return [import_string(path) for path in dict.fromkeys(path for path, _ in settings.WORK_SOURCES)]


def models() -> list[type[Leased]]:
    """The tables whose rows workers hold."""
    return [source.model for source in every_source() if source.model is not None]
