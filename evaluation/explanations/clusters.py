"""Explanation of a QC4 score: the clusters, topics and pages behind it, with a sentence for each cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from annotations.gold.selectors import Node, Tree, gold_tree, load_gold_document, tree_of
from evaluation.explanations.pair import CHEAP_ROWS, ExplanationInputs
from evaluation.limits import LISTED_FOREIGN, LISTED_SHARES
from evaluation.scoring import cases
from qc4.arrays import IntArray
from qc4.measures.qc4 import (
    ClusterExplanation,
    ClusterMatch,
    ClusterQuality,
    cluster_matches,
    common_pages,
    explain_cluster,
    page_coverage,
    qc4,
)
from qc4.model.case import Case
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import GoldDocument, Page
from qc4.model.policies import Policies
from qc4.wording import decimals
from work.answers import Answer


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a cluster that belongs to one topic (or is outliers): ``pages`` pages, a ``share`` of the cluster."""

    path: str
    pages: int
    share: float


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page as lists show it."""

    id: str
    rank: int | None
    url: str | None
    title: str | None

    @classmethod
    def of(cls, page: Page) -> PageLink:
        return cls(page.id, page.rank, page.url, page.title)


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page and the topics it belongs to."""

    page: PageLink
    topics: tuple[str, ...]
    is_outlier: bool


@dataclass(frozen=True, slots=True)
class ClusterLink:
    """A cluster as lists show it."""

    id: str
    name: str
    size: int

    @classmethod
    def of(cls, cluster: Cluster) -> ClusterLink:
        return cls(cluster.id, cluster.label or cluster.id, len(cluster.pages))


@dataclass(frozen=True, slots=True)
class ClusterView:
    """A cluster that QC4 counts, with every term of its quality.

    Attributes:
        steps: (factor, before, after), from 1 down to the quality.
        match: its match with the best topic.
        best: path of the best topic, the one with the largest F; ``best_size`` is the topic's number of pages, and
            ``in_best`` is how many of them are in the cluster.
        runner_up: (path, F) of the second-best topic.
        mix: the first of the ``n_mix`` topics of the cluster's level that share pages with it, largest share first;
            outliers count as a topic.
        foreign: the first of its ``n_foreign`` pages outside the best topic.
    """

    cluster: ClusterLink
    quality: ClusterQuality
    match: ClusterMatch
    steps: tuple[tuple[str, float, float], ...]
    best: str
    runner_up: tuple[str, float] | None
    mix: tuple[Share, ...]
    n_mix: int
    foreign: tuple[PlacedPage, ...]
    n_foreign: int
    sentence: str = ""

    @property
    def best_name(self) -> str:
        """The last part of the best topic's path."""
        return self.best.rpartition(" › ")[2]

    @property
    def best_size(self) -> int:
        return self.match.best_size

    @property
    def in_best(self) -> int:
        return self.match.common

    @property
    def n_other_shares(self) -> int:
        """Number of further topics that are not in ``mix``."""
        return self.n_mix - len(self.mix)

    @property
    def s_random_words(self) -> str:
        """Random scaling as it enters the quality; values above 1 are shown as 1."""
        return "1.000" if self.quality.s_random >= 1 else decimals(self.quality.s_random)


@dataclass(frozen=True, slots=True)
class RemovedView:
    """A cluster that QC4 removes because more than half of its pages are outliers."""

    cluster: ClusterLink
    n_outliers: int

    @property
    def sentence(self) -> str:
        size = self.cluster.size
        if size == 1:
            return "Its only page is an outlier, so it does not count."
        part = f"All {size}" if self.n_outliers == size else f"{self.n_outliers} of its {size}"
        return f"{part} pages are outliers, so it does not count."


@dataclass(frozen=True, slots=True)
class TopicView:
    """A topic and its coverage; ``best_cluster`` has most of its pages (``in_best`` of them)."""

    id: str
    name: str
    depth: int
    size: int
    coverage: float
    best_cluster: str
    in_best: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """A whole explanation; the lists of a stored one are read in parts, with the help of their lengths."""

    quality: float
    coverage: float
    qc4_f: float
    aq: float
    wq: float
    ac: float
    wc: float
    depth: int
    n_clusters: int
    n_removed: int
    n_topics: int
    n_unclustered: int
    clusters: tuple[ClusterView, ...]
    removed: tuple[RemovedView, ...]
    topics: tuple[TopicView, ...]
    unclustered: tuple[PlacedPage, ...]


# --- One sentence per cluster: what it is, and what keeps it from a quality of 1 ---

# The kind of a cluster follows from shares of its pages alone, so that no sentence contradicts the numbers beside it.
# The largest loss only decides which fact is added.

NEGLIGIBLE_LOSS = 0.005
"""Losses of quality below this are not mentioned."""
MOSTLY_PURE = 0.8
"""From this share of pages in its best topic, a cluster is mostly pure; with all pages, it is pure."""
PARTLY_MIXED = 0.5
"""From this share to `MOSTLY`, a cluster is partly mixed; below it, it is mixed."""
OUTLIERS = "outliers"


