"""A broker that cannot be reached delays work; it never fails a request and loses nothing."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from celery import Celery
from django.conf import settings

from accounts.models import User
from annotations.models import Membership, Role
from evaluation.models import Run
from evaluation.runs import wakeups
from evaluation.services import announcements, runs
from qc4site.broker import celery_settings
from tests.jobs.sandbox import Sandbox, assert_scored_once, embedded, wait_until_ended


@contextmanager
def broker_away(sandbox: Sandbox, scheme: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Calls for workers go to a port where nobody listens."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        app = Celery("away", set_as_current=False)
        url = f"{scheme}://127.0.0.1:{closed.getsockname()[1]}//"
        app.config_from_object(
            {
                **celery_settings(url, folder=sandbox.folder, prefix=sandbox.prefix, queues=settings.JOB_QUEUES),
                "CELERY_TASK_PUBLISH_RETRY_POLICY": settings.CELERY_TASK_PUBLISH_RETRY_POLICY,
                "CELERY_BROKER_CONNECTION_TIMEOUT": settings.CELERY_BROKER_CONNECTION_TIMEOUT,
            },
            namespace="CELERY",
        )
        sandbox.wipe_broker()
        with monkeypatch.context() as patch:
            patch.setattr(wakeups, "current_app", app)
            yield


@embedded
@pytest.mark.parametrize("scheme", ["amqp", "redis"])
def test_a_run_queued_while_the_broker_is_away_is_done_later(
    sandbox: Sandbox, queued: Run, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with broker_away(sandbox, scheme, monkeypatch):
        again = runs.enqueue_evaluation(submission=queued.submission, gold_version=queued.gold_version, user=None)
    again.refresh_from_db()
    assert again.woken_at is None
    sandbox.worker()
    assert_scored_once(wait_until_ended(again))


@embedded
@pytest.mark.parametrize("scheme", ["amqp", "redis"])
def test_announcement_of_a_gold_version_outlives_a_broker_that_is_away(
    sandbox: Sandbox, queued: Run, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = queued.gold_version
    assert version is not None
    reader = User.objects.create(username="reading", email="reading@example.org")
    Membership.objects.create(collection=version.collection, user=reader, role=Role.READER)
    with broker_away(sandbox, scheme, monkeypatch):
        run = announcements.enqueue(version, version.published_by)
    assert run is not None
    run.refresh_from_db()
    assert (run.state, run.woken_at) == (Run.State.QUEUED, None)
    sandbox.worker()
    wait_until_ended(run)
    run.refresh_from_db()
    assert run.state == Run.State.DONE
    assert [told.user for told in version.announced.all()] == [reader]
