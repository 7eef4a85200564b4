"""``manage.py work``: carry out queued runs in this process, without a broker."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.jobs.sweeper import sweep
from evaluation.models import Run
from evaluation.services import runs


class Command(BaseCommand):
    """Useful where no worker is running, and to see a run's log on the screen."""

    help = "Carry out queued runs in this process (all of them, or those named), then stop."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runs", nargs="*", type=int, metavar="RUN", help="numbers of runs; default: all queued")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted: list[int] = options["runs"]
        missing = set(wanted) - set(Run.objects.filter(pk__in=wanted).values_list("pk", flat=True))
        if missing:
            raise CommandError(f"There is no run {', '.join(map(str, sorted(missing)))}.")
        sweep()
        failed = [run for run in self._each(wanted) if self._carry_out(run) != Run.State.DONE]
        if failed:
            raise CommandError(f"{len(failed)} runs did not end well: {', '.join(str(run.pk) for run in failed)}.")

    def _each(self, wanted: list[int]) -> list[Run]:
        chosen = Run.objects.filter(pk__in=wanted) if wanted else Run.objects.filter(state=Run.State.QUEUED)
        return list(chosen.order_by("pk"))

    def _carry_out(self, run: Run) -> str:
        try:
            run = runs.run_here(run)
        except KeyboardInterrupt:
            raise CommandError(f"Stopped. Run {run.pk} is queued again and goes on where it stopped.") from None
        self.stdout.write(f"{run}: {run.error['sentence'] if run.error else f'{run.done} of {run.total} done'}")
        return run.state
