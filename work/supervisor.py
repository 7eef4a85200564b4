"""Keep a few processes running as one: restart what dies, end them cleanly."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import ClassVar

from django.conf import settings
from django.db import connections

from common.processes import end_with_parent

log = logging.getLogger(__name__)

POLL_SECONDS = 0.2
GRACE_SECONDS = 10.0
"""Between asking a process to end and ending it, unless it has a time of its own."""

Say = Callable[[str], None]


class Child(ABC):
    """One process that shall always run.

    Attributes:
        grace: seconds between asking it to end and ending it.
        healthy: a process that ran for so many seconds is restarted without delay.
        longest_pause: in seconds; the pauses before the others are restarted grow up to this.
    """

    grace: ClassVar[float] = GRACE_SECONDS
    healthy: ClassVar[float] = 30.0
    longest_pause: ClassVar[float] = 30.0

    def __init__(self, name: str, say: Say) -> None:
        self.name = name
        self._say = say
        self._pause = 0.0
        self._start_at = 0.0
        self._started_at = 0.0
        self._runs = False

    def keep_running(self) -> None:
        """Start it if it is not running, not more often than its back-off allows."""
        now = time.monotonic()
        if self._runs and (code := self._status()) is not None:
            self._note_death(now, code)
        if not self._runs and now >= self._start_at:
            self._start()
            self._runs, self._started_at = True, now

    def has_ended(self) -> bool:
        return not self._runs or self._status() is not None

    def ask_to_end(self) -> None:
        """TERM to the main process only: it knows how to end its own children."""
        if self._runs:
            self._terminate()

    def end(self) -> None:
        """KILL, also to what a dead main process left behind."""
        if self._runs:
            self._kill()
            self._runs = False

    def _note_death(self, now: float, code: int) -> None:
        self.end()
        too_soon = now - self._started_at < self.healthy
        self._pause = min(max(1.0, self._pause * 2), self.longest_pause) if too_soon else 0.0
        self._say(f"{self.name:7}| ended with code {code}, starting again in {self._pause:g} s")
        self._start_at = now + self._pause

    @abstractmethod
    def _start(self) -> None: ...

    @abstractmethod
    def _status(self) -> int | None:
        """Its exit status, or minus the signal that killed it; None while it runs."""

    @abstractmethod
    def _terminate(self) -> None: ...

    @abstractmethod
    def _kill(self) -> None: ...


class Program(Child):
    """A command in a process group of its own; each line it says is passed on with its name before it."""

    def __init__(self, name: str, command: Sequence[str], say: Say) -> None:
        super().__init__(name, say)
        self._command = list(command)
        self._process: subprocess.Popen[str]

    def _start(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - a fixed command
            self._command,
            env={**os.environ, "PYTHONPATH": _import_path()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=partial(end_with_parent, parent=os.getpid()),
        )
        Thread(target=self._relay, args=(self._process,), daemon=True).start()

    def _status(self) -> int | None:
        return self._process.poll()

    def _terminate(self) -> None:
        with suppress(ProcessLookupError):
            self._process.terminate()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _relay(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip():
                self._say(f"{self.name:7}| {line.rstrip()}")


class Fork(Child):
    """A function in a process that is forked from this one, and shares the memory of all that was imported."""

    grace = 2.0  # enough to hand back its work
    healthy = longest_pause = 1.0

    def __init__(self, name: str, function: Callable[[], object], say: Say) -> None:
        super().__init__(name, say)
        self._function = function
        self._process: multiprocessing.process.BaseProcess

    def _start(self) -> None:
        connections.close_all()
        work = partial(_become, self._function, os.getpid())
        self._process = multiprocessing.get_context("fork").Process(target=work, name=self.name)
        self._process.start()

    def _status(self) -> int | None:
        return self._process.exitcode

    def _terminate(self) -> None:
        self._process.terminate()

    def _kill(self) -> None:
        self._process.kill()
        self._process.join()


class Supervisor:
    """Runs children until it is told to stop by SIGINT or SIGTERM (a second one ends them at once)."""

    def __init__(self, children: Sequence[Child], meanwhile: Callable[[], object] = lambda: None) -> None:
        """``meanwhile`` is called five times a second."""
        self._children = children
        self._meanwhile = meanwhile
        self._stop = Event()
        self._hurry = Event()

    def run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        try:
            while not self._stop.is_set():
                for child in self._children:
                    child.keep_running()
                self._meanwhile()
                self._stop.wait(POLL_SECONDS)
            self._wait_for_the_end()
        finally:
            for child in self._children:
                child.end()

    def _wait_for_the_end(self) -> None:
        for child in self._children:
            child.ask_to_end()
        asked_at = time.monotonic()
        while not self._hurry.is_set():
            waited = time.monotonic() - asked_at
            if all(child.has_ended() or waited > child.grace for child in self._children):
                break
            self._hurry.wait(POLL_SECONDS)

    def _on_signal(self, number: int, frame: object) -> None:
        if self._stop.is_set():
            self._hurry.set()
        self._stop.set()


def _become(function: Callable[[], object], parent: int) -> None:
    """What a forked process does: the function, until it is told to end; then the function is left by SystemExit."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes at once; the supervisor passes it on
    end_with_parent(parent=parent)
    function()


def _import_path() -> str:
    """Lets ``python -m`` find the project from whatever directory it was started in."""
    return os.pathsep.join(filter(None, [str(settings.BASE_DIR), os.environ.get("PYTHONPATH", "")]))
