"""Problems of an input in an `InputError`; checks for repeated ids, unknown references and cycles."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.problems import (
    InputError,
    Problem,
    ProblemList,
    check_cycles,
    check_ids,
    check_known,
    check_no_repeats,
    parents_first,
    repeated,
    repeated_positions,
)

PROBLEMS = (
    Problem("empty-topic", "topics[0]", "no pages", "a page"),
    Problem("no-gold", "topics", "none", "some", "Add."),
)


class _NamedError(InputError):
    """An input error that is not created from problems."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        super().__init__([Problem("bad-name", name, str(number), "a name")])


@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_problems_survive_pickling(again):
    error = again(InputError(problem for problem in PROBLEMS))
    assert error.problems == PROBLEMS
    assert str(error) == str(InputError(PROBLEMS))


def test_message_with_many_problems_is_short():
    error = InputError(Problem("unknown-page", f"clusters[{number}]", "'x'", "a page") for number in range(100_000))
    assert len(error.problems) == 100_000
    assert len(str(error)) < 20_000
    assert str(error).endswith("clusters[199]: found 'x'; expected a page\nand 99,800 problems more")


def test_subclass_survives_pickling():
    error = pickle.loads(pickle.dumps(_NamedError("x", 3)))
    assert (type(error), error.name, str(error)) == (_NamedError, "x", "x: found 3; expected a name")
    assert [problem.code for problem in error.problems] == ["bad-name"]


# Repeated ids, unknown references and cycles of parents: each is found once, in one short problem per place.


def test_repeated_id_is_reported_with_its_first_place():
    problems = ProblemList()
    check_ids(
        "duplicate-page", ["a", None, "b", "a", None], lambda n: (f"pages[{n}]", f"on line {n}"), "once", problems
    )
    [problem] = problems
    assert (problem.code, problem.where, problem.found) == (
        "duplicate-page",
        "pages[3]",
        "the id 'a' again (first on line 0)",
    )


def test_every_repetition_points_to_the_first_occurrence():
    assert list(repeated_positions("ababa")) == [(2, 0), (3, 1), (4, 0)]
    assert repeated("ababac") == ["a", "b"]


def test_many_pages_are_abbreviated_in_one_problem():
    problems = ProblemList()
    pages = [f"p{number}" for number in range(50_000)]
    check_known(pages, {"p0"}, "outliers", "known", problems)
    check_no_repeats(pages * 2, "outliers", "once", problems)
    assert [problem.code for problem in problems] == ["unknown-page", "page-twice"]
    assert all("more" in problem.found and len(problem.found) < 300 for problem in problems)


def test_every_cycle_is_found_once_as_the_path_back_to_its_start():
    order, cycles = parents_first([1, 0, 2, 2, -1, 4])
    assert cycles == [[0, 1, 0], [2, 2]]
    assert sorted(order) == [0, 1, 2, 3, 4, 5]


def test_long_cycle_is_abbreviated():
    number = 100_000
    _, [cycle] = parents_first([*range(1, number), 0])
    problems = ProblemList()
    check_cycles([cycle], [str(place) for place in range(number)], "topics", "a forest", problems)
    [problem] = problems
    assert problem.found.startswith("a cycle of parents: '0' > '1' > ")
    assert len(problem.found) < 300


@given(st.lists(st.integers(-1, 7), max_size=8))
def test_parents_come_first_unless_there_is_a_cycle(parents):
    parents = [parent if parent < len(parents) else -1 for parent in parents]
    order, cycles = parents_first(parents)
    assert sorted(order) == list(range(len(parents)))
    place = {topic: number for number, topic in enumerate(order)}
    sound = all(parent < 0 or place[parent] < place[topic] for topic, parent in enumerate(parents))
    assert sound == (not cycles)
    assert all(parents[step] == following for cycle in cycles for step, following in pairwise(cycle))
