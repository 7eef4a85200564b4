"""The web server in a thread of the test, in front of a site of one page."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

from qc4site.serving import protocol
from qc4site.serving.patience import Phase
from qc4site.serving.server import Server
from tests.qc4site.wire import Heard, Wire, asked, head

MOST = 1_000_000


class Site:
    """A site of one page: it says how long a body was, and lets those come that are not too large."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.heads: list[dict[str, Any]] = []
        self.person = "anna"

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        state = environ[protocol.STATE]
        self.asked.append(state)
        self.heads.append(environ)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if state == protocol.ASKED and length <= MOST:
            start_response(protocol.GO_ON, [(protocol.MOST_BYTES, str(MOST)), (protocol.PERSON, self.person)])
            return [b""]
        refused = state or length > MOST
        found = state.encode() or b"%d" % len(environ["wsgi.input"].read())
        answer = b"too large" if length > MOST else found
        start_response("413 Too Large" if refused else "200 OK", [("Content-Length", str(len(answer)))])
        return [answer]


class Running:
    """The server in a thread, on a port of its own."""

    def __init__(self, site: Callable[..., Any], threads: int = 2) -> None:
        self.site = site
        listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = listening.getsockname()[1]
        self.server = Server(site, listening, threads=threads)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        for connection in list(self.server.active_channels.values()):
            connection.handle_close()
        self.server.task_dispatcher.shutdown()
        self.server.close()

    def page(self) -> Heard:
        return asked(self.port, head("GET", "/", Connection="close"))

    def post(self, body: bytes, **headers: object) -> Heard:
        return asked(self.port, head("POST", "/", Connection="close", Content_Length=len(body), **headers) + body)

    def half(self, length: int, sent: int) -> Wire:
        """A body of which only the beginning comes."""
        return Wire(self.port).send(head("POST", "/", Content_Length=length) + b"x" * sent)

    def connections(self, phase: Phase) -> int:
        return sum(each.phase is phase for each in list(self.server.active_channels.values()))

    def _run(self) -> None:
        while not self._end.is_set():
            self.server.poll(0.02)
