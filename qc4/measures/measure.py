"""A measure of the catalogue: the facts it declares about itself, and its function."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from qc4.clustering.case import Case
from qc4.measures.literature import measure_bibtex
from qc4.records import Record
from qc4.views.policies import Policies
from qc4.views.view import Kind, Level, View

Input = TypeVar("Input")
Better = Literal["higher", "lower"]
Need = Literal["gold topics", "vectors", "time stamps", "labelled sample", "page ranks"]

ARROWS: dict[Better, str] = {"higher": "↑", "lower": "↓"}


@dataclass(frozen=True, kw_only=True)
class Facts(Generic[Input]):
    """What a measure declares: the only place where facts are named, with their defaults."""

    view: View[Input] = field(kw_only=False)
    """What its function receives, and the levels it exists on."""
    key: str
    """Permanent name: scores are stored under it."""
    title: str
    """Short name for table headers."""
    family: str
    """Key of its family."""
    meaning: str
    """One line for people."""
    formula: str
    """Plain text with Unicode mathematics, in the notation of `docs/developers/adding-a-measure.md`."""
    source: str
    """Where it was first defined."""
    low: float | None = 0.0
    """The lower end of its range, None for unbounded."""
    high: float | None = 1.0
    """The upper end of its range, None for unbounded."""
    better: Better = "higher"
    """Which end is better."""
    accepts: tuple[Kind, ...] = ("partition",)
    """The inputs it can handle without a policy."""
    needs: tuple[Need, ...] = ("gold topics",)
    """What it is computed from besides the clusters."""
    symmetric: bool = False
    """Whether swapping gold standard and clustering changes nothing."""
    version: int = 1
    """Raised whenever its definition changes."""
    degenerate: str = ""
    """What a person should know about its edges (0/0, trivial partitions), "" where the rules of the catalogue do."""
    gold_is_best: bool = True
    """Whether the gold standard, taken as a clustering, gets the best value there is. Not what costs something to read,
    nor a bound, which no finite number of pages brings to 0."""


@dataclass(frozen=True, kw_only=True)
class Measure(Facts[Any], Record):
    """A measure: its facts and the function that computes it.

    Attributes:
        range: low and high, null where unbounded.
        policies: whether the policies change its value.
        degenerate: what to know about its edges; empty where the general rules hold.
        bibtex: the works that the source names.
    """

    KEYS = (
        "key title family meaning formula source bibtex better accepts needs symmetric version degenerate "
        "range levels=view.name policies=view.uses_policies"
    )

    function: Callable[[Any], float]

    @property
    def arrow(self) -> str:
        """The way to better values: ↑ or ↓."""
        return ARROWS[self.better]

    @property
    def range(self) -> tuple[float | None, float | None]:
        return self.low, self.high

    @property
    def bibtex(self) -> str:
        return measure_bibtex(self)

    @property
    def range_words(self) -> str:
        """0 … 1, 0 … ∞, −1 … 1."""
        return f"{_end(self.low, '−∞')} … {_end(self.high, '∞')}"

    def compute(self, case: Case, level: Level, policies: Policies) -> float:
        """The measure's value, a finite Python float.

        Raises:
            Undefined: it has no value here.
            InputError: it does not exist on this level.
            ArithmeticError: the measure broke its promise and gave NaN or an infinity.
        """
        value = float(self.function(self.view.of(case, level, policies))) + 0.0  # -0.0 + 0.0 is 0.0
        if not math.isfinite(value):
            raise ArithmeticError(f"measure {self.key} gave {value} on level {level}")
        return value

    def documentation(self, about_function: str | None = None) -> str:
        """The facts as a docstring; what the function says of itself is a paragraph after the meaning."""
        paragraphs = [self.meaning, inspect.cleandoc(about_function or ""), f"Formula: {self.formula}"]
        lines = [
            f"Range: {self.range_words}, {self.better} is better.",
            f"Computed on: {self.view.name}.",
            f"Accepts: {', '.join(self.accepts)}.",
            f"Needs: {', '.join(self.needs) or 'nothing but the clusters'}.",
        ]
        edges = f"Edges: {self.degenerate}" if self.degenerate else ""
        return "\n\n".join(filter(None, [*paragraphs, "\n".join(lines), edges, f"Source: {self.source}."]))


def _end(value: float | None, unbounded: str) -> str:
    return unbounded if value is None else f"{value:g}".replace("-", "−")
