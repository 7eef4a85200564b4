"""What is wrong with an input, said to a person: where, what was found, what was expected, how to fix it.

Readers and rules collect every problem before they refuse, so that a file is repaired in one go.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Literal

from qc4.problems.wording import counted, shortened
from qc4.records import Record

Severity = Literal["error", "warning"]
Listing = Literal["measures"]
"""What is expected to be one of too many to name: who tells the problem says where they are listed."""
LIBRARY: Mapping[Listing, str] = {"measures": "qc4.measures()"}
"""Where somebody who calls the library finds the listings."""
MOST_SHOWN = 200
"""Problems that a message shows; it says how many more there are."""

TEXT_CHARS = 8_000
"""Of each text of a problem: whatever an input holds, telling what is wrong with it stays short."""
MOST_OF_A_KIND = 200
"""Problems of one kind that are listed; the others are counted."""
MOST_COUNTED = 10_000
"""Errors after which readers stop: nobody repairs more by hand, and a hostile file is made of nothing else."""


@dataclass(frozen=True, slots=True)
class ReadingChoice(Record):
    """Another way to read the input, which a warning offers.

    Attributes:
        option: name of the option that asks for it: the argument in Python, the field of a form and of the API, and
            with hyphens and ``--`` the option on the command line.
        value: the value of the option.
        effect: what the other reading does, as an imperative clause without a full stop.
    """

    option: str
    value: str
    effect: str

    @property
    def in_python(self) -> str:
        """How a caller of the library asks for it."""
        value = self.value if self.value.startswith("[") else repr(self.value)
        return f"{self.effect}: {self.option}={value}."

    @property
    def on_the_command_line(self) -> str:
        """How a command asks for it."""
        return f"{self.effect}: --{self.option.replace('_', '-')} {shlex.quote(self.value)}"


@dataclass(frozen=True, slots=True)
class Problem(Record):
    """One thing that is wrong with an input.

    ``code`` is permanent (kebab-case, e.g. ``unknown-page``); ``where`` names file, line or path inside the file.
    ``listing`` is what would help to look at; as text, the problem names where the library has it.
    ``choice`` is another reading that a warning offers.
    """

    KEYS = "code severity where found expected fix choice?"

    code: str
    where: str
    found: str
    expected: str
    fix: str = ""
    severity: Severity = "error"
    listing: Listing | None = None
    choice: ReadingChoice | None = None

    def __post_init__(self) -> None:
        for name in ("where", "found", "expected", "fix"):
            if len(text := getattr(self, name)) > TEXT_CHARS:
                object.__setattr__(self, name, shortened(text, TEXT_CHARS))

    def __str__(self) -> str:
        return self._sentence(self.told(LIBRARY).fix, self.choice.in_python if self.choice else "")

    def on_the_command_line(self) -> str:
        """The problem as text for somebody who works with commands."""
        return self._sentence(self.told(LIBRARY).fix, self.choice.on_the_command_line if self.choice else "")

    def _sentence(self, *more: str) -> str:
        text = f"{self.where}: found {self.found}; expected {self.expected}"
        return ". ".join([text, " ".join(filter(None, more))]) if any(more) else text

    def told(self, listings: Mapping[Listing, str]) -> Problem:
        """The same problem, its fix with where the listing is to be found.

        Args:
            listings: where whoever is told finds each, as a sentence would name it.
        """
        if self.listing is None:
            return self
        return replace(self, fix=f"{self.fix} See {listings[self.listing]}.".lstrip(), listing=None)

    def within(self, container: str) -> Problem:
        """The same problem, its place prefixed with the file or archive member it lies in."""
        return replace(self, where=f"{container}: {self.where}" if self.where else container)


class BySeverity:
    """What has ``problems``: which of them keep it from being taken, and which do not."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def problems(self) -> Iterable[Problem]: ...

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "warning")


class InputError(ValueError):
    """An input was refused. ``problems`` holds all of them, in the order of the file; the message the first ones."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join([*map(str, self.shown), *filter(None, [self.left_out])]))

    @property
    def shown(self) -> tuple[Problem, ...]:
        """The first `MOST_SHOWN` problems: what people are told."""
        return self.problems[:MOST_SHOWN]

    @property
    def left_out(self) -> str:
        """How many problems are not `shown`, in words; empty where all are."""
        hidden = len(self.problems) - len(self.shown)
        return f"and {counted(hidden, 'problem')} more" if hidden else ""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it holds. Made anew from ``args``, as exceptions are, it would take its text for problems."""
        return _held, (type(self), self.args), self.__dict__


def _held(kind: type[InputError], args: tuple[str, ...]) -> InputError:
    return kind.__new__(kind, *args)


class ProblemList(BySeverity):
    """Collects problems while a reader goes on, and refuses at the end if any is an error."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._n_errors = 0

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    def __len__(self) -> int:
        return len(self.problems)

    def error(self, code: str, where: str, found: str, expected: str, fix: str = "") -> None:
        self._n_errors += 1
        self.problems.append(Problem(code, where, found, expected, fix))

    def error_each(self, code: str, rows: Iterable[tuple[str, str]], number: int, where: str, expected: str) -> None:
        """Add an error for each of the first `MOST_OF_A_KIND` rows, and one that counts the other rows.

        Args:
            rows: the place of each wrong row, and what was found there.
            number: how many rows are wrong.
            where: the place of all rows.
        """
        for place, found in islice(rows, MOST_OF_A_KIND):
            self.error(code, place, found, expected)
        if number > MOST_OF_A_KIND:
            self.error(code, where, f"{number - MOST_OF_A_KIND:,} more of this kind", "none")

    def warn(self, code: str, where: str, found: str, expected: str, fix: str = "") -> None:
        self.problems.append(Problem(code, where, found, expected, fix, "warning"))

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self._n_errors += problem.severity == "error"
            self.problems.append(problem)

    @property
    def full(self) -> bool:
        """Whether there are so many errors already that whoever looks for them need not go on."""
        return self._n_errors >= MOST_COUNTED

    def refuse_errors(self) -> None:
        """Raise `InputError` with every error, if there is one."""
        if self.errors:
            raise InputError(self.errors)
