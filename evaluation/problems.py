"""Problems found by the engine, as the site reports them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from qc4.problems import Listing, Problem

LISTINGS: Mapping[Listing, str] = {"measures": "/measures/, or /api/v1/measures"}
"""The site's pages that list the values a problem refers to."""
TOLD_ALIKE = 20
"""Problems of one kind at one place that are reported: nobody reads 700 unknown measures one by one."""


def told(problems: Iterable[Problem]) -> list[dict[str, object]]:
    """Return problems as JSON objects that name pages of this site; of many similar ones, only the first."""
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
