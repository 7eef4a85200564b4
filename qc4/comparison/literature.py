"""The works a comparison goes back to, and which of them one comparison used."""

from __future__ import annotations

from qc4.bibliography import QC4_BENCH, Work, article, bibtex, book, paper
from qc4.comparison.method import Procedure
from qc4.comparison.result import Comparison

WESTFALL_YOUNG = book(
    "westfall1993", "Westfall, Peter H. and Young, S. Stanley",
    "Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment", "Wiley", 1993,
)  # fmt: skip
BOYTSOV = paper(
    "boytsov2013", "Boytsov, Leonid and Belova, Anna and Westfall, Peter",
    "Deciding on an adjustment for multiplicity in IR experiments", "Proceedings of SIGIR", "403--412", 2013,
)  # fmt: skip
MOGSTAD = article(
    "mogstad2024", "Mogstad, Magne and Romano, Joseph P. and Shaikh, Azeem M. and Wilhelm, Daniel",
    "Inference for ranks with applications to mobility across neighbourhoods and academic achievement across countries",
    "Review of Economic Studies", "91", "476--518", 2024,
)  # fmt: skip
HOLM = article(
    "holm1979", "Holm, Sture", "A simple sequentially rejective multiple test procedure",
    "Scandinavian Journal of Statistics", "6", "65--70", 1979,
)  # fmt: skip
BENJAMINI = article(
    "benjamini1995", "Benjamini, Yoav and Hochberg, Yosef",
    "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
    "Journal of the Royal Statistical Society, Series B", "57", "289--300", 1995,
)  # fmt: skip
WILCOXON = article(
    "wilcoxon1945", "Wilcoxon, Frank", "Individual comparisons by ranking methods", "Biometrics Bulletin", "1",
    "80--83", 1945,
)  # fmt: skip
CARTERETTE = article(
    "carterette2012", "Carterette, Benjamin A.",
    "Multiple testing in statistical analysis of systems-based information retrieval experiments",
    "ACM Transactions on Information Systems", "30", "", 2012,
)  # fmt: skip
PIEPHO = article(
    "piepho2004", "Piepho, Hans-Peter", "An algorithm for a letter-based representation of all-pairwise comparisons",
    "Journal of Computational and Graphical Statistics", "13", "456--466", 2004,
)  # fmt: skip
HENDERSON = article(
    "henderson1953", "Henderson, Charles R.", "Estimation of variance and covariance components", "Biometrics", "9",
    "226--252", 1953,
)  # fmt: skip

_OF_PROCEDURE: dict[Procedure, tuple[Work, ...]] = {
    "max-t": (WESTFALL_YOUNG, BOYTSOV),
    "step-down-max-t": (WESTFALL_YOUNG, BOYTSOV),
    "holm": (HOLM,),
    "benjamini-hochberg": (BENJAMINI,),
    "benjamini-hochberg-wilcoxon": (WILCOXON, BENJAMINI),
    "tukey": (CARTERETTE,),
    "marginal-ranks": (MOGSTAD, WESTFALL_YOUNG),
}


def works_of(found: Comparison) -> tuple[Work, ...]:
    """The works behind what a comparison holds, and the software."""
    if found.note:
        return (QC4_BENCH,)
    works = [QC4_BENCH, *_OF_PROCEDURE[found.method.procedure]]
    if any(system.compact_letter_display for system in found.systems):
        works.append(PIEPHO)
    if found.repeats is not None:
        works.append(HENDERSON)
    return tuple(dict.fromkeys(works))


def comparison_bibtex(found: Comparison) -> str:
    """The works behind a comparison as BibTeX."""
    return bibtex(works_of(found))
