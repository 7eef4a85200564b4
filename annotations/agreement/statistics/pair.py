"""Agreement between two hierarchies: QC4 in both directions, Omega and extended BCubed per level, kappa and AC1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

import numpy as np

from annotations.agreement.statistics import coefficients
from annotations.agreement.statistics.alignment import (
    MINIMUM,
    Alignment,
    ComparedHierarchy,
    Symbol,
    align,
    compared_hierarchies,
    concepts_of_alignment,
)
from annotations.agreement.statistics.coefficients import Estimate, Ratings, ac1, kappa
from annotations.agreement.statistics.placements import PageComparison, Placement, Symbols
from qc4.arrays import IntArray
from qc4.inputs.cover import Covers
from qc4.inputs.undefined import Undefined
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.gold_document import GoldDocument
from qc4.model.policies import Policies
from qc4.problems import InputError
from qc4.records import Record
from qc4.version import ENGINE_VERSION
from qc4.wording import counted

Direction = Literal["first", "second"]
QC4 = ("quality", "coverage", "qc4", "qc4_f")
PER_LEVEL = ("omega", "bcubed_precision", "bcubed_recall", "bcubed_f")
Key: TypeAlias = tuple[str, int | Direction]
"""A measure, and its level or the hierarchy whose topics are the clusters."""


@dataclass(frozen=True, slots=True)
class Figure(Record):
    """One statistic, or the reason why it is undefined.

    Attributes:
        measure: its key in the catalogue of measures, or ``outlier_kappa`` or ``outlier_ac1``.
        level: the level, for measures of one level.
        clusters: for QC4, the hierarchy whose topics are compared with the other hierarchy.
        low, high: the 95 % confidence interval; None if it cannot be computed.
        undefined: why there is no value; "" if there is one.
        note: what a person should know about the value.
        pages: number of pages it was computed on.
    """

    KEYS = "measure level clusters value interval undefined|null note|null pages"

    measure: str
    title: str
    value: float | None
    low: float | None = None
    high: float | None = None
    level: int | None = None
    clusters: Direction | None = None
    undefined: str = ""
    note: str = ""
    pages: int = 0

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)


def figures(
    first: ComparedHierarchy,
    second: ComparedHierarchy,
    seed: int = coefficients.SEED,
    groups: int = coefficients.GROUPS,
) -> list[Figure]:
    """Return all statistics of an agreement; ``seed`` and ``groups`` as for `coefficients.intervals`, 0 groups for
    none."""
    n_pages = first.hierarchy.n_pages
    levels = range(1, max(first.hierarchy.n_levels, second.hierarchy.n_levels) + 1)
    measured = [
        *(_qc4(first, second, seed, groups, clusters) for clusters in ("first", "second")),
        *(_on_level(first, second, level, seed, groups) for level in levels),
    ]
    return [figure for found in measured for figure in found] + list(_outliers(first, second, n_pages))


def _qc4(
    first: ComparedHierarchy, second: ComparedHierarchy, seed: int, groups: int, clusters: Direction
) -> Iterator[Figure]:
    """Score the topics of one hierarchy, of all levels, as clusters against the other hierarchy."""
    own, gold = (first, second) if clusters == "first" else (second, first)
    n_pages = first.hierarchy.n_pages
    if reason := _no_qc4(own, gold):
        yield from (Figure(key, _title(key), None, clusters=clusters, undefined=reason) for key in QC4)
        return
    statistics = partial(_qc4_values, own, gold)
    values = statistics(np.arange(n_pages))
    reach = coefficients.intervals(statistics, n_pages, seed, groups) if groups else {}
    note = _qc4_note(own, gold)
    for key in QC4:
        low, high = _within(reach.get(key), 0.0)
        yield Figure(key, _title(key), values[key], low, high, clusters=clusters, note=note, pages=n_pages)


def _no_qc4(own: ComparedHierarchy, gold: ComparedHierarchy) -> str:
    without = [side.name for side in (own, gold) if not side.hierarchy.pages.nnz]
    if without:
        return f"{' and '.join(without)} {'has' if len(without) == 1 else 'have'} no topic that holds a page"
    return gold.incomplete


def _qc4_note(own: ComparedHierarchy, gold: ComparedHierarchy) -> str:
    if int(gold.hierarchy.sizes.max()) == gold.hierarchy.n_pages:
        return f"a topic of {gold.name} holds every page, so even an identical hierarchy would not score 1"
    empty = int((own.hierarchy.sizes == 0).sum() + (gold.hierarchy.sizes == 0).sum())
    return f"excludes {counted(empty, 'topic')} that {'holds' if empty == 1 else 'hold'} no page" if empty else ""


def _qc4_values(own: ComparedHierarchy, gold: ComparedHierarchy, pages: IntArray) -> dict[str, float]:
    try:
        standard = gold.standard(pages)
    except InputError:  # only if pages are deleted: `_no_qc4` has checked the complete list
        return {}
    clusters = own.on(pages).pages
    case = Case(standard, clusters, tuple(map(str, range(clusters.shape[0]))))
    return {key: REGISTRY.get(key).compute(case, None, Policies()) for key in QC4}


def _on_level(
    first: ComparedHierarchy, second: ComparedHierarchy, level: int, seed: int, groups: int
) -> Iterator[Figure]:
    placed = np.flatnonzero(first.placed_on(level) & second.placed_on(level))
    if not placed.size:
        reason = f"there is no page that both have assigned on level {level}"
        yield from (Figure(key, _title(key), None, level=level, undefined=reason) for key in PER_LEVEL)
        return
    statistics = partial(_level_values, first, second, level, placed)
    values = statistics(np.arange(placed.size))
    reach = coefficients.intervals(statistics, placed.size, seed, groups) if groups else {}
    note = _level_note(first, second, level, placed)
    for key in PER_LEVEL:
        low, high = _within(reach.get(key), REGISTRY.get(key).low or 0.0)
        reason = "" if key in values else _ALL_IN_ONE
        shown = (values.get(key), low, high) if key in values else (None, None, None)
        yield Figure(key, _title(key), *shown, level=level, undefined=reason, note=note, pages=placed.size)


_ALL_IN_ONE = "both put all pages into the same single topic, so agreement cannot be adjusted for chance"


def _level_values(
    first: ComparedHierarchy, second: ComparedHierarchy, level: int, placed: IntArray, chosen: IntArray
) -> dict[str, float]:
    """Return the measures of a level on some of the pages placed there; no Omega if agreement by chance would be
    perfect."""
    covers = Covers.from_incidence(first.sets_on(level, placed[chosen]), second.sets_on(level, placed[chosen]))
    values = {key: float(REGISTRY.get(key).function(covers)) for key in PER_LEVEL}
    if covers.topics.sizes.size == covers.clusters.sizes.size == 1:
        del values["omega"]
    return values


def _level_note(first: ComparedHierarchy, second: ComparedHierarchy, level: int, placed: IntArray) -> str:
    found = []
    if missing := first.hierarchy.n_pages - placed.size:
        found.append(f"excludes {counted(missing, 'page')} that one of them has not assigned on this level")
    found += [
        f"{side.name} has {counted(side.hierarchy.n_levels, 'level')}, and the topics of its last level are used here"
        for side in (first, second)
        if level > side.hierarchy.n_levels
    ]
    return "; ".join(found)


def _outliers(first: ComparedHierarchy, second: ComparedHierarchy, n_pages: int) -> Iterator[Figure]:
    placed = first.is_placed & second.is_placed
    ratings = Ratings.of(first.is_outlier[placed], second.is_outlier[placed])
    missing = n_pages - ratings.n
    note = f"excludes {counted(missing, 'page')} that one of them has not assigned" if missing else ""
    named: tuple[tuple[str, str, Callable[[Ratings], Estimate]], ...] = (
        ("outlier_kappa", "Cohen's kappa of the outliers", kappa),
        ("outlier_ac1", "Gwet's AC1 of the outliers", ac1),
    )
    for key, title, coefficient in named:
        try:
            found = coefficient(ratings)
        except Undefined as reason:
            yield Figure(key, title, None, undefined=str(reason), note=note, pages=ratings.n)
        else:
            yield Figure(key, title, found.value, found.low, found.high, note=note, pages=ratings.n)


def _within(interval: coefficients.Interval | None, low: float) -> tuple[float | None, float | None]:
    """Return an interval clipped to the range of its measure."""
    return (None, None) if interval is None else (max(low, interval[0]), min(1.0, interval[1]))


def _title(key: str) -> str:
    return REGISTRY.get(key).title


# --- The comparison ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Agreement:
    """A comparison of two hierarchies.

    Attributes:
        pages: every page, in page-list order.
        seed, groups: settings of the intervals (see `coefficients.intervals`).
    """

    first: ComparedHierarchy
    second: ComparedHierarchy
    alignment: Alignment
    figures: tuple[Figure, ...]
    pages: tuple[PageComparison, ...]
    seed: int
    groups: int

    @cached_property
    def symbols(self) -> Symbols:
        return Symbols((self.first, self.second), concepts_of_alignment(self.alignment))

    @property
    def differing(self) -> list[PageComparison]:
        return [page for page in self.pages if not page.agree]

    @cached_property
    def outliers(self) -> Ratings:
        """Outliers of both hierarchies, among the pages that both have placed."""
        placed = self.first.is_placed & self.second.is_placed
        return Ratings.of(self.first.is_outlier[placed], self.second.is_outlier[placed])

    def figure(self, measure: str, where: int | str | None = None) -> Figure:
        """Return one statistic, by level or by the hierarchy whose topics are the clusters; KeyError if there is
        none."""
        for figure in self.figures:
            if figure.measure == measure and where in (figure.level, figure.clusters):
                return figure
        raise KeyError((measure, where))

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison for files and the API."""
        return {
            "engine": ENGINE_VERSION,
            "query": self.first.document.query_id,
            "first": _side(self.first),
            "second": _side(self.second),
            "intervals": {"confidence": 0.95, "seed": self.seed, "groups": self.groups},
            "figures": [figure.to_dict() for figure in self.figures],
            "aligned": [
                {
                    "first": self.first.topic_ids[pair.first],
                    "second": self.second.topic_ids[pair.second],
                    "shared": pair.shared,
                    "jaccard": pair.jaccard,
                }
                for pair in self.alignment.pairs
            ],
            "only_first": [self.first.topic_ids[topic] for topic in self.alignment.only_first],
            "only_second": [self.second.topic_ids[topic] for topic in self.alignment.only_second],
            "overlap": self.alignment.shared.tolist(),
            "outliers": {
                "both": self.outliers.both,
                "only_first": self.outliers.only_first,
                "only_second": self.outliers.only_second,
                "neither": self.outliers.neither,
            },
            "pages": [self._page(page) for page in self.pages],
        }

    def _page(self, page: PageComparison) -> dict[str, Any]:
        return {
            "id": self.first.document.pages[page.page].id,
            "agree": page.agree,
            "how": str(page.kind),
            "first": self._placement(page.first),
            "second": self._placement(page.second),
        }

    def _placement(self, placement: Placement) -> dict[str, Any]:
        return {"outlier": placement.outlier, "topics": [self._symbol(symbol) for symbol in sorted(placement.topics)]}

    def _symbol(self, symbol: Symbol) -> dict[str, str]:
        return {"side": symbol.side, "topic": self.symbols.side(symbol.side).topic_ids[symbol.topic]}


