"""A broker that cannot be reached delays work; it never fails a request and loses nothing."""

from __future__ import annotations

import socket

import pytest
from celery import Celery
from django.conf import settings

from evaluation.models import Run
from evaluation.runs import wakeups
from evaluation.services import runs
from qc4site.broker import celery_settings
from tests.jobs.sandbox import Sandbox, assert_scored_once, embedded, wait_until_ended


@embedded
@pytest.mark.parametrize("scheme", ["amqp", "redis"])
def test_a_run_queued_while_the_broker_is_away_is_done_later(
    sandbox: Sandbox, queued: Run, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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
            again = runs.enqueue_evaluation(submission=queued.submission, gold_version=queued.gold_version, user=None)
    again.refresh_from_db()
    assert again.woken_at is None
    sandbox.worker()
    assert_scored_once(wait_until_ended(again))
