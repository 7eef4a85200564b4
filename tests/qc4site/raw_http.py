"""Requests byte by byte, as an attacker or a client with a slow line sends them."""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass

from tests.waiting import PATIENCE


@dataclass(frozen=True)
class Heard:
    """What came back until the other side closed. ``reset``: it did so without listening to the end."""

    raw: bytes
    reset: bool = False

    @property
    def status(self) -> int:
        return int(self.raw.split(b" ", 2)[1])

    @property
    def body(self) -> bytes:
        return self.raw.partition(b"\r\n\r\n")[2]


def head(method: str, address: str, **headers: object) -> bytes:
    """A request's head; underscores in the names of headers stand for hyphens."""
    lines = [f"{method} {address} HTTP/1.1", "Host: localhost"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


class Wire:
    """A connection of its own, from this address of the loopback network."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(address, 0))

    def send(self, data: bytes) -> Wire:
        self._socket.sendall(data)
        return self

    def hear(self) -> Heard:
        """All that comes until the end."""
        found = []
        try:
            while data := self._socket.recv(65536):
                found.append(data)
        except ConnectionResetError:
            return Heard(b"".join(found), reset=True)
        return Heard(b"".join(found))

    def hear_until(self, text: bytes) -> bytes:
        """All that comes until this text has come."""
        found = b""
        while text not in found:
            data = self._socket.recv(65536)
            assert data, found
            found += data
        return found

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.close()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def asked(port: int, sent: bytes, address: str = "127.0.0.1") -> Heard:
    """The response to a whole request whose connection ends with it."""
    with Wire(port, address) as wire:
        return wire.send(sent).hear()
