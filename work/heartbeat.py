"""Says "still working" for a piece of work while its process computes, whatever the computation takes."""

from __future__ import annotations

import logging
from threading import Event, Thread
from types import TracebackType

from django.conf import settings
from django.db import Error, connection

from work.lease import Lease, LeaseLost

log = logging.getLogger(__name__)


class Heartbeat:
    """A context manager whose thread extends the lease every third of it, on a connection of its own.

    ``lost`` becomes true once the work is somebody else's (cancelled, swept, taken over); the holder sees it at
    its next checkpoint. A database that does not answer is tried again: nobody else can take the work there either.
    """

    def __init__(self, lease: Lease) -> None:
        self.lost = False
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
                    self.lost = True
                    return
                except Error:  # also a connection that is closed already
                    log.warning("%s: no heartbeat, the database did not answer", self._lease, exc_info=True)
                    connection.close()
        finally:
            connection.close()
