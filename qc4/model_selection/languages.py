"""The PAC-MDL bound and the four languages in which a clustering describes its labels.

Source: seed 002 (Banerjee & Langford, An Objective Evaluation Criterion for Clustering, KDD 2004), sections 2 and 3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from operator import index
from typing import Literal, get_args

from qc4.model_selection.bucket import b_max
from qc4.problems import ProblemList
from qc4.problems.wording import counted
from qc4.views.undefined import Undefined

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
