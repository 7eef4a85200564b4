"""A measure of the catalogue: the facts it declares about itself, and its function."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

from qc4.bibliography import bibtex
from qc4.clustering.case import Case
from qc4.measures.parameters import Parameter, number_text, written
from qc4.records import Record
from qc4.views.policies import Policies, Unit
from qc4.views.view import Kind, Level, View

Input = TypeVar("Input")
Better = Literal["higher", "lower"]
Need = Literal["gold topics", "vectors", "time stamps", "labelled sample", "page ranks", "cluster labels", "page texts"]

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
    """Where it was first defined: works of `qc4/references.bib` by their keys, and where in them."""
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
    unit: str = ""
    """"nats" where its values are amounts of information, as title and meaning say; the policy ``unit`` may ask for
    bits."""
    version: int = 1
    """Raised whenever its definition changes."""
    degenerate: str = ""
    """What a person should know about its edges (0/0, trivial partitions), "" where the rules of the catalogue do."""
    parameters: tuple[Parameter, ...] = ()
    """What it depends on besides its input. Its title, meaning, formula and edges then hold their names in braces; it
    is symmetric only where all of them have their defaults."""
    gold_is_best: bool = True
    """Whether the gold standard, taken as a clustering, gets the best value there is. Not what costs something to read,
    nor a bound, which no finite number of pages brings to 0."""


@dataclass(frozen=True, kw_only=True)
class Measure(Facts[Any], Record):
    """A measure: its facts and the function that computes it.

    Attributes:
        range: low and high, null where unbounded.
        cuts: whether it takes one cluster per page, so that nested clusterings are cut at each depth for it.
        policies: whether the policies change its value.
        unit: of its values under the default policies; empty where they have none.
        degenerate: what to know about its edges; empty where the general rules hold.
        source: where it was first defined, in words.
        bibtex: the works that the source names.
        name: what it is called where its parameters are given: its key if it has none.
        spelling: name and parameters, as people may ask for it: "alpha_ndcg@10"; its key if it has none.
    """

    KEYS = (
        "key title family meaning formula source bibtex better accepts needs symmetric unit version degenerate "
        "range levels=view.name cuts=view.cuts policies=uses_policies name spelling parameters"
    )

    name: str
    works: tuple[str, ...]
    function: Callable[[Any], float] = field(compare=False)

    @property
    def spelling(self) -> str:
        return written(self.name, self.parameters)

    @property
    def policies(self) -> tuple[str, ...]:
        """Names of the policies that may change its value."""
        return (*self.view.policies, "unit") if self.unit else self.view.policies

    @property
    def uses_policies(self) -> bool:
        """Whether any policy may change its value."""
        return bool(self.policies)

    def unit_under(self, policies: Policies) -> Unit | Literal[""]:
        """The unit of its values under these policies; empty where they have none."""
        return policies.unit if self.unit else ""

    def under(self, policies: Policies) -> Measure:
        """The measure as it is called under these policies: title and meaning name the unit that values are in."""
        unit = self.unit_under(policies)
        if unit == self.unit:
            return self
        return replace(self, title=self.title.replace("nats", unit), meaning=self.meaning.replace("nats", unit))

    @property
    def arrow(self) -> str:
        """The way to better values: ↑ or ↓."""
        return ARROWS[self.better]

    @property
    def range(self) -> tuple[float | None, float | None]:
        return self.low, self.high

    @property
    def bibtex(self) -> str:
        return bibtex(self.works)

    @property
    def range_words(self) -> str:
        """0 … 1, 0 … ∞, −1 … 1."""
        return f"{_end(self.low, '−∞')} … {_end(self.high, '∞')}"

    def compute(self, case: Case, level: Level, policies: Policies, depth: int | None = None) -> float:
        """The measure's value, a finite Python float.

        Args:
            depth: where nested clusters are cut for a measure of one cluster per page; None for the finest cut.

        Raises:
            Undefined: it has no value here.
            InputError: it does not exist on this level.
            ArithmeticError: the measure broke its promise and gave NaN or an infinity.
        """
        value = float(self.function(self.view.of(case, level, policies, depth))) + 0.0  # -0.0 + 0.0 is 0.0
        if self.unit_under(policies) == "bits":
            value /= math.log(2)
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
        if self.view.cuts:
            lines.append("Nested clusters: cut at each depth.")
        if self.unit:
            lines.append(f"Unit: {self.unit}, or bits under the policy unit = bits.")
        lines += [
            f"Parameter: {one.name} ({one.range_words}), {one.meaning}; here {number_text(one.value)}."
            for one in self.parameters
            if one.value is not None
        ]
        edges = f"Edges: {self.degenerate}" if self.degenerate else ""
        return "\n\n".join(filter(None, [*paragraphs, "\n".join(lines), edges, f"Source: {self.source}."]))


def _end(value: float | None, unbounded: str) -> str:
    return unbounded if value is None else f"{value:g}".replace("-", "−")
