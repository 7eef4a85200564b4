"""How `serve` and `work` start, and that nothing of them lives on alone: on any address, before the database is there,
beside another host."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from django.core.management.base import CommandError
from django.db import OperationalError, connection
from pytest_django import DjangoDbBlocker

from evaluation.management import database
from evaluation.management.listening import Listening
from evaluation.models import Run
from tests.paths import ROOT
from tests.profiles import thorough
from tests.waiting import PATIENCE, wait_for
from tests.work.sandbox import (
    BOTH_DATABASES,
    Backend,
    Program,
    Sandbox,
    embedded,
    free_port,
    fresh_database,
    from_scratch,
)


def gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


# --- Ends -------------------------------------------------------------------------------------------------------------


@embedded
def test_what_works_on_a_run_ends_with_its_killed_main_process(sandbox: Sandbox, queued_run: Run) -> None:
    sandbox.hold_at("computing-q1")
    worker = sandbox.worker()
    process = psutil.Process(sandbox.held_at("computing-q1"))
    assert process.ppid() == worker.process.pid
    os.kill(worker.process.pid, signal.SIGKILL)
    wait_for(lambda: gone(process), "it ends")
    queued_run.refresh_from_db()
    assert queued_run.state == Run.State.QUEUED, "it was handed back"


def test_a_process_that_reads_a_file_ends_with_the_one_that_asked(tmp_path: Path) -> None:
    reads = "import time; from common.sandbox import Ceiling, call_apart; "
    asks = reads + "call_apart(time.sleep, 1000, ceiling=Ceiling(60, 2**30, 2**20), where='x')"
    asking = Program(from_scratch(["-c", asks], dict(os.environ), tmp_path / "log"), tmp_path / "log")
    [reading] = wait_for(asking.children, "a process reads")
    wait_for(lambda: reading.num_threads() and "common.sandbox" in reading.cmdline(), "it has begun")
    os.kill(asking.process.pid, signal.SIGKILL)
    asking.process.wait()
    wait_for(lambda: gone(reading), "it ends")


# --- Addresses --------------------------------------------------------------------------------------------------------


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
HOSTS = [
    ("127.0.0.1", "http://localhost:{}/"),
    ("0.0.0.0", "http://localhost:{}/"),
    ("localhost", "http://localhost:{}/"),
    pytest.param("::1", "http://[::1]:{}/", marks=needs_ipv6),
    pytest.param("[::1]", "http://[::1]:{}/", marks=needs_ipv6),
    pytest.param("::", "http://localhost:{}/", marks=needs_ipv6),
]


@pytest.mark.parametrize(("host", "url"), HOSTS)
def test_any_host_is_understood_and_asked_where_it_listens(host: str, url: str) -> None:
    place = Listening.of(host, free_port())
    place.refuse_taken()
    assert place.url == url.format(place.port)
    assert not place.answers()
    with place.bound() as server:
        server.listen()
        with pytest.raises(CommandError, match="is in use by another program"):
            place.refuse_taken()

        def answer() -> None:
            client, _ = server.accept()
            with client:
                client.recv(65536)
                client.sendall(b"HTTP/1.0 200 OK\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        assert place.answers()
        thread.join()


@needs_ipv6
def test_all_addresses_of_ipv6_include_those_of_ipv4() -> None:
    with Listening.of("::", 0).bound() as server:
        server.listen()
        socket.create_connection(("127.0.0.1", server.getsockname()[1]), timeout=PATIENCE).close()


def test_a_host_that_is_none_is_said() -> None:
    with pytest.raises(CommandError, match=r"HOST='no such host.invalid' is not an address of this machine"):
        Listening.of("no such host.invalid", 8000)


@thorough("`manage.py serve` on other addresses")
@needs_ipv6
@embedded
@pytest.mark.parametrize("host", ["::1", "::"])
def test_serve_says_that_it_is_ready_on_ipv6(sandbox: Sandbox, host: str) -> None:
    port = free_port()
    site = sandbox.program(str(ROOT / "manage.py"), "serve", "--no-worker", HOST=host, PORT=str(port), DEBUG="1")
    site.wait_until_it_says("QC4 Bench is ready at http://")
    site.ask_to_end()
    assert site.process.wait() == 0


# --- The database -----------------------------------------------------------------------------------------------------


class Away:
    """A database that refuses the first connections."""

    def __init__(self, *reasons: str) -> None:
        self.reasons = list(reasons)

    def __call__(self) -> None:
        if self.reasons:
            raise OperationalError(self.reasons.pop(0))


def test_a_database_that_is_away_is_waited_for_longer_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = 'connection to server at "db" failed: Connection refused'
    monkeypatch.setattr(connection, "vendor", "postgresql")
    away = Away(*[refused] * 7, "FATAL:  the database system is starting up")
    monkeypatch.setattr(connection, "ensure_connection", away)
    said: list[str] = []
    pauses: list[float] = []
    database.wait_for_database(said.append, pauses.append)
    assert pauses == [1, 2, 4, 8, 16, 30, 30, 30]
    assert said[0] == f"The database does not respond ({refused}). Trying again in 1 s."
    assert "starting up" in said[-1]


def test_a_file_that_another_process_has_locked_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "vendor", "sqlite")
    monkeypatch.setattr(connection, "ensure_connection", Away("database is locked"))
    said: list[str] = []
    database.wait_for_database(said.append, lambda _: None)
    assert said == ["The database does not respond (database is locked). Trying again in 1 s."]


@pytest.mark.parametrize(
    ("vendor", "reason"),
    [
        ("postgresql", 'FATAL:  password authentication failed for user "qc4"'),
        ("postgresql", 'FATAL:  database "qc5" does not exist'),
        ("sqlite", "unable to open database file"),
    ],
)
def test_what_waiting_does_not_help_against_is_said_at_once(
    monkeypatch: pytest.MonkeyPatch, vendor: str, reason: str
) -> None:
    monkeypatch.setattr(connection, "vendor", vendor)
    monkeypatch.setattr(connection, "ensure_connection", Away(reason))
    with pytest.raises(CommandError, match=r"The database cannot be used: .* Check DATABASE_URL\."):
        database.wait_for_database(pytest.fail)


@embedded
@pytest.mark.parametrize("command", ["serve", "work"])
def test_a_command_whose_database_is_away_says_so_and_waits(sandbox: Sandbox, command: str) -> None:
    url = f"postgres://nobody@127.0.0.1:{free_port()}/none"
    program = sandbox.program(str(ROOT / "manage.py"), command, DATABASE_URL=url, PORT=str(free_port()), DEBUG="1")
    program.wait_until_it_says("Trying again in 2 s.")
    assert program.said("The database does not respond (")


@pytest.fixture
def empty(backend: Backend, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    with django_db_blocker.unblock(), fresh_database(backend, tmp_path) as url:
        yield url


@thorough("two hosts that start at once")
@BOTH_DATABASES
def test_two_hosts_may_start_on_an_empty_database_at_once(empty: str, tmp_path: Path) -> None:
    environment = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "qc4site.settings", "DEBUG": "1", "DATABASE_URL": empty,
        "QC4_DATA_DIR": str(tmp_path / "data"),
    }  # fmt: skip
    hosts = [
        subprocess.Popen(
            [sys.executable, "manage.py", "migrate", "-v", "0"],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    said = [host.communicate(timeout=5 * PATIENCE)[0] for host in hosts]
    assert [host.returncode for host in hosts] == [0, 0], said
