"""Too much work: what it would take, and what is done at most, in one form of sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qc4.problems.problem import InputError, Problem
from qc4.problems.wording import counted


@dataclass(frozen=True, slots=True)
class Effort:
    """Work that is refused above a limit.

    Attributes:
        work: what it is, as a sentence begins: "602 pages x 301 clusters".
        units: how much of it there is.
        most: how much is done at most.
        seconds_each: what a unit takes on one core of a small machine.
        unit: what is counted, in the plural: "pairs"; empty where seconds are.
    """

    work: str
    units: float
    most: int
    seconds_each: float = 1.0
    unit: str = ""

    @property
    def too_much(self) -> bool:
        return self.units > self.most

    @property
    def takes(self) -> str:
        """The time for all of it, in words."""
        return duration(self.units * self.seconds_each)

    @property
    def limit(self) -> str:
        """What is done at most, in words."""
        return f"{self.most:,} {self.unit}" if self.unit else duration(self.most)

    def __str__(self) -> str:
        return f"{self.work} would take about {self.takes}; the limit is {self.limit}"

    def refuse_input(self, where: str, fix: str) -> None:
        """Refuse an input that makes too much work.

        Raises:
            InputError: ``too-large`` at ``where``, with the time it would take.
        """
        if self.too_much:
            found = f"{self.work}, which would take about {self.takes}"
            raise InputError([Problem("too-large", where, found, f"at most {self.limit} of work", fix)])


def duration(seconds: float) -> str:
    """A length of time in words, rounded up: "40 seconds", "3 minutes", "1.5 hours"."""
    whole = math.ceil(round(seconds, 3))
    if whole < 120:
        return counted(whole, "second")
    if whole < 3600:
        return counted(math.ceil(whole / 60), "minute")
    tenths = math.ceil(whole / 360)
    return "1 hour" if tenths == 10 else f"{tenths / 10:,.1f}".removesuffix(".0") + " hours"
