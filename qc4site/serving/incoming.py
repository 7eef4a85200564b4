"""A request while it comes in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from waitress.parser import HTTPRequestParser

from qc4site.serving import protocol
from qc4site.serving.patience import UNASKED_BYTES


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, in the place where waitress keeps what is wrong with a request."""

    status: str
    headers: Sequence[tuple[str, str]]
    body: bytes

    def to_response(self, ident: str | None) -> tuple[str, list[tuple[str, str]], bytes]:
        """As the errors of waitress; the length is added there."""
        return self.status, [pair for pair in self.headers if pair[0].lower() != "content-length"], self.body


@dataclass
class Course:
    """What became of a body so far. ``unread``: some of it may still come, and nobody will read it."""

    state: str = ""
    unread: bool = False
    most: int = UNASKED_BYTES
    held: bytes = b""
    wants_continue: bool = False
    leave: Callable[[], None] = field(default=lambda: None)


class Incoming(HTTPRequestParser):
    """Stops after the head where the body is large or of unknown length, until `go_on` or `cut`."""

    body_rcv: Any
    expect_continue: bool

    def __init__(self, adj: object) -> None:
        super().__init__(adj)
        self.course = Course()

    @property
    def is_asking(self) -> bool:
        return self.course.state == protocol.ASKED

    def received(self, data: bytes) -> int:
        """As waitress's, which says how much of the data belongs to this request."""
        is_head = not self.headers_finished
        consumed: int = super().received(data)
        if self.error:
            self.course.unread = True
        elif self.body_rcv is None:
            return consumed
        elif is_head and (self.chunked or self.content_length > UNASKED_BYTES):
            return consumed + self._stop(data[consumed:])
        elif self.chunked and self.body_bytes_received > self.course.most:
            self.cut(protocol.TOO_LONG)
        return consumed

    def go_on(self, most: int) -> None:
        """Take the body, up to so many bytes where its length is not known; what came with the head is part of it."""
        held, self.course.held = self.course.held, b""
        self.course.state, self.course.most, self.completed = "", most, False
        if held and self.received(held) < len(held):
            # The beginning of another request: its sender may send it again.
            self.headers["CONNECTION"] = "close"

    def cut(self, state: str) -> None:
        """Do without the body: the site answers from the head and this state, and the connection ends."""
        self._forget_body()
        self.course.state, self.course.unread, self.completed = state, True, True
        self.headers["CONNECTION"] = "close"

    def refuse(self, answer: Answer) -> None:
        """This is the answer, without the body."""
        self.cut("")
        self.error = answer

    def close(self) -> None:
        super().close()
        self.course.leave()

    def _stop(self, held: bytes) -> int:
        course = self.course
        course.state, course.held, self.completed = protocol.ASKED, held, True
        course.wants_continue, self.expect_continue = self.expect_continue, False
        return len(held)

    def _forget_body(self) -> None:
        if self.body_rcv is not None:
            self.body_rcv.getbuf().close()
        self.body_rcv, self.course.held = None, b""
