"""What `make run` does first: an account and a filled demo collection."""

from __future__ import annotations

import re

import pytest

from accounts.models import User
from annotations.models import Collection, Role, Stream
from evaluation.models import Run, Score, StreamResult, Submission
from evaluation.services import demo
from evaluation.services.deletion import delete_stream, delete_submission
from qc4.measures.registry import REGISTRY
from tests.evaluation.commands.outcome import Manage


@pytest.fixture(autouse=True)
def _one_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every measure of every answer takes seconds, and changes nothing of what is tested here."""
    monkeypatch.setattr(REGISTRY, "all", lambda: (REGISTRY.get("qc4_f"),))


def test_the_password_is_printed_once(manage: Manage) -> None:
    first = manage("ensure_user", "demo")
    password = re.search(r"only now\): (\S+)", first.out)
    assert password is not None
    assert User.objects.get(username="demo").check_password(password[1])
    second = manage("ensure_user", "demo")
    assert (second.status, password[1] in second.out) == (0, False)
    assert "changepassword demo" in second.out
    wrong = manage("ensure_user", "not a name")
    assert wrong.status == 2
    assert "'not a name': Enter a valid username." in wrong.err


def test_the_demo_is_filled_public_and_owned(manage: Manage) -> None:
    manage("ensure_user", "demo")
    assert manage("load_demo").status == 0
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


def test_a_demo_that_was_interrupted_is_completed(manage: Manage) -> None:
    waiting = demo.load()
    assert waiting
    assert manage("load_demo").status == 0
    assert not Run.objects.exclude(state=Run.State.DONE).exists()
    assert Run.objects.filter(kind=Run.Kind.BASELINES).count() == 1


def test_a_deleted_demo_stays_away_while_there_are_other_collections(manage: Manage, collection: Collection) -> None:
    kept = manage("load_demo")
    assert kept.status == 0
    assert "--anyway" in kept.out
    assert list(Collection.objects.all()) == [collection]
    assert not demo.is_wanted()
    Collection.objects.all().delete()
    assert demo.is_wanted()


def test_it_is_loaded_beside_others_when_asked_for(manage: Manage, collection: Collection) -> None:
    assert manage("load_demo", "--anyway").status == 0
    assert set(Collection.objects.values_list("slug", flat=True)) == {demo.SLUG, collection.slug}


def test_a_demo_interrupted_beside_other_collections_is_completed(manage: Manage, collection: Collection) -> None:
    interrupted = demo.load()
    assert manage("load_demo").status == 0
    assert all(run.state == Run.State.DONE for run in Run.objects.filter(pk__in=[run.pk for run in interrupted]))
    assert Collection.objects.get(slug=demo.SLUG).algorithms.count() > len(interrupted)


def test_answers_deleted_from_a_complete_demo_stay_deleted(manage: Manage) -> None:
    manage("load_demo")
    gone = Submission.objects.exclude(origin=Submission.Origin.BASELINE).first()
    assert gone is not None
    delete_submission(gone)
    left = Submission.objects.count()
    assert manage("load_demo").out == ""
    assert Submission.objects.count() == left


def test_an_account_made_later_gets_the_demo(manage: Manage) -> None:
    demo.load()
    manage("ensure_user", demo.OWNER)
    demo.load()
    assert Collection.objects.get().memberships.get().user.username == demo.OWNER


def test_the_demo_has_a_stream_and_a_deleted_one_stays_deleted(manage: Manage) -> None:
    assert manage("load_demo").status == 0
    stream = Collection.objects.get(slug=demo.SLUG).streams.get()
    results = StreamResult.objects.filter(submission__stream=stream, medians__isnull=False)
    assert results.values("submission").distinct().count() == 3
    delete_stream(stream)
    again = manage("load_demo")
    assert (again.status, again.out) == (0, "")
    assert not Stream.objects.exists()
