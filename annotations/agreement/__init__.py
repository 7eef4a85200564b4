"""How far two people agree about one query: pure functions of two `qc4.model.gold_document.GoldDocument`, no database."""

from annotations.agreement.agreement import Agreement, compare
from annotations.agreement.alignment import MINIMUM, Alignment, Pair, align
from annotations.agreement.concepts import SIDES, Concept, SideName, Symbol, concepts
from annotations.agreement.figures import Figure
from annotations.agreement.placements import Kind, PageComparison, Placement, Symbols
from annotations.agreement.ratings import Ratings, ac1, kappa
from annotations.agreement.sides import Side, sides

__all__ = [
    "MINIMUM",
    "SIDES",
    "Agreement",
    "Alignment",
    "Concept",
    "Figure",
    "Kind",
    "PageComparison",
    "Pair",
    "Placement",
    "Ratings",
    "Side",
    "SideName",
    "Symbol",
    "Symbols",
    "ac1",
    "align",
    "compare",
    "concepts",
    "kappa",
    "sides",
]
