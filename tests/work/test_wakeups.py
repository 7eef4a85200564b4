"""Wake-up calls: they end the sleep of workers where there is a broker, and nothing depends on them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

import pytest
from celery.app.defaults import NAMESPACES, flatten
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from accounts.models import User
from annotations.models import Membership, Role
from evaluation.gold import services as announcements
from evaluation.models import Run, Submission
from evaluation.runs import services as runs
from evaluation.selection import services as sweeps
from tests.samples.documents import PASSWORD
from tests.waiting import wait_for
from tests.work.sandbox import (
    ON_RABBITMQ,
    ON_REDIS,
    Sandbox,
    again,
    assert_scored_once,
    embedded,
    everywhere,
    wait_until_ended,
)
from work import wakeups

with_a_broker = pytest.mark.parametrize("backend", [again(ON_RABBITMQ), again(ON_REDIS)], indirect=True, ids=str)
AT_ONCE = 200


def evaluate(submission: Submission, user: User | None = None) -> Run:
    gold_version = submission.collection.gold_versions.get()
    return runs.enqueue_evaluation(submission=submission, gold_version=gold_version, user=user, measures=["aq"])


def is_running_or_done(run: Run) -> bool:
    return Run.objects.filter(pk=run.pk, state__in=[Run.State.RUNNING, Run.State.DONE]).exists()


@with_a_broker
def test_a_call_wakes_workers_that_would_sleep_for_hours(sandbox: Sandbox) -> None:
    submission = Submission.objects.get()
    workers = [sandbox.worker(concurrency=2, QC4_TEST_LOOK_SECONDS="100000") for _ in range(2)]

    def is_done(run: Run) -> bool:
        wakeups.wakeup_sender.call()  # a worker may not listen yet: nothing keeps calls for it
        return is_running_or_done(run)

    wait_for(partial(is_done, evaluate(submission)), "a worker is called")
    wait_for(partial(is_done, evaluate(submission)), "once more")
    workers[0].kill()
    wait_for(partial(is_done, evaluate(submission)), "the other worker is called, too")


@everywhere
def test_interactive_work_starts_beside_200_queued_runs(sandbox: Sandbox, settings: Settings) -> None:
    """A process is kept for it: nothing has to end first."""
    ana, bea = (User.objects.create_user(name, password=PASSWORD) for name in ("ana", "bea"))
    submission = Submission.objects.get()
    settings.JOB_LIMIT_PER_USER = AT_ONCE
    sandbox.hold_at("between-3")
    for number in range(AT_ONCE):
        sweeps.enqueue(
            collection=submission.collection, algorithms=["random"], clusters=[2], initialisations=1, user=ana
        )
        if not number:
            sandbox.worker(concurrency=2)
            sandbox.held_at("between-3")
    tiny = evaluate(submission, bea)
    wait_until_ended(tiny)
    assert tiny.state == Run.State.DONE
    assert Run.objects.filter(queue="bulk", state=Run.State.QUEUED).count() == AT_ONCE - 1


@pytest.fixture(params=["amqp", "redis"])
def silent_broker(
    request: pytest.FixtureRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[socket.socket]:
    """A broker that takes connections and says nothing; calls go there."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        settings.CELERY_BROKER_URL = f"{request.param}://127.0.0.1:{server.getsockname()[1]}//"
        monkeypatch.setattr(wakeups, "wakeup_sender", wakeups.WakeupSender())
        yield server


def test_no_request_waits_for_a_broker(
    silent_broker: socket.socket, db: None, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        run = runs.enqueue(Run(kind=Run.Kind.IMPORT), None)
    assert run.state == Run.State.QUEUED
    connection, _ = silent_broker.accept()
    with connection:
        assert wakeups.wakeup_sender._thread is not None
        assert wakeups.wakeup_sender._thread.is_alive(), "the call is not answered, and the request is over"


@pytest.mark.parametrize("url", ["", "amqp://127.0.0.1:{}//", "redis://127.0.0.1:{}/0"])
@embedded
def test_work_is_done_without_a_broker_or_while_it_is_away(sandbox: Sandbox, url: str, settings: Settings) -> None:
    submission = Submission.objects.get()
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.CELERY_BROKER_URL = url.format(closed.getsockname()[1])
        reader = User.objects.create(username="reading", email="reading@example.org")
        version = submission.collection.gold_versions.get()
        Membership.objects.create(collection=submission.collection, user=reader, role=Role.READER)
        evaluation = runs.enqueue_evaluation(submission=submission, gold_version=version, user=None)
        announcement = announcements.enqueue_announcement(version, version.published_by)
        assert announcement is not None
        sandbox.worker(CELERY_BROKER_URL=settings.CELERY_BROKER_URL)
        assert_scored_once(wait_until_ended(evaluation))
        assert wait_until_ended(announcement).state == Run.State.DONE
    assert [told.user for told in version.announced.all()] == [reader]


def test_celery_knows_every_option_and_keeps_it(settings: Settings) -> None:
    """It ignores names that it does not know."""
    settings.CELERY_BROKER_URL = "redis://redis.example/0"
    assert set(wakeups.OPTIONS) <= set(dict(flatten(NAMESPACES)))
    effective = wakeups.celery_app().conf
    assert {name: effective[name] for name in wakeups.OPTIONS} == wakeups.OPTIONS
    assert effective.broker_url == settings.CELERY_BROKER_URL
    assert effective.result_backend is None
