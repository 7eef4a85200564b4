"""The procedures that test pairs of systems: a registry. To add one, add an entry to `REGISTRY`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.bibliography import Work, article, book, paper
from qc4.comparison.corrections import benjamini_hochberg, holm, tukey_p, wilcoxon_p
from qc4.comparison.pairs import Pairs
from qc4.comparison.randomization import Randomization
from qc4.comparison.simultaneous import Simultaneous, simultaneous
from qc4.progress import watched


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """The tests of a family of pairs.

    Attributes:
        p: (pairs of the family,) of each pair alone.
        adjusted: (pairs of the family,) over the family, never below ``p``.
        better: (pairs of the family,) True if the better mean is significantly better.
        intervals: None for procedures that give p alone.
    """

    p: FloatArray
    adjusted: FloatArray
    better: BoolArray
    intervals: Simultaneous | None = None


@dataclass(frozen=True, slots=True)
class Procedure:
    """A way to compare systems by their pairs.

    Attributes:
        title: its name for people.
        sentence: what it does, for the methods sentence of a paper; ``{called}`` is the word for a system.
        works: its sources.
        test: tests a family of pairs, given as (pairs, family, alpha, draws, seed); None if it tests no pairs.
        ranks: returns the best and the worst place of each system, given as (pairs, alpha, draws, seed).
        has_intervals: True if verdicts, intervals and places follow from one critical value.
        draws: "signs" for random signs, of which few queries allow all; "always" if it draws however few queries there
            are; "never" if it draws nothing.
    """

    title: str
    sentence: str
    works: tuple[Work, ...]
    test: Callable[[Pairs, IntArray, float, int, int], Tested] | None = None
    ranks: Callable[[Pairs, float, int, int], tuple[IntArray, IntArray]] | None = None
    has_intervals: bool = False
    draws: Literal["signs", "always", "never"] = "signs"


def _by_p(pairs: Pairs, family: IntArray, alpha: float, raw: FloatArray, adjusted: FloatArray) -> Tested:
    adjusted = np.maximum(adjusted, raw)
    better: BoolArray = (adjusted <= alpha) & (pairs.difference[family] != 0)
    return Tested(raw, adjusted, better)


def _max_t(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> Tested:
    found = simultaneous(pairs, family, alpha, draws, seed)
    return Tested(found.p, found.adjusted, found.better, found)


def _step_down_max_t(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> Tested:
    drawn = Randomization(pairs.values, pairs, draws, seed)
    return _by_p(pairs, family, alpha, drawn.raw[family], drawn.adjusted(family))


def _holm(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> Tested:
    raw = Randomization(pairs.values, pairs, draws, seed).raw[family]
    return _by_p(pairs, family, alpha, raw, holm(raw))


def _benjamini_hochberg(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> Tested:
    raw = Randomization(pairs.values, pairs, draws, seed).raw[family]
    return _by_p(pairs, family, alpha, raw, benjamini_hochberg(raw))


def _benjamini_hochberg_wilcoxon(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> Tested:
    raw = wilcoxon_p(pairs, family)
    return _by_p(pairs, family, alpha, raw, benjamini_hochberg(raw))


def _tukey(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> Tested:
    raw = Randomization(pairs.values, pairs, draws, seed).raw[family]
    return _by_p(pairs, family, alpha, raw, tukey_p(pairs.values, pairs, family, draws, seed))


def _marginal_ranks(pairs: Pairs, alpha: float, draws: int, seed: int) -> tuple[IntArray, IntArray]:
    """The family of a system is its differences with all others, tested by step-down max-T.

    The set of places of each system holds by itself with the confidence 1 - alpha.
    """
    drawn = Randomization(pairs.values, pairs, draws, seed)
    low, high = np.ones(pairs.n_systems, dtype=np.int64), np.full(pairs.n_systems, pairs.n_systems)
    for row, family in enumerate(watched(pairs.of_each, lambda _: "rank sets of systems")):
        certain = family[drawn.adjusted(family) <= alpha]
        ahead = (pairs.difference[certain] > 0) == (pairs.first[certain] == row)
        low[row] += np.count_nonzero(~ahead)
        high[row] -= np.count_nonzero(ahead)
    return low, high


_WESTFALL_YOUNG = book(
    "westfall1993", "Westfall, Peter H. and Young, S. Stanley",
    "Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment", "Wiley", 1993,
)  # fmt: skip
_BOYTSOV = paper(
    "boytsov2013", "Boytsov, Leonid and Belova, Anna and Westfall, Peter",
    "Deciding on an adjustment for multiplicity in IR experiments", "Proceedings of SIGIR", "403--412", 2013,
)  # fmt: skip
_HOLM = article(
    "holm1979", "Holm, Sture", "A simple sequentially rejective multiple test procedure",
    "Scandinavian Journal of Statistics", "6", "65--70", 1979,
)  # fmt: skip
_BENJAMINI = article(
    "benjamini1995", "Benjamini, Yoav and Hochberg, Yosef",
    "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
    "Journal of the Royal Statistical Society, Series B", "57", "289--300", 1995,
)  # fmt: skip
_WILCOXON = article(
    "wilcoxon1945", "Wilcoxon, Frank", "Individual comparisons by ranking methods", "Biometrics Bulletin", "1",
    "80--83", 1945,
)  # fmt: skip
_CARTERETTE = article(
    "carterette2012", "Carterette, Benjamin A.",
    "Multiple testing in statistical analysis of systems-based information retrieval experiments",
    "ACM Transactions on Information Systems", "30", "", 2012,
)  # fmt: skip
_MOGSTAD = article(
    "mogstad2024", "Mogstad, Magne and Romano, Joseph P. and Shaikh, Azeem M. and Wilhelm, Daniel",
    "Inference for ranks with applications to mobility across neighbourhoods and academic achievement across countries",
    "Review of Economic Studies", "91", "476--518", 2024,
)  # fmt: skip
_BY_SIGNS = "two-sided paired randomization tests by"

REGISTRY: Mapping[str, Procedure] = {
    "max-t": Procedure(
        "single-step max-T", f"{_BY_SIGNS} single-step max-T", (_WESTFALL_YOUNG, _BOYTSOV), _max_t, has_intervals=True
    ),
    "step-down-max-t": Procedure(
        "step-down max-T", f"{_BY_SIGNS} step-down max-T", (_WESTFALL_YOUNG, _BOYTSOV), _step_down_max_t
    ),
    "holm": Procedure("Holm", f"{_BY_SIGNS} Holm", (_HOLM,), _holm),
    "benjamini-hochberg": Procedure(
        "Benjamini-Hochberg", f"{_BY_SIGNS} Benjamini-Hochberg", (_BENJAMINI,), _benjamini_hochberg
    ),
    "benjamini-hochberg-wilcoxon": Procedure(
        "Benjamini-Hochberg on Wilcoxon's test",
        "two-sided Wilcoxon tests adjusted by Benjamini-Hochberg",
        (_WILCOXON, _BENJAMINI),
        _benjamini_hochberg_wilcoxon,
        draws="never",
    ),
    "tukey": Procedure(
        "randomised Tukey HSD", f"{_BY_SIGNS} randomised Tukey HSD", (_CARTERETTE,), _tukey, draws="always"
    ),
    "marginal-ranks": Procedure(
        "marginal rank sets",
        "places of each {called} from its differences with all others by step-down max-T",
        (_MOGSTAD, _WESTFALL_YOUNG),
        ranks=_marginal_ranks,
    ),
}
"""The procedures by the name that options give them, the default first."""
PROCEDURES = tuple(REGISTRY)
PROCEDURE_NAMES: Mapping[str, str] = {key: procedure.title for key, procedure in REGISTRY.items()}
"""Procedure -> its name for people."""
if TYPE_CHECKING:
    ProcedureName = str
else:
    ProcedureName = Literal[PROCEDURES]  # so that schemas list the names
