"""``manage.py serve``: one command starts everything, restarts what dies, and leaves nothing behind."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from evaluation.management.private_files import OTHERS
from tests.fixtures.database import template
from tests.profiles import thorough
from tests.waiting import PATIENCE, wait_for
from tests.work.sandbox import ROOT, free_port


@pytest.fixture
def port() -> int:
    return free_port()


class Site:
    """A running ``manage.py serve`` and what it says."""

    def __init__(self, folder: Path, port: int, log_level: str, database: Path | None) -> None:
        self.port = port
        self.log = folder / "serve.log"
        if database is not None:
            (folder / "data").mkdir()
            shutil.copy(database, folder / "data" / "qc4.sqlite3")
        environment = {
            **os.environ, "DJANGO_SETTINGS_MODULE": "qc4site.settings", "DEBUG": "1", "PORT": str(port),
            "QC4_DATA_DIR": str(folder / "data"), "JOB_SWEEP_SECONDS": "0.5", "LOG_LEVEL": log_level,
            "JOB_QUEUE_PREFIX": "serve.",
        }  # fmt: skip
        for name in ("DATABASE_URL", "CELERY_BROKER_URL"):
            environment.pop(name, None)
        with self.log.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--workers", "1"],
                cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                umask=0,
            )  # fmt: skip

    def said(self, text: str, times: int = 1) -> bool:
        """Whether it said so; fails at once if it ended with an error instead."""
        assert not self.process.poll() or text in self.log.read_text(), self.log.read_text()
        return self.log.read_text(errors="replace").count(text) >= times

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children()

    def answers(self) -> bool:
        web = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)  # tried again
        try:
            web.request("GET", "/static/none")
            return web.getresponse().status == 404
        except OSError:
            return False
        finally:
            web.close()


@pytest.fixture
def start(tmp_path: Path, port: int, django_db_blocker: DjangoDbBlocker) -> Iterator[Callable[..., Site]]:
    """Starts a site on a database that is up to date: to migrate takes longer than all else, and is for one to do."""
    sites: list[Site] = []

    def call(log_level: str = "INFO", *, empty: bool = False) -> Site:
        with django_db_blocker.unblock():
            migrated = None if empty or connection.vendor != "sqlite" else template()
        sites.append(Site(tmp_path, port, log_level, migrated))
        return sites[-1]

    yield call
    for site in sites:
        if site.process.poll() is None:
            for process in site.family():
                process.kill()
            site.process.kill()
            site.process.wait()


@thorough("`manage.py serve` that is restarted")
def test_it_starts_restarts_and_ends_cleanly(start: Callable[..., Site], port: int, tmp_path: Path) -> None:
    loose = tmp_path / "data" / "uploads" / "of-old"
    loose.parent.mkdir(parents=True)
    loose.touch()
    for path in (loose, loose.parent):
        path.chmod(0o777)
    site = start(empty=True)
    wait_for(lambda: site.said(f"ready at http://localhost:{port}/"), "the site says where it is")
    wait_for(lambda: site.said(" is ready"), "the worker is ready")
    wait_for(site.answers, "the web server answers")

    before = site.children()
    assert len(before) == 3, "the web server, a loop, and one for answers"
    for child in before:
        child.send_signal(signal.SIGKILL)
    wait_for(lambda: len(site.children()) == 3 and not set(before) & set(site.children()), "there are new ones")
    assert site.said("web: ended with code -9, starting again")
    assert site.said("loop 1: ended with code -9, starting again")
    wait_for(site.answers, "the web server answers again")

    family = site.family()
    site.process.send_signal(signal.SIGINT)
    assert site.process.wait(PATIENCE) == 0
    assert site.said("Stopped.")
    assert site.said("could be read by others")
    written = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    assert {path.name for path in written} >= {"qc4.sqlite3", "uploads", "of-old"}
    assert [path for path in written if path.stat().st_mode & OTHERS] == []
    wait_for(lambda: not any(process.is_running() for process in family), "nothing is left running")


def test_a_newcomer_reads_where_the_site_is_how_to_log_in_and_nothing_else(
    start: Callable[..., Site], port: int
) -> None:
    site = start(log_level="")
    wait_for(lambda: site.said("Ctrl-C") and len(site.family()) == 3, "everything is started")
    assert site.log.read_text().splitlines() == [
        "",
        f"  QC4 Bench is ready at http://localhost:{port}/",
        "  There is no account yet: sign up there.",
        "  Stop it with Ctrl-C.",
    ]


@thorough("`manage.py serve` that is killed")
def test_nothing_outlives_a_killed_supervisor(start: Callable[..., Site]) -> None:
    site = start()
    wait_for(lambda: site.said("ready at"), "the site is up")
    family = site.family()
    assert family
    site.process.kill()
    site.process.wait()
    wait_for(lambda: not any(process.is_running() for process in family), "web and worker end with it")


def test_a_taken_port_is_said_at_once(start: Callable[..., Site], port: int) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        site = start(empty=True)
        assert site.process.wait(PATIENCE) == 1
    assert site.said(f"Port {port} on 127.0.0.1 is in use by another program. Choose another one: PORT={port + 1}")
