"""The catalogue of measures. Each measure is one decorated function with its metadata.

    @measure(PARTITION, key="rand", title="Rand index", family="pair-counting", ...)
    def rand(table: Contingency) -> float: ...

Documentation, API, leaderboard columns, table headers and contract tests are built from this metadata. The key of a
measure is permanent, because scores are stored under it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import Any, Generic, Literal, TypeVar

from qc4.bibliography import bibtex, keys_in, replace_keys_by_citations
from qc4.inputs.view import Kind, Level, View
from qc4.measures.parameters import (
    Parameter,
    fill_parameters,
    format_measure,
    format_pattern,
    number_text,
    parse_measure,
)
from qc4.model.case import Case
from qc4.model.policies import Policies, Unit
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import Record

# --- A measure of the catalogue: its metadata and its function ---

Input = TypeVar("Input")
Better = Literal["higher", "lower"]
Need = Literal["gold topics", "vectors", "time stamps", "labelled sample", "page ranks", "cluster labels", "page texts"]

ARROWS: dict[Better, str] = {"higher": "↑", "lower": "↓"}


@dataclass(frozen=True, kw_only=True)
class MeasureMetadata(Generic[Input]):
    """The metadata of a measure. Field names and defaults are defined only here."""

    view: View[Input] = field(kw_only=False)
    """The input of its function, and the levels it is computed on."""
    key: str
    """The permanent name, under which scores are stored."""
    title: str
    """The short name for table headers."""
    family: str
    """The key of its family."""
    meaning: str
    """One line for users."""
    formula: str
    """Plain text with Unicode mathematics, in the notation of `docs/developers/adding-a-measure.md`."""
    source: str
    """The original definition: keys of works in `qc4/references.bib`, and the place in each work."""
    low: float | None = 0.0
    """The lower end of its range, None for unbounded."""
    high: float | None = 1.0
    """The upper end of its range, None for unbounded."""
    better: Better = "higher"
    """The direction of better values."""
    accepts: tuple[Kind, ...] = ("partition",)
    """The kinds of clusters that it accepts without a scoring option."""
    needs: tuple[Need, ...] = ("gold topics",)
    """The data that it needs besides the clusters."""
    symmetric: bool = False
    """True if exchanging gold standard and clustering does not change the value."""
    unit: str = ""
    """"nats" if its values are amounts of information, as stated in title and meaning; the scoring option ``unit`` can
    change this to bits."""
    version: int = 1
    """Incremented whenever its definition changes."""
    degenerate: str = ""
    """Notes on special cases (0/0, trivial partitions), "" if the general rules of the catalogue apply."""
    parameters: tuple[Parameter, ...] = ()
    """Parameters of the function besides its input. Title, meaning, formula and special cases then contain their names
    in braces. ``symmetric`` holds only if all parameters have their defaults."""
    gold_is_best: bool = True
    """True if the gold standard, scored as a clustering, gets the best possible value. False for reading costs, and for
    bounds, which are above 0 for any finite number of pages."""


@dataclass(frozen=True, kw_only=True)
class Measure(MeasureMetadata[Any], Record):
    """A measure: its metadata and the function that computes it.

    Attributes:
        range: low and high, null if unbounded.
        cuts: True if it needs one cluster per page, so that it is computed on nested clusterings at each depth.
        policies: True if scoring options can change its value.
        unit: unit of its values with default options; empty if they have none.
        degenerate: notes on special cases; empty if the general rules apply.
        source: the original definition, in words.
        bibtex: the works named in the source.
        name: the name that is used with parameters; the key if it has no parameters.
        spelling: name and parameters in the grammar of measures: "alpha_ndcg@10"; the key if it has no parameters.
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
        return format_measure(self.name, self.parameters)

    @property
    def policies(self) -> tuple[str, ...]:
        """Names of the scoring options that can change its value."""
        return (*self.view.policies, "unit") if self.unit else self.view.policies

    @property
    def uses_policies(self) -> bool:
        """True if a scoring option can change its value."""
        return bool(self.policies)

    def unit_under(self, policies: Policies) -> Unit | Literal[""]:
        """Return the unit of its values with these scoring options; empty if they have none."""
        return policies.unit if self.unit else ""

    def under(self, policies: Policies) -> Measure:
        """Return the measure with the title and meaning for these scoring options, which name the unit of its
        values."""
        unit = self.unit_under(policies)
        if unit == self.unit:
            return self
        return replace(self, title=self.title.replace("nats", unit), meaning=self.meaning.replace("nats", unit))

    @property
    def arrow(self) -> str:
        """The direction of better values: ↑ or ↓."""
        return ARROWS[self.better]

    @property
    def range(self) -> tuple[float | None, float | None]:
        return self.low, self.high

    @property
    def bibtex(self) -> str:
        return bibtex(self.works)

    @property
    def range_words(self) -> str:
        """The range in words: 0 … 1, 0 … ∞, −1 … 1."""
        return f"{_end(self.low, '−∞')} … {_end(self.high, '∞')}"

    def compute(self, case: Case, level: Level, policies: Policies, depth: int | None = None) -> float:
        """Return the measure's value, a finite Python float.

        Args:
            depth: the depth at which nested clusters are flattened for this measure; None for the deepest.

        Raises:
            Undefined: it has no value for this case.
            InputError: it is not defined on this level.
            ArithmeticError: its function returned NaN or an infinity, which is a bug.
        """
        value = float(self.function(self.view.of(case, level, policies, depth))) + 0.0  # -0.0 + 0.0 is 0.0
        if self.unit_under(policies) == "bits":
            value /= math.log(2)
        if not math.isfinite(value):
            raise ArithmeticError(f"measure {self.key} returned {value} on level {level}")
        return value

    def documentation(self, about_function: str | None = None) -> str:
        """Format the metadata as a docstring; the function's own docstring becomes a paragraph after the meaning."""
        paragraphs = [self.meaning, inspect.cleandoc(about_function or ""), f"Formula: {self.formula}"]
        lines = [
            f"Range: {self.range_words}, {self.better} is better.",
            f"Computed on: {self.view.name}.",
            f"Accepts: {', '.join(self.accepts)}.",
            f"Needs: {', '.join(self.needs) or 'nothing but the clusters'}.",
        ]
        if self.view.cuts:
            lines.append("Nested clusters: flattened at each depth.")
        if self.unit:
            lines.append(f"Unit: {self.unit}, or bits with the scoring option unit = bits.")
        lines += [
            f"Parameter: {one.name} ({one.range_words}), {one.meaning}; value {number_text(one.value)}."
            for one in self.parameters
            if one.value is not None
        ]
        edges = f"Edges: {self.degenerate}" if self.degenerate else ""
        return "\n\n".join(filter(None, [*paragraphs, "\n".join(lines), edges, f"Source: {self.source}."]))


