"""A broker that is restarted while runs wait and one is worked on: nobody's request fails, every run is done once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from annotations.models import Collection, Membership, Role
from evaluation.models import Run
from evaluation.runs import services as runs
from tests.profiles import thorough
from tests.samples.documents import PASSWORD
from tests.waiting import wait_for
from tests.work.broker_proxy import Line
from tests.work.sandbox import ON_RABBITMQ, ON_REDIS, PORTS, Backend, Sandbox, assert_log_is_whole, require

CLUSTERING = (
    b'{"format": "qc4-clustering/1", "query": "q1", "algorithm": "B", "clusters": [{"id": "1", "pages": ["p1"]}]}'
)


@pytest.fixture
def line(request: pytest.FixtureRequest) -> Iterator[Line]:
    found: Backend = request.param
    require(found)
    line = Line(PORTS[found.needs[-1]])
    yield line
    line.cut()


@pytest.fixture
def backend(line: Line, request: pytest.FixtureRequest) -> Backend:
    found: Backend = request.node.callspec.params["line"]
    return replace(found, broker=found.broker.replace(f":{PORTS[found.needs[-1]]}/", f":{line.port}/"))


@pytest.mark.services
@thorough("brokers that restart")
@pytest.mark.parametrize("line", [ON_RABBITMQ, ON_REDIS], indirect=True, ids=str)
def test_uploads_are_taken_and_every_run_is_done_once(sandbox: Sandbox, line: Line, queued_run: Run) -> None:
    ana = User.objects.create_user("ana", password=PASSWORD)
    collection = Collection.objects.get()
    Membership.objects.create(collection=collection, user=ana, role=Role.OWNER)
    sandbox.hold_at("computing-q2")
    worker = sandbox.worker()
    sandbox.held_at("computing-q2")
    runs.enqueue_evaluation(
        submission=queued_run.submission, gold_version=queued_run.gold_version, user=None, measures=["aq"]
    )
    line.cut()
    wait_for(lambda: worker.said("onnection"), "the process that takes calls notices")
    browser = Client()
    browser.force_login(ana)
    file = SimpleUploadedFile("b.json", CLUSTERING)
    answer = browser.post(f"/api/v1/collections/{collection.slug}/submissions", {"file": file})
    assert answer.status_code == 201, answer.content
    sandbox.release("computing-q2")
    wait_for(lambda: Run.objects.get(pk=queued_run.pk).state == Run.State.DONE, "what was begun is done meanwhile")
    line.mend()
    wait_for(lambda: not Run.objects.exclude(state=Run.State.DONE).exists(), "every run is done")
    assert list(Run.objects.values_list("attempts", flat=True)) == [1, 1, 1]
    for run in Run.objects.all():
        assert_log_is_whole(run)
    call_command("verify")
