"""`manage.py` for the workers of these tests, with places where a test can hold or kill it.

A test lays a file ``<point>.hold`` into ``QC4_TEST_POINTS``; the first process to come to that point turns it into
``<point>.held`` (its process id inside) and waits there for ``<point>.go``. A file ``<point>.die`` kills every process
that comes by. The product knows nothing of this: the points are wrapped around its functions here.

Points: ``computing-<query>`` before a query's scores are computed, ``measuring-<number>`` before a stream's snapshot of
that number (from 0) is, ``between-<done>`` after the commit of so many queries or snapshots, ``before-done`` when the
last scores are written and DONE is not, ``answering`` before an answer is worked out, ``storing`` when it is written
and not committed.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
from django.core.management import execute_from_command_line

if TYPE_CHECKING:
    from evaluation.runs.context import JobContext
    from evaluation.scoring.jobs import QueryTask

POINTS = Path(os.environ["QC4_TEST_POINTS"])


def pass_point(name: str) -> None:
    """Hold or die here if the test says so."""
    if (POINTS / f"{name}.die").exists():
        (POINTS / f"{name}.{os.getpid()}.died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        (POINTS / f"{name}.hold").rename(POINTS / f"{name}.holding")
    except FileNotFoundError:
        return
    (POINTS / f"{name}.holding").write_text(str(os.getpid()))
    (POINTS / f"{name}.holding").rename(POINTS / f"{name}.held")
    parent = os.getppid()
    while not (POINTS / f"{name}.go").exists() and os.getppid() == parent:
        time.sleep(0.02)


def wrap() -> None:
    """Django is loaded, no process is forked yet."""
    from evaluation.runs import context
    from evaluation.runs.context import JobContext
    from evaluation.scoring import jobs as evaluations
    from evaluation.streams import jobs as streams
    from work import loop
    from work.answer_worker import ClaimedAnswer
    from work.answers import Answer

    loop.POLL_SECONDS = float(os.environ.get("QC4_TEST_LOOK_SECONDS", loop.POLL_SECONDS))
    compute, commit, measured = evaluations.compute_missing, JobContext.commit, streams._measured

    def answers(task: QueryTask, run: Any) -> Any:
        pass_point(f"computing-{task.query_key}")
        return compute(task, run)

    def measured_with_points(stream: Any, snapshot: Any, settings: Any, number: int) -> Any:
        pass_point(f"measuring-{number}")
        return measured(stream, snapshot, settings, number)

    def commit_with_points(self: JobContext, write: Callable[[], Any], **progress: Any) -> Any:
        def write_then_hold() -> Any:
            result = write()
            if progress.get("finish"):
                pass_point("before-done")
            return result

        result = commit(self, write_then_hold, **progress)
        pass_point(f"between-{progress.get('done')}")
        return result

    run, write = ClaimedAnswer.run, Answer.write_parts

    def run_with_point(self: ClaimedAnswer) -> bool:
        pass_point("answering")
        return run(self)

    def write_with_point(self: Any, key: str, found: Any) -> None:
        write(self, key, found)
        pass_point("storing")

    ClaimedAnswer.run = run_with_point
    Answer.write_parts = write_with_point
    evaluations.compute_missing = answers
    streams._measured = measured_with_points
    streams.COMMIT_SECONDS = 0
    context.CHECKPOINT_SECONDS = 0
    JobContext.commit = commit_with_points


if __name__ == "__main__":
    django.setup()
    wrap()
    execute_from_command_line(sys.argv)