def _end(value: float | None, unbounded: str) -> str:
    return unbounded if value is None else f"{value:g}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Family(Record):
    """A group of measures, defined in one module. ``main`` is the key of the measure by which pages sort."""

    KEYS = "key title main"

    key: str
    title: str
    module: str
    main: str = ""


@dataclass(frozen=True, slots=True)
class Catalogue(Record):
    """All measures, in the form returned to programs."""

    engine: str
    families: tuple[Family, ...]
    measures: tuple[Measure, ...]


FAMILIES = (
    Family("qc4", "QC4", "qc4.measures.qc4.measures", main="qc4_f"),
    Family("classic", "Classic measures of the QC4 paper", "qc4.measures.classic", main="f"),
    Family("pair-counting", "Pair counting", "qc4.measures.pair_counting", main="ari"),
    Family("set-matching", "Set matching", "qc4.measures.set_matching", main="f_zaki"),
    Family("information", "Information theory", "qc4.measures.information", main="ami"),
    Family("overlap", "Made for overlap", "qc4.measures.overlap", main="bcubed_f"),
    Family("tree", "Trees of clusters", "qc4.measures.tree", main="tree_f"),
    Family("labels", "Labels of clusters", "qc4.measures.labels", main="label_term_f"),
    Family("search-results", "Search results", "qc4.measures.search_results", main="alpha_ndcg_10"),
    Family("prediction", "Prediction", "qc4.measures.prediction", main="pac_mdl"),
    Family("internal", "Internal, on vectors", "qc4.measures.internal", main="silhouette"),
)


MOST_OTHERS = 30
"""The maximum number of measures with custom parameters in one request, in addition to those of the catalogue."""
_FORMATTED = ("title", "meaning", "formula", "degenerate")


