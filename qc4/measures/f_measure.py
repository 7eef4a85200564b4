"""How a precision and a recall become one number."""

from __future__ import annotations

from qc4.measures.parameters import Parameter

BETA = Parameter("beta", "how many times as much recall counts as precision", 0.01, 100, 1, symbol="β")


def f_measure(precision: float, recall: float, beta: float = 1.0) -> float:
    """F_β, in which recall counts β times as much as precision; for β = 1 the harmonic mean. Where both are 0, so is F.

    Source: van Rijsbergen, Information Retrieval, 2nd ed., 1979, chapter 7.
    """
    weighted = beta * beta * precision + recall
    return min(1.0, (1 + beta * beta) * precision * recall / weighted) if weighted else 0.0
