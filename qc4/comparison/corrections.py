"""Other ways to adjust p for many pairs, by name: Holm, Benjamini-Hochberg, randomised Tukey HSD."""

from __future__ import annotations

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.comparison.pairs import Pairs

_TUKEY = 3


def holm(p: FloatArray) -> FloatArray:
    """Holm's step-down: a p of rank i among m counts m - i + 1 times. Source: Scand. J. Statistics 6, 1979."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    found = np.empty_like(p)
    found[order] = np.minimum(stepped, 1.0)
    return found


def benjamini_hochberg(p: FloatArray) -> FloatArray:
    """The step-up that bounds the share of false discoveries. Source: JRSS B 57, 1995."""
    from scipy.stats import false_discovery_control  # half a second, needed here alone

    return np.asarray(false_discovery_control(p), dtype=np.float64) if p.size else p


def wilcoxon_p(pairs: Pairs, which: IntArray) -> FloatArray:
    """Two-sided p of Wilcoxon's signed-rank test, queries on which nothing differs left out; 1 where none does."""
    from scipy.stats import wilcoxon  # half a second, needed here alone

    found = np.ones(which.size)
    for place, pair in enumerate(which):
        differences = pairs.differences(np.array([pair]))[0]
        if differences.any():
            found[place] = wilcoxon(differences[differences != 0].tolist()).pvalue
    return found


def tukey_p(values: FloatArray, pairs: Pairs, which: IntArray, draws: int, seed: int) -> FloatArray:
    """Randomised Tukey HSD: systems are permuted within each query, and differences face max - min of the means.

    Of two systems alone this is the sign-flip test, which therefore gives its raw p.

    Source: Carterette, Multiple testing in statistical analysis of systems-based IR experiments, ACM TOIS 30, 2012.
    """
    random = np.random.default_rng([seed, _TUKEY])
    n = values.shape[1]
    reached = np.zeros(which.size, dtype=np.int64)
    observed = pairs.reached_from[which]
    for _ in range(draws):
        means = random.permuted(values, axis=0).sum(axis=1) / n
        reached += means.max() - means.min() >= observed
    return (1 + reached) / (draws + 1)
