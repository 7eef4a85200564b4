"""The web server alone: slow clients take no thread, and bodies that are too large for the whole site are not kept."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from common.body_sizes import LARGEST
from qc4site import web
from tests.paths import ROOT
from tests.qc4site.raw_http import Wire, asked, head
from tests.qc4site.server_thread import LARGE, Running, Site
from tests.waiting import wait_for
from tests.work.sandbox import Program, free_port, from_scratch

EIGHT = 8
"""Slow clients, of which two would take all threads if each took one."""


@pytest.fixture
def running() -> Iterator[Running]:
    found = Running(Site())
    yield found
    found.close()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


ENDING = """
import socket, sys, time
from qc4site.web import make_server, run_until_told

def site(environ, start_response):
    print("begun", flush=True)
    time.sleep(0.5)
    start_response("200 OK", [("Content-Length", "4")])
    return [b"done"]

listening = socket.socket()
listening.bind(("127.0.0.1", int(sys.argv[1])))
server = make_server(site, listening, threads=2)
print("listens", flush=True)
run_until_told(server)
"""


def assert_answers(running: Running) -> None:
    for _ in range(5):
        assert running.page().status == 200


def test_half_sent_bodies_and_heads_take_no_thread(running: Running) -> None:
    with ExitStack() as attack:
        for _ in range(EIGHT):
            attack.enter_context(running.half(60_000, 2_000))
            attack.enter_context(running.half(LARGEST, 600_000))
        for _ in range(40):
            attack.enter_context(Wire(running.port).send(b"GET / HTTP/1.1\r\nX-"))
        wait_for(lambda: running.connections() == 40 + 2 * EIGHT, "all are connected")
        assert_answers(running)


def test_slow_readers_take_no_thread(running: Running) -> None:
    with ExitStack() as attack:
        readers = [
            attack.enter_context(Wire(running.port).send(head("GET", "/large", Connection="close")))
            for _ in range(EIGHT)
        ]
        wait_for(lambda: len(running.site.heads) == EIGHT, "all are answered")
        assert_answers(running)
        assert [len(reader.hear().body) for reader in readers] == [LARGE] * EIGHT


def test_idle_connections_hold_up_nobody_below_the_limit(running: Running) -> None:
    idle = web.CONNECTIONS - 20
    with ExitStack() as flood:
        for _ in range(idle):
            flood.enter_context(Wire(running.port))
        wait_for(lambda: running.connections() == idle, "all are connected")
        assert_answers(running)


def test_idle_connections_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(web.OPTIONS, "channel_timeout", 1)
    monkeypatch.setitem(web.OPTIONS, "cleanup_interval", 1)
    running = Running(Site())
    try:
        with Wire(running.port) as idle, Wire(running.port).send(b"GET / HTTP/1.1\r\nX-") as begun:
            assert (idle.hear().raw, begun.hear().raw) == (b"", b"")
    finally:
        running.close()


def test_a_slow_body_arrives_whole(running: Running) -> None:
    with Wire(running.port) as wire:
        wire.send(head("POST", "/", Connection="close", Content_Length=300_000))
        for _ in range(30):
            wire.send(b"x" * 10_000)
        heard = wire.hear()
    assert (heard.status, heard.body) == (200, b"300000")


def test_a_body_in_chunks_arrives_with_its_length(running: Running) -> None:
    with Wire(running.port) as wire:
        wire.send(head("POST", "/", Connection="close", Transfer_Encoding="chunked"))
        for _ in range(3):
            wire.send(b"186a0\r\n" + b"x" * 100_000 + b"\r\n")
        heard = wire.send(b"0\r\n\r\n").hear()
    assert (heard.status, heard.body) == (200, b"300000")
    assert running.site.heads[0]["CONTENT_LENGTH"] == "300000"


def test_a_body_above_the_largest_size_is_refused_from_its_head(running: Running, temporary: Path) -> None:
    assert asked(running.port, head("POST", "/", Content_Length=LARGEST + 1)).status == 413
    assert running.site.heads == []
    assert list(temporary.iterdir()) == []


def test_a_body_in_chunks_is_refused_beyond_the_largest_size(
    running: Running, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running.server.adj, "max_request_body_size", 1_000_001)
    with Wire(running.port) as wire:
        wire.send(head("POST", "/", Transfer_Encoding="chunked"))
        heard = wire.send(b"f4241\r\n" + b"x" * 1_000_001).hear()
    assert heard.status == 413
    assert running.site.heads == []
    assert list(temporary.iterdir()) == []


def test_a_response_is_finished_when_the_server_is_told_to_end(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    program = Program(from_scratch(["-c", ENDING, str(port)], dict(os.environ), log), log)
    try:
        program.wait_until_it_says("listens")
        with Wire(port).send(head("GET", "/")) as wire:
            program.wait_until_it_says("begun")
            program.ask_to_end()
            assert wire.hear().body == b"done"
        assert program.process.wait() == 0
    finally:
        program.kill()


def test_the_former_setting_for_several_processes_is_refused(tmp_path: Path) -> None:
    environment = {**os.environ, "DEBUG": "1", "QC4_DATA_DIR": str(tmp_path), "WEB_PROCESSES": "4"}
    done = subprocess.run(
        [sys.executable, "-m", "qc4site.web"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "run several instances behind a proxy" in done.stderr
