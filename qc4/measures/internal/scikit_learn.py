"""Measures that scikit-learn computes are undefined where it is not installed."""

from __future__ import annotations

from qc4.problems.packages import missing
from qc4.views.undefined import Undefined


def require_scikit_learn() -> None:
    """Undefined, saying what to install, without scikit-learn."""
    if reason := missing("scikit-learn"):
        raise Undefined(reason)
