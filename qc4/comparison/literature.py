"""The works a comparison goes back to, and which of them one comparison used."""

from __future__ import annotations

from qc4.bibliography import QC4_BENCH, Work, article, bibtex
from qc4.comparison.procedures import REGISTRY
from qc4.comparison.result import Comparison

PIEPHO = article(
    "piepho2004", "Piepho, Hans-Peter", "An algorithm for a letter-based representation of all-pairwise comparisons",
    "Journal of Computational and Graphical Statistics", "13", "456--466", 2004,
)  # fmt: skip
HENDERSON = article(
    "henderson1953", "Henderson, Charles R.", "Estimation of variance and covariance components", "Biometrics", "9",
    "226--252", 1953,
)  # fmt: skip


def works_of(found: Comparison) -> tuple[Work, ...]:
    """The works behind what a comparison holds, and the software."""
    if found.note:
        return (QC4_BENCH,)
    works = [QC4_BENCH, *REGISTRY[found.method.procedure].works]
    if any(system.compact_letter_display for system in found.systems):
        works.append(PIEPHO)
    if found.repeats is not None:
        works.append(HENDERSON)
    return tuple(dict.fromkeys(works))


def comparison_bibtex(found: Comparison) -> str:
    """The works behind a comparison as BibTeX."""
    return bibtex(works_of(found))
