"""The catalogue of measures: each is one decorated function that declares every fact about itself.

    @measure(PARTITION, key="rand", title="Rand index", family="pair-counting", ...)
    def rand(table: Contingency) -> float: ...

Documentation, API, dashboard columns, table headers and contract tests come from these facts. A measure's
key is permanent: scores are stored under it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Literal, TypeVar

from qc4.clustering.case import Case
from qc4.problems import InputError, Problem, ProblemList
from qc4.views.policies import Policies
from qc4.views.view import Kind, Level, View

Input = TypeVar("Input")
Better = Literal["higher", "lower"]
Need = Literal["gold topics", "vectors", "time stamps", "labelled sample", "page ranks"]


@dataclass(frozen=True, slots=True)
class Family:
    """A group of measures, defined in one module."""

    key: str
    title: str
    module: str


FAMILIES = (
    Family("qc4", "QC4", "qc4.measures.qc4.measures"),
    Family("classic", "Classic measures of the QC4 paper", "qc4.measures.classic"),
    Family("pair-counting", "Pair counting", "qc4.measures.pair_counting"),
    Family("set-matching", "Set matching", "qc4.measures.set_matching"),
    Family("information", "Information theory", "qc4.measures.information.entropies"),
    Family("overlap", "Made for overlap", "qc4.measures.overlap"),
    Family("search-results", "Search results", "qc4.measures.search_results"),
    Family("prediction", "Prediction", "qc4.measures.prediction"),
    Family("internal", "Internal, on vectors", "qc4.measures.internal"),
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure's facts and its function.

    Attributes:
        key: permanent name.
        title: short name for table headers.
        family: key of its family.
        meaning: one line for people.
        formula: plain text with Unicode mathematics, in the notation of `docs/developers/adding-a-measure.md`.
        source: where it was first defined.
        low, high: its range, None for unbounded.
        better: which end is better.
        accepts: the inputs it can handle without a policy.
        needs: what it is computed from besides the clusters.
        symmetric: whether swapping gold standard and clustering changes nothing.
        version: raised whenever its definition changes.
        degenerate: what a person should know about its edges (0/0, trivial partitions), "" where the rules of the
            catalogue say it all.
        gold_is_best: whether the gold standard, taken as a clustering, gets the best value there is. Not what costs
            something to read, nor a bound, which no finite number of pages brings to 0.
    """

    key: str
    title: str
    family: str
    meaning: str
    formula: str
    source: str
    low: float | None
    high: float | None
    better: Better
    accepts: tuple[Kind, ...]
    needs: tuple[Need, ...]
    symmetric: bool
    version: int
    view: View[Any]
    function: Callable[[Any], float]
    degenerate: str = ""
    gold_is_best: bool = True

    def compute(self, case: Case, level: Level, policies: Policies) -> float:
        """The measure's value, a finite Python float.

        Raises:
            Undefined: it has no value here.
            ArithmeticError: the measure broke its promise and gave NaN or an infinity.
        """
        value = float(self.function(self.view.prepare(case, level, policies))) + 0.0  # -0.0 + 0.0 is 0.0
        if not math.isfinite(value):
            raise ArithmeticError(f"measure {self.key} gave {value} on level {level}")
        return value

    def to_dict(self) -> dict[str, Any]:
        """Every fact, for files and the API."""
        return {
            "key": self.key,
            "title": self.title,
            "family": self.family,
            "meaning": self.meaning,
            "formula": self.formula,
            "source": self.source,
            "range": [self.low, self.high],
            "better": self.better,
            "accepts": list(self.accepts),
            "needs": list(self.needs),
            "symmetric": self.symmetric,
            "version": self.version,
            "levels": self.view.name,
            "policies": self.view.uses_policies,
            "degenerate": self.degenerate,
        }


class Registry:
    """Measures by key. Family modules are imported, and so register themselves, when first asked for."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = {family.key: family for family in families}
        self._measures: dict[str, Measure] = {}
        self._loaded = False

    def add(self, measure: Measure) -> None:
        """Register a measure; ValueError if its key is taken or its family unknown (a programming error)."""
        if measure.key in self._measures:
            raise ValueError(f"two measures have the key {measure.key!r}")
        if measure.family not in self._families:
            raise ValueError(f"measure {measure.key!r} names an unknown family, {measure.family!r}")
        self._measures[measure.key] = measure

    def all(self) -> tuple[Measure, ...]:
        """Every measure, by family and then as defined."""
        position = {key: number for number, key in enumerate(self._families)}
        return tuple(sorted(self._load().values(), key=lambda measure: position[measure.family]))

    def get(self, key: str) -> Measure:
        """The measure with this key; InputError suggesting close keys if there is none."""
        return self.select([key])[0]

    def select(self, keys: Iterable[str]) -> tuple[Measure, ...]:
        """The measures with these keys (or this key), in order, each once; InputError names every unknown one."""
        known = self._load()
        wanted = list(dict.fromkeys([keys] if isinstance(keys, str) else keys))
        problems = ProblemList()
        for key in wanted:
            if key not in known:
                expected = "the key of a measure (see `python -m qc4 list`)"
                problems.error("unknown-measure", "measures", repr(key), expected, _did_you_mean(key, known))
        problems.refuse_errors()
        return tuple(known[key] for key in wanted)

    def families(self) -> tuple[Family, ...]:
        return tuple(self._families.values())

    def family(self, key: str) -> tuple[Measure, ...]:
        """The measures of one family; InputError if there is no such family."""
        if key not in self._families:
            expected = f"one of {', '.join(self._families)}"
            raise InputError([Problem("unknown-family", "family", repr(key), expected)])
        return tuple(measure for measure in self.all() if measure.family == key)

    @contextmanager
    def temporary(self) -> Iterator[Registry]:
        """Changes made inside the block are undone when it ends (for tests)."""
        families, measures = dict(self._families), dict(self._load())
        try:
            yield self
        finally:
            self._families, self._measures = families, measures

    def _load(self) -> dict[str, Measure]:
        if not self._loaded:
            for family in self._families.values():
                import_module(family.module)
            self._loaded = True
        return self._measures


def _did_you_mean(key: str, known: Mapping[str, Measure]) -> str:
    close = get_close_matches(str(key).lower(), known, 3, 0.5)
    return f"Did you mean {' or '.join(map(repr, close))}?" if close else ""


REGISTRY = Registry(FAMILIES)


def measure(
    view: View[Input],
    *,
    key: str,
    title: str,
    family: str,
    meaning: str,
    formula: str,
    source: str,
    low: float | None = 0.0,
    high: float | None = 1.0,
    better: Better = "higher",
    accepts: tuple[Kind, ...] = ("partition",),
    needs: tuple[Need, ...] = ("gold topics",),
    symmetric: bool = False,
    version: int = 1,
    degenerate: str = "",
    gold_is_best: bool = True,
    registry: Registry = REGISTRY,
) -> Callable[[Callable[[Input], float]], Callable[[Input], float]]:
    """Declare the decorated function a measure of the catalogue; the function itself stays as it is."""

    def register(function: Callable[[Input], float]) -> Callable[[Input], float]:
        facts = Measure(
            key=key,
            title=title,
            family=family,
            meaning=meaning,
            formula=formula,
            source=source,
            low=low,
            high=high,
            better=better,
            accepts=accepts,
            needs=needs,
            symmetric=symmetric,
            version=version,
            view=view,
            function=function,
            degenerate=degenerate,
            gold_is_best=gold_is_best,
        )
        registry.add(facts)
        return function

    return register
