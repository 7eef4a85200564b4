"""``manage.py work``: start a separate worker, or execute the queued runs in this process."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from accounts.console import SiteCommand
from evaluation.management.database import wait_for_database
from evaluation.management.private_files import mend
from evaluation.models import Run
from evaluation.runs.execution import run_here
from evaluation.runs.scheduling import next_run
from qc4.wording import counted
from work.background import sweep
from work.leases import State
from work.sources import QUEUES
from work.supervisor import Report
from work.worker import run_worker
from work.workers import Pool


class Command(SiteCommand):
    """Run a worker on a machine other than the web server's, or with ``--once`` execute runs without a worker."""

    help = "Start a worker and keep it running; with --once, execute the queued runs in this process and stop."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_pool_argument(parser)
        known = ", ".join(QUEUES)
        parser.add_argument("--queues", default="", metavar="A,B", help=f"some of {known}; default: all")
        parser.add_argument("--once", action="store_true", help="execute the queued runs without a worker, then stop")

    def handle(self, *args: Any, **options: Any) -> None:
        queues = tuple(name for name in options["queues"].split(",") if name) or QUEUES
        if unknown := set(queues) - set(QUEUES):
            raise CommandError(f"No queue {', '.join(sorted(unknown))}: expected some of {', '.join(QUEUES)}")
        if options["once"]:
            self._do_queued(queues)
            return
        tell_private(self._say)
        wait_for_database(self._say)
        pool = Pool(queues, options["workers"])
        self._say(f"Working on {', '.join(queues)}, {pool.slots} runs at once. Ctrl-C stops it.")
        run_worker(pool, self._say)
        self._say("Stopped.")

    def _do_queued(self, queues: Sequence[str]) -> None:
        sweep()
        ended = []
        # Runs may queue others (baselines queue their evaluations), so the table is queried again each time.
        while (found := next_run(queues)) is not None:
            ended.append(self._carry_out(Run.objects.get(pk=found)))
        bad = [run for run in ended if run.state != State.DONE]
        if bad:
            raise CommandError(
                f"{len(bad)} of {len(ended)} runs did not finish successfully: {', '.join(str(run.pk) for run in bad)}"
            )

    def _carry_out(self, run: Run) -> Run:
        try:
            run = run_here(run)
        except KeyboardInterrupt:
            raise CommandError(f"Stopped. Run {run.pk} is queued again and will continue where it stopped.") from None
        self._say(f"{run}: {run.error['sentence'] if run.error else f'{run.done} of {run.total} done'}")
        return run

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def tell_private(say: Report) -> None:
    """Restrict files that others could read, and report the number; name those that belong to another account."""
    mended, left = mend(settings.DATA_DIR)
    if mended:
        say(f"{counted(mended, 'file or folder', 'files or folders')} of {settings.DATA_DIR} could be read by others.")
    for sentence in left:
        say(sentence)


def add_pool_argument(parser: ArgumentParser) -> None:
    """Add ``--workers N``, the number of runs executed at the same time."""
    default = max(os.cpu_count() or 1, 2)
    about = f"runs at the same time (default {default})"
    parser.add_argument("--workers", type=_at_least_one, default=default, metavar="N", help=about)


def _at_least_one(value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise ArgumentTypeError(f"{value!r}: expected a whole number of at least 1")
    return int(value)
