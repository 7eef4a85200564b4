"""The clustering of one query by one algorithm (``qc4-clustering/1``), and a submission of many clusterings."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.model.gold_document import Extra
from qc4.model.ids import check_index, check_order, named_sets, page_list, readable_name
from qc4.model.labels import Labelling, different_texts
from qc4.model.lazy_sequence import LazySequence
from qc4.model.noise import NoiseLabel
from qc4.model.tree import Dendrogram, tree_nodes
from qc4.problems import ProblemList, check_known
from qc4.text import Spellings
from qc4.wording import counted, quoted


@dataclass(frozen=True, slots=True)
class Cluster:
    """A set of pages, in the order given.

    The parent of a cluster is the cluster that contains it: readers of files give a parent the pages of its children
    (`nesting`). Only tree measures and label measures use ``parent`` and ``label``; all others use sets of pages.
    """

    id: str
    pages: tuple[str, ...]
    label: str = ""
    parent: str | None = None
    extra: Extra = field(default_factory=dict, hash=False)


class _LazyClusters(LazySequence[Cluster]):
    """Clusters that are all created when the first one is accessed."""

    def __iter__(self) -> Iterator[Cluster]:
        return iter(self._clusters)

    def made(self, place: int) -> Cluster:
        return self._clusters[place]

    @property
    @abstractmethod
    def _clusters(self) -> tuple[Cluster, ...]: ...


class ClusterColumns(_LazyClusters):
    """Clusters stored by column, as they are read from a file."""

    def __init__(
        self,
        ids: Sequence[str],
        pages: Sequence[tuple[str, ...]],
        labels: Sequence[str] | None = None,
        parents: Sequence[str | None] | None = None,
        extras: Sequence[Extra] | None = None,
    ) -> None:
        """Store columns of the same length.

        Args:
            ids, pages: (clusters,) the ids and the pages of the clusters.
            labels, parents, extras: (clusters,) further columns; None if no cluster has a value.
        """
        self.ids = ids
        self.pages = pages
        self.labels = labels
        self.parents = parents
        self.extras = extras

    @classmethod
    def of(cls, clusters: Sequence[Cluster]) -> ClusterColumns:
        """Return the clusters in columns."""
        if isinstance(clusters, ClusterColumns):
            return clusters
        ids, pages = [cluster.id for cluster in clusters], [cluster.pages for cluster in clusters]
        labels, parents = [cluster.label for cluster in clusters], [cluster.parent for cluster in clusters]
        return cls(ids, pages, labels, parents, [cluster.extra for cluster in clusters])

    @property
    def are_flat(self) -> bool:
        """True if no cluster names a parent."""
        return self.parents is None or set(self.parents) <= {None}

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def _clusters(self) -> tuple[Cluster, ...]:
        labels, parents = self.labels or repeat(""), self.parents or repeat(None)
        extras = ({} for _ in self.ids) if self.extras is None else self.extras
        return tuple(map(Cluster, self.ids, self.pages, labels, parents, extras))


class LabelClusters(_LazyClusters):
    """The clusters of a labelling, as arrays.

    Attributes:
        incidence: (clusters, pages) 0/1 CSR, with sorted indices and no empty row.
        ids, labels: (clusters,) the ids and labels of the clusters.
        page_ids: (pages,) the page list.
    """

    def __init__(
        self, incidence: sp.csr_array, ids: Sequence[str], labels: Sequence[str], page_ids: Sequence[str]
    ) -> None:
        self.incidence = incidence
        self.ids = ids
        self.labels = labels
        self.page_ids = page_ids

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def _clusters(self) -> tuple[Cluster, ...]:
        known = list(self.page_ids)
        groups = np.split(self.incidence.indices, self.incidence.indptr[1:-1])
        return tuple(
            Cluster(id, tuple([known[page] for page in group.tolist()]), label)
            for id, group, label in zip(self.ids, groups, self.labels, strict=False)
        )


@dataclass(frozen=True, slots=True)
class Clustering:
    """Clusters of the pages of one query. Clusters may overlap, be nested or equal; pages may be in no cluster.

    Build it with `qc4.read_clustering` (files, dicts), `from_labels`, `from_sets`, `from_linkage` or `from_tree`.

    Attributes:
        query: the query that was clustered, "" if it is not given.
        clusters: in file order.
        pages: the clustered pages, including those in no cluster; None if only the clusters are known.
        noise: the labels that were read as "in no cluster", each with its number of pages.
    """

    query: str
    clusters: Sequence[Cluster]
    algorithm: str = ""
    parameters: Extra = field(default_factory=dict, hash=False)
    extra: Extra = field(default_factory=dict, hash=False)
    pages: Sequence[str] | None = field(default=None, repr=False, compare=False)
    noise: tuple[NoiseLabel, ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def from_labels(cls, labels: Any, *, noise: Any = None, pages: Any = None) -> Clustering:
        """Return disjoint clusters: pages with the same label form a cluster.

        Args:
            labels: (pages,) a list, an array or a column of a table, of anything hashable, matched to pages by
                position. If both labels and pages are columns, they must have the same index.
            noise: one label, or a list of labels, of pages in no cluster; None for the usual ones (-1 in any spelling,
                NaN, None and the usual words for noise, see `qc4.model.noise`), ``[]`` if every label is a cluster.
            pages: (pages,) ids of the pages; by default "0", "1", ..

        Raises:
            InputError: an input that is not a row of labels; a wrong number of ids; repeated ids.

        >>> {cluster.id: cluster.pages for cluster in Clustering.from_labels(["x", "x", "y", -1]).clusters}
        {'x': ('0', '1'), 'y': ('2',)}
        """
        check_index(labels, pages, "labels", "pages")
        found = Labelling.of(labels, noise)
        ids = page_list(pages, found.n_pages)
        check_order(labels, ids, "labels")
        return cls.of_labelling(found, ids)

    @classmethod
    def of_labelling(cls, found: Labelling, page_ids: Sequence[str]) -> Clustering:
        """Return the clustering of a labelling and page ids that are already checked (`from_labels` checks both)."""
        labels = found.names if found.are_words else [""] * len(found.names)
        clusters = LabelClusters(found.incidence(), found.names, labels, page_ids)
        return cls("", clusters, pages=page_ids, noise=found.noise)

    @classmethod
    def from_sets(cls, sets: Any, *, pages: Any = None) -> Clustering:
        """Return clusters that may overlap, each given as its pages.

        Args:
            sets: name -> pages, or a list of clusters, which are then named "0", "1", ..; pages are texts or integers.
                A name that is a text also becomes the label of the cluster; a number does not.
            pages: the clustered pages, if some of them are in no cluster.

        Raises:
            InputError: an input that is not sets of pages; a page that is twice in a cluster, or not among ``pages``.

        >>> [cluster.pages for cluster in Clustering.from_sets([["a", "b"], ["b", "c"]]).clusters]
        [('a', 'b'), ('b', 'c')]
        """
        members = named_sets(sets, "sets")
        names = list(sets) if isinstance(sets, Mapping) else [""] * len(members)
        clusters = (
            Cluster(id, ids, readable_name(name)) for (id, ids), name in zip(members.items(), names, strict=True)
        )
        return cls("", tuple(clusters), pages=_known_pages(pages, members))

    @classmethod
    def from_linkage(
        cls, linkage: Any, *, cut: float | None = None, clusters: int | None = None, pages: Any = None
    ) -> Clustering:
        """Return the clusters of a SciPy dendrogram, cut at one height or as a whole tree.

        Without ``cut`` and ``clusters`` every merge is a cluster of its pages and the parent of the clusters that it
        merges. The last merge contains all pages.

        Args:
            linkage: (pages - 1, 4) matrix as returned by `scipy.cluster.hierarchy.linkage`.
            cut: merges up to this distance are applied, as in `scipy.cluster.hierarchy.fcluster` with "distance".
            clusters: merges are applied in row order until this number of clusters is left.
            pages: (pages,) ids of the pages; by default "0", "1", ..

        Raises:
            InputError: an input that is not a linkage matrix; both ``cut`` and ``clusters``, or one out of range; a
                whole tree whose clusters contain too many pages in total.

        >>> merges = [[0, 1, 0.5, 2], [2, 3, 0.7, 2], [4, 5, 2.0, 4]]
        >>> [cluster.pages for cluster in Clustering.from_linkage(merges, cut=1).clusters]
        [('0', '1'), ('2', '3')]
        >>> [(cluster.id, cluster.parent) for cluster in Clustering.from_linkage(merges).clusters]
        [('6', None), ('5', '6'), ('4', '6')]
        """
        tree = Dendrogram.of(linkage)
        _check_cut(cut, clusters, tree.n_pages)
        ids = page_list(pages, tree.n_pages)
        if cut is not None or clusters is not None:
            left = tree.at(float(cut)) if cut is not None else tree.with_clusters(int(clusters or 0))
            return cls._of_groups([str(place) for place in range(left.size)], list(tree.members(left).values()), ids)
        merges = range(2 * tree.n_pages - 2, tree.n_pages - 1, -1)
        above = {node: str(parent) for node, parent in tree.above(merges).items()}
        found = tuple(
            Cluster(
                str(node),
                tuple(ids[page] for page in members.tolist()),
                "",
                str(above[node]) if node in above else None,
            )
            for node, members in tree.members(merges).items()
        )
        return cls("", found, pages=ids)

    @classmethod
    def from_tree(cls, tree: Any, *, pages: Any = None) -> Clustering:
        """Return nested clusters; each contains the pages of its descendants.

        Args:
            tree: name -> content of the cluster, or a list of clusters. A cluster contains pages (texts or integers)
                and clusters, given as lists or as mappings of named clusters.
            pages: the clustered pages, if some of them are in no cluster.

        Raises:
            InputError: an item that is neither a page nor a cluster; a page twice in one list; a page in no cluster, or
                not among ``pages``; more than 500 levels.

        >>> found = Clustering.from_tree({"cats": {"lions": ["a", "b"], "pumas": ["c"]}, "dogs": ["d"]})
        >>> [(cluster.id, len(cluster.pages), cluster.parent) for cluster in found.clusters]
        [('cats', 3, None), ('dogs', 1, None), ('cats/lions', 2, 'cats'), ('cats/pumas', 1, 'cats')]
        """
        nodes = tree_nodes(tree)
        ids = different_texts([node.path for node in nodes])
        clusters = tuple(
            Cluster(id, tuple(node.pages), node.name, ids[node.parent] if node.parent >= 0 else None)
            for id, node in zip(ids, nodes, strict=True)
        )
        return cls("", clusters, pages=_known_pages(pages, {one.id: one.pages for one in clusters}))

    def __repr__(self) -> str:
        memberships = sum(len(cluster.pages) for cluster in self.clusters)
        query = f"query {self.query!r}, " if self.query else ""
        return f"<Clustering: {query}{counted(len(self.clusters), 'cluster')} with {counted(memberships, 'page')}>"

    @classmethod
    def _of_groups(cls, names: Sequence[str], groups: Sequence[IntArray], ids: Sequence[str]) -> Clustering:
        """Return clusters whose pages are given by their positions in a page list."""
        known = list(ids)
        clusters = (
            Cluster(name, tuple([known[page] for page in group.tolist()]))
            for name, group in zip(names, groups, strict=True)
        )
        return cls("", tuple(clusters), pages=ids)


def _known_pages(pages: Any, members: Mapping[str, Sequence[str]]) -> Sequence[str] | None:
    """Return the clustered pages, if given, after checking that every member is among them."""
    if pages is None:
        return None
    ids = page_list(pages)
    problems, known = ProblemList(), Spellings(ids)
    for name, group in members.items():
        check_known(group, known, f"cluster {quoted(name)}", "pages of the list given as pages", problems)
    problems.refuse_errors()
    return ids


def _check_cut(cut: Any, clusters: Any, n_pages: int) -> None:
    problems = ProblemList()
    if cut is not None and clusters is not None:
        problems.error(
            "two-cuts",
            "cut, clusters",
            "both",
            "only one of the two",
            "Use either the distance or the number of clusters.",
        )
    if cut is not None and (not isinstance(cut, Real) or isinstance(cut, bool) or math.isnan(cut)):
        fix = "To set the number of clusters, use clusters=..."
        problems.error("bad-cut", "cut", repr(cut), "a distance", fix)
    is_number = isinstance(clusters, Integral) and not isinstance(clusters, bool)
    if clusters is not None and not (is_number and 1 <= clusters <= n_pages):
        problems.error(
            "bad-clusters", "clusters", repr(clusters), f"a whole number from 1 to {n_pages:,}, the number of pages"
        )
    problems.refuse_errors()


@dataclass(frozen=True, slots=True)
class SubmissionDocument:
    """One algorithm's clusterings of one or more queries (``qc4-submission/1`` and every other submission format)."""

    clusterings: tuple[Clustering, ...]
    algorithm: str = ""
    parameters: Extra = field(default_factory=dict, hash=False)
    extra: Extra = field(default_factory=dict, hash=False)
