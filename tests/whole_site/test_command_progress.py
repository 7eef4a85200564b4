"""Progress on terminals and in logs."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable

import pytest

from evaluation.management import console
from qc4 import progress
from tests.paths import ROOT


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Says how late it is, in seconds."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])

    def set_to(seconds: float) -> None:
        now[0] = seconds

    return set_to


def test_a_terminal_gets_a_bar_with_rate_and_time_left(at: Callable[[float], None]) -> None:
    stream = Terminal()
    with console.Progress("Scoring", stream) as tell:
        tell(0, 400, "query a")
        at(10.0)
        tell(200, 400, "query b")
        at(15.0)
        tell(400, 400, "done")
    assert "200/400 20/s 10 s left query b" in stream.getvalue()
    assert stream.getvalue().endswith("█ 400/400 27/s in 15 s done\n")


def test_what_is_done_at_once_needs_no_bar(at: Callable[[float], None]) -> None:
    stream = Terminal()
    with console.Progress("Scoring", stream) as tell:
        tell(0, 2, "a")
        at(0.2)
        tell(2, 2, "b")
    assert stream.getvalue() == ""


def test_work_that_was_begun_before_is_not_counted_into_the_rate(at: Callable[[float], None]) -> None:
    stream = Terminal()
    with console.Progress("Scoring", stream) as tell:
        tell(900, 1_000, "resumed")
        at(10.0)
        tell(910, 1_000, "on")
    assert "1.0/s 1 min 30 s left" in stream.getvalue()


def test_without_a_terminal_nothing_is_written(at: Callable[[float], None]) -> None:
    stream = io.StringIO()
    with console.Progress("Scoring", stream) as tell:
        for second in range(12):
            at(float(second))
            tell(second, 12, "query")
    assert stream.getvalue() == ""


def test_nothing_of_a_file_reaches_the_terminal_as_a_command() -> None:
    assert console.printable("a\x1b[2Jb\u202ec\nd") == "a\ufffd[2Jb\ufffdc\nd"


def test_commands_start_without_what_only_pages_need() -> None:
    """A process of its own: what it imports is the promise. The checks, which import every page, are not made."""
    code = (
        "import sys; from django.core.management import execute_from_command_line as run\n"
        "try: run(['manage.py', 'submit', 'nothing', 'nothing.json'])\n"
        "except BaseException: pass\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    loaded = set(done.stdout.split())
    assert "evaluation.management.commands.submit" in loaded
    unwanted = {
        "rest_framework.views",
        "drf_spectacular.views",
        "sklearn",
        "scipy.optimize",
        "qc4site.urls",
    }
    assert loaded & unwanted == set()
    assert [name for name in loaded if name.startswith("evaluation.") and name.endswith((".views", ".api"))] == []
