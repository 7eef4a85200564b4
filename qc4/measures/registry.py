"""The catalogue of measures: each is one decorated function that declares every fact about itself.

    @measure(PARTITION, key="rand", title="Rand index", family="pair-counting", ...)
    def rand(table: Contingency) -> float: ...

Documentation, API, dashboard columns, table headers and contract tests come from these facts. A measure's
key is permanent: scores are stored under it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

from qc4.measures.measure import Facts, Input, Measure
from qc4.problems import InputError, Problem, ProblemList
from qc4.records import Record


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

    def select(self, keys: Iterable[str | Measure]) -> tuple[Measure, ...]:
        """The measures with these keys (or this key), in order, each once; InputError names every unknown one."""
        known = self._load()
        given = keys if isinstance(keys, Iterable) and not isinstance(keys, str) else [keys]
        wanted = [key.key if isinstance(key, Measure) else key for key in given]
        problems = ProblemList()
        for key in wanted:
            if not isinstance(key, str) or key not in known:
                found, fix = repr(key), _did_you_mean(key, known)
                expected = "the key of a measure"
                problems.extend([Problem("unknown-measure", "measures", found, expected, fix, listing="measures")])
        problems.refuse_errors()
        return tuple(known[key] for key in dict.fromkeys(wanted))

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


def _did_you_mean(key: object, known: Mapping[str, Measure]) -> str:
    """The measures whose keys, or else titles, are nearest to what was asked for."""
    by_title = {measure.title.lower(): measure.key for measure in known.values()}
    asked = str(key).lower()
    close = get_close_matches(asked, known, 3, 0.5)
    close = close or [by_title[title] for title in get_close_matches(asked.replace("_", " "), by_title, 3, 0.5)]
    return f"Did you mean {' or '.join(map(repr, close))}?" if close else ""


REGISTRY = Registry(FAMILIES)


class measure(Facts[Input]):  # noqa: N801  # a decorator, which takes the facts as they are declared
    """Declare the decorated function a measure of the catalogue. It stays as it is, with the facts as its docstring."""

    def __call__(self, function: Callable[[Input], float]) -> Callable[[Input], float]:
        declared = Measure(**vars(self), function=function)
        REGISTRY.add(declared)
        function.__doc__ = declared.documentation(function.__doc__)
        return function
