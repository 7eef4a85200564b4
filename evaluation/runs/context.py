"""What the function of a run receives to work under a lease, and the loop that resumes after an interruption."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from django.db import transaction

from annotations.models import Collection
from evaluation.limits import STEP_CHARS
from evaluation.models import Run, StreamSubmission, Submission
from evaluation.runs.scheduling import give_way, somebody_waits
from work.leases import Heartbeat, Lease, LeaseLost
from work.sources import BULK

Result = TypeVar("Result")
Progress = Callable[[int, int, str], None]

CHECKPOINT_SECONDS = 0.5
"""Checkpoints closer together than this are not written; a lost lease is still noticed."""
GIVES_WAY_UNFINISHED = 3
"""So often a run gives way in the middle of a piece, which is begun anew; after that it keeps one first: it gets on."""


class JobContext:
    """A claimed run and the two ways to write for it: `checkpoint` for progress, `commit` for results.

    Both raise `LeaseLost` when the run is no longer ours (cancelled, over its time, taken over), and a checkpoint of a
    bulk run `GaveWay` when somebody waits for its slot; executors let both pass and stop.

    Attributes:
        run: the row as it was when claimed.
        finished: whether the run was set DONE by a `commit`.
    """

    def __init__(
        self,
        run: Run,
        lease: Lease,
        heartbeat: Heartbeat,
        progress: Progress | None = None,
        *,
        gives_way: bool = False,
    ) -> None:
        """``gives_way``: whether a bulk run leaves its slot to what somebody waits for."""
        self.run = run
        self.finished = False
        self._lease = lease
        self._heartbeat = heartbeat
        self._progress = progress
        self._gives_way = gives_way and run.queue == BULK
        self._written_at = float("-inf")

    @property
    def collection(self) -> Collection:
        """The collection the run is about; most kinds have one."""
        if self.run.collection is None:
            raise ValueError(f"a run of {self.run.kind} has a collection")
        return self.run.collection

    def checkpoint(self, done: int | None = None, total: int | None = None, step: str | None = None) -> None:
        """Note progress and extend the lease. Call it as often as you like between pieces of work."""
        if self._heartbeat.is_lost:
            raise LeaseLost(f"run {self.run.pk} was taken away while it was being worked on")
        complete = done is not None and done == total
        changed = self._note(done, total, step)
        if complete or time.monotonic() - self._written_at >= CHECKPOINT_SECONDS:
            self._lease.extend(**changed)
            self._written_at = time.monotonic()
            if self._gives_way and self.run.gave_way < GIVES_WAY_UNFINISHED and somebody_waits():
                give_way(self._lease)
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
        """Run ``write`` in one transaction with the check that the run is still ours: both happen or neither.

        The run's row is locked last and briefly, so that it can be cancelled meanwhile. ``finish`` (a sentence for
        the log) sets the run DONE in the same transaction. Keep ``write`` to writing: on SQLite nobody else can
        write while it lasts.
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
        """Set the run DONE, unless a `commit` has."""
        if not self.finished:
            self.commit(lambda: None, finish=why)

    def note(self, why: str) -> None:
        """Add a line to the run's log; only within a `commit`."""
        Run.record(self.run.pk, actor=self._lease.worker, why=why)

    def remark(self, why: str) -> None:
        """Add a line to the run's log."""
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


# The loop of every run that takes long: piece after piece, each kept in a commit of its own, none done twice.

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