def sentence(view: ClusterView, elsewhere: str, n_elsewhere: int) -> str:
    """Return a sentence about a cluster: the share of its best topic, then the largest loss.

    Args:
        elsewhere: label of the cluster with most of the best topic's other pages, "" if there is none.
        n_elsewhere: number of these pages.
    """
    losses = {name: before - after for name, before, after in view.steps}
    biggest = max(losses, key=lambda name: losses[name])
    if losses[biggest] < NEGLIGIBLE_LOSS:
        return f"{_what(view, nothing_lost=True)}."
    said = _what(view)
    if biggest == "random":
        return f"{said}; hardly better than {_pages(view.quality.size)} picked at random."
    if biggest == "recall" and view.in_best < view.best_size:
        return f"{said}{_missing(view, elsewhere, n_elsewhere)}."
    return f"{said}."


def kind(in_best: int, size: int) -> str:
    """Return the kind of a cluster, by the number of its pages in its best topic."""
    if in_best == size:
        return "Pure"
    if in_best >= MOSTLY_PURE * size:
        return "Mostly pure"
    return "Partly mixed" if in_best >= PARTLY_MIXED * size else "Mixed"


def _what(view: ClusterView, *, nothing_lost: bool = False) -> str:
    size, best = view.quality.size, view.best
    if not view.foreign:
        if view.in_best < view.best_size:
            return f"Pure: {view.in_best} of the {_pages(view.best_size)} of {best} and nothing else"
        return f"Exactly the {_pages(size)} of {best}" if size > 1 else f"Exactly the only page of {best}"
    called = "As good as a cluster gets" if nothing_lost else kind(view.in_best, size)
    are = "is" if view.in_best == 1 else "are"
    others = [share for share in view.mix if share.path != best and not best.startswith(f"{share.path} › ")]
    return f"{called}: {view.in_best} of its {_pages(size)} {are} of {best}{_others(others)}"


def _missing(view: ClusterView, elsewhere: str, n_elsewhere: int) -> str:
    """Return the end of the sentence: how many pages of the best topic are missing, and where most of them are."""
    missing = view.best_size - view.in_best
    if view.foreign:
        said = f"; {missing} of the {_pages(view.best_size)} of that topic {'is' if missing == 1 else 'are'} missing"
    elif not n_elsewhere:
        return ""
    else:
        said = f"; the other {missing}" if missing > 1 else "; the other one"
    if not n_elsewhere:
        return said
    if n_elsewhere == missing:
        return f"{said}{',' if view.foreign else ' are' if missing > 1 else ' is'} in “{elsewhere}”"
    are = "is" if n_elsewhere == 1 else "are"
    start = f"{said}, {n_elsewhere} of them" if view.foreign else f"; {n_elsewhere} of the other {missing}"
    return f"{start} {are} in “{elsewhere}”"


def _others(shares: Sequence[Share]) -> str:
    return f", {' and '.join(map(_part, shares[:2]))}" if shares else ""


def _part(share: Share) -> str:
    if share.path == OUTLIERS:
        return f"{share.pages} {'is an outlier' if share.pages == 1 else 'are outliers'}"
    return f"{share.pages} of {share.path}"


def _pages(n: int) -> str:
    return f"{n} page{'' if n == 1 else 's'}"


# --- The explanation ---

FloatArray = npt.NDArray[np.float64]


def explain(
    case: Case,
    clustering: Clustering,
    document: GoldDocument,
    policies: Policies | None = None,
    tree: Tree | None = None,
) -> Explanation:
    """Explain the QC4 score of a case that was built from this clustering and this gold document.

    Args:
        policies: scoring options; None for the default.
        tree: tree of the document, if it has been built already.
    """
    return _Explainer(case, clustering, document, policies or Policies(), tree or tree_of(document)).explanation()


