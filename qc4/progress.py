"""A progress bar with rate and time left. Nothing is written if standard error is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Protocol, TextIO, TypeVar

Item = TypeVar("Item")

BAR_WIDTH = 28
DELAY_SECONDS = 0.5
"""Seconds before the bar appears. Quick work needs no bar."""
REDRAW_SECONDS = 0.1
STEP_CHARS = 60


class ReportProgress(Protocol):
    """A function that long-running work may call as often as it likes."""

    def __call__(self, done: int, total: int, step: str) -> None:
        """Report that ``done`` of ``total`` steps are done, and name the current step."""


class Progress:
    """A progress bar, used as a context manager: ``with Progress("Scoring") as report: report(3, 10, "jaguar")``."""

    def __init__(self, label: str, stream: TextIO | None = None) -> None:
        self._label = label
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty()
        self._began = time.monotonic()
        self._first: tuple[float, int] | None = None
        self._drawn_at = self._began + DELAY_SECONDS - REDRAW_SECONDS
        self._last: tuple[int, int, str] | None = None
        self._drawn = ""

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            if self._last:
                self._draw(*self._last)
            self._stream.write("\n")
            self._stream.flush()

    def __call__(self, done: int, total: int, step: str) -> None:
        if not self._is_terminal:
            return
        now = time.monotonic()
        if self._first is None or done < self._first[1]:
            self._first = (now, done)
        self._last = (done, total, step)
        if now - self._drawn_at >= REDRAW_SECONDS:
            self._drawn_at = now
            self._draw(done, total, step)

    def _draw(self, done: int, total: int, step: str) -> None:
        filled = min(BAR_WIDTH, BAR_WIDTH * done // total) if total else 0
        bar = "█" * filled + "░" * (BAR_WIDTH - filled)
        parts = [f"{self._label} {bar} {done:,}/{total:,}", *self._pace(done, total), step[:STEP_CHARS]]
        line = " ".join(filter(None, parts))
        if line != self._drawn:
            self._stream.write(f"\r\x1b[2K{line}")
            self._stream.flush()
            self._drawn = line

    def _pace(self, done: int, total: int) -> list[str]:
        """Return the rate and the time left, once they can be estimated."""
        began, before = self._first or (self._began, 0)
        seconds = time.monotonic() - began
        if done <= before or seconds < DELAY_SECONDS:
            return []
        rate = (done - before) / seconds
        pace = f"{rate:,.0f}/s" if rate >= 9.5 else f"{rate:.1f}/s" if rate >= 0.95 else f"{60 * rate:.1f}/min"
        return [pace, f"{duration((total - done) / rate)} left"] if done < total else [pace, f"in {duration(seconds)}"]


_REPORT: ContextVar[ReportProgress | None] = ContextVar("report", default=None)


@contextmanager
def progress_bar(label: str) -> Iterator[None]:
    """Show the progress of the first long loop inside (`watched`) as a bar on the terminal."""
    with Progress(label) as progress:
        before = _REPORT.set(progress)
        try:
            yield
        finally:
            _REPORT.reset(before)


def track_progress(items: Collection[Item], step: Callable[[Item], str] = str) -> Iterable[Item]:
    """Yield the items and report progress if a bar is shown. Loops inside this one report nothing."""
    report = _REPORT.get()
    return items if report is None else _tracked(items, step, report)


def _tracked(items: Collection[Item], step: Callable[[Item], str], report: ReportProgress) -> Iterator[Item]:
    _REPORT.set(None)
    try:
        for number, item in enumerate(items):
            report(number, len(items), step(item))
            yield item
        report(len(items), len(items), "")
    finally:
        _REPORT.set(report)


def duration(seconds: float) -> str:
    """Return a duration in words: 40 s, 2 min 10 s, 1 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest and minutes < 10 else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"
