"""What an executor gets to do its work under a lease."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.db import transaction

from annotations.models import Collection
from evaluation.limits import STEP_CHARS
from evaluation.models import Run
from evaluation.runs.giving_way import give_way, somebody_waits
from work.heartbeat import Heartbeat
from work.lease import Lease, LeaseLost
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
