"""How alike two submissions' clusterings of a query are, without a gold standard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from evaluation import cases
from evaluation.limits import ALIKE_MEMBERSHIPS
from evaluation.models import Clustering
from qc4.measures.measure import Measure
from qc4.measures.registry import REGISTRY
from qc4.measures.result import Score
from qc4.measures.two_clusterings import READ_POLICIES, ClusteringComparison, compare_clusterings, symmetric
from qc4.problems import InputError, Problem
from qc4.problems.wording import counted
from qc4.views.policies import Policies


@dataclass(frozen=True, slots=True)
class Alike:
    """Two clusterings beside each other: what a page shows of how alike they are.

    Attributes:
        lines: every symmetric measure that has a value, named as its unit has it, with its score.
        undefined: why the others have none, and which they are.
        refused: why nothing was measured; empty where it was.
    """

    found: ClusteringComparison | None
    lines: tuple[tuple[Measure, Score], ...]
    undefined: tuple[tuple[str, tuple[Measure, ...]], ...]
    refused: str

    @property
    def flattened(self) -> bool:
        """Whether overlap was taken away for any of the scores."""
        return any(score.flattened for _, score in self.lines)

    @property
    def address(self) -> str:
        """The policies as the API takes them."""
        if self.found is None:
            return ""
        return urlencode({name: getattr(self.found.policies, name) for name in READ_POLICIES})


def alike(row: Clustering, other: Clustering, policies: Policies) -> Alike:
    """Every symmetric measure of two clusterings of a query, or why nothing was measured."""
    try:
        found = compare(row, other, policies)
    except InputError as error:
        return Alike(None, (), (), error.problems[0].fix)
    lines = []
    undefined: dict[str, list[Measure]] = {}
    for score in found.scores:
        measure = REGISTRY.get(score.measure).under(found.policies)
        if score.undefined is None:
            lines.append((measure, score))
        else:
            undefined.setdefault(score.undefined, []).append(measure)
    return Alike(found, tuple(lines), tuple((why, tuple(those)) for why, those in undefined.items()), "")


def compare(
    row: Clustering, other: Clustering, policies: Policies, measures: Sequence[str] | None = None
) -> ClusteringComparison:
    """Two clusterings of a query on all of its pages.

    Args:
        measures: keys of symmetric measures; None for all of them.

    Raises:
        InputError: unknown measures, and those that need a truth; too much to measure while somebody waits.
    """
    chosen = symmetric(measures)
    sides = [cases.clustering(each) for each in (row, other)]
    memberships = sum(len(cluster.pages) for side in sides for cluster in side.clusters)
    if memberships > ALIKE_MEMBERSHIPS:
        found = f"{counted(memberships, 'page')} in clusters of the two"
        fix = "Run `qc4 alike` on the files."
        raise InputError([Problem("too-large", "clusterings", found, f"{ALIKE_MEMBERSHIPS:,} at most", fix)])
    pages = list(row.query.pages.order_by("position").values_list("key", flat=True))
    return compare_clusterings(sides[0], sides[1], chosen, policies, pages)
