"""A complete demo collection: its contents, and the effects of loading it again.

It takes seconds to load, so it is loaded once; what a test changes is undone when it ends.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from annotations.models import Collection, Role, Stream
from evaluation.collections import demo
from evaluation.deletion.services import delete_stream, delete_submission
from evaluation.models import Run, Score, StreamResult, Submission
from qc4.measures.registry import REGISTRY
from tests.fixtures.commands import Manage
from tests.profiles import thorough

pytestmark = thorough("the whole demo, loaded")


@pytest.fixture(scope="module", autouse=True)
def _complete(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Load the demo with one measure, because computing all measures takes longer and is not tested here."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch, transaction.atomic():
        patch.setattr(REGISTRY, "all", lambda: (REGISTRY.get("qc4_f"),))
        # A command closes its connections at the end, but the transaction of the test is on one of them.
        patch.setattr(ConnectionHandler, "close_all", lambda *_, **__: None)
        call_command("ensure_user", "demo")
        call_command("load_demo")
        yield
        transaction.set_rollback(True)


def test_demo_is_complete_public_and_owned(manage: Manage) -> None:
    collection = Collection.objects.get(slug=demo.SLUG)
    assert collection.is_public
    assert collection.memberships.get(role=Role.OWNER).user.username == "demo"
    own = Submission.objects.filter(collection=collection).exclude(origin=Submission.Origin.BASELINE)
    assert own.count() >= 4
    assert Submission.objects.filter(origin=Submission.Origin.BASELINE).count() >= 7
    assert set(Run.objects.values_list("state", flat=True)) == {Run.State.DONE}
    assert Score.objects.filter(measure="qc4_f").exists()

    runs, scores = Run.objects.count(), Score.objects.count()
    again = manage("load_demo")
    assert (again.status, again.out) == (0, "")
    assert (Run.objects.count(), Score.objects.count()) == (runs, scores)


def test_submissions_deleted_from_a_complete_demo_stay_deleted(manage: Manage) -> None:
    gone = Submission.objects.exclude(origin=Submission.Origin.BASELINE).first()
    assert gone is not None
    delete_submission(gone)
    left = Submission.objects.count()
    assert manage("load_demo").out == ""
    assert Submission.objects.count() == left


def test_the_demo_has_a_stream_and_a_deleted_one_stays_deleted(manage: Manage) -> None:
    stream = Collection.objects.get(slug=demo.SLUG).streams.get()
    results = StreamResult.objects.filter(submission__stream=stream, medians__isnull=False)
    assert results.values("submission").distinct().count() == 3
    delete_stream(stream)
    again = manage("load_demo")
    assert (again.status, again.out) == (0, "")
    assert not Stream.objects.exists()
