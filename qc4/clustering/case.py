"""The one input of every external measure: a gold standard and a clustering over the same pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.clustering.clustering import Cluster, Clustering, LabelClusters
from qc4.clustering.forest import Forest
from qc4.gold.hierarchy import close_upwards
from qc4.gold.standard import GoldStandard
from qc4.ids import Numbers
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.references import check_known, check_once
from qc4.problems.spelling import respelled_warning
from qc4.problems.wording import counted, listed, quoted
from qc4.text import Spellings
from qc4.vectors.vectors import Vectors, row_count_problems


@dataclass(frozen=True, eq=False)
class Case:
    """A gold standard and clusters over its pages.

    Attributes:
        gold: the prepared gold standard.
        clusters: (clusters, pages) 0/1 CSR incidence with sorted indices, in file order, no empty rows.
        cluster_ids: one id per row.
        warnings: what was dropped on the way in (empty clusters).
        vectors: one per page, in the order of the page list; None where internal measures are not asked for.
        nesting: how the clusters lie in one another, and their labels; None where none lies in another.
    """

    gold: GoldStandard
    clusters: sp.csr_array
    cluster_ids: tuple[str, ...]
    warnings: tuple[Problem, ...] = ()
    vectors: Vectors | None = None
    nesting: Forest | None = None

    @classmethod
    def build(cls, gold: GoldStandard, clustering: Clustering, vectors: Vectors | None = None) -> Case:
        """Match the clustering's pages with the gold standard's.

        Raises:
            InputError: a cluster holds a page that is not in the page list, or holds a page twice; a parent does not
                exist or lies in itself; another number of pages was clustered, where they have no ids; there is not one
                vector per page.
        """
        if not gold.n_pages:
            raise InputError([Problem("no-pages", "pages", "an empty page list", "at least one page to measure on")])
        problems = ProblemList()
        _check_clustered(gold, clustering, problems)
        clusters = clustering.clusters
        if isinstance(clusters, LabelClusters) and _are_same(clusters.page_ids, gold.page_ids):
            incidence, ids = clusters.incidence, clusters.ids
            nesting = Forest.flat(len(clusters), clusters.labels)
        else:
            incidence, ids = _found_in(gold, clusters, problems)
            nesting = Forest.of(clusters, problems)
        if vectors is not None:
            problems.extend(row_count_problems(vectors.n_pages, gold.page_ids, "vectors"))
        problems.refuse_errors()
        return cls(gold, incidence, tuple(ids), problems.warnings, vectors, nesting)

    @property
    def n_pages(self) -> int:
        return self.gold.n_pages

    @property
    def n_clusters(self) -> int:
        return int(self.clusters.shape[0])

    @cached_property
    def forest(self) -> Forest:
        """How the clusters lie in one another."""
        return self.nesting or Forest.flat(self.n_clusters)

    @cached_property
    def held(self) -> sp.csr_array:
        """(nodes, pages) 0/1 CSR with sorted indices: every cluster of the forest with the pages of those in it."""
        forest, clusters = self.forest, self.clusters
        listed = np.flatnonzero(forest.row >= 0)
        shape = (forest.parent.size, clusters.shape[0])
        place = sp.csr_array((np.ones(listed.size, dtype=np.int32), (listed, forest.row[listed])), shape=shape)
        return close_upwards(sp.csr_array(place @ clusters), forest.parent)

    @cached_property
    def sizes(self) -> IntArray:
        """(clusters,) number of pages of each cluster."""
        return np.diff(self.clusters.indptr).astype(np.int64)


def _found_in(gold: GoldStandard, clusters: Sequence[Cluster], problems: ProblemList) -> tuple[sp.csr_array, list[str]]:
    """(clusters, pages) incidence of the clusters that list pages, and their ids."""
    rows: list[IntArray] = []
    ids: list[str] = []
    known, changed = Spellings(gold.page_ids), dict[tuple[str, str], None]()
    for number, cluster in enumerate(clusters):
        where = f"clusters[{number}] (id {quoted(cluster.id)})"
        if not cluster.pages:
            problems.warn("empty-cluster", where, "no pages", "at least one page", "The cluster is left out.")
            continue
        members = [gold.page_index.get(page, -1) for page in cluster.pages]
        if -1 in members:
            pages = known.of_all(cluster.pages)
            changed.update((pair, None) for pair in zip(cluster.pages, pages, strict=True) if pair[0] != pair[1])
            members = [gold.page_index.get(page, -1) for page in pages]
        unique = np.unique(np.asarray(members, dtype=np.int64))
        if unique.size < len(members) or unique[0] < 0:  # seldom, so that ids are looked at again only then
            expected = f"pages of query {quoted(gold.query_id)}" if gold.query_id else "pages of the page list"
            check_known(cluster.pages, known, where, expected, problems)
            check_once(cluster.pages, where, "each page once per cluster", problems)
        rows.append(unique)
        ids.append(cluster.id)
    if changed:
        problems.extend([respelled_warning("clustering", list(changed))])
    indptr = np.concatenate([[0], np.cumsum([row.size for row in rows], dtype=np.int64)])
    indices = np.concatenate([*rows, np.empty(0, dtype=np.int64)])
    ones = np.ones(indices.size, dtype=np.int32)
    return sp.csr_array((ones, indices, indptr), shape=(len(rows), gold.n_pages)), ids


def _are_same(pages: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two page lists are one, or both "0", "1", .. as far; others are compared id by id."""
    are_numbers = isinstance(pages, Numbers) and isinstance(others, Numbers)
    return pages is others or (are_numbers and len(pages) == len(others))


def _check_clustered(gold: GoldStandard, clustering: Clustering, problems: ProblemList) -> None:
    """Compare the pages that were clustered, where they are known, with the page list.

    Raises:
        InputError: neither have ids and their numbers differ; those that were clustered have none.
    """
    pages, n_pages = clustering.pages, gold.n_pages
    if pages is None or _are_same(pages, gold.page_ids):
        return
    known = Spellings(gold.page_ids)
    if isinstance(pages, Numbers) and not all(page in known for page in pages):
        found, expected = counted(len(pages), "page") + ' called "0", "1", ..', f"the {n_pages:,} of the page list"
        fix = "Say which pages they are: from_labels(labels, pages=...)."
        raise InputError([Problem("other-pages", "clustering", found, expected, fix)])
    if others := [page for page in pages if page not in known]:
        clustered = {page for cluster in clustering.clusters for page in cluster.pages}
        alone = [page for page in others if page not in clustered]  # unknown pages of clusters are named with these
        expected, what = "pages of the page list", "pages in no cluster"
        check_known(alone, known, "clustering", expected, problems, what)
    absent = set(gold.page_ids) - set(pages)
    missing = sorted(absent - set(known.of_all(pages)), key=gold.page_index.__getitem__) if absent else []
    if missing and isinstance(pages, Numbers) and isinstance(gold.page_ids, Numbers):
        expected = f"{n_pages:,}, one for each page of the page list"
        raise InputError([Problem("wrong-length", "clustering", counted(len(pages), "label"), expected)])
    if missing:
        found = f"{counted(len(missing), 'page')} less: {listed(missing)}"
        problems.warn(
            "page-not-clustered", "clustering", found, "all pages clustered", "They count as pages in no cluster."
        )
