"""Parameters of measures, and the grammar in which users name a measure.

    ari                          a measure by its key
    alpha_ndcg@15                a measure with a cut-off
    alpha_ndcg@15(alpha=0.3)     with other parameters, separated by commas

``@15`` is short for ``(cutoff=15)``. A measure has one printed form: the cut-off after ``@``, then the parameters that
differ from their defaults, in the order of declaration."""

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
"""The maximum number of decimals of a value, so that a measure has one name that is short enough to store."""
GRAMMAR = "name, name@cutoff or name@cutoff(parameter=value, …)"

_MEASURE = re.compile(r"(?P<name>\w+)(?:@(?P<cutoff>[^()]*))?(?:\((?P<rest>[^()]*)\))?", re.ASCII)
_NUMBER = re.compile(r"\d{1,9}(\.\d{0,9})?|\.\d{1,9}", re.ASCII)
_LISTED = re.compile(r"(?:\([^()]*\)|[^,])+")


@dataclass(frozen=True, slots=True)
class Parameter(Record):
    """A number that a measure depends on.

    Attributes:
        name: the name in the grammar.
        meaning: one line for users.
        low, high: the smallest and the largest value.
        default: the value if none is given; None if one must be given.
        whole: True if values are whole numbers.
        symbol: its symbol in formulas and titles.
        value: its value in one measure; None if it has no value yet.
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
        """The range and the default in words, such as "0 … 1, default 0.5"."""
        default = "" if self.default is None else f", default {number_text(self.default)}"
        return f"{number_text(self.low)} … {number_text(self.high)}{default}"

    @property
    def expected(self) -> str:
        """The condition on values, for messages."""
        kind = "a whole number" if self.whole else f"a number with at most {DIGITS} decimals"
        return f"{kind} from {number_text(self.low)} to {number_text(self.high)}"

    def read(self, text: str) -> Parameter | None:
        """Return the parameter with the value in a text; None if the value is invalid."""
        if not _NUMBER.fullmatch(text.strip()):
            return None
        value: float = float(text)
        value = int(value) if value == int(value) else value
        rounded = round(value, 0 if self.whole else DIGITS)
        return replace(self, value=value) if self.low <= value == rounded <= self.high else None


class MeasureRequest(NamedTuple):
    """A measure as typed by a user: its name, and its parameters' values as text, in order."""

    text: str
    name: str
    values: tuple[tuple[str, str], ...] = ()


def split_measures(text: str) -> list[str]:
    """Split a list of measures at commas, except for commas inside parentheses, which separate parameters."""
    return [name for part in _LISTED.findall(text) if (name := part.strip())]


def parse_measure(text: str) -> MeasureRequest:
    """Return the name and the values in a text.

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
        raise InputError([Problem("bad-measure", "measures", quoted(text), "each parameter at most once")])
    return MeasureRequest(text.strip(), match["name"], tuple(pairs))


def fill_parameters(asked: MeasureRequest, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """Return the parameters of a measure with the requested values; the others have their defaults.

    Raises:
        InputError: an unknown parameter, a value out of range, or a missing value; the error reports all of them.
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


def format_measure(name: str, parameters: Iterable[Parameter]) -> str:
    """Return a measure with the values of its parameters, in its printed form."""
    values = {one.name: number_text(one.value) for one in parameters if one.value not in (None, one.default)}
    return _format_values(name, values)


def format_pattern(name: str, parameters: Iterable[Parameter]) -> str:
    """Return the pattern for naming a measure, with its parameters: "alpha_ndcg@cutoff(alpha=0.5)"."""
    defaults = {one.name: "…" if one.default is None else number_text(one.default) for one in parameters}
    return _format_values(name, defaults | {CUTOFF: CUTOFF} if CUTOFF in defaults else defaults)


def _format_values(name: str, values: Mapping[str, str]) -> str:
    cutoff = f"@{values[CUTOFF]}" if CUTOFF in values else ""
    others = ",".join(f"{key}={value}" for key, value in values.items() if key != CUTOFF)
    return f"{name}{cutoff}({others})" if others else f"{name}{cutoff}"


def number_text(value: float) -> str:
    """Return the printed form of a value: "15", "0.5"."""
    return f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")


def _example(asked: MeasureRequest, parameter: Parameter) -> str:
    """Return a measure that the user may have meant."""
    value = number_text(parameter.low if parameter.default is None else parameter.default)
    return f"Write {asked.name}@10." if parameter.name == CUTOFF else f"Write {asked.name}({parameter.name}={value})."


# --- The F-measure of a precision and a recall ---

BETA = Parameter("beta", "weight of recall relative to precision", 0.01, 100, 1, symbol="β")


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return F_β, in which recall has β times the weight of precision; for β = 1 the harmonic mean. 0 if both are 0.

    Source: van Rijsbergen, Information Retrieval, 2nd ed., 1979, chapter 7.
    """
    weighted = beta * beta * precision + recall
    return min(1.0, (1 + beta * beta) * precision * recall / weighted) if weighted else 0.0
