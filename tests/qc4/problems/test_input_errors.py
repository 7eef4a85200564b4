"""An `InputError` keeps its problems on the way between processes."""

from __future__ import annotations

import copy
import pickle

import pytest

from qc4.problems import InputError, Problem

PROBLEMS = (
    Problem("empty-topic", "topics[0]", "no pages", "a page"),
    Problem("no-gold", "topics", "none", "some", "Add."),
)


class _NamedError(InputError):
    """As kinds of input errors are that are not made from problems."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        super().__init__([Problem("bad-name", name, str(number), "a name")])


@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_problems_survive_pickling(again):
    error = again(InputError(problem for problem in PROBLEMS))
    assert error.problems == PROBLEMS
    assert str(error) == str(InputError(PROBLEMS))


def test_a_message_stays_short_however_many_problems_there_are():
    error = InputError(Problem("unknown-page", f"clusters[{number}]", "'x'", "a page") for number in range(100_000))
    assert len(error.problems) == 100_000
    assert len(str(error)) < 20_000
    assert str(error).endswith("clusters[199]: found 'x'; expected a page\nand 99,800 problems more")


def test_a_kind_of_its_own_survives_too():
    error = pickle.loads(pickle.dumps(_NamedError("x", 3)))
    assert (type(error), error.name, str(error)) == (_NamedError, "x", "x: found 3; expected a name")
    assert [problem.code for problem in error.problems] == ["bad-name"]
