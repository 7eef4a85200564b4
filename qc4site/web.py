"""The web server: waitress in one process, used as it comes (docs/decisions/serving.md).

``python -m qc4site.web`` starts it alone. `manage.py serve` forks a process for it, and another one when it dies."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable
from typing import Any

import django
import waitress
from django.db import connection

from common.body_sizes import LARGEST

log = logging.getLogger(__name__)

KIBIBYTE = 1024
CONNECTIONS = 300
"""Each one takes up to three open files, and most systems allow a process 1,024."""
OPTIONS: dict[str, Any] = {
    "ident": "qc4",
    # Django decides which proxies to trust (TRUSTED_PROXIES, HTTPS).
    "clear_untrusted_proxy_headers": False,
    "asyncore_use_poll": True,
    "connection_limit": CONNECTIONS,
    # A connection is closed when nothing was sent or received on it for this many seconds.
    "channel_timeout": 60,
    "cleanup_interval": 5,
    "max_request_header_size": 32 * KIBIBYTE,
    # Each address has its own, lower limit: qc4site/middleware/bodies.py.
    "max_request_body_size": LARGEST + 1,
    # Larger bodies and responses wait in temporary files.
    "inbuf_overflow": 256 * KIBIBYTE,
    "outbuf_overflow": 512 * KIBIBYTE,
    # A thread waits for a slow reader only if its response is larger than this.
    "outbuf_high_watermark": 64 * 1024 * KIBIBYTE,
    "recv_bytes": 64 * KIBIBYTE,
}


def make_server(application: Callable[..., Iterable[bytes]], listening: socket.socket, threads: int) -> Any:
    """Return a server that answers on a bound socket once its `run` is called."""
    return waitress.create_server(application, sockets=[listening], threads=threads, **OPTIONS)


def run_until_told(server: Any) -> None:
    """Answer requests until SIGTERM. A response that is being computed then has 5 seconds."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    server.run()
    server.close()


def make_ready() -> None:
    """Do what must be done before the first visitor.

    Load what every page needs and build what threads must not build at the same time. Then exempt all of it from
    garbage collection, which otherwise delayed every fifteenth leaderboard by 100 ms.
    """
    from django.urls import get_resolver

    from qc4site.api.root import schema

    get_resolver().url_patterns  # noqa: B018  # loads all views
    schema()
    gc.collect()
    gc.freeze()


def main() -> None:
    """Answer requests on HOST and PORT until SIGTERM."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qc4site.settings")
    django.setup()  # before the imports below, which need models

    from django.conf import settings

    from evaluation.management.listening import Listening
    from qc4site.wsgi import application
    from work.background import SweeperThread

    # Files for large bodies and responses. They have no names, so the system deletes them however this process ends.
    tempfile.tempdir = str(settings.FILE_UPLOAD_TEMP_DIR)
    make_ready()
    listening = Listening.configured()
    server = make_server(application, listening.bound(), settings.WEB_THREADS)
    held = hold_open()
    # Every web process sweeps, so that runs end even while there is no worker.
    background = SweeperThread()
    background.start()
    log.info("listening at %s", listening.url)
    run_until_told(server)
    background.stop()
    if held is not None:
        held.close()


def hold_open() -> sqlite3.Connection | None:
    """Open a connection that keeps SQLite's files in place; None for another database.

    When the last connection closes, SQLite removes its files beside the database, and the next connection must create
    them. If the disk is full or read-only by then, the site could not even read. A process that forks others must not
    call this: SQLite's connections do not survive a fork.
    """
    if connection.vendor != "sqlite":
        return None
    held = sqlite3.connect(connection.settings_dict["NAME"], check_same_thread=False)
    held.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return held


if __name__ == "__main__":
    main()
