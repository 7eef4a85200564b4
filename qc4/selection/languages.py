"""The PAC-MDL bound, and the four languages in which a clustering describes labels.

Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004), sections 2 and 3."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from operator import index
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, logsumexp

from qc4.arrays import IntArray
from qc4.inputs.undefined import Undefined
from qc4.problems import ProblemList
from qc4.wording import counted

# --- Bucket(m, n, a, b): the probability of at most so many errors on the train set ---
# It is P(X <= a), where X is hypergeometric: the number of red balls among a + b drawn without replacement from m red
# and n blue balls. It never increases in b. Everything is computed as a logarithm, and with integers if the logarithm
# is too inexact. Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004),
# section 2.

TIE = 1e-9
"""Logarithms closer than this are compared again, exactly."""


@lru_cache(maxsize=65_536)  # the splits of a parameter sweep have the same sizes
def log_bucket(m: int, n: int, a: int, b: int) -> float:
    """Return ln Bucket(m, n, a, b), for 0 <= a <= m and 0 <= b <= n.

    Only terms within 20 sqrt(m + n) of the largest are summed: the others together are less than exp(-700) of it
    (Hoeffding's bound for draws without replacement).
    """
    drawn = a + b
    mode = (drawn + 1) * (m + 1) // (m + n + 2)
    peak, width = min(a, mode), 20 * math.isqrt(m + n) + 20
    red = np.arange(max(0, drawn - n, peak - width), min(a, peak + width) + 1)
    terms = _log_choose(m, red) + _log_choose(n, drawn - red) - _log_choose(m + n, np.array(drawn))
    return min(0.0, float(logsumexp(terms)))


def bucket(m: int, n: int, a: int, b: int) -> Fraction:
    """Return Bucket(m, n, a, b) exactly. It is slow for large m and n, and needed only near ties."""
    drawn = a + b
    first = max(0, drawn - n)
    term = math.comb(m, first) * math.comb(n, drawn - first)
    total = term
    for red in range(first, a):
        term = term * (m - red) * (drawn - red) // ((red + 1) * (n - drawn + red + 1))
        total += term
    return Fraction(total, math.comb(m + n, drawn))


def b_max(m: int, n: int, a: int, log_delta: float, delta: Fraction) -> int:
    """Return max{b <= n: Bucket(m, n, a, b) >= delta}, by bisection.

    Args:
        m, n, a: red balls, blue balls, red balls drawn; 0 <= a <= m.
        log_delta: ln delta, even if delta itself is too small for a float.
        delta: the exact value, 0 < delta <= 1.
    """
    tie = TIE + 8 * float(np.finfo(float).eps) * math.lgamma(m + n + 2)  # a limit on the rounding errors of gammaln

    def reaches(b: int) -> bool:
        distance = log_bucket(m, n, a, b) - log_delta
        return bucket(m, n, a, b) >= delta if abs(distance) <= tie else distance > 0

    low, high = 0, n  # Bucket(m, n, a, 0) = 1 always reaches delta
    while low < high:
        middle = (low + high + 1) // 2
        if reaches(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _log_choose(n: int, k: IntArray) -> npt.NDArray[np.float64]:
    logarithm: npt.NDArray[np.float64] = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return logarithm


Language = Literal["simple", "init", "cluster", "algo"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
"""Each can express what the previous one can, and also chooses among initialisations, numbers of clusters,
algorithms."""


def bound(
    train: int,
    test: int,
    errors: int,
    labels: int,
    clusters: int,
    language: Language = "simple",
    initialisations: int = 1,
    algorithms: int = 1,
    delta: float = 0.1,
) -> int:
    """Return the largest number of test errors that a clustering makes, with probability 1 - delta.

    Args:
        train, test: the numbers of pages with known labels, and of pages to predict.
        errors: the number of wrong predictions on the train set, 0 to ``train``.
        labels: the number of different labels.
        clusters: the number of clusters of all pages.
        language: ``simple`` for one clustering fixed in advance; ``init`` for the best of ``initialisations``;
            ``cluster`` if the number of clusters was also chosen; ``algo`` if the best of ``algorithms`` was also
            chosen.
        initialisations, algorithms: the numbers of alternatives; used by the languages that need them.
        delta: probability, over random train and test sets, that the bound does not hold. It is read as a decimal
            number, so 0.1 means exactly 1/10.

    Returns:
        A number from 0 to ``test``. The bound on the error rate is this divided by ``test``.

    Raises:
        Undefined: there is no page to predict.
        InputError: numbers are out of range; the error names all of them.

    >>> bound(1500, 1500, 42, labels=3, clusters=3)
    70
    """
    numbers = {
        "train": index(train),
        "test": index(test),
        "errors": index(errors),
        "labels": index(labels),
        "clusters": index(clusters),
        "initialisations": index(initialisations),
        "algorithms": index(algorithms),
    }
    _check(numbers, language, delta)
    m, n, a, *choices = numbers.values()
    if n == 0:
        raise Undefined("there is no page to predict: the test set is empty")
    number = number_of_descriptions(language, *choices)
    return b_max(m, n, a, math.log(delta) - math.log(number), Fraction(str(float(delta))) / number)


def number_of_descriptions(
    language: Language, labels: int, clusters: int, initialisations: int = 1, algorithms: int = 1
) -> int:
    """Return 2 to the power of the bits that describe the labels: delta divided by this is a clustering's part of it.

    For l labels, c clusters, r initialisations and s algorithms: simple l^c; init r l^c; cluster r l^c c(c-1);
    algo r l^c c(c-1) s.
    An integer, because 20 labels in 400 clusters would exceed the range of floats.
    """
    number: int = labels**clusters
    if language != "simple":
        number *= initialisations
    if language in ("cluster", "algo"):
        number *= clusters * (clusters - 1)
    return number * algorithms if language == "algo" else number


def _check(numbers: Mapping[str, int], language: str, delta: float) -> None:
    problems = ProblemList()
    for name, value in numbers.items():
        least = 0 if name in ("train", "test", "errors") else 1
        if value < least:
            problems.error("out-of-range", name, str(value), f"{least} or more")
    if numbers["errors"] > numbers["train"] >= 0:
        found = f"{numbers['errors']} errors on {counted(numbers['train'], 'labelled page')}"
        problems.error("out-of-range", "errors", found, "no more errors than pages")
    if language not in LANGUAGES:
        problems.error("unknown-language", "language", repr(language), f"one of {', '.join(LANGUAGES)}")
    elif language in ("cluster", "algo") and numbers["clusters"] == 1:
        problems.error("out-of-range", "clusters", "1", f"2 or more: the language {language!r} counts c(c - 1)")
    if not 0 < delta <= 1:
        problems.error("out-of-range", "delta", str(delta), "a probability, above 0 and at most 1")
    problems.refuse_errors()
