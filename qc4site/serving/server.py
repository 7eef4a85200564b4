"""The connections of one process."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from socket import socket
from typing import Any

from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from qc4site.serving import patience
from qc4site.serving.connection import Connection
from qc4site.serving.patience import Phase

ORDER = list(Phase)


class Bodies:
    """Places for large bodies: how many come in at once, in all and of one person."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def enter(self, person: str) -> Callable[[], None] | None:
        """Take a place; what is returned gives it back, once. None: there is none."""
        with self._lock:
            if self._taken.total() >= self._most or self._taken[person] >= self._most_of_one:
                return None
            self._taken[person] += 1
        places = [person]
        return partial(self._leave, places)

    def _leave(self, places: list[str]) -> None:
        with self._lock:
            while places:
                person = places.pop()
                self._taken[person] -= 1
                if not self._taken[person]:
                    del self._taken[person]


class Server(TcpWSGIServer):
    """Listens on a socket that is bound already, and ends connections that are late."""

    channel_class = Connection

    def __init__(self, application: Callable[..., Iterable[bytes]], listening: socket, threads: int) -> None:
        self.bodies = Bodies(patience.BODIES, patience.BODIES_OF_ONE)
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(threads)
        about = (listening.family, listening.type, listening.proto, listening.getsockname())
        super().__init__(application, {}, True, listening, dispatcher, _adjustments(threads), about, bind_socket=False)

    def poll(self, seconds: float) -> None:
        """Handle what happens within so many seconds, at most one round of it."""
        self.asyncore.loop(timeout=seconds, map=self._map, use_poll=True, count=1)

    def handle_accept(self) -> None:
        if len(self.active_channels) >= patience.CONNECTIONS:
            self._make_room()
        super().handle_accept()

    def maintenance(self, now: float) -> None:
        """Called by waitress every second."""
        for connection in list(self.active_channels.values()):
            connection.end_if_late(time.monotonic())

    def stop_accepting(self) -> None:
        """Leave the socket to other processes."""
        self.accepting = False
        self.del_channel()
        self.socket.close()

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for an answer that is being made, or takes one."""
        at_work = {Phase.WORKING, Phase.ANSWERING}
        return any(connection.phase in at_work for connection in self.active_channels.values())

    def _make_room(self) -> None:
        waiting = [each for each in self.active_channels.values() if each.phase is not Phase.WORKING]
        if waiting:
            first: Connection = min(waiting, key=lambda each: (ORDER.index(each.phase), each.since))
            first.handle_close()


def _adjustments(threads: int) -> Any:
    return Adjustments(
        threads=threads,
        ident="qc4",
        # Django decides whom to believe about addresses in front (TRUSTED_PROXIES, HTTPS).
        clear_untrusted_proxy_headers=False,
        asyncore_use_poll=True,
        cleanup_interval=1,
        connection_limit=patience.CONNECTIONS + 10,
        max_request_header_size=patience.HEAD_BYTES,
        # How large a body may be the site says, address by address.
        max_request_body_size=sys.maxsize,
        inbuf_overflow=1024 * patience.KIBIBYTE,
        outbuf_overflow=512 * patience.KIBIBYTE,
        # Answers wait for slow clients in files: a thread is held only beyond this.
        outbuf_high_watermark=64 * 1024 * patience.KIBIBYTE,
        recv_bytes=64 * patience.KIBIBYTE,
    )
