"""Agreement between any number of hierarchies of one query: Krippendorff's alpha of the placements on each level, and
of the outliers.

On each level, every hierarchy that has placed a page there judges it. The judgement is the set of the page's topics on
that level, where the outlier topic counts as one. Topics of different hierarchies are the same if they are aligned
(`concepts`). If a hierarchy has fewer levels, its last level is repeated below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from annotations.agreement.statistics import coefficients
from annotations.agreement.statistics.alignment import (
    MINIMUM,
    SIDES,
    ComparedHierarchy,
    Concept,
    compared_hierarchies,
    concepts,
)
from annotations.agreement.statistics.coefficients import Distance, Judgements, Value, jaccard, masi, nominal
from annotations.agreement.statistics.pair import Figure
from annotations.agreement.statistics.placements import PageComparison, Symbols
from annotations.agreement.statistics.tables import FigureRow, FigureTable
from qc4.arrays import IntArray
from qc4.inputs.undefined import Undefined
from qc4.model.gold_document import GoldDocument
from qc4.version import ENGINE_VERSION
from qc4.wording import counted

DISTANCES: dict[str, tuple[str, Distance]] = {
    "alpha_masi": ("Alpha, MASI", masi),
    "alpha_jaccard": ("Alpha, Jaccard", jaccard),
    "alpha_nominal": ("Alpha, same or not", nominal),
}
OUTLIERS = "alpha_outliers"
_OUTLIER = frozenset({"outlier"})
_IN_TOPICS = frozenset({"in topics"})


@dataclass(frozen=True, eq=False)
class GroupAgreement:
    """A comparison of several hierarchies.

    Attributes:
        pages: every page with its placements in aligned topics, in page-list order.
        figures: alpha by level and distance, and of the outliers.
    """

    symbols: Symbols
    pages: tuple[PageComparison, ...]
    figures: tuple[Figure, ...]
    seed: int
    groups: int

    @property
    def sides(self) -> tuple[ComparedHierarchy, ...]:
        return self.symbols.sides

    @property
    def concepts(self) -> tuple[Concept, ...]:
        return self.symbols.concepts

    @property
    def n_pairs(self) -> int:
        """The number of pairs of hierarchies."""
        return len(self.sides) * (len(self.sides) - 1) // 2

    @cached_property
    def disputed(self) -> list[PageComparison]:
        """The pages that are placed differently, those with most differing pairs first, then in page-list order."""
        apart = [page for page in self.pages if not page.agree]
        return sorted(apart, key=lambda page: -page.pairs_apart)

    @property
    def n_agreed(self) -> int:
        """The number of pages that all place alike."""
        return sum(page.agree for page in self.pages)

    @property
    def n_everywhere(self) -> int:
        """The number of topics that all have."""
        return sum(len(concept.topics) == len(self.sides) for concept in self.concepts)

    @property
    def n_partial(self) -> int:
        """The number of topics that only some have."""
        return len(self.concepts) - self.n_everywhere

    @property
    def table(self) -> FigureTable:
        """The values of alpha, with a row per level."""
        levels = sorted({figure.level for figure in self.figures if figure.level is not None})
        rows = [
            FigureRow(f"Level {level}", tuple(figure for figure in self.figures if figure.level == level))
            for level in levels
        ]
        return FigureTable(tuple((key, title) for key, (title, _) in DISTANCES.items()), tuple(rows))

    @property
    def outliers(self) -> FigureTable:
        figures = tuple(figure for figure in self.figures if figure.measure == OUTLIERS)
        return FigureTable(
            tuple((figure.measure, figure.title) for figure in figures), (FigureRow("Outliers", figures),)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison for the API."""
        return {
            "engine": ENGINE_VERSION,
            "query": self.sides[0].document.query_id,
            "compared": [side.name for side in self.sides],
            "intervals": {"confidence": 0.95, "seed": self.seed, "groups": self.groups},
            "figures": [figure.to_dict() for figure in self.figures],
            "pages": {"alike": self.n_agreed, "all": len(self.pages), "pairs": self.n_pairs},
            "placements": [self._page(page) for page in self.pages],
            "topics": [
                {side: self.sides[SIDES.index(side)].topic_ids[topic] for side, topic in concept.topics.items()}
                for concept in self.concepts
            ],
        }

    def _page(self, page: PageComparison) -> dict[str, Any]:
        """Return a page: the number of differing pairs, its placement in each hierarchy's own topics, and the
        majority."""
        found = self.symbols.majority(page.placements)
        return {
            "id": self.sides[0].document.pages[page.page].id,
            "agree": page.agree,
            "pairs_apart": page.pairs_apart,
            "sides": [
                {
                    "outlier": bool(side.is_outlier[page.page]),
                    "topics": [side.topic_ids[topic] for topic in side.direct[page.page]],
                }
                for side in self.sides
            ],
            "majority": {
                "outlier": found.outlier,
                "topics": [
                    {"side": symbol.side, "topic": self.symbols.side(symbol.side).topic_ids[symbol.topic]}
                    for symbol in sorted(found.topics)
                ],
            }
            if found.is_placed
            else None,
        }


