"""Problems found by the engine, as the site reports them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from qc4.problems import Listing, Problem

LISTINGS: Mapping[Listing, str] = {"measures": "/measures/, or /api/v1/measures"}
"""The site's pages that list the values a problem refers to."""
MAX_SIMILAR_PROBLEMS = 20
"""Problems of one kind at one place that are reported: nobody reads 700 unknown measures one by one."""


def problems_to_json(problems: Iterable[Problem]) -> list[dict[str, object]]:
    """Return problems as JSON objects that name pages of this site; of many similar ones, only the first."""
    return [problem.told(LISTINGS).to_dict() for problem in _limit_similar(problems)]


def _limit_similar(problems: Iterable[Problem]) -> Iterator[Problem]:
    seen: Counter[tuple[str, str]] = Counter()
    for problem in problems:
        place = problem.code, problem.where
        seen[place] += 1
        if seen[place] <= MAX_SIMILAR_PROBLEMS:
            yield problem
    for (code, where), count in seen.items():
        if count > MAX_SIMILAR_PROBLEMS:
            yield Problem(code, where, f"{count - MAX_SIMILAR_PROBLEMS:,} more of this kind", "none")
