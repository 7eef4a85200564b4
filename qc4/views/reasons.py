"""Words for why there is no view of a case."""

from __future__ import annotations

from qc4.views.policies import Policies


def pages_are(number: int) -> str:
    """The beginning of a reason: "1 page is", "31 pages are"."""
    return "1 page is" if number == 1 else f"{number} pages are"


def nothing_left(policies: Policies) -> str:
    if policies.unclustered == "drop":
        dropped = "unclustered pages are" if policies.outliers == "topic" else "outliers and unclustered pages are"
        return f"no page is left when {dropped} dropped"
    return "every page is an outlier, and outliers are dropped"
