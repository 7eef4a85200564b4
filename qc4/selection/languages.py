"""The PAC-MDL bound and the four languages in which a clustering describes its labels.

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

# ``Bucket(m, n, a, b)``: how likely so few errors are on the train set, given so many on train and test set together.
# Bucket(m, n, a, b) = P(X <= a), X hypergeometric: red balls among a + b drawn without replacement from m red and n
# blue ones. It never increases in b. Everything is computed as a logarithm; where that cannot decide, with integers.
# Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004), section 2.

TIE = 1e-9
"""Logarithms nearer than this are compared again, exactly."""


@lru_cache(maxsize=65_536)  # a sweep asks for the same ones over and over: its splits have the same sizes
def log_bucket(m: int, n: int, a: int, b: int) -> float:
    """ln Bucket(m, n, a, b), for 0 <= a <= m and 0 <= b <= n.

    Only terms within 20 sqrt(m + n) of the largest are summed: further out all of them together are less than
    exp(-700) of it (Hoeffding's bound for draws without replacement).
    """
    drawn = a + b
    mode = (drawn + 1) * (m + 1) // (m + n + 2)
    peak, width = min(a, mode), 20 * math.isqrt(m + n) + 20
    red = np.arange(max(0, drawn - n, peak - width), min(a, peak + width) + 1)
    terms = _log_choose(m, red) + _log_choose(n, drawn - red) - _log_choose(m + n, np.array(drawn))
    return min(0.0, float(logsumexp(terms)))


def bucket(m: int, n: int, a: int, b: int) -> Fraction:
    """Bucket(m, n, a, b) exactly. Slow where m and n are large; only near ties is it needed."""
    drawn = a + b
    first = max(0, drawn - n)
    term = math.comb(m, first) * math.comb(n, drawn - first)
    total = term
    for red in range(first, a):
        term = term * (m - red) * (drawn - red) // ((red + 1) * (n - drawn + red + 1))
        total += term
    return Fraction(total, math.comb(m + n, drawn))


def b_max(m: int, n: int, a: int, log_delta: float, delta: Fraction) -> int:
    """max{b <= n: Bucket(m, n, a, b) >= delta}, by bisection.

    Args:
        m, n, a: red balls, blue balls, red balls drawn; 0 <= a <= m.
        log_delta: ln delta, also where delta itself is too small for a float.
        delta: the same exactly, 0 < delta <= 1.
    """
    tie = TIE + 8 * float(np.finfo(float).eps) * math.lgamma(m + n + 2)  # what the rounding of gammaln can amount to

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
"""Each can say what the one before it can, and chooses among more: initialisations, numbers of clusters, algorithms."""


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
    """With probability 1 - delta, a clustering makes at most this many errors on the test set.

    Args:
        train, test: number of pages whose labels are known, and of those to be predicted.
        errors: wrong predictions on the train set, 0 to ``train``.
        labels: how many different labels there are.
        clusters: in how many clusters all pages lie.
        language: ``simple`` for one clustering fixed beforehand; ``init`` for the best of ``initialisations``;
            ``cluster`` for the best number of clusters as well; ``algo`` for the best of ``algorithms`` as well.
        initialisations, algorithms: how many were chosen among; read by the languages that need them.
        delta: probability, over the draw of train and test set, that the bound does not hold. It is taken as the
            decimal number it is written as, so ties with 0.1 are decided as ties with 1/10.

    Returns:
        0 to ``test``. The bound on the error rate is this divided by ``test``.

    Raises:
        Undefined: there is no page to predict.
        InputError: a number is out of its range; every one of them is named.

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
        raise Undefined("no page is left to predict: the test set is empty")
    number = descriptions(language, *choices)
    return b_max(m, n, a, math.log(delta) - math.log(number), Fraction(str(float(delta))) / number)


def descriptions(language: Language, labels: int, clusters: int, initialisations: int = 1, algorithms: int = 1) -> int:
    """2 to the power of the bits that describe the labels: one over the share of delta that a clustering gets.

    For l labels, c clusters, r initialisations and s algorithms: simple l^c; init r l^c; cluster r l^c c(c-1);
    algo r l^c c(c-1) s.
    An integer, so that 20 labels in 400 clusters do not pass the range of floats.
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
