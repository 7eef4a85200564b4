"""The web server of the whole site, as `manage.py serve` starts it."""

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
from tests.fixtures import database as migrated
from tests.qc4site.raw_http import Wire, asked, head
from tests.waiting import PATIENCE, wait_for
from tests.work.sandbox import Program, connected_to, free_port, from_scratch

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
        "QC4_DATA_DIR": str(data), "DATABASE_URL": url, "CELERY_BROKER_URL": "",
    }  # fmt: skip
    program = Program(from_scratch(["-m", "qc4site.web"], environment, tmp_path / "log"), tmp_path / "log")
    found = Served(port, data, token, program)
    wait_for(lambda: found.status() == 200, "the site answers")
    yield found
    program.kill()


def test_the_site_withstands_slow_clients_and_large_bodies(served: Served) -> None:
    with ExitStack() as attack:
        for _ in range(8):
            body = Wire(served.port).send(head("POST", "/sign-in/", Content_Type=FORM, Content_Length=HUGE) + FILE)
            attack.enter_context(body)
            attack.enter_context(Wire(served.port).send(head("POST", "/sign-in/", Content_Length=50_000) + b"a=b"))
        for _ in range(40):
            attack.enter_context(Wire(served.port).send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-"))
        for _ in range(5):
            assert served.status() == 200

    # A body that is too large for its address is refused once it has come, and is not kept.
    with Wire(served.port) as wire:
        wire.send(head("POST", "/sign-in/", Connection="close", Content_Type=FORM, Content_Length=30_000_000) + FILE)
        for part in range(len(FILE), 30_000_000, 100_000):
            wire.send(b"x" * min(100_000, 30_000_000 - part))
        heard = wire.hear()
    assert (heard.status, heard.reset) == (413, False)
    assert b"30,000,000 bytes" in heard.body
    assert served.temporary == []

    # A large file gets through if its sender has the right; a run looks at it.
    length, end = 5_000_000, b"\r\n--x--\r\n"
    named = {"Authorization": f"Bearer {served.token}", "Content_Type": FORM, "Connection": "close"}
    with Wire(served.port) as wire:
        wire.send(head("POST", "/api/v1/collections?name=A", Content_Length=length, **named) + FILE)
        for part in range(len(FILE), length - len(end), 100_000):
            wire.send(b"x" * min(100_000, length - len(end) - part))
        heard = wire.send(end).hear()
    assert heard.status == 202
    assert [each.stat().st_size for each in (served.data / "uploads").iterdir()] == [length - len(FILE) - len(end)]
    assert served.temporary == []

    # Nothing is left of a body if the server is killed in the middle of it.
    with Wire(served.port) as wire:
        wire.send(head("POST", "/api/v1/collections?name=A", Content_Length=length, Expect="100-continue", **named))
        wire.hear_until(b"100 Continue")
        wire.send(FILE + b"x" * 4_000_000)
        os.killpg(served.program.process.pid, signal.SIGKILL)
    assert served.temporary == []


@pytest.mark.parametrize("address", ["/sign-in/", "/api/v1/schema", "/measures.bib"])
def test_the_response_to_head_has_no_body(served: Served, address: str) -> None:
    whole = asked(served.port, head("GET", address, Connection="close"))
    heard = asked(served.port, head("HEAD", address, Connection="close"))
    assert (heard.status, heard.body) == (200, b"")
    assert b"Content-Length: %d" % len(whole.body) in heard.raw
