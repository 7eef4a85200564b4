"""The whole site as `manage.py serve` starts it, under attack from loopback."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from accounts.models import User
from accounts.services import tokens
from tests import migrated
from tests.jobs.sandbox import Program, connected_to, free_port, from_scratch, wait_for
from tests.patience import PATIENCE
from tests.places import ROOT
from tests.qc4site.wire import Wire, asked, head

HUGE = 100 * 1024 * 1024
FORM = "multipart/form-data; boundary=x"
FILE = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'


@dataclass
class Served:
    port: int
    data: Path
    token: str
    program: Program

    @property
    def temporary(self) -> list[Path]:
        return list((self.data / "temporary").iterdir())

    def status(self, address: str = "/sign-in/") -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", address)
            return connection.getresponse().status
        except ConnectionRefusedError:
            return 0
        finally:
            connection.close()


@pytest.fixture
def served(tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Served]:
    data, port = tmp_path / "data", free_port()
    data.mkdir()
    shutil.copy(migrated.template(), data / "qc4.sqlite3")
    url = f"sqlite:///{data / 'qc4.sqlite3'}"
    with django_db_blocker.unblock(), connected_to(url):
        _, token = tokens.create(User.objects.create_user("anna"), "laptop")
    environment = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "qc4site.settings", "DEBUG": "1", "PORT": str(port),
        "QC4_DATA_DIR": str(data), "DATABASE_URL": url, "CELERY_BROKER_URL": "", "WEB_PROCESSES": "1",
    }  # fmt: skip
    command = ["-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py"), "qc4site.wsgi:application"]
    program = Program(from_scratch(command, environment, tmp_path / "log"), tmp_path / "log")
    found = Served(port, data, token, program)
    wait_for(lambda: found.status() == 200, "the site answers")
    yield found
    program.kill()


def test_the_site_stands_an_attack(served: Served) -> None:
    with ExitStack() as attack:
        for _ in range(8):
            body = Wire(served.port).send(head("POST", "/sign-in/", Content_Type=FORM, Content_Length=HUGE) + FILE)
            attack.enter_context(body)
            attack.enter_context(Wire(served.port).send(head("POST", "/sign-in/", Content_Length=50_000) + b"a=b"))
        for _ in range(40):
            attack.enter_context(Wire(served.port).send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-"))
        for _ in range(5):
            assert served.status() == 200

    # Refused at once, and heard by a client that sends on without listening.
    with Wire(served.port) as wire:
        wire.send(head("POST", "/sign-in/", Content_Type=FORM, Content_Length=30_000_000) + FILE)
        for _ in range(29):
            wire.send(b"x" * 1_000_000)
        heard = wire.hear()
    assert (heard.status, heard.reset) == (413, False)
    assert b"30,000,000 bytes" in heard.body
    assert served.temporary == []

    # A large file of somebody who may send it gets through; a run looks at it.
    length, end = 5_000_000, b"\r\n--x--\r\n"
    named = {"Authorization": f"Bearer {served.token}", "Content_Type": FORM, "Connection": "close"}
    with Wire(served.port) as wire:
        wire.send(head("POST", "/api/v1/collections?name=A", Content_Length=length, **named) + FILE)
        for part in range(len(FILE), length - len(end), 100_000):
            wire.send(b"x" * min(100_000, length - len(end) - part))
        heard = wire.send(end).hear()
    assert heard.status == 202
    assert [each.stat().st_size for each in (served.data / "uploads").iterdir()] == [length - len(FILE) - len(end)]
    assert asked(served.port, head("POST", "/api/v1/collections", Content_Length=HUGE // 2)).status == 401
    assert served.temporary == []

    # Killed in the middle of a body, nothing of it is left.
    with Wire(served.port) as wire:
        wire.send(head("POST", "/api/v1/collections?name=A", Content_Length=length, Expect="100-continue", **named))
        wire.hear_until(b"100 Continue")
        wire.send(FILE + b"x" * 4_000_000)
        os.killpg(served.program.process.pid, signal.SIGKILL)
    assert served.temporary == []
