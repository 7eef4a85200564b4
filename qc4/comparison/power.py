"""Is it enough: the differences that n queries can show, and the queries that a difference needs.

Both are normal approximations with the critical value of the family, for a power of .8.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from qc4.arrays import FloatArray

POWER = 0.8
Z_POWER = float(ndtri(POWER))


def minimum_detectable_difference(critical: float, error: FloatArray) -> FloatArray:
    """Return the smallest mean differences that are shown with `POWER`; infinite without a critical value.

    Args:
        critical: the critical value c.
        error: (m,) standard errors.
    """
    with np.errstate(invalid="ignore"):
        return (critical + Z_POWER) * error


def required_queries(n: int, critical: float, difference: FloatArray, error: FloatArray) -> FloatArray:
    """Return how many queries would show differences as large as these with `POWER`; infinite if that is unknown.

    Args:
        difference: (m,) absolute mean differences on n queries, with standard errors ``error``.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.ceil(n * ((critical + Z_POWER) * error / difference) ** 2)
    return np.where(np.isfinite(found), found, math.inf)
