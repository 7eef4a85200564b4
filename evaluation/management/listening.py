"""Resolve HOST and PORT to an IP address, and check whether it is free and whether a server responds there."""

from __future__ import annotations

import errno
import http.client
import socket
from dataclasses import dataclass

from django.conf import settings
from django.core.management.base import CommandError

LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # compared with, not bound to
"""The loopback addresses that reach a server listening on all addresses of the machine."""


@dataclass(frozen=True, slots=True)
class Listening:
    """An address and port to listen on.

    Attributes:
        host: the host as configured: an address or a name.
        address: the IPv4 or IPv6 address, without brackets.
    """

    host: str
    address: str
    port: int
    family: socket.AddressFamily

    @classmethod
    def of(cls, host: str, port: int) -> Listening:
        """Look up a host; if a name has addresses of both kinds, use IPv4.

        Raises:
            CommandError: the host has no address.
        """
        bare = host.removeprefix("[").removesuffix("]")
        try:
            found = socket.getaddrinfo(bare, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CommandError(f"HOST={host!r} is not an address of this machine: {reason}.") from None
        family, _, _, _, place = min(found, key=lambda one: one[0] != socket.AF_INET)
        return cls(bare, str(place[0]), port, family)

    @classmethod
    def configured(cls) -> Listening:
        """Look up HOST and PORT."""
        return cls.of(settings.HOST, settings.PORT)

    @property
    def url(self) -> str:
        """The URL that users open."""
        everywhere = self.address in LOOPBACK or self.address == "127.0.0.1"
        host = "localhost" if everywhere else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"

    def refuse_taken(self) -> None:
        """Raise CommandError if no server can listen there now."""
        with socket.socket(self.family) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((self.address, self.port))
            except OSError as error:
                in_use = error.errno == errno.EADDRINUSE
                reason = "is in use by another program" if in_use else f"cannot be used ({error})"
                raise CommandError(
                    f"Port {self.port} on {self.host} {reason}. Choose another one: PORT={self.port + 1}"
                ) from None

    def bound(self) -> socket.socket:
        """Return a new socket bound to the address; on ``::`` it also accepts IPv4 connections."""
        found = socket.socket(self.family)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((self.address, self.port))
        return found

    def answers(self) -> bool:
        """True if a web server responds there."""
        web = http.client.HTTPConnection(LOOPBACK.get(self.address, self.address), self.port, timeout=2)
        try:
            web.request("GET", "/", headers={"Host": "localhost"})
            return web.getresponse().status < 500
        except (OSError, http.client.HTTPException):
            return False
        finally:
            web.close()
