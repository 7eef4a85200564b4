"""A site on a disk that is really full, then one that really cannot be written: what people see, and what is left."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psutil
import pytest
import requests
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from pytest_django import DjangoDbBlocker

from accounts.models import User
from accounts.services import tokens
from annotations.drafts import services as drafts
from annotations.imports.services import import_documents
from common.disk_space import FULL, READ_ONLY, Lack
from qc4.io import write_gold
from qc4.model.rules import prepare
from tests.fixtures.database import template
from tests.profiles import thorough
from tests.qc4site.small_disk import SmallDisk, small_disk
from tests.samples.documents import PASSWORD, mercury, saturn
from tests.waiting import PATIENCE, wait_for
from tests.work.sandbox import Program, connected_to, free_port

CLUSTERING = b'{"query": "mercury", "clusters": [{"pages": ["p1", "p2"]}, {"pages": ["p3"]}]}'
PAGES = ("/", "/c/space/", "/c/space/q/mercury/", "/c/space/leaderboard/", "/sign-in/", "/docs/", "/api/v1/collections")


class Served:
    """`manage.py serve` on a small disk, and what is asked of it."""

    def __init__(self, disk: SmallDisk, folder: Path, token: str, draft: int) -> None:
        self.disk, self._folder, self._draft = disk, folder, draft
        self._port = free_port()
        self._programs: list[Program] = []
        self._named = {"Authorization": f"Bearer {token}"}
        self._revision = 0
        self._environment = {
            "DJANGO_SETTINGS_MODULE": "qc4site.settings", "DEBUG": "1", "PORT": str(self._port),
            "QC4_DATA_DIR": str(disk.folder), "DATABASE_URL": f"sqlite:///{disk.folder / 'qc4.sqlite3'}",
            "CELERY_BROKER_URL": "", "JOB_SWEEP_SECONDS": "0.5",
            "FREE_SPACE_MB": "0",
        }  # fmt: skip

    def start(self, *arguments: str) -> Program:
        log = self._folder / f"program{len(self._programs)}.log"
        with log.open("w") as output:
            process = subprocess.Popen(
                self.disk.inside(sys.executable, "manage.py", *arguments),
                env=os.environ | self._environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        self._programs.append(Program(process, log))
        return self._programs[-1]

    def end_children(self) -> None:
        """kill -9 of web server and worker, which are started again."""
        family = [
            child for each in self._programs for child in psutil.Process(each.process.pid).children(recursive=True)
        ]
        for child in family:
            with suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(family)

    def manage(self, *arguments: str) -> str:
        return self.disk.run(sys.executable, "manage.py", *arguments, **self._environment)

    def close(self) -> None:
        for program in self._programs:
            program.process.terminate()
        for program in self._programs:
            program.process.wait(PATIENCE)

    def get(self, address: str) -> requests.Response:
        return requests.get(f"http://127.0.0.1:{self._port}{address}", timeout=PATIENCE)

    def is_up(self) -> bool:
        try:
            return self.get("/").status_code == 200
        except requests.ConnectionError:
            return False

    # What people do

    def sign_in(self) -> requests.Response:
        with requests.Session() as browser:
            address = f"http://127.0.0.1:{self._port}/sign-in/"
            browser.get(address, timeout=PATIENCE)
            fields = {"username": "anna", "password": PASSWORD, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
            return browser.post(address, fields, timeout=PATIENCE)

    def upload(self) -> requests.Response:
        return self._post("collections/space/submissions?algorithm=A", files={"file": ("a.json", CLUSTERING)})

    def import_collection(self) -> requests.Response:
        document = prepare(mercury()).document
        assert document is not None
        return self._post(
            f"collections?name=Another {self._revision}", files={"file": ("mercury.gold.json", write_gold(document))}
        )

    def begin_a_draft(self) -> requests.Response:
        return self._post("collections/space/queries/saturn/drafts", json={"kind": "shared"})

    def add_a_topic(self) -> requests.Response:
        name = f"t{self._revision}"
        topic = {"kind": "add_topic", "topic": name, "name": name, "parent": None}
        sent = {"id": str(uuid4()), "base": self._revision, "operations": [topic]}
        answer = self._post(f"drafts/{self._draft}/operations", json=sent)
        self._revision += answer.status_code == 200
        return answer

    def _post(self, address: str, **sent: object) -> requests.Response:
        address = f"http://127.0.0.1:{self._port}/api/v1/{address}"
        return requests.post(address, headers=self._named, timeout=PATIENCE, **sent)  # type: ignore[arg-type]  # of several kinds

    @property
    def writes(self) -> Sequence[Callable[[], requests.Response]]:
        return (self.sign_in, self.upload, self.import_collection, self.begin_a_draft, self.add_a_topic)

    # What is there

    def files(self) -> set[str]:
        return {each.name for folder in ("uploads", "temporary") for each in (self.disk.seen / folder).iterdir()}

    def run_states(self) -> list[str]:
        found = requests.get(f"http://127.0.0.1:{self._port}/api/v1/runs", headers=self._named, timeout=PATIENCE)
        return [run["state"] for run in found.json()["results"]]


@pytest.fixture
def served(tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Served]:
    database = tmp_path / "qc4.sqlite3"
    shutil.copy(template(), database)
    with django_db_blocker.unblock(), connected_to(f"sqlite:///{database}"):
        anna = User.objects.create(username="anna", password=PBKDF2PasswordHasher().encode(PASSWORD, "salt", 1))
        collection = import_documents(name="Space", slug="space", documents=[mercury(), saturn()], user=anna)
        collection.visibility = "public"
        collection.save()
        draft = drafts.from_nothing(query=collection.queries.get(key="mercury"), user=anna, kind="shared")
        token = tokens.create(anna, "laptop")[1]
    with small_disk(tmp_path / "disk", megabytes=16) as disk:
        shutil.copy(database, disk.seen / "qc4.sqlite3")
        site = Served(disk, tmp_path, token, draft.pk)
        site.start("serve", "--no-worker")
        wait_for(site.is_up, "the site answers")
        yield site
        site.close()


def assert_all(served: Served, lack: Lack) -> None:
    """Whatever is read is there; whatever would be written is refused in a sentence."""
    wait_for(served.is_up, "the site can be read")
    assert [(page, served.get(page).status_code) for page in PAGES] == [(page, 200) for page in PAGES]
    for write in served.writes:
        answer = write()
        assert (answer.status_code, lack.sentence in answer.text) == (lack.status, True), answer.text


@thorough("a disk that is full, then read-only")
def test_full_and_then_read_only(served: Served) -> None:
    assert served.upload().status_code == 201
    before = served.files()

    served.disk.fill()
    served.start("work", "--workers", "1")
    assert_all(served, FULL)
    assert served.files() == before
    served.disk.free()
    assert [write().status_code for write in served.writes] == [200, 201, 202, 201, 200]
    wait_for(lambda: served.run_states() == ["done"] * 3, "what was sent then is done")
    assert "all as stored" in served.manage("verify")

    before = served.files()
    served.disk.forbid_writing()
    served.end_children()
    assert_all(served, READ_ONLY)
    assert served.files() == before
    served.disk.allow_writing()
    served.end_children()
    wait_for(served.is_up, "the site answers again")
    assert [write().status_code for write in served.writes] == [200, 201, 202, 201, 200]
    wait_for(lambda: served.run_states() == ["done"] * 5, "what was sent then is done")
    assert "all as stored" in served.manage("verify")
