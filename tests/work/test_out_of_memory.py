"""A worker that gets no more memory: the run ends with a sentence, and the worker goes on with the next one."""

from __future__ import annotations

import psutil
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.imports.services import import_documents
from evaluation.models import Run, Submission
from evaluation.runs import services as runs
from qc4.model.gold_document import GoldDocument, Topic
from tests.samples.documents import PASSWORD, pages, submission_document
from tests.samples.submissions import hand_in
from tests.work.sandbox import EMBEDDED, Sandbox, assert_log_is_whole, wait_until_ended

N_TOPICS, OF_EACH = 600, 5
"""Enough that what is worked out about them takes tens of megabytes at once."""
ROOM = 4 * 2**20


def large(user: User) -> Run:
    """The queued evaluation of as many clusters as topics."""
    listed = pages(N_TOPICS * OF_EACH)
    keys = [page.id for page in listed]
    groups = [tuple(keys[start : start + OF_EACH]) for start in range(0, len(keys), OF_EACH)]
    topics = tuple(Topic(f"t{number}", f"T{number}", pages=group) for number, group in enumerate(groups))
    collection = import_documents(name="Large", documents=[GoldDocument("large", "large", listed, topics)], user=user)
    _, run = hand_in(collection, submission_document({"large": groups}, "A"), user)
    assert run is not None
    return run


@pytest.mark.parametrize("backend", [EMBEDDED], indirect=True, ids=str)
def test_it_is_said_and_the_next_run_is_done(sandbox: Sandbox) -> None:
    ana = User.objects.create_user("ana", password=PASSWORD)
    run = large(ana)
    sandbox.hold_at("computing-large")
    sandbox.worker()
    child = psutil.Process(sandbox.held_at("computing-large"))
    child.rlimit(psutil.RLIMIT_AS, (child.memory_info().vms + ROOM, psutil.RLIM_INFINITY))
    sandbox.release("computing-large")
    wait_until_ended(run)
    assert (run.state, run.error["code"], run.attempts) == (Run.State.FAILED, "out-of-memory", 1)
    assert_log_is_whole(run)
    browser = Client()
    browser.force_login(ana)
    page = browser.get(reverse("run", args=[run.pk])).content.decode()
    assert "The worker ran out of memory." in page
    assert "split the data" in page

    small = Submission.objects.get(algorithm__name="Sample")
    following = runs.enqueue_evaluation(
        submission=small, gold_version=small.collection.gold_versions.get(), user=ana, measures=["aq"]
    )
    wait_until_ended(following)
    assert following.state == Run.State.DONE
    assert not child.is_running(), "what is left of its memory is nothing to go on with"
    call_command("verify")
