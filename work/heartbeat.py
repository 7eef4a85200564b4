"""A heartbeat that keeps the lease of a piece of work while its process computes, however long that takes."""

from __future__ import annotations

import logging
from threading import Event, Thread
from types import TracebackType

from django.conf import settings
from django.db import Error, connection

from work.lease import Lease, LeaseLost

log = logging.getLogger(__name__)


class Heartbeat:
    """A context manager whose thread extends the lease. It has its own database connection.

    It extends the lease after every third of the lease's duration. ``is_lost`` becomes true once the process no longer
    holds the work because it was cancelled, swept or taken over. The holder sees this at its next checkpoint. If the
    database does not respond, the thread tries again: nobody else can take the work either.
    """

    def __init__(self, lease: Lease) -> None:
        self.is_lost = False
        self._lease = lease
        self._end = Event()
        self._thread = Thread(target=self._beat, name=f"heartbeat of {lease}", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._end.wait(settings.JOB_LEASE_SECONDS / 3):
                try:
                    self._lease.extend()
                except LeaseLost:
                    self.is_lost = True
                    return
                except Error:  # or the connection is already closed
                    log.warning("%s: no heartbeat because the database did not respond", self._lease, exc_info=True)
                    connection.close()
        finally:
            connection.close()
