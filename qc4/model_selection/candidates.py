"""What model selection chooses among: clusterings of the same labelled pages, each with its place in a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qc4.arrays import IntArray
from qc4.clustering.case import Case
from qc4.labels import by_first_page
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.wording import quoted
from qc4.views.cut import cut
from qc4.views.partition import page_codes
from qc4.views.policies import Policies


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One clustering of a sweep.

    Attributes:
        algorithm: its name.
        clusters: the number of clusters it was asked for; it may have made fewer or more.
        initialisation: which start it was, 1, 2, ... or a seed.
        cluster_of: (pages,) the cluster of each page; any codes, each of which is a cluster, -1 too.
    """

    algorithm: str
    clusters: int
    initialisation: int
    cluster_of: IntArray

    @property
    def place(self) -> tuple[str, int, int]:
        return self.algorithm, self.clusters, self.initialisation


def check_candidates(labels: IntArray, candidates: Sequence[Candidate]) -> None:
    """Refuse candidates that cannot be compared.

    Raises:
        InputError: none at all, two with the same place in the sweep, or one of other pages than ``labels``.
    """
    problems = ProblemList()
    if not candidates:
        problems.error("no-clusterings", "clusterings", "none", "at least one clustering")
    if not labels.size:
        problems.error("no-pages", "pages", "an empty page list", "at least one page")
    places: set[tuple[str, int, int]] = set()
    for number, candidate in enumerate(candidates):
        where = f"clusterings[{number}] ({quoted(candidate.algorithm)})"
        if candidate.place in places:
            found = f"a second one with {candidate.clusters} clusters and initialisation {candidate.initialisation}"
            problems.error("clustering-twice", where, found, "algorithm, clusters and initialisation to tell it apart")
        places.add(candidate.place)
        if candidate.cluster_of.shape != labels.shape:
            found = f"clusters of {len(candidate.cluster_of)} pages"
            problems.error("wrong-length", where, found, f"a cluster for each of the {labels.size} pages")
        if candidate.clusters < 1:
            problems.error("out-of-range", where, f"{candidate.clusters} clusters", "1 or more")
    problems.refuse_errors()


def labels_and_clusters(case: Case, level: int, policies: Policies) -> tuple[IntArray, IntArray]:
    """(pages,) label codes and (pages,) cluster codes of a clustering, as the policies say.

    Nested clusters are cut as deep as the level. The pages depend on the gold standard alone, so that clusterings of
    one query can be compared: the policy ``unclustered=drop`` is refused.

    Raises:
        Undefined: pages are in several topics or clusters and the policy refuses that, or no page is left.
        InputError: ``unclustered=drop``.
    """
    if policies.unclustered == "drop":
        expected = "singletons or together: every clustering is judged on the same pages"
        raise InputError([Problem("unknown-policy-choice", "policies.unclustered", "'drop'", expected)])
    codes = page_codes(cut(case, level), level, policies)
    return by_first_page(codes.classes[codes.universe]), codes.clusters[codes.universe]
