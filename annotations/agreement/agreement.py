"""How far two hierarchies of one query agree: aligned topics, numbers, and page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotations.agreement import jackknife
from annotations.agreement.alignment import MINIMUM, Alignment, align
from annotations.agreement.concepts import Symbol, of_pairs
from annotations.agreement.figures import Figure, figures
from annotations.agreement.placements import PageComparison, Placement, Symbols
from annotations.agreement.ratings import Ratings
from annotations.agreement.sides import Side, sides
from qc4.model.gold_document import GoldDocument
from qc4.version import ENGINE_VERSION


@dataclass(frozen=True, eq=False)
class Agreement:
    """Two hierarchies compared.

    Attributes:
        pages: every page, in page-list order.
        seed, groups: of the intervals (`jackknife`).
    """

    first: Side
    second: Side
    alignment: Alignment
    figures: tuple[Figure, ...]
    pages: tuple[PageComparison, ...]
    seed: int
    groups: int

    @cached_property
    def symbols(self) -> Symbols:
        return Symbols((self.first, self.second), of_pairs(self.alignment))

    @property
    def differing(self) -> list[PageComparison]:
        return [page for page in self.pages if not page.agree]

    @cached_property
    def outliers(self) -> Ratings:
        """Outliers of either side, among the pages both have placed."""
        placed = self.first.is_placed & self.second.is_placed
        return Ratings.of(self.first.is_outlier[placed], self.second.is_outlier[placed])

    def figure(self, measure: str, where: int | str | None = None) -> Figure:
        """One number, by level or by the side whose topics are the clusters; KeyError if there is none."""
        for figure in self.figures:
            if figure.measure == measure and where in (figure.level, figure.clusters):
                return figure
        raise KeyError((measure, where))

    def to_dict(self) -> dict[str, Any]:
        """For files and the API."""
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
    seed: int = jackknife.SEED,
    groups: int = jackknife.GROUPS,
) -> Agreement:
    """Compare two hierarchies over the same pages. Drafts may be incomplete: figures then say what is missing.

    Args:
        names: what words call the two.
        minimum: as of `align`.
        seed, groups: as of `jackknife.intervals`; 0 groups for no intervals.

    Raises:
        InputError: other pages, no pages, or a broken structure (`sides`).
    """
    one, other = sides((first, second), names)
    alignment = align(one, other, minimum)
    symbols = Symbols((one, other), of_pairs(alignment))
    pages = tuple(symbols.compare(page) for page in range(one.hierarchy.n_pages))
    return Agreement(one, other, alignment, tuple(figures(one, other, seed, groups)), pages, seed, groups)


def _side(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "topics": [
            {"id": topic_id, "path": list(path), "pages": size}
            for topic_id, path, size in zip(side.topic_ids, side.paths, side.hierarchy.sizes.tolist(), strict=True)
        ],
        "levels": side.hierarchy.n_levels,
        "outliers": int(side.hierarchy.outliers.size),
    }
