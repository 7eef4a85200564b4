"""``manage.py work``: a worker on its own, or the queued runs in this process."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from accounts.console import SiteCommand
from evaluation.jobs.here import run_here
from evaluation.jobs.sweeper import sweep
from evaluation.management.database import wait_for_database
from evaluation.management.worker_child import add_pool_argument, tell_private, worker_child
from evaluation.models import Run
from evaluation.runs.turns import next_run
from work.supervisor import Supervisor


class Command(SiteCommand):
    """On other machines than the web server's, or with ``--once`` where there is no worker at all."""

    help = "Start a worker and keep it running; with --once, carry out what is queued in this process and stop."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_pool_argument(parser)
        known = ", ".join(settings.JOB_QUEUES)
        parser.add_argument("--queues", default="", metavar="A,B", help=f"of {known}; default: all")
        parser.add_argument("--once", action="store_true", help="no worker, no broker: do what is queued, then stop")

    def handle(self, *args: Any, **options: Any) -> None:
        queues = [name for name in options["queues"].split(",") if name]
        if unknown := set(queues) - set(settings.JOB_QUEUES):
            raise CommandError(
                f"No queue {', '.join(sorted(unknown))}: expected some of {', '.join(settings.JOB_QUEUES)}"
            )
        if options["once"]:
            self._do_queued(queues or list(settings.JOB_QUEUES))
            return
        tell_private(self._say)
        wait_for_database(self._say)
        name, processes = f"work{os.getpid()}", options["workers"]
        self._say(f"Working on {', '.join(queues or settings.JOB_QUEUES)}, {processes} runs at once. Ctrl-C stops it.")
        Supervisor([worker_child(self._say, name=name, processes=processes, queues=queues)]).run()
        self._say("Stopped.")

    def _do_queued(self, queues: list[str]) -> None:
        sweep()
        ended = []
        # Runs may start others (baselines their evaluations), so the table is asked again each time.
        while (found := next_run(queues)) is not None:
            ended.append(self._carry_out(Run.objects.get(pk=found)))
        bad = [run for run in ended if run.state != Run.State.DONE]
        if bad:
            raise CommandError(
                f"{len(bad)} of {len(ended)} runs did not end well: {', '.join(str(run.pk) for run in bad)}"
            )

    def _carry_out(self, run: Run) -> Run:
        try:
            run = run_here(run)
        except KeyboardInterrupt:
            raise CommandError(f"Stopped. Run {run.pk} is queued again and goes on where it stopped.") from None
        self._say(f"{run}: {run.error['sentence'] if run.error else f'{run.done} of {run.total} done'}")
        return run

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
