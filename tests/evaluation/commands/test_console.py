"""Progress on terminals and in logs."""

from __future__ import annotations

import io

import pytest

from evaluation import console


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar() -> None:
    stream = Terminal()
    with console.Progress("Scoring", stream) as progress:
        progress(0, 4, "query a")
        progress(2, 4, "query b")
        progress(4, 4, "done")
    assert "2/4 query b" in stream.getvalue()
    assert stream.getvalue().endswith("█ 4/4 done\n")


def test_without_a_terminal_there_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(console.time, "monotonic", lambda: now)
    stream = io.StringIO()
    with console.Progress("Scoring", stream) as progress:
        for second in range(12):
            now = float(second)
            progress(second, 12, "query")
    assert stream.getvalue().splitlines() == ["Scoring: 5 of 12. query", "Scoring: 10 of 12. query"]


def test_nothing_of_a_file_reaches_the_terminal_as_a_command() -> None:
    assert console.printable("a\x1b[2Jb\u202ec\nd") == "a\ufffd[2Jb\ufffdc\nd"
