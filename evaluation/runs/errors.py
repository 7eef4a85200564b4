"""Errors of runs, with messages that people can act on."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.limits import STORED_PROBLEMS
from qc4.problems import InputError, Problem
from qc4.records import Record


class Preempted(Exception):  # noqa: N818  # not an error: the run waits in the queue again
    """An interactive run preempted this bulk run."""


class RunError(Record, Exception):
    """A run cannot succeed, with the reason for the person who started it.

    ``code`` is permanent (kebab-case); ``where`` names file, row, query or cluster; ``fix`` says what to do.
    ``Run.error`` stores it as a dict.
    """

    KEYS = "code sentence where fix problems=kept_problems"

    def __init__(
        self, code: str, sentence: str, where: str = "", fix: str = "", problems: Sequence[Problem] = ()
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.where = where
        self.fix = fix
        self.problems = tuple(problems)

    @property
    def kept_problems(self) -> tuple[Problem, ...]:
        return self.problems[:STORED_PROBLEMS]

    @classmethod
    def of_input(cls, error: InputError, where: str = "") -> RunError:
        """Make an error from invalid data: the message has the first problem, the list has all of them."""
        problems = error.problems
        first = problems[0]
        more = f" ({len(problems)} problems in all)" if len(problems) > 1 else ""
        return cls(first.code, f"{first.where}: found {first.found}, expected {first.expected}{more}.",
                   where or first.where, first.fix or "Correct the data and submit it again.", problems)  # fmt: skip


class TooManyRuns(Exception):  # noqa: N818  # an answer (429), not a fault
    """A limit on unfinished runs is reached.

    Attributes:
        limit: number of allowed runs.
        position: queue position that the run would have had.
        retry_after: seconds to wait before trying again.
    """

    code = "too-many-runs"

    def __init__(self, *, limit: int, position: int, retry_after: int, whose: str) -> None:
        self.limit = limit
        self.position = position
        self.retry_after = retry_after
        reached = f"{whose} already {limit} unfinished runs, which is the limit"
        self.sentence = f"{reached}. The next would be number {position} in its queue."
        self.fix = f"Try again in {retry_after} seconds, or cancel runs that are no longer needed."
        super().__init__(self.sentence)
