"""The catalogue of measures: each is one decorated function that declares every fact about itself.

    @measure(PARTITION, key="rand", title="Rand index", family="pair-counting", ...)
    def rand(table: Contingency) -> float: ...

Documentation, API, dashboard columns, table headers and contract tests come from these facts. A measure's
key is permanent: scores are stored under it."""

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

from qc4.bibliography import bibtex, cited, keys_in
from qc4.inputs.view import Kind, Level, View
from qc4.measures.parameters import Parameter, given, number_text, parsed, pattern, written
from qc4.model.case import Case
from qc4.model.policies import Policies, Unit
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import Record

# A measure of the catalogue: the facts it declares about itself, and its function.

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


@dataclass(frozen=True, slots=True)
class Family(Record):
    """A group of measures, defined in one module; ``main`` is the key of the one that sorts where they are shown."""

    KEYS = "key title main"

    key: str
    title: str
    module: str
    main: str = ""


@dataclass(frozen=True, slots=True)
class Catalogue(Record):
    """All measures, as programs get them."""

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
"""The most measures with parameters of one's own that may be asked for at once, beside those of the catalogue."""
_FORMATTED = ("title", "meaning", "formula", "degenerate")


@dataclass(frozen=True, slots=True, eq=False)
class Parametrised:
    """A measure whose parameters have no values yet.

    Attributes:
        facts: as declared, with names of parameters in braces.
        stored: key -> value of the first parameter: the measures of the catalogue, under whose keys scores are stored.
    """

    facts: Facts[Any]
    function: Callable[..., float]
    stored: Mapping[str, float]

    @property
    def name(self) -> str:
        return self.facts.key

    @property
    def pattern(self) -> str:
        """How people ask for it: "alpha_ndcg@cutoff(alpha=0.5)"."""
        return pattern(self.name, self.facts.parameters)

    @property
    def title(self) -> str:
        """Its title with signs in the places of values: "α-nDCG@k"."""
        return self.facts.title.format(**{one.name: one.symbol or one.name for one in self.facts.parameters})

    def measure(self, parameters: tuple[Parameter, ...], key: str = "") -> Measure:
        """The measure with these values; by default its key is how it is written."""
        values = {one.name: one.value for one in parameters if one.value is not None}
        texts = {name: number_text(value) for name, value in values.items()}
        facts = {name: getattr(self.facts, name).format(**texts) for name in _FORMATTED}
        changed = [one for one in parameters if one.value != one.default and f"{{{one.name}}}" not in self.facts.title]
        if changed:
            facts["title"] += f" ({', '.join(f'{one.symbol or one.name} = {texts[one.name]}' for one in changed)})"
        is_symmetric = self.facts.symmetric and all(one.value == one.default for one in parameters)
        function = partial(self.function, **values)
        declared = {name: getattr(self.facts, name) for name in Facts.__dataclass_fields__} | facts
        declared |= {"key": key or written(self.name, parameters), "parameters": parameters, "symmetric": is_symmetric}
        found = _made(declared, self.name, function)
        function.__doc__ = found.documentation(self.function.__doc__)
        return found


