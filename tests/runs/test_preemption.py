"""Real worker processes: a person's small evaluation does not wait behind other people's sweeps."""

from __future__ import annotations

from accounts.models import User
from evaluation.models import Run, Submission
from evaluation.runs import services as runs
from evaluation.selection import services as sweeps
from tests.samples.documents import PASSWORD
from tests.waiting import wait_for
from tests.work.sandbox import Sandbox, assert_log_is_whole, assert_scored_once, everywhere, wait_until_ended

SWEEPS, SETTINGS = 4, 2


@everywhere
def test_small_evaluation_runs_after_one_query_of_the_first_sweep(sandbox: Sandbox) -> None:
    """A sweep occupies the only slot of the only worker. It is preempted, and finishes later like the others."""
    ana, bea = (User.objects.create_user(name, password=PASSWORD) for name in ("ana", "bea"))
    submission = Submission.objects.get()
    collection = submission.collection
    swept = [
        sweeps.enqueue(collection=collection, algorithms=["random"], clusters=[2], initialisations=SETTINGS, user=ana)
        for _ in range(SWEEPS)
    ]
    sandbox.hold_at("between-3")
    sandbox.worker()
    sandbox.held_at("between-3")
    tiny = runs.enqueue_evaluation(
        submission=submission, gold_version=collection.gold_versions.get(), user=bea, measures=["aq"]
    )
    sandbox.release("between-3")
    wait_until_ended(tiny)
    assert_scored_once(tiny)
    wait_for(lambda: not Run.objects.exclude(state=Run.State.DONE).exists(), "the sweeps are done")
    started = list(Run.objects.filter(events__to_state="running").order_by("events__pk").values_list("pk", flat=True))
    first = swept[0]
    assert started == [first.pk, tiny.pk, first.pk, *(run.pk for run in swept[1:])]
    first.refresh_from_db()
    assert (first.attempts, len(first.options["made"]["submissions"])) == (1, SETTINGS)
    assert_log_is_whole(first)
