"""The web server in a thread of the test, in front of a small site."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

from qc4site.web import make_server
from tests.qc4site.raw_http import Heard, Wire, asked, head

LARGE = 8_000_000
"""Bytes of the response at ``/large``: more than the system takes off a server's hands."""


class Site:
    """A site that says how long a body was. It remembers what it was called with."""

    def __init__(self) -> None:
        self.heads: list[dict[str, Any]] = []

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        self.heads.append(environ)
        length = len(environ["wsgi.input"].read())
        response = b"x" * LARGE if environ["PATH_INFO"] == "/large" else b"%d" % length
        start_response("200 OK", [("Content-Length", str(len(response)))])
        return [response]


class Running:
    """The server on a port of its own, with few threads."""

    def __init__(self, site: Site, threads: int = 2) -> None:
        self.site = site
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        self.port: int = listening.getsockname()[1]
        self.server = make_server(site, listening, threads)
        self._thread = threading.Thread(target=self.server.run)
        self._thread.start()

    def close(self) -> None:
        """End it, and close the connections that clients have kept open."""
        self.server.task_dispatcher.shutdown()
        for connection in list(self.server.active_channels.values()):
            connection.will_close = True
        self.server.close()
        self._thread.join()

    def page(self) -> Heard:
        return asked(self.port, head("GET", "/", Connection="close"))

    def half(self, length: int, sent: int) -> Wire:
        """A body of which only the beginning comes."""
        return Wire(self.port).send(head("POST", "/", Content_Length=length) + b"x" * sent)

    def connections(self) -> int:
        return len(self.server.active_channels)
