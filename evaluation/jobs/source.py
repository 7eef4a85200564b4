"""Runs as workers take them, and the exits that sweeps give them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib import import_module

from django.conf import settings
from django.db.models import Q

from evaluation.jobs import failures
from evaluation.jobs.execution import KINDS, carry_out, executor
from evaluation.jobs.tidying import tidy
from evaluation.models import Run
from evaluation.runs.errors import RunError
from evaluation.runs.turns import next_run
from work.leases import SWEEPER, Lease, Reason, State, claim, sweep_leases, transition
from work.sources import Source


@dataclass(frozen=True, slots=True)
class ClaimedRun:
    """A run that this process has claimed."""

    lease: Lease

    def run(self) -> bool:
        return carry_out(self.lease, gives_way=True) is None


class Runs(Source):
    """The table of runs."""

    model = Run

    def claim(self, worker: str, queue: str) -> ClaimedRun | None:
        while (found := next_run([queue])) is not None:
            if (lease := claim(Run, found, worker)) is not None:
                return ClaimedRun(lease)
            # Another worker was faster and used up this person's turn, so ask again whose turn it is.
        return None

    def load(self) -> None:
        for kind in KINDS:
            executor(kind)
        import_module("evaluation.jobs.warming")

    def sweep(self) -> Counter[str]:
        return sweep_leases(Run, _fail)

    def tidy(self) -> int:
        return tidy()


SOURCE = Runs()


def _fail(run: Run, reason: Reason, only_if: Q) -> bool:
    """Say why, also to who started it."""
    error = _too_slow() if reason == "time-limit" else _worker_died(run)
    failed = transition(
        Run, run.pk, State.RUNNING, State.FAILED,
        actor=SWEEPER, why=error.sentence, only_if=only_if, error=error.to_dict(),
    )  # fmt: skip
    if failed:
        failures.tell(run.pk)
    return failed


def _too_slow() -> RunError:
    return RunError(
        "time-limit",
        f"The run took longer than {settings.JOB_TIME_LIMIT_SECONDS / 3600:g} hours, which is the limit.",
        fix="Choose fewer measures or split the submission; the scores computed so far are kept and not done again.",
    )


def _worker_died(run: Run) -> RunError:
    times = "once" if run.attempts == 1 else f"{run.attempts} times"
    return RunError(
        "worker-died",
        f"The worker died {times} while working on this run.",
        run.step,
        "The data may need more memory than the worker has. Tell the administrator, or try a smaller part of it.",
    )
