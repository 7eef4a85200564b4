"""How systems are compared: what a reader has to know to do it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from qc4.comparison.scores import LARGEST
from qc4.problems import ProblemList

Procedure = Literal["max-t", "holm", "benjamini-hochberg", "tukey"]
Ranks = Literal["marginal", "simultaneous"]
PROCEDURES: tuple[Procedure, ...] = get_args(Procedure)
RANKS: tuple[Ranks, ...] = get_args(Ranks)
LEAST_ALPHA = 1e-6
"""Below it nothing could be shown: no test has so many draws, and the quantiles end in infinity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """Options of a comparison.

    Attributes:
        alpha: the chance of any false verdict in the family; intervals and rank sets have the confidence 1 - alpha.
        draws: of the bootstrap and of the randomization test.
        procedure: how p are adjusted: step-down max-T, Holm, Benjamini-Hochberg on Wilcoxon's p (which bounds the share
            of false verdicts, not the chance of one), or randomised Tukey HSD.
        ranks: confidence sets of ranks, each by itself (marginal) or all together (simultaneous).
        margin: differences up to here count as practically equal.

    Raises:
        InputError: options out of range.
    """

    alpha: float = 0.05
    draws: int = 10_000
    seed: int = 0
    procedure: Procedure = "max-t"
    ranks: Ranks = "marginal"
    margin: float = 0.01

    def __post_init__(self) -> None:
        problems = ProblemList()
        for name, good, expected in (
            ("alpha", LEAST_ALPHA <= self.alpha < 1, f"a number from {LEAST_ALPHA:f} to below 1, such as 0.05"),
            ("draws", 100 <= self.draws <= 1_000_000, "a whole number from 100 to 1,000,000"),
            ("seed", self.seed >= 0, "a whole number, 0 or more"),
            ("margin", 0 <= self.margin <= LARGEST, f"a number from 0 to {LARGEST:g}"),
        ):
            if not good:
                problems.error("out-of-range", name, str(getattr(self, name)), expected)
        for name, allowed in (("procedure", PROCEDURES), ("ranks", RANKS)):
            if getattr(self, name) not in allowed:
                problems.error("unknown-choice", name, repr(getattr(self, name)), f"one of {', '.join(allowed)}")
        problems.refuse_errors()

    @property
    def confidence(self) -> float:
        return 1 - self.alpha
