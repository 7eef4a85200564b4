"""What gunicorn runs in each of its processes."""

from __future__ import annotations

import os
import resource
import tempfile
import time

from django.conf import settings
from gunicorn.workers.base import Worker

from qc4site.serving import patience
from qc4site.serving.server import Server

BEAT_SECONDS = 0.5


class Buffering(Worker):
    """A process that gathers requests and answers in its main loop; threads see only whole requests."""

    def run(self) -> None:
        # Bodies and answers that are too large for memory; the files have no names, so nothing can be left of them.
        tempfile.tempdir = str(settings.FILE_UPLOAD_TEMP_DIR)
        _allow_files(4 * patience.CONNECTIONS)
        servers = [Server(self.wsgi, listening.sock, self.cfg.threads) for listening in self.sockets]
        while self.alive and os.getppid() == self.ppid:
            self._beat(servers)
        for server in servers:
            server.stop_accepting()
        until = time.monotonic() + self.cfg.graceful_timeout
        while any(server.is_busy for server in servers) and time.monotonic() < until:
            self._beat(servers)

    def _beat(self, servers: list[Server]) -> None:
        self.notify()
        for server in servers:
            server.poll(BEAT_SECONDS / len(servers))


def _allow_files(wanted: int) -> None:
    """Every connection is one, and may have another for its body or answer; systems allow 1,024 unasked."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
