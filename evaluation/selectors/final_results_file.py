"""Final results of a challenge as CSV: what is frozen, in full precision; the page rounds the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaluation.selectors.column_means import PLACES
from qc4.tables import Table, as_csv

OF_ROW = {
    "rank": "rank", **{fact: fact for fact in PLACES}, "algorithm": "algorithm",
    "algorithm_id": "algorithm_id", "baseline": "baseline", "organiser": "organiser", "submission": "submission",
    "submitted_by": "by", "submitted_at": "submitted_at",
}  # fmt: skip
"""Column -> its name in a row of the results."""
OF_ALL = ("part", "queries", "public_queries", "gold_version", "engine", "closed_at", "settled_at")
MEAN = {"": "value", " queries counted": "counted", " undefined": "undefined"}


def results_csv(results: dict[str, Any]) -> str:
    """A line per algorithm, best first.

    Args:
        results: as `evaluation.selectors.final_results.work_out` made them.
    """
    return as_csv(Table(_lines(results)))


def _lines(results: dict[str, Any]) -> Iterator[list[object]]:
    heads = [measure + head for measure in results["measures"] for head in MEAN]
    public = f"public {results['measure']}"
    yield [*OF_ROW, *heads, public, f"{public} queries counted", "waiting", *OF_ALL]
    shared = [results[name] for name in OF_ALL]
    for row in results["rows"]:
        means = [row["means"].get(measure, {}) for measure in results["measures"]]
        values = [mean.get(name) for mean in means for name in MEAN.values()]
        yield [
            *(row[name] for name in OF_ROW.values()),
            *values,
            row["public"]["value"],
            row["public"]["counted"],
            row["waiting"],
            *shared,
        ]
