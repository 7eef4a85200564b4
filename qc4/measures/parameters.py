"""Parameters of measures, and the one grammar in which people ask for a measure.

    ari                          a measure by its key
    alpha_ndcg@15                a measure with a cut-off
    alpha_ndcg@15(alpha=0.3)     with other parameters, separated by commas

``@15`` is short for ``(cutoff=15)``. A measure is printed in one form only: the cut-off after ``@``, then the
parameters that do not have their defaults, in the order in which they are declared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from qc4.problems import InputError, Problem, ProblemList
from qc4.records import Record
from qc4.wording import clipped, did_you_mean, quoted

CUTOFF = "cutoff"
"""The name of the parameter that is written after ``@``."""
DIGITS = 4
"""The most decimals of a value, so that a measure has one name, which is short enough to store."""
GRAMMAR = "name, name@cutoff or name@cutoff(parameter=value, …)"

_MEASURE = re.compile(r"(?P<name>\w+)(?:@(?P<cutoff>[^()]*))?(?:\((?P<rest>[^()]*)\))?", re.ASCII)
_NUMBER = re.compile(r"\d{1,9}(\.\d{0,9})?|\.\d{1,9}", re.ASCII)
_LISTED = re.compile(r"(?:\([^()]*\)|[^,])+")


@dataclass(frozen=True, slots=True)
class Parameter(Record):
    """A number that a measure depends on.

    Attributes:
        name: as it is written.
        meaning: one line for people.
        low, high: the smallest and the largest value.
        default: the value if none is given; None if one must be given.
        whole: True if values are whole numbers.
        symbol: its sign in formulas and titles.
        value: its value in one measure; None before it has one.
    """

    TITLE = "MeasureParameter"
    KEYS = "name meaning low high default whole value"

    name: str
    meaning: str
    low: float
    high: float
    default: float | None = None
    whole: bool = False
    symbol: str = ""
    value: float | None = None

    @property
    def range_words(self) -> str:
        """ "0 … 1, default 0.5"."""
        default = "" if self.default is None else f", default {number_text(self.default)}"
        return f"{number_text(self.low)} … {number_text(self.high)}{default}"

    @property
    def expected(self) -> str:
        """What a value must be."""
        kind = "a whole number" if self.whole else f"a number with at most {DIGITS} decimals"
        return f"{kind} from {number_text(self.low)} to {number_text(self.high)}"

    def read(self, text: str) -> Parameter | None:
        """The parameter with the value that a text gives it; None if it cannot have that value."""
        if not _NUMBER.fullmatch(text.strip()):
            return None
        value: float = float(text)
        value = int(value) if value == int(value) else value
        rounded = round(value, 0 if self.whole else DIGITS)
        return replace(self, value=value) if self.low <= value == rounded <= self.high else None


class Asked(NamedTuple):
    """A measure as somebody wrote it: its name, and the values of parameters as text, in order."""

    text: str
    name: str
    values: tuple[tuple[str, str], ...] = ()


def split_measures(text: str) -> list[str]:
    """The measures of a list with commas between them; commas inside parentheses separate parameters."""
    return [name for part in _LISTED.findall(text) if (name := part.strip())]


def parsed(text: str) -> Asked:
    """Name and values as they are written.

    Raises:
        InputError: the text does not follow the grammar, or gives a parameter twice.
    """
    match = _MEASURE.fullmatch(text.strip())
    pairs: list[tuple[str, str]] = []
    if match is not None:
        pairs += [(CUTOFF, match["cutoff"])] if match["cutoff"] is not None else []
        items = [item.partition("=") for item in (match["rest"] or "").split(",") if item.strip()]
        pairs += [(name.strip(), value.strip()) for name, _, value in items]
    if match is None or not all(name and value for name, value in pairs):
        raise InputError([Problem("bad-measure", "measures", quoted(text), GRAMMAR)])
    if len(dict(pairs)) < len(pairs):
        raise InputError([Problem("bad-measure", "measures", quoted(text), "each parameter once")])
    return Asked(text.strip(), match["name"], tuple(pairs))


def given(asked: Asked, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """The parameters of a measure with the values that somebody asked for; the others have their defaults.

    Raises:
        InputError: there is no such parameter, a value is out of range, or one is missing; all of it is named.
    """
    problems, values = ProblemList(), dict(asked.values)
    declared = {parameter.name: parameter for parameter in parameters}
    whole = quoted(asked.text)
    for name in values.keys() - declared.keys():
        known = "; ".join(f"{one.name} ({one.range_words})" for one in parameters)
        expected = f"a parameter of {asked.name}: {known}" if known else f"no parameters: {asked.name} has none"
        what = f"{clipped(name, 40)} in {whole}"
        problems.error("unknown-parameter", "measures", what, expected, did_you_mean(name, declared))
    found: list[Parameter] = []
    for name, parameter in declared.items():
        if name in values:
            value = parameter.read(values[name])
            what = f"{name} {quoted(values[name], 40)} in {whole}"
        else:
            value = None if parameter.default is None else replace(parameter, value=parameter.default)
            what = f"{whole} without {name}"
        if value is None:
            problems.error(
                "out-of-range", "measures", what, f"{name}: {parameter.expected}", _example(asked, parameter)
            )
        else:
            found.append(value)
    problems.refuse_errors()
    return tuple(found)


def written(name: str, parameters: Iterable[Parameter]) -> str:
    """A measure with the values of its parameters, in the one form in which it is printed."""
    values = {one.name: number_text(one.value) for one in parameters if one.value not in (None, one.default)}
    return _spelled(name, values)


def pattern(name: str, parameters: Iterable[Parameter]) -> str:
    """How a measure is asked for, with the names of its parameters: "alpha_ndcg@cutoff(alpha=0.5)"."""
    defaults = {one.name: "…" if one.default is None else number_text(one.default) for one in parameters}
    return _spelled(name, defaults | {CUTOFF: CUTOFF} if CUTOFF in defaults else defaults)


def _spelled(name: str, values: Mapping[str, str]) -> str:
    cutoff = f"@{values[CUTOFF]}" if CUTOFF in values else ""
    others = ",".join(f"{key}={value}" for key, value in values.items() if key != CUTOFF)
    return f"{name}{cutoff}({others})" if others else f"{name}{cutoff}"


def number_text(value: float) -> str:
    """A value as it is written: "15", "0.5"."""
    return f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")


def _example(asked: Asked, parameter: Parameter) -> str:
    """A measure that could be meant."""
    value = number_text(parameter.low if parameter.default is None else parameter.default)
    return f"Write {asked.name}@10." if parameter.name == CUTOFF else f"Write {asked.name}({parameter.name}={value})."


# How a precision and a recall become one number.

BETA = Parameter("beta", "how many times as much recall counts as precision", 0.01, 100, 1, symbol="β")


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """F_β, in which recall counts β times as much as precision; for β = 1 the harmonic mean. Where both are 0, so is F.

    Source: van Rijsbergen, Information Retrieval, 2nd ed., 1979, chapter 7.
    """
    weighted = beta * beta * precision + recall
    return min(1.0, (1 + beta * beta) * precision * recall / weighted) if weighted else 0.0
