"""A challenge's limits with simultaneous submissions, from processes with their own connections."""

from __future__ import annotations

import multiprocessing
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier

import pytest
from django.db import connection

from accounts.models import User
from annotations.collections import streams as stored
from annotations.models import Collection, Membership, Role
from evaluation.challenges import services as challenges
from evaluation.models import (
    Algorithm,
    Clustering,
    CountedSubmission,
    Run,
    StreamSubmission,
    Submission,
    SubmissionReport,
)
from evaluation.streams import services as streams
from evaluation.submissions.services import Provenance
from qc4.problems import InputError
from tests.samples import streams as samples
from tests.samples.documents import PASSWORD, submission_document
from tests.samples.submissions import hand_in
from tests.waiting import PATIENCE
from tests.work.sandbox import BOTH_DATABASES, Sandbox, reconnect_after_fork

pytestmark = BOTH_DATABASES

ALLOWED, AT_ONCE = 2, 4
FORK = multiprocessing.get_context("fork")
ANSWER = {"q1": [["p1", "p2"]], "q2": [["p1", "p4"], ["p5"]]}


@pytest.fixture
def challenge(sandbox: Sandbox) -> Collection:
    """A challenge that allows `ALLOWED` submissions per person and day, and leaves its stream open."""
    collection = Collection.objects.get()
    user = User.objects.create_user("submitter", password=PASSWORD)
    Membership.objects.create(collection=collection, user=user, role=Role.SUBMITTER)
    stored.add_stream(collection, stored.read_stream_file(samples.STREAM, "mercury.csv"), user)
    challenges.save(collection, user=None, hides="all", streams_shown=True, per_day=ALLOWED)
    return collection


def submit(number: int) -> None:
    """Submit every second one to the stream: both kinds count together."""
    user, collection = User.objects.get(), Collection.objects.get()
    if number % 2:
        stream = collection.streams.get()
        document, found = streams.check(stream, samples.clusterings(samples.GOLD, f"S{number}"), "f.json", "", user)
        streams.submit(stream, document, found, Provenance(user, "command", published=True))
    else:
        hand_in(collection, submission_document(ANSWER, f"A{number}"), user, measures=["aq"])


def submit_when_all_are_ready(number: int, ready: Barrier, told: SimpleQueue[str]) -> None:
    """Run in a process of its own: open a connection, wait for the others, submit."""
    try:
        reconnect_after_fork()
        connection.ensure_connection()
        ready.wait(PATIENCE)
        submit(number)
        told.put("in")
    except InputError as error:
        told.put(error.problems[0].code)
    except BaseException as error:
        told.put(repr(error))
    finally:
        connection.close()


def test_exactly_the_allowed_number_is_accepted(challenge: Collection) -> None:
    """The others get an error about the limit, and leave no data."""
    before = {model: model.objects.count() for model in (Submission, SubmissionReport, Clustering, Run, Algorithm)}
    connection.close()  # a child process must not share this connection
    ready, told = FORK.Barrier(AT_ONCE), FORK.SimpleQueue()
    children = [FORK.Process(target=submit_when_all_are_ready, args=(n, ready, told)) for n in range(AT_ONCE)]
    for child in children:
        child.start()
    answers = sorted(told.get() for _ in children)
    for child in children:
        child.join(PATIENCE)
    assert answers == ["challenge-limit"] * (AT_ONCE - ALLOWED) + ["in"] * ALLOWED

    to_queries = Submission.objects.count() - before[Submission]
    of_streams = StreamSubmission.objects.count()
    assert to_queries + of_streams == ALLOWED
    counted = CountedSubmission.objects.order_by("of_all").values_list("of_day", "of_all")
    assert list(counted) == [(number, number) for number in range(1, ALLOWED + 1)]
    assert SubmissionReport.objects.count() - before[SubmissionReport] == to_queries
    assert Clustering.objects.count() - before[Clustering] == to_queries * len(ANSWER)
    assert Algorithm.objects.count() - before[Algorithm] == ALLOWED
    assert Run.objects.count() - before[Run] == ALLOWED
