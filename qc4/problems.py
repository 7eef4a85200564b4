"""Problems of an input: the place, what was found, what was expected, and how to fix it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Literal

from qc4.records import Record
from qc4.text import Spellings, are_ascii, comparison_key, difference, unify_spellings
from qc4.wording import counted, listed, quoted, shortened

Severity = Literal["error", "warning"]
Listing = Literal["measures"]
"""A list of valid values that is too long for a message. The message names the place where it can be found."""
LIBRARY_LISTINGS: Mapping[Listing, str] = {"measures": "qc4.list_measures()"}
"""Where callers of the library find each list."""
MAX_SHOWN = 200
"""Maximum number of problems that a message shows. It also gives the number of the others."""

MAX_TEXT_CHARS = 8_000
"""Maximum length of each text of a problem, so that a large input cannot produce a long message."""
MAX_PER_KIND = 200
"""Maximum number of problems of one kind that are listed. The others are counted."""
MAX_ERRORS = 10_000
"""Number of errors after which readers stop. Nobody corrects more by hand, and hostile files may contain many more."""


@dataclass(frozen=True, slots=True)
class ReadingChoice(Record):
    """Another way to read the input, which a warning offers.

    Attributes:
        option: name of the option: the argument in Python, the field of a form and of the API. On the command line it
            has hyphens and a leading ``--``.
        value: value of the option.
        effect: what the other reading does, as an imperative clause without a full stop.
    """

    option: str
    value: str
    effect: str

    @property
    def in_python(self) -> str:
        """How to request it in Python."""
        value = self.value if self.value.startswith("[") else repr(self.value)
        return f"{self.effect}: {self.option}={value}."

    @property
    def on_the_command_line(self) -> str:
        """How to request it on the command line."""
        return f"{self.effect}: --{self.option.replace('_', '-')} {shlex.quote(self.value)}"


@dataclass(frozen=True, slots=True)
class Problem(Record):
    """One thing that is wrong with an input.

    ``code`` is permanent (kebab-case, such as ``unknown-page``). ``where`` names the file, line or path inside the
    file.
    ``listing`` is a list of valid values; as text, the problem says where the library has it. ``choice`` is another way
    to read the input, which a warning offers.
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
            if len(text := getattr(self, name)) > MAX_TEXT_CHARS:
                object.__setattr__(self, name, shortened(text, MAX_TEXT_CHARS))

    def __str__(self) -> str:
        return self._sentence(self.told(LIBRARY_LISTINGS).fix, self.choice.in_python if self.choice else "")

    def on_the_command_line(self) -> str:
        """Return the problem as text for users of the command line."""
        return self._sentence(self.told(LIBRARY_LISTINGS).fix, self.choice.on_the_command_line if self.choice else "")

    def _sentence(self, *more: str) -> str:
        text = f"{self.where}: found {self.found}; expected {self.expected}"
        return ". ".join([text, " ".join(filter(None, more))]) if any(more) else text

    def told(self, listings: Mapping[Listing, str]) -> Problem:
        """Return the same problem with a fix that says where the list of valid values is.

        Args:
            listings: the place of each list, as a noun phrase.
        """
        if self.listing is None:
            return self
        return replace(self, fix=f"{self.fix} See {listings[self.listing]}.".lstrip(), listing=None)

    def within(self, container: str) -> Problem:
        """Return the same problem, its place prefixed with the file or archive member that contains it."""
        return replace(self, where=f"{container}: {self.where}" if self.where else container)


class SeverityMixin:
    """Mixin for classes with ``problems``, which separates errors from warnings."""

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
    """An input was rejected. ``problems`` holds every problem, in file order; the message shows the first ones."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join([*map(str, self.shown), *filter(None, [self.left_out])]))

    @property
    def shown(self) -> tuple[Problem, ...]:
        """The first `MOST_SHOWN` problems, which people see."""
        return self.problems[:MAX_SHOWN]

    @property
    def left_out(self) -> str:
        """The number of problems that are not in `shown`, in words; "" if all are."""
        hidden = len(self.problems) - len(self.shown)
        return f"and {counted(hidden, 'problem')} more" if hidden else ""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the attributes. The default would pass ``args``, the message, to ``__init__`` as the problems."""
        return _unpickle, (type(self), self.args), self.__dict__


def _unpickle(kind: type[InputError], args: tuple[str, ...]) -> InputError:
    return kind.__new__(kind, *args)


class ProblemList(SeverityMixin):
    """Collects problems while a reader continues, and raises at the end if any is an error."""

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
        """Add an error for each of the first `MAX_PER_KIND` rows, and one that counts the other rows.

        Args:
            rows: the place of each wrong row, and what was found there.
            number: number of wrong rows.
            where: place to report for the other rows.
        """
        for place, found in islice(rows, MAX_PER_KIND):
            self.error(code, place, found, expected)
        if number > MAX_PER_KIND:
            self.error(code, where, f"{number - MAX_PER_KIND:,} more of this kind", "none")

    def warn(self, code: str, where: str, found: str, expected: str, fix: str = "") -> None:
        self.problems.append(Problem(code, where, found, expected, fix, "warning"))

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self._n_errors += problem.severity == "error"
            self.problems.append(problem)

    @property
    def full(self) -> bool:
        """True once enough errors have been collected to stop checking."""
        return self._n_errors >= MAX_ERRORS

    def refuse_errors(self) -> None:
        """Raise `InputError` with every error, if there are any."""
        if self._n_errors:
            raise InputError(self.errors)


# Checks for every input with ids: unique ids, known references, and parents without cycles.

_SHOWN = 20


