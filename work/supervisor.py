"""A supervisor that keeps several processes running, restarts those that die, and ends them cleanly."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event

from django.db import connections

from common.processes import end_with_parent

POLL_SECONDS = 0.2
GRACE_SECONDS = 2.0
"""Default time between TERM and KILL. It is enough for a child to hand back its work."""
PAUSE_SECONDS = 1.0
"""Minimum time between two starts of the same process."""

Report = Callable[[str], None]


class Child:
    """A function that is kept running in a forked process. The process shares the modules imported by its parent."""

    def __init__(
        self, name: str, function: Callable[[], object], report: Report, *, grace: float = GRACE_SECONDS
    ) -> None:
        """``grace`` is the number of seconds between TERM and KILL."""
        self.grace = grace
        self._name = name
        self._function = function
        self._report = report
        self._process: multiprocessing.process.BaseProcess | None = None
        self._started_at = float("-inf")

    def keep_running(self) -> None:
        """Start the process if it is not running."""
        if self._process is not None and (code := self._process.exitcode) is not None:
            self._report(f"{self._name}: ended with code {code}, starting again")
            self._process = None
        if self._process is None and time.monotonic() - self._started_at > PAUSE_SECONDS:
            self._started_at = time.monotonic()
            connections.close_all()  # a forked process must not share a connection
            become = partial(_run_child, self._function, os.getpid())
            self._process = multiprocessing.get_context("fork").Process(target=become, name=self._name)
            self._process.start()

    def has_ended(self) -> bool:
        return self._process is None or self._process.exitcode is not None

    def ask_to_end(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()


class Supervisor:
    """Runs children until SIGINT or SIGTERM. A second signal kills them."""

    def __init__(self, children: Sequence[Child], on_tick: Callable[[], object]) -> None:
        """``on_tick`` is called five times a second."""
        self._children = children
        self._on_tick = on_tick
        self._stop = Event()
        self._kill_now = Event()

    def run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        try:
            while not self._stop.is_set():
                for child in self._children:
                    child.keep_running()
                self._on_tick()
                self._stop.wait(POLL_SECONDS)
            self._wait_for_children()
        finally:
            for child in self._children:
                child.end()

    def _wait_for_children(self) -> None:
        for child in self._children:
            child.ask_to_end()
        asked_at = time.monotonic()
        while not self._kill_now.is_set():
            waited = time.monotonic() - asked_at
            if all(child.has_ended() or waited > child.grace for child in self._children):
                break
            self._kill_now.wait(POLL_SECONDS)

    def _on_signal(self, number: int, frame: object) -> None:
        if self._stop.is_set():
            self._kill_now.set()
        self._stop.set()


def _run_child(function: Callable[[], object], parent: int) -> None:
    """Call the function in the forked process. TERM raises SystemExit in it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; only the supervisor acts on it
    end_with_parent(parent=parent)
    function()
