"""One client's connection: what it waits for, for how long, and how it ends."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel

from qc4site.serving import protocol
from qc4site.serving.incoming import Answer, Incoming
from qc4site.serving.patience import WAITS, Phase
from qc4site.serving.task import Task

TOO_SLOW = Answer(
    "408 Request Timeout",
    [("Content-Type", "text/plain; charset=utf-8")],
    b"The head of the request did not come in time. Send it again.\n",
)


class Connection(HTTPChannel):
    """Reads without a thread, asks before it takes a large body, and closes so that a refusal arrives."""

    parser_class = Incoming
    task_class = Task
    request: Incoming | None

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.lingers = self.will_linger = False
        self._phase, self.since = Phase.IDLE, time.monotonic()
        self._looked_at, self._moved = self.since, 0

    # How long it waits

    @property
    def phase(self) -> Phase:
        """What is waited for now."""
        if self.lingers:
            return Phase.LINGERING
        if self.total_outbufs_len:
            return Phase.ANSWERING
        if self.requests:
            return Phase.WORKING
        if self.request is None:
            return Phase.IDLE
        return Phase.BODY if self.request.headers_finished else Phase.HEAD

    def end_if_late(self, now: float) -> None:
        """Called every second or so."""
        if not self._is_late(now):
            return
        if self._phase in {Phase.HEAD, Phase.BODY}:
            self._answer_late()
        else:
            self.will_close = True

    def _is_late(self, now: float) -> bool:
        phase = self.phase
        if phase is not self._phase:
            self._phase, self.since, self._looked_at, self._moved = phase, now, now, 0
        patience = WAITS.get(phase)
        if patience is None or now - self._looked_at < patience.seconds:
            return False
        if patience.amount and self._moved >= patience.amount:
            self._looked_at, self._moved = now, 0
            return False
        return True

    def _answer_late(self) -> None:
        with self.requests_lock:
            request, self.request = self.request, None
            if request is None or self.will_close:
                return
            if request.headers_finished:
                request.cut(protocol.LATE)
            else:
                request.parse_header(b"GET / HTTP/1.0\r\n")
                request.refuse(TOO_SLOW)
            self.requests.append(request)
        self.server.add_task(self)

    # Reading and writing

    def readable(self) -> bool:
        return self.lingers or bool(super().readable())

    def writable(self) -> bool:
        return bool(self.will_close or (not self.lingers and super().writable()))

    def handle_read(self) -> None:
        if self.lingers:
            self.recv(self.adj.recv_bytes)  # which closes at the end
        else:
            super().handle_read()

    def received(self, data: bytes) -> bool:
        self._moved += len(data)
        return bool(super().received(data))

    def send(self, data: bytes, do_close: bool = True) -> int:
        sent: int = super().send(data, do_close=do_close)
        self._moved += sent
        return sent

    def handle_write(self) -> None:
        if not self.will_linger or self.will_close or not self.close_when_flushed:
            super().handle_write()
            return
        self._flush_exception(self._flush_some)
        if self.will_close:
            self.handle_close()
        elif not self.total_outbufs_len:
            self._linger()

    def _linger(self) -> None:
        """Take what still comes and throw it away: else the client would hear of a reset instead of the answer."""
        self.close_when_flushed, self.lingers = False, True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def handle_close(self) -> None:
        partial, self.request = self.request, None
        if partial is not None:
            partial.close()
        super().handle_close()

    # In a thread

    def service(self) -> None:
        request = self.requests[0]
        if request.is_asking and self._may_come(request):
            self.server.pull_trigger()
            return
        self.will_linger = request.course.unread
        super().service()

    def _may_come(self, request: Incoming) -> bool:
        """Whether to read on; otherwise the request is complete, or has got its answer."""
        answer = self._asked(request)
        said = dict(answer.headers)
        if answer.status != protocol.GO_ON or protocol.MOST_BYTES not in said:
            request.refuse(answer)
            return False
        leave = self.server.bodies.enter(said[protocol.PERSON])
        if leave is None:
            request.cut(protocol.CROWDED)
            return False
        request.course.leave = leave
        with self.requests_lock:
            request.go_on(int(said[protocol.MOST_BYTES]))
            if request.completed:
                return False
            self.requests.pop(0)
            self.request = request
            if request.course.wants_continue:
                self.send_continue()
            return True

    def _asked(self, request: Incoming) -> Answer:
        try:
            found: Answer = self.task_class(self, request).ask()
        except Exception:
            self.logger.exception("Exception while asking about %s", request.path)
            return Answer("500 Internal Server Error", [("Content-Type", "text/plain")], b"Our fault.\n")
        return found