def repeated_positions(ids: Iterable[str | None]) -> Iterator[tuple[int, int]]:
    """Yield the index of every repeated id and the index of its first occurrence. Unicode forms count as equal.

    None stands for an id that could not be read.
    """
    first: dict[str, int] = {}
    for place, item in enumerate(ids):
        if item is not None and (earlier := first.setdefault(comparison_key(item), place)) != place:
            yield place, earlier


def repeated(ids: Iterable[str]) -> list[str]:
    """Return the ids that occur more than once, each spelled as its first occurrence. Unicode forms count as equal."""
    return [item for item, count in Counter(unify_spellings(list(ids))).items() if count > 1]


def check_ids(
    code: str, ids: Sequence[str | None], at: Callable[[int], tuple[str, str]], expected: str, problems: ProblemList
) -> None:
    """Add an error for every repeated id. Unicode forms count as equal. None (an unreadable id) is skipped.

    Args:
        at: returns the place of the n-th id twice: for ``Problem.where``, and in words that follow "first", such as "at
            pages[3]".
    """
    if are_ascii(filter(None, ids)) and len(set(ids)) == len(ids):  # the usual case
        return
    for place, earlier in repeated_positions(ids):
        if problems.full:
            return
        problems.error(
            code,
            at(place)[0],
            f"the id {quoted(ids[place] or '')} again (first {at(earlier)[1]}"
            f"{_after_semicolon(difference(ids[earlier] or '', ids[place] or ''))})",
            expected,
        )


def _after_semicolon(said: str) -> str:
    return f"; {said}" if said else ""


def check_known(
    pages: Iterable[str], known: Container[str], where: str, expected: str, problems: ProblemList, what: str = "pages"
) -> None:
    """Add one error for all pages of a list that are not in the page list.

    Args:
        known: the ids of the page list. If it is a `Spellings`, the message names a known id that looks like an unknown
            one.
    """
    unknown = [page for page in pages if page not in known]
    if unknown:
        found = f"{what} that are not in the page list: {listed(unknown)}"
        if isinstance(known, Spellings):
            found += _lookalike_note(unknown, known)
        problems.error("unknown-page", where, found, expected, "Remove them or correct their ids.")


def _lookalike_note(unknown: Sequence[str], known: Spellings) -> str:
    """Return a note about the first unknown id that looks like a known one, and how they differ, or ""."""
    for text in unknown[:_SHOWN]:
        if other := known.look_alike(text):
            return f" ({quoted(other)} is there and {quoted(text)} is not: {difference(other, text)})"
    return ""


def check_no_repeats(
    pages: Sequence[str], where: str, expected: str, problems: ProblemList, what: str = "pages"
) -> None:
    """Add one error for all pages that occur more than once in a list. Unicode forms count as equal."""
    if are_all_different(pages):
        return
    twice: dict[str, list[str]] = {}
    for page in pages:
        twice.setdefault(comparison_key(page), []).append(page)
    groups = [group for group in twice.values() if len(group) > 1]
    found = f"{what} listed twice: {listed([group[0] for group in groups])}"
    said = next(filter(None, (difference(group[0], other) for group in groups for other in group)), "")
    problems.error("page-twice", where, found + _after_semicolon(said), expected, "Remove the repetition.")


def are_all_different(ids: Sequence[str]) -> bool:
    """Return True if no id is repeated. Unicode forms count as equal."""
    return len(set(ids)) == len(ids) and (are_ascii(ids) or len(set(map(comparison_key, ids))) == len(ids))


def check_parent(parent: str | None, known: Container[str], where: str, expected: str, problems: ProblemList) -> None:
    """Add an error if the parent does not exist. None means no parent."""
    if parent is not None and parent not in known:
        problems.error("unknown-parent", where, f"the parent {quoted(parent)}", expected)


def check_cycles(
    cycles: Iterable[Sequence[int]], ids: Sequence[str], where: str, expected: str, problems: ProblemList, fix: str = ""
) -> None:
    """Add an error for each cycle that `parents_first` found, shown as a path."""
    for cycle in cycles:
        path = " > ".join(quoted(ids[place]) for place in cycle[:_SHOWN])
        shown = path if len(cycle) <= _SHOWN else f"{path} and {len(cycle) - _SHOWN:,} more"
        problems.error("parent-cycle", where, f"a cycle of parents: {shown}", expected, fix)


def parents_first(parents: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """Return an order with parents before their children, and each cycle once, as a path back to its start.

    It takes one pass, however deep the chains are. If there is a cycle, the order is meaningless.

    Args:
        parents: the index of each item's parent, -1 for none.
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


# Optional packages. A message names the one that is missing.

Package = Literal["defusedxml", "scikit-learn"]
_MODULES: dict[Package, str] = {"defusedxml": "defusedxml", "scikit-learn": "sklearn"}


def missing_package(package: Package) -> str:
    """Return why a feature that needs the package is unavailable, with the fix, or "" if the package is installed."""
    return "" if _is_installed(package) else f"{package} is not installed. {_fix(package)}"


def require_package(package: Package, where: str) -> None:
    """Raise `InputError` if a package is not installed.

    Args:
        where: the file, option or command that needs it.

    Raises:
        InputError: ``missing-package``, with the command that installs it.
    """
    if not _is_installed(package):
        found, expected = f"no {package} installed", "this optional package"
        raise InputError([Problem("missing-package", where, found, expected, _fix(package))])


def _is_installed(package: Package) -> bool:
    return find_spec(_MODULES[package]) is not None


def _fix(package: Package) -> str:
    return f"Install it: pip install {package}"
