"""Problems of an input: where each is, what was found, what was expected, and how to fix it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Literal

from qc4.records import Record
from qc4.text import Spellings, are_ascii, comparison_key, difference, unified
from qc4.wording import counted, listed, quoted, shortened

Severity = Literal["error", "warning"]
Listing = Literal["measures"]
"""What is expected to be one of too many to name: who tells the problem says where they are listed."""
LIBRARY: Mapping[Listing, str] = {"measures": "qc4.list_measures()"}
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
        if self._n_errors:
            raise InputError(self.errors)


# Ids that come once, references to what there is, parents without a cycle: the same for every input that has ids.

_SHOWN = 20


def repeats(ids: Iterable[str | None]) -> Iterator[tuple[int, int]]:
    """Yield the place of every id that came before, in whichever Unicode form, and where it came first.

    None stands for an id that could not be read.
    """
    first: dict[str, int] = {}
    for place, item in enumerate(ids):
        if item is not None and (earlier := first.setdefault(comparison_key(item), place)) != place:
            yield place, earlier


def repeated(ids: Iterable[str]) -> list[str]:
    """Return the ids that come more than once, in whichever Unicode form, each once and as it is written first."""
    return [item for item, count in Counter(unified(list(ids))).items() if count > 1]


def check_ids(
    code: str, ids: Sequence[str | None], at: Callable[[int], tuple[str, str]], expected: str, problems: ProblemList
) -> None:
    """Note every id that was used before, in whichever Unicode form; None, for an unreadable id, is passed over.

    Args:
        at: where the n-th id stands: for ``Problem.where``, and to follow "first", such as "at pages[3]".
    """
    if are_ascii(filter(None, ids)) and len(set(ids)) == len(ids):  # nearly always
        return
    for place, earlier in repeats(ids):
        if problems.full:
            return
        problems.error(
            code,
            at(place)[0],
            f"the id {quoted(ids[place] or '')} again (first {at(earlier)[1]}"
            f"{_in_brackets(difference(ids[earlier] or '', ids[place] or ''))})",
            expected,
        )


def _in_brackets(said: str) -> str:
    return f"; {said}" if said else ""


def check_known(
    pages: Iterable[str], known: Container[str], where: str, expected: str, problems: ProblemList, what: str = "pages"
) -> None:
    """Note the pages of one list that the page list does not have, in one problem.

    Args:
        known: the ids of the page list; as `Spellings`, the message also says which of them an unknown id looks like.
    """
    unknown = [page for page in pages if page not in known]
    if unknown:
        found = f"{what} that are not in the page list: {listed(unknown)}"
        if isinstance(known, Spellings):
            found += _looks_like(unknown, known)
        problems.error("unknown-page", where, found, expected, "Remove them or correct their ids.")


def _looks_like(unknown: Sequence[str], known: Spellings) -> str:
    """Which known id the first unknown id that looks like one looks like, and how the two differ; to follow a list."""
    for text in unknown[:_SHOWN]:
        if other := known.look_alike(text):
            return f" ({quoted(other)} is there and {quoted(text)} is not: {difference(other, text)})"
    return ""


def check_once(pages: Sequence[str], where: str, expected: str, problems: ProblemList, what: str = "pages") -> None:
    """Note the pages that one list holds more than once, in whichever Unicode form, in one problem."""
    if are_all_different(pages):
        return
    twice: dict[str, list[str]] = {}
    for page in pages:
        twice.setdefault(comparison_key(page), []).append(page)
    groups = [group for group in twice.values() if len(group) > 1]
    found = f"{what} listed twice: {listed([group[0] for group in groups])}"
    said = next(filter(None, (difference(group[0], other) for group in groups for other in group)), "")
    problems.error("page-twice", where, found + _in_brackets(said), expected, "Remove the repetition.")


def are_all_different(ids: Sequence[str]) -> bool:
    """Return whether no id is there twice, in whichever Unicode form."""
    return len(set(ids)) == len(ids) and (are_ascii(ids) or len(set(map(comparison_key, ids))) == len(ids))


def check_parent(parent: str | None, known: Container[str], where: str, expected: str, problems: ProblemList) -> None:
    """Note a parent that does not exist; None is no parent."""
    if parent is not None and parent not in known:
        problems.error("unknown-parent", where, f"the parent {quoted(parent)}", expected)


def check_cycles(
    cycles: Iterable[Sequence[int]], ids: Sequence[str], where: str, expected: str, problems: ProblemList, fix: str = ""
) -> None:
    """Note the cycles that `parents_first` found, each as a path."""
    for cycle in cycles:
        path = " > ".join(quoted(ids[place]) for place in cycle[:_SHOWN])
        shown = path if len(cycle) <= _SHOWN else f"{path} and {len(cycle) - _SHOWN:,} more"
        problems.error("parent-cycle", where, f"a cycle of parents: {shown}", expected, fix)


def parents_first(parents: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """An order in which parents stand before their children, and every cycle once, as the path back to its start.

    In one pass, however deep the chains are. The order means nothing where there is a cycle.

    Args:
        parents: the place of each one's parent, -1 for none.
    """
    order: list[int] = []
    cycles: list[list[int]] = []
    settled = [False] * len(parents)
    for start in range(len(parents)):
        trail: dict[int, None] = {}
        step = start
        while step >= 0 and not settled[step] and step not in trail:
            trail[step] = None
            step = parents[step]
        if step in trail:
            path = list(trail)
            cycles.append([*path[path.index(step) :], step])
        for place in reversed(trail):
            settled[place] = True
            order.append(place)
    return order, cycles


# Packages that few need, so that the engine is installed without them: who misses one is told which.

Package = Literal["defusedxml", "scikit-learn"]
_MODULES: dict[Package, str] = {"defusedxml": "defusedxml", "scikit-learn": "sklearn"}


def missing_package(package: Package) -> str:
    """Why something that needs the package cannot be done, with the fix; empty where the package is installed."""
    return "" if _is_installed(package) else f"{package} is not installed. {_fix(package)}"


def require_package(package: Package, where: str) -> None:
    """Refuse what needs a package that is not installed.

    Args:
        where: the file, option or command that needs it.

    Raises:
        InputError: ``missing-package``, with the command that installs it.
    """
    if not _is_installed(package):
        found, expected = f"no {package} installed", "this package, which few need"
        raise InputError([Problem("missing-package", where, found, expected, _fix(package))])


def _is_installed(package: Package) -> bool:
    return find_spec(_MODULES[package]) is not None


def _fix(package: Package) -> str:
    return f"Install it: pip install {package}"
