"""Problems of the engine as the site tells them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from qc4.problems import Listing, Problem

LISTINGS: Mapping[Listing, str] = {"measures": "/measures/, or /api/v1/measures"}
"""Where the site has what a problem says is listed."""
TOLD_ALIKE = 20
"""Problems of one kind at one place that are told: of 700 unknown measures in an address nobody reads more."""


def told(problems: Iterable[Problem]) -> list[dict[str, object]]:
    """Problems as JSON objects that name pages of this site; of many of one kind at one place the first."""
    return [problem.told(LISTINGS).to_dict() for problem in _few_alike(problems)]


def _few_alike(problems: Iterable[Problem]) -> Iterator[Problem]:
    seen: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        place = problem.code, problem.where
        seen[place] += 1
        if seen[place] <= TOLD_ALIKE:
            yield problem
    for (code, where), count in seen.items():
        if count > TOLD_ALIKE:
            yield Problem(code, where, f"{count - TOLD_ALIKE:,} more of this kind", "none")
