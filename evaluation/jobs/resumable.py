"""The loop of every run that takes long: piece after piece, each kept in a commit of its own, none done twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from evaluation.jobs.context import JobContext
from evaluation.models import Run, StreamSubmission, Submission

Piece = TypeVar("Piece")
Made = TypeVar("Made")


def resumable(
    context: JobContext,
    left: Sequence[Piece],
    words: Callable[[Piece], str],
    make: Callable[[Piece], Made],
    keep: Callable[[list[tuple[Piece, Made]]], object],
    *,
    total: int,
    units: int = 1,
    seconds: float = 0,
    finish: str = "",
) -> None:
    """Do what is left. A run that was cancelled or taken over stops at its next write (`LeaseLost` passes).

    Args:
        left: the pieces that no earlier attempt kept.
        words: what progress says while a piece is made.
        make: takes the time, and writes nothing but checkpoints.
        keep: writes what was made, in the transaction that checks the lease.
        total: how much there is to do in all, with what is done already.
        units: how much a piece counts.
        seconds: pieces that come faster than this are kept together.
        finish: the sentence that ends the run, in the transaction of the last piece; empty if more is to come.
    """
    done, waiting, kept_at = total - units * len(left), list[tuple[Piece, Made]](), time.monotonic()
    for number, piece in enumerate(left, start=1):
        context.checkpoint(done, total, words(piece))
        waiting.append((piece, make(piece)))
        done, is_last = done + units, number == len(left)
        if is_last or time.monotonic() - kept_at >= seconds:
            ready, waiting = waiting, []
            context.commit(lambda: keep(ready), done=done, total=total, finish=finish if is_last else "")  # noqa: B023  # called at once
            kept_at = time.monotonic()


def make_submissions(
    context: JobContext,
    asked: Mapping[str, Piece],
    words: Callable[[Piece], str],
    make: Callable[[Piece], Made],
    keep: Callable[[Piece, Made], Submission | StreamSubmission | None],
    *,
    units: int,
) -> dict[str, int | None]:
    """As `resumable`, for runs that make submissions; the run's options note which are made.

    Args:
        asked: key -> what becomes a submission.

    Returns:
        Key -> id of the submission; None where there was nothing to submit.
    """
    run = context.run
    if run.options.get("made", {}).get("run") != run.pk:  # the options of a repeated run come with its forerunner's
        run.options["made"] = {"run": run.pk, "submissions": {}}
    made: dict[str, int | None] = run.options["made"]["submissions"]

    def note(found: list[tuple[str, Made]]) -> None:
        for key, answers in found:
            submission = keep(asked[key], answers)
            made[key] = submission.pk if submission else None
        Run.objects.filter(pk=run.pk).update(options=run.options)

    left = [key for key in asked if key not in made]
    total = units * len(asked)
    resumable(
        context, left, lambda key: words(asked[key]), lambda key: make(asked[key]), note, total=total, units=units
    )
    return made
