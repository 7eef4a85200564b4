"""A database, a broker and worker processes that one test has for itself."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import dj_database_url
import psutil
import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connections
from kombu import Connection

from common.processes import end_with_parent
from evaluation.models import Evaluation, Run, RunQuery, Score
from tests.paths import ROOT
from tests.profiles import thorough
from tests.waiting import PATIENCE, wait_for
from tests.work.forked_workers import Preloaded
from work.clock import from_now

WORKER = "tests.work.worker_app"
"""`manage.py` for workers that a test can hold."""
Start = Callable[[Sequence[str], dict[str, str], Path], "subprocess.Popen[bytes] | Preloaded"]

LEASE, SWEEP = 60.0, 0.3
"""No pause of a busy machine outlasts the lease; where one has to end, the test ends it: see `lapse`."""

POSTGRESQL, REDIS, RABBITMQ = "postgresql", "redis", "rabbitmq"
PORTS = {POSTGRESQL: 5432, REDIS: 6379, RABBITMQ: 5672}
ADMIN_URL = os.environ.get("QC4_TEST_POSTGRESQL", "postgres://postgres@127.0.0.1:5432/postgres")


@dataclass(frozen=True)
class Backend:
    """A database and a broker to run on, and the services that needs."""

    name: str
    broker: str
    needs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name


def again(backend: Backend) -> Any:
    """A parameter: the same on another database or broker, which has to be there."""
    marks = [pytest.mark.services, thorough(f"jobs on {backend}")]
    return pytest.param(backend, marks=marks)


EMBEDDED = Backend("sqlite", "")
BOTH_DATABASES = pytest.mark.parametrize(
    "backend",
    [EMBEDDED, again(Backend("postgresql", "", (POSTGRESQL,)))],
    indirect=True,
    ids=str,
)
ON_RABBITMQ = Backend("postgresql-rabbitmq", "amqp://guest:guest@127.0.0.1:5672//", (POSTGRESQL, RABBITMQ))
ON_REDIS = Backend("postgresql-redis", "redis://127.0.0.1:6379/0", (POSTGRESQL, REDIS))
everywhere = pytest.mark.parametrize("backend", [EMBEDDED, again(ON_RABBITMQ), again(ON_REDIS)], indirect=True, ids=str)
embedded = pytest.mark.parametrize("backend", [EMBEDDED], indirect=True, ids=str)


def answers(service: str) -> bool:
    """Whether something listens on the service's standard local port."""
    with socket.socket() as probe:
        probe.settimeout(PATIENCE)
        return probe.connect_ex(("127.0.0.1", PORTS[service])) == 0


def require(backend: Backend) -> None:
    """Skip where a service is absent; fail if ``QC4_REQUIRE_SERVICES`` (names, or 1 for all) says it must be there."""
    for service in backend.needs:
        if not answers(service):
            reason = f"{service} does not answer on its standard local port"
            if demanded(service):
                pytest.fail(f"{reason}, and QC4_REQUIRE_SERVICES wants it tested")
            pytest.skip(reason)


def demanded(service: str) -> bool:
    """Whether ``QC4_REQUIRE_SERVICES`` (names, or 1 for all) says that it must be there."""
    return bool({"1", service} & set(os.environ.get("QC4_REQUIRE_SERVICES", "").split(",")))


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found: int = free.getsockname()[1]
        return found


def lapse(run: Run) -> None:
    """End the lease of a run whose holder is silent, as time would."""
    Run.objects.filter(pk=run.pk).update(lease_until=from_now(-1))


# --- Databases --------------------------------------------------------------------------------------------------------


@contextmanager
def connected_to(url: str) -> Iterator[None]:
    """Django's default database is this one while the block runs, in every thread."""
    normal, connection = connections.settings["default"], connections["default"]
    parsed = dj_database_url.parse(url)
    options = settings.SQLITE_OPTIONS if url.startswith("sqlite") else {}
    connections.settings["default"] = {**normal, **parsed, "OPTIONS": options}
    del connections["default"]
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = normal
        connections["default"] = connection


def reconnect_after_fork() -> None:
    """Make a forked child connect to the database of the sandbox.

    A browser in the same process keeps an event loop running, and Django then finds connections by the loop. A child
    has no loop, so it would find the connection that was there before the sandbox.
    """
    _ = connections["default"]  # only a connection that exists can be deleted
    del connections["default"]


@contextmanager
def fresh_database(backend: Backend, folder: Path, template: str = "") -> Iterator[str]:
    """The URL of a new database, empty or a copy of another one; dropped afterwards."""
    if POSTGRESQL not in backend.needs:
        path = folder / f"{uuid.uuid4().hex}.sqlite3"
        if template:
            shutil.copy(template.removeprefix("sqlite:///"), path)
        yield f"sqlite:///{path}"
        return
    name = f"qc4_jobs_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(ADMIN_URL, autocommit=True) as admin:
        like = f" TEMPLATE {template.rpartition('/')[2]}" if template else ""
        admin.execute(f"CREATE DATABASE {name}{like}")
        try:
            yield f"{ADMIN_URL.rpartition('/')[0]}/{name}"
        finally:
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


