"""Sandboxes of the job tests: see `tests.jobs.sandbox`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker, Settings

from annotations.services.imports import import_documents
from annotations.services.removals import removing
from evaluation.models import Run, Submission
from evaluation.services import runs
from qc4.gold.document import GoldDocument, Topic
from tests.handing_in import hand_in
from tests.jobs.sandbox import LEASE, SWEEP, Backend, Sandbox, connected_to, fresh_database, require
from tests.migrated import template
from tests.samples import pages, submission_document
from tests.session import once_per_session
from work import wakeups

QUERIES = ("q1", "q2", "q3")


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Templates]:
    """Databases that hold the sample collection, to be copied."""
    with ExitStack() as stack:
        yield Templates(stack, tmp_path_factory.mktemp("templates"), django_db_blocker)


class Templates:
    """Each kind of database, made by the first process of a session that needs it."""

    def __init__(self, stack: ExitStack, folder: Path, blocker: DjangoDbBlocker) -> None:
        self._urls: dict[str, str] = {}
        self._stack = stack
        self._folder = folder
        self._blocker = blocker

    def of(self, backend: Backend) -> str:
        kind = "postgresql" if "postgresql" in backend.needs else "sqlite"
        if kind not in self._urls:
            with self._blocker.unblock():
                self._urls[kind] = self._on_postgresql(backend) if kind == "postgresql" else _in_a_file()
        return self._urls[kind]

    def _on_postgresql(self, backend: Backend) -> str:
        """A copy of the session's database, which is dropped with the copy of the process that made it."""
        with once_per_session("jobs.postgresql") as told:
            if not (told.exists() and told.read_text()):
                told.write_text(self._stack.enter_context(_shared(backend, self._folder)))
                with connected_to(told.read_text()):
                    call_command("migrate", verbosity=0)
                    _sample()
            return self._stack.enter_context(fresh_database(backend, self._folder, told.read_text()))


@contextmanager
def _shared(backend: Backend, folder: Path) -> Iterator[str]:
    with fresh_database(backend, folder) as url:
        yield url
        with once_per_session("jobs.postgresql") as told:
            told.write_text("")


def _in_a_file() -> str:
    migrated = template()
    with once_per_session("jobs.sqlite3") as file:
        url = f"sqlite:///{file}"
        if not file.exists():
            unfinished = file.with_suffix(".unfinished")
            shutil.copy(migrated, unfinished)
            with connected_to(f"sqlite:///{unfinished}"):
                _sample()
            unfinished.rename(file)
    return url


def _sample() -> None:
    """Three queries of six pages, and an algorithm that answers all of them differently."""
    topics = (Topic("a", "A", pages=("p1", "p2", "p3")), Topic("b", "B", pages=("p4", "p5")))
    documents = [GoldDocument(key, key, pages(6), topics, ("p6",)) for key in QUERIES]
    collection = import_documents(name="Jobs", documents=documents, user=None)
    answer = {"q1": [["p1", "p2"]], "q2": [["p1", "p4"], ["p5"]], "q3": [["p1", "p2", "p3"], ["p4", "p5", "p6"]]}
    hand_in(collection, submission_document(answer, "Sample"))
    with removing("a test"):
        Run.objects.all().delete()


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Backend:
    """Set by ``parametrize(indirect)``; skips where its services are absent."""
    found: Backend = request.param
    require(found)
    return found


@pytest.fixture
def sandbox(
    backend: Backend,
    templates: Templates,
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[Sandbox]:
    """The test's own database (with the sample collection), broker and workers; short leases here and there."""
    settings.JOB_LEASE_SECONDS, settings.JOB_SWEEP_SECONDS = LEASE, SWEEP
    with (
        fresh_database(backend, tmp_path, templates.of(backend)) as url,
        django_db_blocker.unblock(),
        connected_to(url),
    ):
        box = Sandbox(backend, url, tmp_path)
        settings.JOB_QUEUE_PREFIX, settings.CELERY_BROKER_URL = box.prefix, backend.broker
        monkeypatch.setattr(wakeups, "wakeup_sender", wakeups.WakeupSender())
        try:
            yield box
        finally:
            box.close()


@pytest.fixture
def queued(sandbox: Sandbox) -> Run:
    """A queued evaluation of the sample submission."""
    submission = Submission.objects.get()
    return runs.enqueue_evaluation(
        submission=submission, gold_version=submission.collection.gold_versions.get(), user=None
    )