class Registry:
    """Measures by key. Family modules are imported, and so register themselves, when first asked for."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families = {family.key: family for family in families}
        self._measures: dict[str, Measure] = {}
        self._parametrised: dict[str, Parametrised] = {}
        self._loaded = False

    def add(self, measure: Measure) -> None:
        """Register a measure; ValueError if its key is taken or its family unknown (a programming error)."""
        if measure.key in self._measures:
            raise ValueError(f"two measures have the key {measure.key!r}")
        if measure.family not in self._families:
            raise ValueError(f"measure {measure.key!r} names an unknown family, {measure.family!r}")
        self._measures[measure.key] = measure

    def add_parametrised(self, declared: Parametrised) -> None:
        """Register a measure with parameters, and those of its measures that have keys of their own."""
        first, *others = declared.facts.parameters
        rest = tuple(replace(one, value=one.default) for one in others)
        for key, value in declared.stored.items():
            self.add(declared.measure((replace(first, value=value), *rest), key))
        self._parametrised[declared.name] = declared

    def parametrised(self) -> tuple[Parametrised, ...]:
        """The measures with parameters, as defined."""
        self._load()
        return tuple(self._parametrised.values())

    def all(self) -> tuple[Measure, ...]:
        """Every measure, by family and then as defined."""
        position = {key: number for number, key in enumerate(self._families)}
        return tuple(sorted(self._load().values(), key=lambda measure: position[measure.family]))

    def get(self, key: str) -> Measure:
        """The measure with this key; InputError suggesting close keys if there is none."""
        return self.select([key])[0]

    def select(self, keys: Iterable[str | Measure]) -> tuple[Measure, ...]:
        """The measures with these keys (or this key), in order, each once; InputError names every unknown one.

        What has parameters may be written with them (`qc4.measures.parameters`); what is then the same as a measure of
        the catalogue is that measure.
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
            expected = f"at most {MOST_OTHERS} with parameters of your own"
            problems.error("too-many", "measures", f"{others:,} of them", expected)
        problems.refuse_errors()
        return tuple(found.values())

    def key_of(self, text: str) -> str:
        """The key of a measure however it is written; the text itself where there is no such measure."""
        found = self.find(text)
        return text if found is None else found.key

    def knows(self, text: str) -> bool:
        """Whether there is a measure that is written so."""
        return self.find(text) is not None

    def find(self, text: str) -> Measure | None:
        """The measure that is written so; None if there is none."""
        try:
            return self._found(text)
        except InputError:
            return None

    def is_listed(self, key: str) -> bool:
        """Whether a measure is one of the catalogue, and not one with parameters of somebody's own."""
        return key in self._load()

    def _found(self, text: object) -> Measure:
        """The measure that is written so; InputError if there is none."""
        known = self._load()
        if isinstance(text, str) and text in known:
            return known[text]
        if not isinstance(text, str) or (not set(text) & set("@()=") and text not in self._parametrised):
            raise InputError([_unknown(text, known)])
        asked = parsed(text)
        declared = self._parametrised.get(asked.name)
        if declared is not None:
            parameters = given(asked, declared.facts.parameters)
            rest_is_default = all(one.value == one.default for one in parameters[1:])
            same = (key for key, value in declared.stored.items() if value == parameters[0].value and rest_is_default)
            key = next(same, None)
            return declared.measure(parameters) if key is None else known[key]
        if asked.name not in known:
            raise InputError([_unknown(asked.name, {**known, **self._parametrised})])
        one = known[asked.name]
        fix = f"Write {pattern(one.name, one.parameters)}." if one.parameters else ""
        expected = (
            f"no parameters: {asked.name} has none of its own" if fix else f"{asked.name}, which has no parameters"
        )
        raise InputError([Problem("unknown-parameter", "measures", repr(text), expected, fix)])

    def families(self) -> tuple[Family, ...]:
        return tuple(self._families.values())

    def family_of(self, measure: Measure) -> Family:
        return self._families[measure.family]

    def by_family(self, measures: Iterable[Measure]) -> tuple[tuple[Family, tuple[Measure, ...]], ...]:
        """The families of these measures, each once and in the order they are met, with their measures."""
        found: dict[Family, list[Measure]] = {}
        for measure in measures:
            found.setdefault(self.family_of(measure), []).append(measure)
        return tuple((family, tuple(members)) for family, members in found.items())

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


def _unknown(key: object, known: Mapping[str, Measure | Parametrised]) -> Problem:
    """A key that no measure has, with the measures whose keys, or else titles, are nearest to it."""
    by_title = {measure.title.lower(): key for key, measure in known.items()}
    asked = str(key).lower()
    close = get_close_matches(asked, known, 3, 0.5)
    close = close or [by_title[title] for title in get_close_matches(asked.replace("_", " "), by_title, 3, 0.5)]
    fix = f"Did you mean {' or '.join(map(repr, close))}?" if close else ""
    return Problem("unknown-measure", "measures", repr(key), "the key of a measure", fix, listing="measures")


REGISTRY = Registry(FAMILIES)


def _made(facts: dict[str, Any], name: str, function: Callable[..., float]) -> Measure:
    source = facts["source"]
    return Measure(**facts | {"source": cited(source)}, name=name, works=keys_in(source), function=function)


@dataclass(frozen=True, kw_only=True)
class measure(Facts[Input]):  # noqa: N801  # a decorator, which takes the facts as they are declared
    """Declare the decorated function a measure of the catalogue. It stays as it is, with the facts as its docstring.

    A measure with parameters takes them by name, after its input. ``stored`` are the keys under which scores of some of
    its measures are stored, with the value that the first parameter has there; the others have their defaults.
    """

    stored: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, function: Callable[..., float]) -> Callable[..., float]:
        facts = {name: getattr(self, name) for name in Facts.__dataclass_fields__}
        if self.parameters:
            REGISTRY.add_parametrised(Parametrised(Facts(**facts), function, self.stored))
            return function
        declared = _made(facts, self.key, function)
        REGISTRY.add(declared)
        function.__doc__ = declared.documentation(function.__doc__)
        return function
