"""The procedures that test pairs of systems: a registry. To add one, add an entry to `REGISTRY`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
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
        works: the keys of its sources in `qc4/references.bib`.
        test: tests a family of pairs, given as (pairs, family, alpha, draws, seed); None if it tests no pairs.
        ranks: returns the best and the worst place of each system, given as (pairs, alpha, draws, seed).
        has_intervals: True if verdicts, intervals and places follow from one critical value.
        draws: "signs" for random signs, of which few queries allow all; "always" if it draws however few queries there
            are; "never" if it draws nothing.
    """

    title: str
    sentence: str
    works: tuple[str, ...]
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


_BY_SIGNS = "two-sided paired randomization tests by"

REGISTRY: Mapping[str, Procedure] = {
    "max-t": Procedure(
        "single-step max-T",
        f"{_BY_SIGNS} single-step max-T",
        ("westfall1993", "boytsov2013"),
        _max_t,
        has_intervals=True,
    ),
    "step-down-max-t": Procedure(
        "step-down max-T", f"{_BY_SIGNS} step-down max-T", ("westfall1993", "boytsov2013"), _step_down_max_t
    ),
    "holm": Procedure("Holm", f"{_BY_SIGNS} Holm", ("holm1979",), _holm),
    "benjamini-hochberg": Procedure(
        "Benjamini-Hochberg", f"{_BY_SIGNS} Benjamini-Hochberg", ("benjamini1995",), _benjamini_hochberg
    ),
    "benjamini-hochberg-wilcoxon": Procedure(
        "Benjamini-Hochberg on Wilcoxon's test",
        "two-sided Wilcoxon tests adjusted by Benjamini-Hochberg",
        ("wilcoxon1945", "benjamini1995"),
        _benjamini_hochberg_wilcoxon,
        draws="never",
    ),
    "tukey": Procedure(
        "randomised Tukey HSD", f"{_BY_SIGNS} randomised Tukey HSD", ("carterette2012",), _tukey, draws="always"
    ),
    "marginal-ranks": Procedure(
        "marginal rank sets",
        "places of each {called} from its differences with all others by step-down max-T",
        ("mogstad2024", "westfall1993"),
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
