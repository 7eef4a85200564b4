"""The table of rate limits, and the counts of a host."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from accounts.throttles import Forgotten, PasswordLinks
from common import host_counts
from common.rates import LIMITS, Rate, Where, read_rate
from common.throttles import Counted
from qc4site.configuration.options import Options
from tests.paths import ROOT

MINUTE = timedelta(minutes=1)


@pytest.fixture
def file(settings: Settings, tmp_path: Path) -> Path:
    settings.RATE_COUNTS_FILE = tmp_path / "counts.sqlite3"
    return settings.RATE_COUNTS_FILE


def takes(number: int, limit: int = 3, key: str = "x") -> list[bool]:
    return [host_counts.take("kind", key, MINUTE, limit) is not None for _ in range(number)]


# --- The table --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("20/min", Rate(20, 60)),
        ("10/15min", Rate(10, 900)),
        ("1/s", Rate(1, 1)),
        ("3/hour", Rate(3, 3600)),
        ("10/d", Rate(10, 86400)),
        ("2/second", Rate(2, 1)),
    ],
)
def test_a_rate_is_read(text: str, rate: Rate) -> None:
    assert read_rate(text) == rate


@pytest.mark.parametrize(
    "text", ["", "10", "10/", "/min", "0/min", "10/0min", "-1/min", "1.5/min", "10/month", "10/min "]
)
def test_text_that_is_no_rate_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"rate such as|allows nothing"):
        read_rate(text)


def test_every_limit_is_a_setting_and_in_force(settings: Settings) -> None:
    assert set(settings.RATES) == set(LIMITS)
    for name, limit in LIMITS.items():
        option = Options.options()[limit.setting]
        assert option.default == limit.default
        assert option.about == f"{limit.about} {limit.where.value}"
        assert read_rate(settings.RATES[name])


def test_every_count_is_of_a_limit_in_the_table() -> None:
    def kinds(of: type[Counted]) -> set[type[Counted]]:
        return {of, *(each for child in of.__subclasses__() for each in kinds(child))}

    scopes = {count.scope for count in kinds(Counted) if count.scope}
    assert scopes <= set(LIMITS)
    assert {name for name, limit in LIMITS.items() if limit.where is Where.ALL_HOSTS} == scopes
    assert {Forgotten, PasswordLinks} <= kinds(Counted)


# --- The counts of a host ---------------------------------------------------------------------------------------------


def test_places_are_taken_up_to_the_limit_and_for_each_key(file: Path) -> None:
    assert takes(5) == [True] * 3 + [False] * 2
    assert takes(1, key="y") == [True]
    assert host_counts.so_far("kind", "x", MINUTE).number == 3
    host_counts.forget("kind", "x")
    assert takes(4) == [True] * 3 + [False]


def test_a_place_that_is_given_back_is_free_again(file: Path) -> None:
    place = host_counts.take("kind", "x", MINUTE, 1)
    assert place is not None
    assert place.number == 1
    assert takes(1, limit=1) == [False]
    host_counts.give_back(place)
    assert takes(2, limit=1) == [True, False]


def test_a_window_begins_with_its_first_event_and_ends(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at(now: float) -> list[bool]:
        monkeypatch.setattr("common.host_counts.time", lambda: now)
        return takes(1, limit=2)

    assert [at(1000.0), at(1059.0), at(1059.9)] == [[True], [True], [False]]
    assert host_counts.so_far("kind", "x", MINUTE).since.timestamp() == 1000.0
    assert [at(1060.0), at(1061.0), at(1062.0)] == [[True], [True], [False]]


PROCESS = """
import sys, django
django.setup()
from datetime import timedelta
from django.conf import settings
import common.host_counts as host_counts
settings.RATE_COUNTS_FILE = sys.argv[1]
sys.stdin.readline()
print(sum(host_counts.take("kind", "x", timedelta(hours=1), 500) is not None for _ in range(300)))
"""


def test_processes_and_threads_count_together_and_exactly(file: Path) -> None:
    """1,500 requests at the same moment, of which 500 are allowed."""
    assert takes(1, key="the file is there")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(file)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    start = threading.Event()

    def many(_: int) -> int:
        start.wait()
        return sum(host_counts.take("kind", "x", timedelta(hours=1), 500) is not None for _ in range(150))

    with ThreadPoolExecutor(4) as pool:
        threads = pool.map(many, range(4))
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        start.set()
        allowed = sum(threads) + sum(int(process.communicate()[0]) for process in processes)
    assert allowed == 500


@pytest.mark.parametrize("spoil", [Path.mkdir, lambda path: path.write_bytes(b"not a database" * 100)])
def test_a_process_counts_for_itself_while_the_file_cannot_be_used(
    file: Path, spoil, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_counts, "_warned_at", 0.0)
    spoil(file)
    assert takes(5) == [True] * 3 + [False] * 2
    assert [record.getMessage() for record in caplog.records] == [
        f"{file} cannot be used ({reason(caplog)}): this process counts for itself."
    ]


def reason(caplog: pytest.LogCaptureFixture) -> str:
    return str(caplog.records[0].args[1])  # type: ignore[index]  # the second of two
