"""Submissions go in whole or not at all, and their evaluation is queued with them."""

from __future__ import annotations

from evaluation.models import Run, Submission


def test_a_submission_is_stored_and_scored(scored: Submission) -> None:
    run = scored.runs.get()
    assert run.state == Run.State.DONE, run.error
    assert run.queries.count() == 2
