"""The interface between a run's function and its lease, and the loop that resumes after an interruption."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from django.db import transaction

from annotations.models import Collection
from evaluation.limits import STEP_CHARS
from evaluation.models import Run, StreamSubmission, Submission
from evaluation.runs.scheduling import needs_preemption, preempt
from work.leases import Heartbeat, Lease, LeaseLost
from work.sources import BULK

Result = TypeVar("Result")
Progress = Callable[[int, int, str], None]

CHECKPOINT_SECONDS = 0.5
"""Checkpoints closer together than this are not written; a lost lease is still noticed."""
MAX_PREEMPTIONS_PER_PIECE = 3
"""How often a run can be preempted within one piece, which then starts again, before it must store that piece."""


class JobContext:
    """A claimed run and the two ways to write to it: `checkpoint` for progress, `commit` for results.

    Both raise `LeaseLost` when this worker no longer holds the run (cancelled, over its time limit, taken over). A
    checkpoint of a bulk run raises `Preempted` if an interactive run needs its slot. Executors let both pass and stop.

    Attributes:
        run: the row when it was claimed.
        finished: whether a `commit` has set the run DONE.
    """

    def __init__(
        self,
        run: Run,
        lease: Lease,
        heartbeat: Heartbeat,
        progress: Progress | None = None,
        *,
        preemptible: bool = False,
    ) -> None:
        """``preemptible``: whether interactive runs can preempt this run, if it is a bulk run."""
        self.run = run
        self.finished = False
        self._lease = lease
        self._heartbeat = heartbeat
        self._progress = progress
        self._preemptible = preemptible and run.queue == BULK
        self._written_at = float("-inf")

    @property
    def collection(self) -> Collection:
        """The run's collection, which most kinds have."""
        if self.run.collection is None:
            raise ValueError(f"a run of {self.run.kind} has a collection")
        return self.run.collection

    def checkpoint(self, done: int | None = None, total: int | None = None, step: str | None = None) -> None:
        """Record progress and extend the lease. Call it between pieces of work, as often as you like."""
        if self._heartbeat.is_lost:
            raise LeaseLost(f"run {self.run.pk} was taken away while it was being worked on")
        complete = done is not None and done == total
        changed = self._note(done, total, step)
        if complete or time.monotonic() - self._written_at >= CHECKPOINT_SECONDS:
            self._lease.extend(**changed)
            self._written_at = time.monotonic()
            if self._preemptible and self.run.gave_way < MAX_PREEMPTIONS_PER_PIECE and needs_preemption():
                preempt(self._lease)
        self._tell()

    def commit(
        self,
        write: Callable[[], Result],
        *,
        done: int | None = None,
        total: int | None = None,
        step: str | None = None,
        finish: str = "",
    ) -> Result:
        """Run ``write`` in one transaction with the check that this worker still holds the run.

        The run's row is locked last and briefly, so that the run can be cancelled meanwhile. ``finish`` (a sentence for
        the log) sets the run DONE in the same transaction. ``write`` should only write: on SQLite it blocks all other
        writers.
        """
        changed = self._note(done, total, step)
        if self.run.gave_way:
            self.run.gave_way = changed["gave_way"] = 0
        with transaction.atomic():
            result = write()
            if finish:
                self._lease.finish(finish, **{**changed, "step": ""})
            else:
                self._lease.extend(**changed)
        self.finished = self.finished or bool(finish)
        self._tell()
        return result

    def finish(self, why: str) -> None:
        """Set the run DONE, unless a `commit` has done so."""
        if not self.finished:
            self.commit(lambda: None, finish=why)

    def note(self, why: str) -> None:
        """Add an entry to the run's log; call it only within a `commit`."""
        Run.record(self.run.pk, actor=self._lease.worker, why=why)

    def remark(self, why: str) -> None:
        """Add an entry to the run's log in a commit of its own."""
        self.commit(lambda: self.note(why))

    def _note(self, done: int | None, total: int | None, step: str | None) -> dict[str, Any]:
        given = {"done": done, "total": total, "step": None if step is None else step[:STEP_CHARS]}
        changed = {name: value for name, value in given.items() if value is not None}
        for name, value in changed.items():
            setattr(self.run, name, value)
        return changed

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self.run.done, self.run.total, self.run.step)


# --- The loop of long runs: each piece is stored in a commit of its own, and none is computed twice ---

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
    """Do the remaining pieces. A run that was cancelled or taken over stops at its next write (`LeaseLost` passes).

    Args:
        left: the pieces that no earlier attempt stored.
        words: returns the progress text for a piece.
        make: computes a piece; writes nothing but checkpoints.
        keep: stores computed pieces, in the transaction that checks the lease.
        total: number of units in all, including finished ones.
        units: number of units of one piece.
        seconds: pieces that finish within this time are stored together.
        finish: log entry that ends the run, in the transaction of the last piece; empty if more work follows.
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
    """As `resumable`, for runs that make submissions; the run's options record the finished ones.

    Args:
        asked: key -> the piece that becomes a submission.

    Returns:
        Key -> id of the submission, or None if there was nothing to submit.
    """
    run = context.run
    if run.options.get("made", {}).get("run") != run.pk:  # a repeated run inherits the options of the first one
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