@dataclass(frozen=True, slots=True, eq=False)
class ParametrisedMeasure:
    """A measure whose parameters have no values yet.

    Attributes:
        facts: metadata with names of parameters in braces.
        stored: key -> value of the first parameter, for measures of the catalogue, under whose keys scores are stored.
    """

    facts: MeasureMetadata[Any]
    function: Callable[..., float]
    stored: Mapping[str, float]

    @property
    def name(self) -> str:
        return self.facts.key

    @property
    def pattern(self) -> str:
        """The pattern for naming it: "alpha_ndcg@cutoff(alpha=0.5)"."""
        return format_pattern(self.name, self.facts.parameters)

    @property
    def title(self) -> str:
        """Its title with symbols instead of values: "α-nDCG@k"."""
        return self.facts.title.format(**{one.name: one.symbol or one.name for one in self.facts.parameters})

    def measure(self, parameters: tuple[Parameter, ...], key: str = "") -> Measure:
        """Return the measure with these values; its default key is its printed form."""
        values = {one.name: one.value for one in parameters if one.value is not None}
        texts = {name: number_text(value) for name, value in values.items()}
        facts = {name: getattr(self.facts, name).format(**texts) for name in _FORMATTED}
        changed = [one for one in parameters if one.value != one.default and f"{{{one.name}}}" not in self.facts.title]
        if changed:
            facts["title"] += f" ({', '.join(f'{one.symbol or one.name} = {texts[one.name]}' for one in changed)})"
        is_symmetric = self.facts.symmetric and all(one.value == one.default for one in parameters)
        function = partial(self.function, **values)
        declared = {name: getattr(self.facts, name) for name in MeasureMetadata.__dataclass_fields__} | facts
        declared |= {
            "key": key or format_measure(self.name, parameters),
            "parameters": parameters,
            "symmetric": is_symmetric,
        }
        found = _make_measure(declared, self.name, function)
        function.__doc__ = found.documentation(self.function.__doc__)
        return found