class _Explainer:
    """Builds an explanation from the arrays of a case and the names of its clusters, topics and pages."""

    def __init__(
        self, case: Case, clustering: Clustering, document: GoldDocument, policies: Policies, tree: Tree
    ) -> None:
        self.case, self.document = case, document
        self.result = qc4(case, policies.recall)
        self.matches = cluster_matches(case, self.result)
        self.tree = tree
        self.clusters = {cluster.id: cluster for cluster in clustering.clusters}
        self.rows = {cluster_id: row for row, cluster_id in enumerate(case.cluster_ids)}
        self.topics = {topic_id: topic for topic, topic_id in enumerate(case.gold.topic_ids)}
        self.paths = {node.id: node.path for node in self.tree.nodes}
        # (clusters, topics + 1) number of common pages, stored by topic.
        self.common = sp.csc_array(common_pages(case, case.clusters))
        self.common.sort_indices()
        self.clusters_of = sp.csr_array(case.clusters.T.tocsr())

    def explanation(self) -> Explanation:
        result, topics = self.result, self._topics()
        unclustered = np.setdiff1d(np.arange(self.case.n_pages), np.unique(self.case.clusters.indices))
        return Explanation(
            quality=result.quality,
            coverage=result.coverage,
            qc4_f=result.qc4_f,
            aq=result.aq,
            wq=result.wq,
            ac=result.ac,
            wc=result.wc,
            depth=max((topic.depth for topic in topics), default=0),
            n_clusters=len(result.clusters),
            n_removed=len(result.removed),
            n_topics=len(topics),
            n_unclustered=unclustered.size,
            clusters=tuple(self._cluster(number) for number in range(len(result.clusters))),
            removed=tuple(self._removed(cluster_id) for cluster_id in result.removed),
            topics=topics,
            unclustered=tuple(map(self._placed, unclustered.tolist())),
        )

    def _cluster(self, number: int) -> ClusterView:
        part = self.result.clusters[number]
        found = explain_cluster(self.case, self.result, number)
        best = self.topics[part.best_topic]
        view = ClusterView(
            cluster=ClusterLink.of(self.clusters[part.id]),
            quality=part,
            match=self.matches[number],
            steps=_steps(part),
            best=self.paths[part.best_topic],
            runner_up=(self.paths[found.runner_up.topic], found.runner_up.f) if found.runner_up else None,
            mix=tuple(Share(self._path(one.topic), one.pages, one.precision) for one in found.mix[:LISTED_SHARES]),
            n_mix=len(found.mix),
            foreign=self._foreign(found),
            n_foreign=len(found.foreign_pages),
        )
        return replace(view, sentence=sentence(view, *self._elsewhere(best, self.rows[part.id])))

    def _foreign(self, found: ClusterExplanation) -> tuple[PlacedPage, ...]:
        pages = self.case.gold.page_index
        return tuple(
            PlacedPage(
                PageLink.of(self.document.pages[pages[one.page]]), tuple(map(self._path, one.topics)), one.outlier
            )
            for one in found.foreign_pages[:LISTED_FOREIGN]
        )

    def _elsewhere(self, topic: int, row: int) -> tuple[str, int]:
        """Return the label of the cluster with most of the topic's missing pages, and their number."""
        missing = np.setdiff1d(self.case.gold.hierarchy.pages[[topic]].indices, self._members(row))
        if not missing.size:
            return "", 0
        others, counts = np.unique(self.clusters_of[missing].indices, return_counts=True)
        most = int(counts.argmax()) if counts.size else None
        return ("", 0) if most is None else (self._label(int(others[most])), int(counts[most]))

    def _removed(self, cluster_id: str) -> RemovedView:
        outliers = self.case.gold.is_outlier[self._members(self.rows[cluster_id])]
        return RemovedView(ClusterLink.of(self.clusters[cluster_id]), int(outliers.sum()))

    def _topics(self) -> tuple[TopicView, ...]:
        coverage = page_coverage(self.case, self.result).topics
        removed = np.zeros(self.case.n_clusters, dtype=bool)
        removed[[self.rows[cluster_id] for cluster_id in self.result.removed]] = True
        return tuple(self._topic(node, removed, coverage) for node in self.tree.nodes)

    def _topic(self, node: Node, removed: npt.NDArray[np.bool_], coverage: FloatArray) -> TopicView:
        topic = self.topics[node.id]
        own = slice(*self.common.indptr[topic : topic + 2])
        counted = np.where(removed[self.common.indices[own]], 0, self.common.data[own])
        best = int(counted.argmax()) if counted.any() else None
        label, in_best = "", 0
        if best is not None:
            label, in_best = self._label(int(self.common.indices[own][best])), int(counted[best])
        covered = float(coverage[topic])
        return TopicView(node.id, node.name, node.depth, node.n_pages, covered, label, in_best)

    def _placed(self, page: int) -> PlacedPage:
        link = PageLink.of(self.document.pages[page])
        return PlacedPage(link, self.tree.paths(page), page in self.tree.outliers)

    def _members(self, row: int) -> IntArray:
        start, end = self.case.clusters.indptr[row : row + 2]
        return self.case.clusters.indices[start:end].astype(np.int64)

    def _label(self, row: int) -> str:
        cluster = self.clusters[self.case.cluster_ids[row]]
        return cluster.label or cluster.id

    def _path(self, topic_id: str | None) -> str:
        return OUTLIERS if topic_id is None else self.paths[topic_id]


def _steps(part: ClusterQuality) -> tuple[tuple[str, float, float], ...]:
    pure = 1 - part.entropy
    scaled = pure * min(1.0, part.s_recall)
    return ("entropy", 1.0, pure), ("recall", pure, scaled), ("random", scaled, min(scaled, part.quality))


def _compute(asked: ExplanationInputs) -> Explanation:
    row, gold = asked.read()
    return explain(
        cases.case(row, gold), cases.clustering(row), load_gold_document(gold), asked.policies, gold_tree(gold)
    )


EXPLANATION = Answer(
    "explanation",
    ExplanationInputs,
    Explanation,
    _compute,
    cost=lambda asked: asked.rows + 25 * asked.n_clusters,  # half a millisecond per cluster, whatever its size
    cheap=CHEAP_ROWS,
    parts={"clusters": 50, "removed": 50, "topics": 100, "unclustered": 100},
)
