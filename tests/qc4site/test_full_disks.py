"""A disk that is full or cannot be written: said in a clear sentence, nothing half done, and runs wait."""

from __future__ import annotations

import errno
import sqlite3
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from accounts.models import User
from annotations.models import Collection
from common.disk_space import FULL, READ_ONLY, Lack, lacking
from evaluation.models import Run, Upload
from evaluation.runs import execution
from evaluation.runs import services as runs
from evaluation.runs.source import SOURCE, tidy
from evaluation.uploads import services as uploads
from qc4site.errors.api import told
from work.clock import from_now
from work.leases import State

CLUSTERING = b'{"algorithm": "A", "query": "mercury", "clusters": [["p1", "p2"]]}'


def test_below_the_floor_nothing_is_taken_in(
    client: Client, owner: User, collection: Collection, settings: Settings
) -> None:
    settings.FREE_SPACE_BYTES = 10**18
    before = set(settings.UPLOAD_DIR.iterdir())
    client.force_login(owner)
    answer = client.post(
        reverse("api:submissions", args=[collection.slug]), {"file": SimpleUploadedFile("a.json", CLUSTERING)}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (507, "no-space")
    assert not Upload.objects.exists()
    assert set(settings.UPLOAD_DIR.iterdir()) == before
    assert client.get(reverse("collection", args=[collection.slug])).status_code == 200


def full_file(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_disk_that_is_full_in_the_middle_of_a_file_leaves_nothing(
    client: Client, owner: User, collection: Collection, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "_copy", full_file)
    before = set(settings.UPLOAD_DIR.iterdir())
    client.force_login(owner)
    file = {"file": SimpleUploadedFile("a.json", CLUSTERING)}
    answer = client.post(reverse("api:submissions", args=[collection.slug]), file)
    assert (answer.status_code, answer.json()["error"]["code"]) == (507, "no-space")
    assert set(settings.UPLOAD_DIR.iterdir()) == before


class OfPostgresql(Exception):
    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


def of_sqlite(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("x")
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("cause", "lack"),
    [
        (of_sqlite("SQLITE_FULL"), FULL),
        (of_sqlite("SQLITE_READONLY_DIRECTORY"), READ_ONLY),
        (OfPostgresql("53100"), FULL),
        (OfPostgresql("25006"), READ_ONLY),
        (OSError(errno.EROFS, "x"), READ_ONLY),
        (of_sqlite("SQLITE_BUSY"), None),
        (OfPostgresql("53300"), None),
        (OSError(errno.EACCES, "x"), None),
    ],
)
def test_what_databases_and_files_say_of_it_is_understood(cause: Exception, lack: Lack | None) -> None:
    error: Exception = cause
    if not isinstance(cause, OSError):
        error = OperationalError("x")
        error.__cause__ = cause
    assert lacking(error) == lack
    if lack is not None:
        answer = told(error)
        assert (answer.status, answer.code, answer.sentence) == (lack.status, lack.code, lack.sentence)


def test_a_run_waits_until_there_is_room(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runs.enqueue(Run(kind=Run.Kind.IMPORT), owner)
    monkeypatch.setattr(execution, "executor", lambda _kind: full_file)
    task = SOURCE.claim("me", "interactive")
    assert task is not None
    assert not task.run(), "the worker pauses"
    run.refresh_from_db()
    assert (run.state, run.attempts, run.error) == (State.QUEUED, 0, None)
    assert run.events.last().why == f"{FULL.sentence} The run will be tried again."
    monkeypatch.setattr(execution, "executor", lambda _kind: lambda _context: None)
    task = SOURCE.claim("me", "interactive")
    assert task is not None
    assert task.run()
    assert Run.objects.get(pk=run.pk).state == State.DONE


def test_files_of_which_nothing_came_go_after_a_week(
    owner: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    upload, held = (uploads.store(BytesIO(content), "a.json", owner) for content in (b"failed", b"repeated"))
    first = runs.enqueue(Run(kind=Run.Kind.IMPORT, upload=upload), owner)
    second = runs.enqueue(Run(kind=Run.Kind.IMPORT, upload=held), owner)
    for run in (first, second):
        assert runs.cancel(run, owner)
    runs.rerun(second, owner)
    tidy()
    assert Upload.objects.count() == 2
    Run.objects.filter(state=State.CANCELLED).update(finished_at=from_now(-8 * 86_400))
    with django_capture_on_commit_callbacks(execute=True):
        tidy()
    assert list(Upload.objects.all()) == [held]
    assert (uploads.path_of(held).exists(), uploads.path_of(upload).exists()) == (True, False)
    first.refresh_from_db()
    assert first.upload is None
