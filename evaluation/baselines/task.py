"""Input, output and parameters of a baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.baselines.text import Source
from qc4.model.clustering import Cluster
from qc4.model.gold_document import GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.problems import ProblemList

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class Task:
    """One query to cluster. ``parameters`` has a valid value for every parameter of the baseline."""

    document: GoldDocument
    gold: GoldStandard | None
    seed: int
    parameters: Mapping[str, Any]
    source: Source


@dataclass(frozen=True, slots=True)
class BaselineResult:
    """Clusters in display order, and parameters derived from the data (such as the number of clusters)."""

    clusters: tuple[Cluster, ...]
    decided: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a baseline: a number from ``low`` to ``high``, or one of ``choices``.

    None is possible only as a default. If the default is a float, whole numbers are accepted too.
    """

    key: str
    default: Value
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        kind = "a number" if isinstance(self.default, float) else "a whole number"
        limit = f"at least {self.low:g}" if self.high is None else f"from {self.low:g} to {self.high:g}"
        return f"{kind} {limit}" + (", or nothing" if self.default is None else "")

    def accepts(self, value: object) -> bool:
        if value is None:
            return self.default is None
        if self.choices:
            return value in self.choices
        if isinstance(value, bool) or not isinstance(value, int | float if isinstance(self.default, float) else int):
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def resolve(parameters: tuple[Parameter, ...], given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the defaults, overridden by ``given``.

    Raises:
        InputError: a parameter is unknown or a value is out of range; lists all problems.
    """
    problems = ProblemList()
    known = {parameter.key: parameter for parameter in parameters}
    names = ", ".join(known) or "no parameters"
    for key, value in given.items():
        if key not in known:
            problems.error("unknown-parameter", f"{where}, parameter {key!r}", "an unknown name", names)
        elif not known[key].accepts(value):
            problems.error("parameter-value", f"{where}, parameter {key!r}", repr(value), known[key].expected)
    problems.refuse_errors()
    return {key: given.get(key, parameter.default) for key, parameter in known.items()}
