"""Is it enough: what n queries can show, and how many a difference needs. Approximations by the paired t test."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri, stdtrit

from qc4.arrays import FloatArray

POWER = 0.8


def smallest_difference(deviation: FloatArray, n: int, alpha: float) -> FloatArray:
    """(m,) the smallest mean difference that n queries show with `POWER`; NaN for one query.

    Args:
        deviation: (m,) standard deviation of the differences.
    """
    if n < 2:
        return np.full(deviation.shape, math.nan)
    reach = float(stdtrit(n - 1, 1 - alpha / 2) + stdtrit(n - 1, POWER))
    return np.asarray(reach * deviation / math.sqrt(n), dtype=np.float64)


def queries_needed(difference: FloatArray, deviation: FloatArray, alpha: float) -> FloatArray:
    """(m,) queries that show differences as large as these with `POWER`; infinite for none.

    By the normal approximation with Guenther's correction for t: (z_a + z_b)² s² / d² + z_a² / 2.
    """
    z_alpha, z_power = float(ndtri(1 - alpha / 2)), float(ndtri(POWER))
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = (z_alpha + z_power) ** 2 * (deviation / difference) ** 2 + z_alpha**2 / 2
    return np.where(np.abs(difference) > 0, np.maximum(np.ceil(needed), 2), math.inf)