def compare_all(
    documents: Sequence[GoldDocument],
    names: Sequence[str],
    minimum: float = MINIMUM,
    seed: int = coefficients.SEED,
    groups: int = coefficients.GROUPS,
) -> GroupAgreement:
    """Compare two or more hierarchies over the same pages; arguments and errors as for `compare`."""
    found = compared_hierarchies(documents, names)
    aligned = concepts(found, minimum)
    symbols = Symbols(found, aligned)
    pages = tuple(map(symbols.compare, range(found[0].hierarchy.n_pages)))
    figures = (*_by_level(symbols, seed, groups), _of_outliers(found, seed, groups))
    return GroupAgreement(symbols, pages, figures, seed, groups)


def _by_level(symbols: Symbols, seed: int, groups: int) -> Iterator[Figure]:
    for level in range(1, max(side.hierarchy.n_levels for side in symbols.sides) + 1):
        units = _judged(symbols, level)
        for key, (title, distance) in DISTANCES.items():
            yield _figure(Figure(key, title, None, level=level), units, distance, seed, groups)


def _judged(symbols: Symbols, level: int) -> list[list[Value]]:
    """Return the judgements of each page on a level, by the hierarchies that have placed it there."""
    units: list[list[Value]] = [[] for _ in range(symbols.sides[0].hierarchy.n_pages)]
    for name, side in zip(symbols.names, symbols.sides, strict=True):
        held: list[set[object]] = [set() for _ in units]
        for topic in side.hierarchy.topics_on(min(level, side.hierarchy.n_levels)).tolist():
            for page in side.members(topic).tolist():
                held[page].add(symbols.of(name, topic))
        for page in np.flatnonzero(side.placed_on(level)).tolist():
            units[page].append(_OUTLIER if side.is_outlier[page] else frozenset(held[page]))
    return units


def _of_outliers(compared: Sequence[ComparedHierarchy], seed: int, groups: int) -> Figure:
    units: list[list[Value]] = [[] for _ in range(compared[0].hierarchy.n_pages)]
    for side in compared:
        for page in np.flatnonzero(side.is_placed).tolist():
            units[page].append(_OUTLIER if side.is_outlier[page] else _IN_TOPICS)
    return _figure(Figure(OUTLIERS, "Alpha of the outliers", None), units, nominal, seed, groups)


def _figure(bare: Figure, units: Sequence[Sequence[Value]], distance: Distance, seed: int, groups: int) -> Figure:
    """Return alpha of the units with its interval, or the reason why it is undefined."""
    judged = Judgements(units, distance)
    missing = len(units) - len(judged.units)
    note = f"excludes {counted(missing, 'page')} that fewer than two have assigned" if missing else ""
    figure = replace(bare, note=note, pages=len(judged.units))
    try:
        value = judged.alpha()
    except Undefined as reason:
        return replace(figure, undefined=str(reason))
    wanted = groups and not judged.is_large
    found = coefficients.intervals(partial(_some, judged), len(judged.units), seed, groups) if wanted else {}
    low, high = found.get(0, (None, None))
    return replace(figure, value=value, low=low, high=None if high is None else min(1.0, high))


def _some(judged: Judgements, chosen: IntArray) -> dict[int, float]:
    """Return alpha of some units; an empty mapping if it is undefined."""
    try:
        return {0: judged.alpha(chosen)}
    except Undefined:
        return {}
