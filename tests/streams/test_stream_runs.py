"""Stream runs on real workers: a killed run continues at the next snapshot and stores every time step once."""

from __future__ import annotations

import os
import signal

import pytest

from annotations.collections import streams as stored
from annotations.models import Collection
from evaluation.models import Run, StreamMoment, StreamSubmission
from evaluation.runs import services as runs
from evaluation.streams import services as streams
from evaluation.submissions.services import Provenance
from tests.samples import streams as samples
from tests.waiting import wait_for
from tests.work.sandbox import Sandbox, assert_log_is_whole, embedded, lapse, wait_until_ended

pytestmark = embedded


@pytest.fixture
def stream_run(sandbox: Sandbox) -> Run:
    """A queued run over three snapshots."""
    collection = Collection.objects.get()
    stream = stored.add_stream(collection, stored.read_stream_file(samples.STREAM, "mercury.csv"), None)
    document, found = streams.check(stream, samples.clusterings(samples.OVER_TIME), "f.json")
    return streams.submit(stream, document, found, Provenance(None, StreamSubmission.Origin.COMMAND, published=True))[1]


def assert_measured_once(run: Run) -> None:
    assert run.stream_submission is not None
    result = run.stream_submission.results.get()
    assert list(result.moments.order_by("number").values_list("number", "time")) == [(0, -1.0), (1, 3.0), (2, 6.0)]
    assert result.medians is not None
    assert Run.objects.get(pk=run.pk).state == Run.State.DONE


@pytest.mark.parametrize("moment", ["measuring-2", "before-done"])
def test_killed_child_costs_one_attempt_and_no_time_step(sandbox: Sandbox, stream_run: Run, moment: str) -> None:
    sandbox.hold_at(moment)
    sandbox.worker()
    held = sandbox.held_at(moment)
    known = list(StreamMoment.objects.order_by("number").values_list("pk", flat=True))
    assert len(known) == (2 if moment == "measuring-2" else 3)
    os.kill(held, signal.SIGKILL)
    lapse(stream_run)
    wait_until_ended(stream_run)
    assert_measured_once(stream_run)
    assert_log_is_whole(stream_run)
    assert list(StreamMoment.objects.order_by("number").values_list("pk", flat=True))[: len(known)] == known
    assert Run.objects.get(pk=stream_run.pk).attempts == 2


def test_a_cancelled_run_stops_at_its_next_write(sandbox: Sandbox, stream_run: Run) -> None:
    sandbox.hold_at("measuring-1")
    worker = sandbox.worker()
    sandbox.held_at("measuring-1")
    assert runs.cancel(stream_run, None)
    sandbox.release("measuring-1")
    wait_for(lambda: worker.said("is no longer held by") or worker.said("was taken away"), "the worker notices")
    assert StreamMoment.objects.count() == 1
    assert Run.objects.get(pk=stream_run.pk).state == Run.State.CANCELLED
