"""Problems as pages and answers of the site tell them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qc4.problems import Problem
from qc4.problems.problem import Listing

LISTINGS: Mapping[Listing, str] = {"measures": "/measures/, or /api/v1/measures"}
"""Where the site has what a problem says is listed."""


def told(problems: Iterable[Problem]) -> list[dict[str, object]]:
    """Problems as JSON objects that name pages of this site."""
    return [problem.told(LISTINGS).to_dict() for problem in problems]
