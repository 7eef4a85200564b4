"""Long-running commands show progress on a terminal, and write nothing elsewhere."""

import io
import sys

import pytest

from qc4 import progress
from qc4.cli import main
from tests.paths import DOCS

EXAMPLES = DOCS / "users" / "examples"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_only_the_outermost_loop_is_shown(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.0)
    monkeypatch.setattr(progress, "REDRAW_SECONDS", 0.0)
    with progress.progress_bar("qc4 study"):
        for _ in progress.track_progress([1, 2]):
            assert list(progress.track_progress(range(3))) == [0, 1, 2]
    assert "2/2" in terminal.getvalue()
    assert "/3" not in terminal.getvalue()


def test_next_loop_shows_a_bar_after_an_early_exit():
    with progress.progress_bar("qc4"):
        for _ in progress.track_progress([1, 2]):
            break
        assert list(progress.track_progress([1, 2])) == [1, 2]
    assert progress.track_progress([1]) == [1]


JAGUAR = [str(EXAMPLES / name) for name in ("jaguar.gold.json", "jaguar.stc.json")]
RESULTS = str(EXAMPLES / "quality.csv")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["calibrate", *JAGUAR, "-m", "quality", "--draws", "5"], ["5/5"]),
        (["compare", RESULTS, "--draws", "2000"], ["random signs"]),
        (["f-of-means", RESULTS, RESULTS, "--draws", "2000"], ["random signs", "resampled queries"]),
    ],
    ids=lambda one: one[0],
)
def test_progress_bar_does_not_change_the_output(asked, said, monkeypatch, capsys):
    assert main(asked) == 0
    quiet = capsys.readouterr()
    assert quiet.err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.0)
    monkeypatch.setattr(progress, "REDRAW_SECONDS", 0.0)
    assert main(asked) == 0
    assert f"qc4 {asked[0]} █" in terminal.getvalue().replace("░", "█")
    assert [words for words in said if words not in terminal.getvalue()] == []
    assert capsys.readouterr().out == quiet.out
