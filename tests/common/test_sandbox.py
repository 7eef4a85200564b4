"""Work in a process of its own comes back as a value or a sentence, whatever it costs there."""

from __future__ import annotations

import itertools
import json

import pytest

from common.sandbox import Ceiling, call_apart
from qc4.io import DEFAULT_LIMITS, read_submissions
from qc4.problems import InputError
from tests.qc4.io.format_examples import clustering

ENOUGH = Ceiling(seconds=60, bytes=2**30, answer_bytes=2**24)


def forever() -> None:
    for _ in itertools.count():
        pass


def hungry(n_bytes: int) -> int:
    return len(bytearray(n_bytes))


def talkative(n_bytes: int) -> bytes:
    return bytes(n_bytes)


def broken() -> None:
    raise KeyError("ours")


def test_what_a_reader_finds_apart_is_what_it_finds_here() -> None:
    data = json.dumps(clustering()).encode()
    here = read_submissions(data, name="a.json")
    assert call_apart(read_submissions, data, ceiling=ENOUGH, where="a.json", name="a.json") == here


def test_what_a_reader_refuses_apart_is_refused_in_the_same_words() -> None:
    with pytest.raises(InputError) as here:
        read_submissions(b"{", name="a.json")
    with pytest.raises(InputError) as apart:
        call_apart(read_submissions, b"{", ceiling=ENOUGH, where="a.json", name="a.json", limits=DEFAULT_LIMITS)
    assert apart.value.problems == here.value.problems


@pytest.mark.parametrize(
    ("work", "arguments", "found"),
    [
        (forever, (), "more than 1 second of work"),
        (hungry, (2**31,), "content that needs more than 1,024 MiB of memory"),
        (talkative, (2**25,), "content of 32 MiB when it is read"),
    ],
)
def test_what_costs_too_much_apart_is_told_with_the_file_and_the_fix(work, arguments, found, monkeypatch) -> None:
    monkeypatch.setattr("common.sandbox.PATIENCE", 60)  # a busy machine takes longer than three seconds
    ceiling = Ceiling(seconds=1 if work is forever else 60, bytes=2**30, answer_bytes=2**24)
    with pytest.raises(InputError) as caught:
        call_apart(work, *arguments, ceiling=ceiling, where="a.json")
    [problem] = caught.value.problems
    assert (problem.code, problem.where, problem.found) == ("too-costly", "a.json", found)
    assert problem.fix


def test_a_fault_of_ours_apart_is_no_fault_of_the_file() -> None:
    with pytest.raises(RuntimeError, match="KeyError"):
        call_apart(broken, ceiling=ENOUGH, where="a.json")
