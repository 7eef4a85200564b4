"""A line between programs and a broker that a test cuts: as a broker that is restarted, whose clients lose theirs."""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import suppress

from tests.work.sandbox import free_port


class Line:
    """Listens on a port of its own and passes on what comes to another one, until it is cut."""

    def __init__(self, to: int) -> None:
        self.port = free_port()
        self._to = to
        self._open: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self.mend()

    def mend(self) -> None:
        """Take connections."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """Every connection ends in the middle of a word, and new ones are refused."""
        listener, self._listener = self._listener, None
        if listener is not None:
            _end(listener)
        for each in list(self._open):
            _end(each)

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                ours = listener.accept()[0]
                theirs = socket.create_connection(("127.0.0.1", self._to))
                self._open |= {ours, theirs}
                threading.Thread(target=self._pass_on, args=(ours, theirs), daemon=True).start()

    def _pass_on(self, *ends: socket.socket) -> None:
        other = dict(zip(ends, reversed(ends), strict=True))
        with suppress(OSError, ValueError), selectors.DefaultSelector() as ready:
            for each in ends:
                ready.register(each, selectors.EVENT_READ)
            while True:
                for key, _ in ready.select():
                    found = key.fileobj
                    assert isinstance(found, socket.socket)
                    if not (data := found.recv(65536)):
                        raise OSError
                    other[found].sendall(data)
        for each in ends:
            _end(each)
            self._open.discard(each)


def _end(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