def compare(
    first: GoldDocument,
    second: GoldDocument,
    names: Sequence[str] = ("first", "second"),
    minimum: float = MINIMUM,
    seed: int = coefficients.SEED,
    groups: int = coefficients.GROUPS,
) -> Agreement:
    """Compare two hierarchies over the same pages. Drafts may be incomplete; statistics then say what is missing.

    Args:
        names: names of the two, used in texts.
        minimum: as for `align`.
        seed, groups: as for `coefficients.intervals`; 0 groups for no intervals.

    Raises:
        InputError: for different page lists, no pages, or an invalid structure (see `sides`).
    """
    one, other = compared_hierarchies((first, second), names)
    alignment = align(one, other, minimum)
    symbols = Symbols((one, other), concepts_of_alignment(alignment))
    pages = tuple(symbols.compare(page) for page in range(one.hierarchy.n_pages))
    return Agreement(one, other, alignment, tuple(figures(one, other, seed, groups)), pages, seed, groups)


def _side(side: ComparedHierarchy) -> dict[str, Any]:
    return {
        "name": side.name,
        "topics": [
            {"id": topic_id, "path": list(path), "pages": size}
            for topic_id, path, size in zip(side.topic_ids, side.paths, side.hierarchy.sizes.tolist(), strict=True)
        ],
        "levels": side.hierarchy.n_levels,
        "outliers": int(side.hierarchy.outliers.size),
    }
