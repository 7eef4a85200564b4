"""``manage.py work`` and ``manage.py sweep``."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from annotations.collections.removal import allow_removal
from evaluation.models import Run, Submission
from work.clock import from_now
from work.leases import claim

Submit = Callable[..., tuple[Submission, Run | None]]


def say(command: str, **options: object) -> str:
    output = StringIO()
    call_command(command, stdout=output, **options)
    return output.getvalue()


def test_once_does_what_is_queued_and_says_how_it_went(submit: Submit, owner: User) -> None:
    runs = [submit(owner, name)[1] for name in ("A", "B")]
    said = say("work", once=True)
    for run in runs:
        assert run is not None
        assert f"run {run.pk} (evaluation, done): 2 of 2 done" in said


def test_once_picks_up_what_a_dead_worker_left(submit: Submit, owner: User) -> None:
    _, run = submit(owner)
    assert run is not None
    claim(Run, run.pk, "dead")
    Run.objects.update(lease_until=from_now(-1))
    say("work", once=True)
    run.refresh_from_db()
    assert run.state == Run.State.DONE


def test_once_fails_when_a_run_does(submit: Submit, owner: User) -> None:
    submission, _ = submit(owner)
    with allow_removal("a test"):
        submission.clusterings.all().delete()
    with pytest.raises(CommandError, match="1 of 1 runs did not finish successfully"):
        say("work", once=True)


def test_only_named_queues_are_worked_on(submit: Submit, owner: User) -> None:
    _, run = submit(owner)
    assert run is not None
    assert say("work", once=True, queues="bulk") == ""
    with pytest.raises(CommandError, match="No queue blk: expected some of interactive, bulk"):
        say("work", once=True, queues="blk")


def test_sweep_says_what_it_did(submit: Submit, owner: User) -> None:
    _, run = submit(owner)
    assert run is not None
    claim(Run, run.pk, "dead")
    Run.objects.update(lease_until=from_now(-1))
    assert "1 requeued" in say("sweep")
