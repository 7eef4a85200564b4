"""The web server: who sends slowly costs no thread, who sends too much is told so, and nothing of it is kept."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from qc4site.serving import patience, protocol
from qc4site.serving.patience import UNASKED_BYTES, Patience, Phase
from tests.jobs.sandbox import wait_for
from tests.qc4site.running import Running, Site
from tests.qc4site.wire import Heard, Wire, asked, head

LATER = 10_000.0
"""Seconds, more than any patience of the server."""


@pytest.fixture
def running() -> Iterator[Running]:
    found = Running(Site())
    yield found
    found.close()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Waiting is over at once, wherever it is waited for."""

    def lose(*phases: Phase) -> None:
        for phase in phases:
            monkeypatch.setitem(patience.WAITS, phase, Patience(0.01, patience.WAITS[phase].amount))

    return lose


def test_half_sent_bodies_and_heads_hold_up_nobody(running: Running) -> None:
    with ExitStack() as attack:
        for _ in range(8):
            attack.enter_context(running.half(UNASKED_BYTES, 2_000))
        for _ in range(40):
            attack.enter_context(Wire(running.port).send(b"GET / HTTP/1.1\r\nX-"))
        wait_for(lambda: running.connections(Phase.HEAD) == 40, "the heads have begun")
        wait_for(lambda: running.connections(Phase.BODY) == 8, "the bodies have begun")
        for _ in range(5):
            assert running.page().status == 200
        assert running.connections(Phase.BODY) == 8


def test_a_slow_body_gets_through_whole(running: Running) -> None:
    with Wire(running.port) as wire:
        wire.send(head("POST", "/", Connection="close", Content_Length=300_000))
        for _ in range(30):
            wire.send(b"x" * 10_000)
        heard = wire.hear()
    assert (heard.status, heard.body) == (200, b"300000")
    assert running.site.asked == [protocol.ASKED, ""]


def test_small_bodies_are_not_asked_about(running: Running) -> None:
    assert running.post(b"x" * UNASKED_BYTES).body == b"%d" % UNASKED_BYTES
    assert running.site.asked == [""]


def test_a_body_that_is_too_large_is_refused_before_it_comes_and_the_refusal_arrives(
    running: Running, temporary: Path
) -> None:
    with Wire(running.port) as wire:
        wire.send(head("POST", "/", Content_Length=50_000_000))
        for _ in range(50):
            wire.send(b"x" * 1_000_000)
        heard = wire.hear()
    assert (heard.status, heard.body, heard.reset) == (413, b"too large", False)
    assert running.site.asked == [protocol.ASKED]
    assert list(temporary.iterdir()) == []


def test_who_waits_to_be_told_to_go_on_is_told_so_or_refused(running: Running) -> None:
    with Wire(running.port) as wire:
        wire.send(head("POST", "/", Connection="close", Content_Length=200_000, Expect="100-continue"))
        assert wire.hear_until(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert wire.send(b"x" * 200_000).hear().body == b"200000"
    refused = asked(running.port, head("POST", "/", Content_Length=2_000_000, Expect="100-continue"))
    assert refused.status == 413


@pytest.mark.parametrize(("chunks", "status", "body"), [(3, 200, b"300000"), (15, 413, protocol.TOO_LONG.encode())])
def test_a_body_of_unknown_length_is_taken_up_to_the_limit(
    running: Running, chunks: int, status: int, body: bytes
) -> None:
    with Wire(running.port) as wire:
        wire.send(head("POST", "/", Connection="close", Transfer_Encoding="chunked"))
        for _ in range(chunks):
            wire.send(b"186a0\r\n" + b"x" * 100_000 + b"\r\n")
        heard = wire.send(b"0\r\n\r\n").hear()
    assert (heard.status, heard.body, heard.reset) == (status, body, False)


def test_who_stops_sending_is_told_so(running: Running, impatient: Callable[..., None]) -> None:
    with running.half(500_000, 100_000) as body, Wire(running.port).send(b"GET / HTTP/1.1\r\n") as begun:
        wait_for(lambda: running.connections(Phase.BODY) and running.connections(Phase.HEAD), "both have begun")
        impatient(Phase.BODY, Phase.HEAD)
        assert body.hear_until(protocol.LATE.encode())
        assert begun.hear_until(b"did not come in time")


def test_connections_that_ask_nothing_more_are_closed(running: Running, impatient: Callable[..., None]) -> None:
    with Wire(running.port).send(head("GET", "/")) as kept:
        kept.hear_until(b"\r\n\r\n0")
        impatient(Phase.IDLE)
        assert kept.hear() == Heard(b"")


def test_a_client_keeps_up_by_its_bytes_not_by_being_quick(running: Running) -> None:
    with running.half(500_000, 100_000):
        wait_for(lambda: running.connections(Phase.BODY), "the body has begun")
        (connection,) = running.server.active_channels.values()
        wait_for(lambda: connection._moved >= 100_000, "it is all there")
        now = time.monotonic()
        assert not connection._is_late(now)
        connection._moved = patience.WAITS[Phase.BODY].amount
        assert not connection._is_late(now + LATER)
        assert connection._is_late(now + 2 * LATER)


def test_one_person_may_send_so_many_at_once(running: Running) -> None:
    with ExitStack() as attack:
        for _ in range(patience.BODIES_OF_ONE):
            attack.enter_context(running.half(500_000, 1_000))
        wait_for(lambda: running.connections(Phase.BODY) == patience.BODIES_OF_ONE, "they have begun")
        assert running.post(b"x" * 500_000).body == protocol.CROWDED.encode()
        running.site.person = "berta"
        assert running.post(b"x" * 500_000).body == b"500000"
    running.site.person = "anna"
    wait_for(lambda: not running.server.active_channels, "all have gone")
    assert running.post(b"x" * 500_000).body == b"500000"


def test_too_many_connections_make_room_for_another(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "CONNECTIONS", 10)
    with ExitStack() as attack:
        for _ in range(30):
            attack.enter_context(Wire(running.port).send(b"GET / HTTP/1.1\r\nX-"))
        wait_for(lambda: running.connections(Phase.HEAD) == 10, "the server is full")
        assert running.page().status == 200


def test_who_asks_for_the_head_of_an_answer_gets_no_more(running: Running) -> None:
    heard = asked(running.port, head("HEAD", "/", Connection="close"))
    assert (heard.status, heard.body) == (200, b"")
    assert b"Content-Length: 1" in heard.raw
