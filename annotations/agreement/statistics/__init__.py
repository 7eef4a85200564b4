"""Agreement between people about one query: pure functions of `qc4.model.gold_document.GoldDocument`, no database."""

from annotations.agreement.statistics.alignment import (
    MINIMUM,
    SIDES,
    Alignment,
    ComparedHierarchy,
    Concept,
    Pair,
    SideName,
    Symbol,
    align,
    compared_hierarchies,
    concepts,
)
from annotations.agreement.statistics.coefficients import Ratings, ac1, kappa
from annotations.agreement.statistics.pair import Agreement, Figure, compare
from annotations.agreement.statistics.placements import Kind, PageComparison, Placement, Symbols

__all__ = [
    "MINIMUM",
    "SIDES",
    "Agreement",
    "Alignment",
    "ComparedHierarchy",
    "Concept",
    "Figure",
    "Kind",
    "PageComparison",
    "Pair",
    "Placement",
    "Ratings",
    "SideName",
    "Symbol",
    "Symbols",
    "ac1",
    "align",
    "compare",
    "compared_hierarchies",
    "concepts",
    "kappa",
]
