"""The sources of work. The setting ``WORK_SOURCES`` lists them in the order in which workers ask them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import ClassVar, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from work.models import Leased

INTERACTIVE, BULK = QUEUES = ("interactive", "bulk")
"""Work that somebody is waiting for, and all other work."""


class Task(Protocol):
    """A piece of work that this process has claimed."""

    def run(self) -> bool:
        """Do the work and write its outcome to its row.

        Returns:
            False if the worker should pause before it looks for more work, for example because the disk is full.

        Raises:
            MemoryError: the work ran out of memory. A new process should do the next piece of work.
        """
        ...


class Source:
    """A kind of work. Each feature defines a subclass, and ``WORK_SOURCES`` names an instance of it.

    Attributes:
        model: the table whose rows workers claim; None if they claim no rows.
        has_own_process: True if every worker has a separate process that does only this work.
        is_brief: True if a piece of this work is so short that the process reserved for interactive work may take it.
    """

    model: ClassVar[type[Leased] | None] = None
    has_own_process: ClassVar[bool] = False
    is_brief: ClassVar[bool] = False

    def claim(self, worker: str, queue: str) -> Task | None:
        """Claim the next piece of work of a queue. Return None if there is none. Idle workers ask twice a second."""
        raise NotImplementedError

    def load(self) -> None:
        """Import the modules that the work needs. A worker calls this once, before it forks its processes."""

    def sweep(self) -> Counter[str]:
        """Requeue or fail work that is stuck. Return how many of each. Several processes may sweep at once."""
        return Counter()

    def tidy(self) -> int:
        """Delete rows that nothing needs any more. Return how many. Each sweeping process calls this once an hour."""
        return 0


def sources_in_order(queues: Collection[str], *, is_reserved: bool = False) -> Iterator[tuple[Source, str]]:
    """Yield the sources and queues from which a process takes work, in the order in which it asks them.

    Args:
        queues: the queues that the worker serves.
        is_reserved: True for the process that is reserved for the first source.
    """
    for number, (path, queue) in enumerate(settings.WORK_SOURCES):
        source: Source = import_string(path)
        if queue in queues and (not is_reserved or number == 0 or source.is_brief):
            yield source, queue


def dedicated_sources(queues: Collection[str]) -> dict[str, list[tuple[Source, str]]]:
    """Return the sources that have a separate process: name of the process -> its sources and queues."""
    found: dict[str, list[tuple[Source, str]]] = {}
    for path, queue in settings.WORK_SOURCES:
        source: Source = import_string(path)
        if source.has_own_process and queue in queues:
            found.setdefault(type(source).__name__.lower(), []).append((source, queue))
    return found


def all_sources() -> list[Source]:
    """Return all sources, each once."""
    return [import_string(path) for path in dict.fromkeys(path for path, _ in settings.WORK_SOURCES)]


def leased_models() -> list[type[Leased]]:
    """Return the tables whose rows workers claim."""
    return [source.model for source in all_sources() if source.model is not None]
