"""Keep a few processes running as one: restart what dies, prefix what they say, end them cleanly."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from threading import Event, Thread

from django.conf import settings

from common.processes import end_with_parent

POLL_SECONDS = 0.2
GRACE_SECONDS = 10.0
"""Between asking a process to end and ending it, unless it has a time of its own."""
LONGEST_PAUSE = 30.0
HEALTHY_SECONDS = 30.0
"""A process that ran so long is restarted without delay."""

SUPERVISOR = "QC4_SUPERVISOR"
"""In the environment of a child: the process id of its supervisor."""

Say = Callable[[str], None]


class Child:
    """One process that shall always run."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        say: Say,
        *,
        grace: float = GRACE_SECONDS,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """``grace``: seconds between asking it to end and ending it; ``environment``: what it sees beside ours."""
        self.name = name
        self.grace = grace
        self._command = list(command)
        self._say = say
        self._environment = dict(environment or {})
        self._pause = 0.0
        self._start_at = 0.0
        self._started_at = 0.0
        self._process: subprocess.Popen[str] | None = None

    def keep_running(self) -> None:
        """Start it if it is not running, not more often than its back-off allows."""
        now = time.monotonic()
        if self._process is not None and self._process.poll() is not None:
            self._note_death(now)
        if self._process is None and now >= self._start_at:
            self._start(now)

    def ask_to_end(self) -> None:
        """TERM to the main process only: it knows how to end its own children."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()

    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def kill(self) -> None:
        """KILL to the whole group, also to children a dead main process left behind."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _note_death(self, now: float) -> None:
        assert self._process is not None
        code = self._process.returncode
        self.kill()
        self._pause = 0.0 if now - self._started_at > HEALTHY_SECONDS else min(max(1.0, self._pause * 2), LONGEST_PAUSE)
        self._say(f"{self.name:7}| ended with code {code}, starting again in {self._pause:g} s")
        self._start_at = now + self._pause
        self._process = None

    def _start(self, now: float) -> None:
        self._started_at = now
        self._process = subprocess.Popen(  # noqa: S603 - a fixed command
            self._command,
            env={**self._environment, **os.environ, "PYTHONPATH": _import_path(), SUPERVISOR: str(os.getpid())},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=partial(end_with_parent, parent=os.getpid()),
        )
        Thread(target=self._relay, args=(self._process,), daemon=True).start()

    def _relay(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip():
                self._say(f"{self.name:7}| {line.rstrip()}")


class Supervisor:
    """Runs children until it is told to stop by SIGINT or SIGTERM (a second one ends them at once)."""

    def __init__(self, children: Sequence[Child], when_ready: Callable[[], bool] = lambda: True) -> None:
        """``when_ready`` is asked again and again until it returns True."""
        self._children = children
        self._when_ready = when_ready
        self._stop = Event()
        self._hurry = Event()

    def run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        ready = False
        while not self._stop.is_set():
            for child in self._children:
                child.keep_running()
            ready = ready or self._when_ready()
            self._stop.wait(POLL_SECONDS)
        self._end()

    def _end(self) -> None:
        for child in self._children:
            child.ask_to_end()
        asked_at = time.monotonic()
        while not self._hurry.is_set():
            waited = time.monotonic() - asked_at
            if all(child.has_ended() or waited > child.grace for child in self._children):
                break
            self._hurry.wait(POLL_SECONDS)
        for child in self._children:
            child.kill()

    def _on_signal(self, number: int, frame: object) -> None:
        if self._stop.is_set():
            self._hurry.set()
        self._stop.set()


def _import_path() -> str:
    """Lets ``python -m`` find the project from whatever directory it was started in."""
    return os.pathsep.join(filter(None, [str(settings.BASE_DIR), os.environ.get("PYTHONPATH", "")]))