class Registry:
    """Measures by key. Family modules are imported on first access, which registers their measures."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = {family.key: family for family in families}
        self._measures: dict[str, Measure] = {}
        self._parametrised: dict[str, ParametrisedMeasure] = {}
        self._loaded = False

    def add(self, measure: Measure) -> None:
        """Register a measure. Raise ValueError (a programming error) for a duplicate key or an unknown family."""
        if measure.key in self._measures:
            raise ValueError(f"two measures have the key {measure.key!r}")
        if measure.family not in self._families:
            raise ValueError(f"measure {measure.key!r} names an unknown family, {measure.family!r}")
        self._measures[measure.key] = measure

    def add_parametrised(self, declared: ParametrisedMeasure) -> None:
        """Register a measure with parameters, and its instances that have keys of their own."""
        first, *others = declared.facts.parameters
        rest = tuple(replace(one, value=one.default) for one in others)
        for key, value in declared.stored.items():
            self.add(declared.measure((replace(first, value=value), *rest), key))
        self._parametrised[declared.name] = declared

    def parametrised(self) -> tuple[ParametrisedMeasure, ...]:
        """The measures with parameters, in order of definition."""
        self._load()
        return tuple(self._parametrised.values())

    def all(self) -> tuple[Measure, ...]:
        """Return every measure, by family and in order of definition."""
        position = {key: number for number, key in enumerate(self._families)}
        return tuple(sorted(self._load().values(), key=lambda measure: position[measure.family]))

    def get(self, key: str) -> Measure:
        """Return the measure with this key. If there is none, raise InputError with close keys."""
        return self.select([key])[0]

    def select(self, keys: Iterable[str | Measure]) -> tuple[Measure, ...]:
        """Return the measures with these keys (or this key), in order, each once. InputError names every unknown one.

        Keys may include parameters (`qc4.measures.parameters`). If the result equals a measure of the catalogue, that
        measure is returned.
        """
        asked = keys if isinstance(keys, Iterable) and not isinstance(keys, str) else [keys]
        found: dict[str, Measure] = {}
        problems = ProblemList()
        for key in asked:
            try:
                measure = self._found(key.key if isinstance(key, Measure) else key)
                found.setdefault(measure.key, measure)
            except InputError as error:
                problems.extend(error.problems)
        if (others := len(found.keys() - self._measures.keys())) > MOST_OTHERS:
            expected = f"at most {MOST_OTHERS} measures with your own parameters"
            problems.error("too-many", "measures", f"{others:,} measures with your own parameters", expected)
        problems.refuse_errors()
        return tuple(found.values())

    def key_of(self, text: str) -> str:
        """Return the key of a measure in any spelling; the text itself if there is no such measure."""
        found = self.find(text)
        return text if found is None else found.key

    def knows(self, text: str) -> bool:
        """Return True if the text names a measure."""
        return self.find(text) is not None

    def find(self, text: str) -> Measure | None:
        """Return the measure with this name; None if there is none."""
        try:
            return self._found(text)
        except InputError:
            return None

    def is_listed(self, key: str) -> bool:
        """Return True if a measure is in the catalogue, False if it has custom parameters."""
        return key in self._load()

    def _found(self, text: object) -> Measure:
        """Return the measure with this name. Raise InputError if there is none."""
        known = self._load()
        if isinstance(text, str) and text in known:
            return known[text]
        if not isinstance(text, str) or (not set(text) & set("@()=") and text not in self._parametrised):
            raise InputError([_unknown(text, known)])
        asked = parse_measure(text)
        declared = self._parametrised.get(asked.name)
        if declared is not None:
            parameters = fill_parameters(asked, declared.facts.parameters)
            rest_is_default = all(one.value == one.default for one in parameters[1:])
            same = (key for key, value in declared.stored.items() if value == parameters[0].value and rest_is_default)
            key = next(same, None)
            return declared.measure(parameters) if key is None else known[key]
        if asked.name not in known:
            raise InputError([_unknown(asked.name, {**known, **self._parametrised})])
        one = known[asked.name]
        fix = f"Write {format_pattern(one.name, one.parameters)}." if one.parameters else ""
        expected = (
            f"no parameters: {asked.name} has none of its own" if fix else f"{asked.name}, which has no parameters"
        )
        raise InputError([Problem("unknown-parameter", "measures", repr(text), expected, fix)])

    def families(self) -> tuple[Family, ...]:
        return tuple(self._families.values())

    def family_of(self, measure: Measure) -> Family:
        return self._families[measure.family]

    def by_family(self, measures: Iterable[Measure]) -> tuple[tuple[Family, tuple[Measure, ...]], ...]:
        """Return the families of these measures, each once and in order of appearance, with their measures."""
        found: dict[Family, list[Measure]] = {}
        for measure in measures:
            found.setdefault(self.family_of(measure), []).append(measure)
        return tuple((family, tuple(members)) for family, members in found.items())

    def family(self, key: str) -> tuple[Measure, ...]:
        """Return the measures of one family. Raise InputError for an unknown family."""
        if key not in self._families:
            expected = f"one of {', '.join(self._families)}"
            raise InputError([Problem("unknown-family", "family", repr(key), expected)])
        return tuple(measure for measure in self.all() if measure.family == key)

    @contextmanager
    def temporary(self) -> Iterator[Registry]:
        """Undo changes made inside the ``with`` block when it ends (for tests)."""
        families, measures = dict(self._families), dict(self._load())
        parametrised = dict(self._parametrised)
        try:
            yield self
        finally:
            self._families, self._measures, self._parametrised = families, measures, parametrised

    def _load(self) -> dict[str, Measure]:
        if not self._loaded:
            for family in self._families.values():
                import_module(family.module)
            self._loaded = True
        return self._measures


def _unknown(key: object, known: Mapping[str, Measure | ParametrisedMeasure]) -> Problem:
    """Return the problem of an unknown key, which suggests measures with similar keys or, if none, similar titles."""
    by_title = {measure.title.lower(): key for key, measure in known.items()}
    asked = str(key).lower()
    close = get_close_matches(asked, known, 3, 0.5)
    close = close or [by_title[title] for title in get_close_matches(asked.replace("_", " "), by_title, 3, 0.5)]
    fix = f"Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return Problem("unknown-measure", "measures", repr(key), "the key of a measure", fix, listing="measures")


REGISTRY = Registry(FAMILIES)


def _make_measure(facts: dict[str, Any], name: str, function: Callable[..., float]) -> Measure:
    source = facts["source"]
    return Measure(
        **facts | {"source": replace_keys_by_citations(source)}, name=name, works=keys_in(source), function=function
    )


@dataclass(frozen=True, kw_only=True)
class measure(MeasureMetadata[Input]):  # noqa: N801  # a decorator, whose fields are the metadata
    """Register the decorated function as a measure of the catalogue. The function gets the metadata as its docstring.

    A measure with parameters takes them as keyword arguments. ``stored`` maps the keys under which scores of its
    instances are stored to the value of the first parameter; the others have their defaults.
    """

    stored: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, function: Callable[..., float]) -> Callable[..., float]:
        facts = {name: getattr(self, name) for name in MeasureMetadata.__dataclass_fields__}
        if self.parameters:
            REGISTRY.add_parametrised(ParametrisedMeasure(MeasureMetadata(**facts), function, self.stored))
            return function
        declared = _make_measure(facts, self.key, function)
        REGISTRY.add(declared)
        function.__doc__ = declared.documentation(function.__doc__)
        return function
