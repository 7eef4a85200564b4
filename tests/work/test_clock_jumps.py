"""A clock that jumps costs no work: no run is done twice or waits for ever, nobody is kept out, no link ends early.

What was written before a jump of an hour lies an hour in the past or in the future afterwards: so the tests write it.
"""

from __future__ import annotations

import pytest
from django.db.models.functions import Now
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from annotations.imports import services as imports
from annotations.imports.services import import_documents
from annotations.models import Collection, Query
from evaluation.models import Run
from evaluation.runs import execution
from evaluation.runs import services as runs
from evaluation.runs.context import JobContext
from evaluation.runs.source import tidy
from tests.rate_limits import set_rates
from tests.samples.documents import saturn
from work.background import sweep
from work.clock import database_time, from_now
from work.leases import claim
from work.models import Worker

HOUR = 3600


@pytest.fixture
def run(db: None) -> Run:
    return runs.enqueue(Run(kind=Run.Kind.IMPORT), None)


def test_forwards_a_run_that_is_worked_on_is_done_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lease is over at once: somebody else takes it up, and what the first one writes later is taken back."""
    written: list[str] = []

    def work(context: JobContext) -> None:
        if not written:
            written.append("first")
            Run.objects.update(lease_until=from_now(-HOUR))
            sweep()
            execution.execute(run.pk, "second")
        context.commit(lambda: Worker.objects.create(name=f"result {context._lease.worker}", seen_at=database_time()))

    monkeypatch.setattr(execution, "executor", lambda _kind: work)
    execution.execute(run.pk, "first")
    run.refresh_from_db()
    assert (run.state, run.worker) == (Run.State.DONE, "second")
    assert Worker.objects.filter(name__startswith="result").get().name == "result second"


def test_backwards_a_run_of_a_dead_worker_waits_no_longer_than_ever(run: Run, settings: Settings) -> None:
    claim(Run, run.pk, "dead")
    Run.objects.update(lease_until=from_now(HOUR))
    sweep()
    within = Run.objects.filter(lease_until__lte=from_now(settings.JOB_LEASE_SECONDS + 1), lease_until__gt=Now())
    assert within.get() == run


def test_backwards_nobody_waits_until_it_is_that_time_again(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    set_rates(settings, anon="2/min")
    for now in (2.0 * HOUR, 1.0 * HOUR):
        monkeypatch.setattr("common.host_counts.time", lambda now=now: now)
        assert [client.get("/api/v1/").status_code for _ in range(3)] == [200, 200, 429]


def test_forwards_no_import_is_given_up_and_nobody_is_signed_out(owner: User, client: Client) -> None:
    client.force_login(owner)

    def jump(done: int, total: int, words: str) -> None:
        Collection.everything.filter(arriving_at__gt=imports.ABANDONED).update(arriving_at=from_now(-HOUR))
        tidy()

    import_documents(name="Space", documents=[saturn()], user=owner, progress=jump)
    assert Query.objects.count() == 1
    assert client.get("/account/").status_code == 200
