"""What can go wrong with a run, said so that a person can act on it."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.limits import KEPT_PROBLEMS
from qc4.problems import InputError, Problem
from qc4.records import Record


class GaveWay(Exception):  # noqa: N818  # not an error: the run waits in the queue again
    """A bulk run left its slot to what somebody waits for."""


class RunError(Record, Exception):
    """A run cannot succeed, and the person who started it can read why.

    ``code`` is permanent (kebab-case); ``where`` names file, line, query or cluster; ``fix`` says what to do. As a dict
    it is what is stored in ``Run.error``.
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
        return self.problems[:KEPT_PROBLEMS]

    @classmethod
    def of_input(cls, error: InputError, where: str = "") -> RunError:
        """Bad data: the first problem in the sentence, all of them in the list."""
        problems = error.problems
        first = problems[0]
        more = f" ({len(problems)} problems in all)" if len(problems) > 1 else ""
        return cls(first.code, f"{first.where}: found {first.found}, expected {first.expected}{more}.",
                   where or first.where, first.fix or "Correct the data and submit it again.", problems)  # fmt: skip


class TooManyRuns(Exception):  # noqa: N818  # an answer (429), not a fault
    """A limit on waiting and running work is reached.

    Attributes:
        limit: how many are allowed.
        position: the place in the queue the run would have had.
        retry_after: seconds after which trying again makes sense.
    """

    code = "too-many-runs"

    def __init__(self, *, limit: int, position: int, retry_after: int, whose: str) -> None:
        self.limit = limit
        self.position = position
        self.retry_after = retry_after
        reached = f"{whose} already {limit} unfinished runs, which is the limit"
        self.sentence = f"{reached}; the next would be number {position} in its queue."
        self.fix = f"Try again in {retry_after} seconds, or cancel runs that are no longer needed."
        super().__init__(self.sentence)
