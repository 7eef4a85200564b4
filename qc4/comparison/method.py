"""Options of a comparison: what a reader has to know to do it again."""

from __future__ import annotations

from dataclasses import dataclass

from qc4.comparison.procedures import PROCEDURES, ProcedureName
from qc4.comparison.scores import LARGEST
from qc4.problems import ProblemList

LEAST_ALPHA = 1e-6
"""Below it nothing could be shown: no test has so many draws, and the quantiles end in infinity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """Options of a comparison.

    Attributes:
        alpha: the chance of any false verdict in the family; all intervals together have the confidence 1 - alpha.
        draws: number of random sign patterns, and of bootstrap samples for means and F of the means.
        seed: of the random draws.
        procedure: how pairs are tested. ``max-t`` (single-step max-T) gives verdicts, intervals, places and distances
            from one critical value. The others give p alone: ``step-down-max-t``, ``holm`` and ``benjamini-hochberg``
            on sign-flip tests, ``benjamini-hochberg-wilcoxon`` on Wilcoxon's signed-rank tests, and ``tukey``
            (randomised Tukey HSD). Both of Benjamini-Hochberg bound the share of false verdicts, not the chance of
            one. ``marginal-ranks`` gives a set of places for each system by itself and tests no pairs.
        equivalence_margin: a pair is practically equivalent if its whole interval is within this distance of 0.

    Raises:
        InputError: options out of range.
    """

    alpha: float = 0.05
    draws: int = 10_000
    seed: int = 0
    procedure: ProcedureName = "max-t"
    equivalence_margin: float = 0.01

    def __post_init__(self) -> None:
        problems = ProblemList()
        for name, good, expected in (
            ("alpha", LEAST_ALPHA <= self.alpha < 1, f"a number from {LEAST_ALPHA:f} to below 1, such as 0.05"),
            ("draws", 100 <= self.draws <= 1_000_000, "a whole number from 100 to 1,000,000"),
            ("seed", self.seed >= 0, "a whole number, 0 or more"),
            ("equivalence_margin", 0 <= self.equivalence_margin <= LARGEST, f"a number from 0 to {LARGEST:g}"),
        ):
            if not good:
                problems.error("out-of-range", name, str(getattr(self, name)), expected)
        if self.procedure not in PROCEDURES:
            problems.error("unknown-choice", "procedure", repr(self.procedure), f"one of {', '.join(PROCEDURES)}")
        problems.refuse_errors()

    @property
    def confidence(self) -> float:
        return 1 - self.alpha