# --- The sandbox ------------------------------------------------------------------------------------------------------


class Sandbox:
    """What a test of jobs on one backend works with."""

    def __init__(self, backend: Backend, database_url: str, folder: Path) -> None:
        self.backend = backend
        self.folder = folder
        self.prefix = f"t{uuid.uuid4().hex[:10]}."
        self.points = folder / "points"
        self.points.mkdir()
        self._database_url = database_url
        self._programs: list[Program] = []

    # Processes

    def worker(self, *, concurrency: int = 1, **environment: str) -> Program:
        """Start `manage.py work` and wait until it is ready."""
        worker = self._start(Preloaded, ["-m", WORKER, "work", "--workers", str(concurrency)], environment)
        worker.wait_until_it_says(" is ready")
        return worker

    def program(self, *arguments: str, **environment: str) -> Program:
        """Start Python with these arguments, on this sandbox's database and broker."""
        return self._start(from_scratch, arguments, environment)

    def _start(self, how: Start, arguments: Sequence[str], environment: dict[str, str]) -> Program:
        variables = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "qc4site.settings",
            "DEBUG": "0",
            "PYTHONPATH": str(ROOT),
            "QC4_DATA_DIR": str(self.folder / "data"),
            "QC4_TEST_POINTS": str(self.points),
            "DATABASE_URL": self._database_url,
            "CELERY_BROKER_URL": self.backend.broker,
            "JOB_QUEUE_PREFIX": self.prefix,
            "JOB_LEASE_SECONDS": str(LEASE),
            "JOB_SWEEP_SECONDS": str(SWEEP),
            "LOG_LEVEL": "INFO",
            **environment,
        }
        log = self.folder / f"program{len(self._programs)}.log"
        program = Program(how(arguments, variables, log), log)
        self._programs.append(program)
        return program

    def close(self) -> None:
        """End every process and remove what is left on the broker."""
        for program in self._programs:
            program.kill()
        if REDIS in self.backend.needs:
            client = redis.Redis.from_url(self.backend.broker)
            for key in client.scan_iter(f"*{self.prefix}*"):
                client.delete(key)
        if RABBITMQ in self.backend.needs:
            with Connection(self.backend.broker) as connection:
                connection.default_channel.exchange_delete(f"{self.prefix}wake")

    # Points (see tests.work.worker_app)

    def hold_at(self, point: str) -> None:
        (self.points / f"{point}.hold").touch()

    def die_at(self, point: str) -> None:
        (self.points / f"{point}.die").touch()

    def died_at(self, point: str, times: int) -> None:
        """Wait until so many processes have died there."""
        wait_for(lambda: len(list(self.points.glob(f"{point}.*.died"))) == times, f"{times} died at {point}")

    def held_at(self, point: str) -> int:
        """Wait until a process holds there; its process id."""
        held = self.points / f"{point}.held"
        wait_for(held.exists, f"a worker comes to {point}")
        return int(held.read_text())

    def release(self, point: str) -> None:
        (self.points / f"{point}.go").touch()


def from_scratch(arguments: Sequence[str], environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Start Python as a command line does."""
    with log.open("w") as output:
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=partial(end_with_parent, signal.SIGKILL),
        )


class Program:
    """A Python process with its children, in a process group of its own."""

    def __init__(self, process: subprocess.Popen[bytes] | Preloaded, log: Path) -> None:
        self.process = process
        self.log = log

    def wait_until_it_says(self, text: str) -> None:
        def said() -> bool:
            assert not self.has_ended(), f"it ended at its start:\n{self.log.read_text()}"
            return self.said(text)

        wait_for(said, f"{self.process.args!r} says {text!r} (see {self.log})")

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children()

    def said(self, text: str) -> bool:
        return self.log.exists() and text in self.log.read_text(errors="replace")

    def ask_to_end(self) -> None:
        self.process.terminate()

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def kill(self) -> None:
        """kill -9 of the process and its whole group."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


# --- What must be true afterwards -------------------------------------------------------------------------------------


def wait_until_ended(run: Run) -> Run:
    def ended() -> bool:
        run.refresh_from_db()
        return run.has_ended

    wait_for(ended, f"{run} ends")
    return run


def assert_scored_once(run: Run) -> None:
    """The run is done, every query has its scores, and no cell exists twice."""
    run.refresh_from_db()
    assert (run.state, run.error) == (Run.State.DONE, None)
    queries = run.gold_version.entries.count()
    assert (run.done, run.total) == (queries, queries)
    assert RunQuery.objects.filter(run=run).count() == queries
    assert Evaluation.objects.count() == queries
    cells = list(Score.objects.values_list("evaluation", "measure", "measure_version", "level"))
    assert len(cells) == len(set(cells))
    scored = {(evaluation, measure) for evaluation, measure, _, _ in cells}
    assert len(scored) == queries * len(run.measures)


def assert_log_is_whole(run: Run) -> None:
    """Every change of state has one event, each beginning where the one before ended."""
    steps = [event for event in run.events.order_by("pk") if event.to_state]
    assert [step.from_state for step in steps] == ["", *(step.to_state for step in steps[:-1])]
    assert steps[-1].to_state == run.state
