"""The input of every external measure: a gold standard and a clustering over the same pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.model.clustering import Cluster, Clustering, LabelClusters, SubmissionDocument
from qc4.model.gold_document import GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import close_upwards
from qc4.model.ids import NumberedIds, check_index, check_order, page_list
from qc4.model.labels import Labelling, label_row
from qc4.model.nesting import Forest
from qc4.model.noise import (
    NoiseLabel,
    NoiseRule,
    cluster_reading_choice,
    describe_noise,
    unmatched_warnings,
)
from qc4.model.spelling import respelled_warning, spelling_warnings
from qc4.model.vectors import Vectors, row_count_problems
from qc4.problems import InputError, Problem, ProblemList, check_known, check_no_repeats
from qc4.text import Spellings
from qc4.wording import counted, listed, quoted


@dataclass(frozen=True, eq=False)
class Case:
    """A gold standard and clusters over its pages.

    Attributes:
        gold: the prepared gold standard.
        clusters: (clusters, pages) 0/1 CSR incidence with sorted indices, in file order, no empty rows.
        cluster_ids: one id per row.
        warnings: warnings about ignored input (empty clusters).
        vectors: one vector per page, in the order of the page list; None if no internal measure is wanted.
        nesting: the hierarchy of the clusters, with their labels; None if no cluster is inside another.
    """

    gold: GoldStandard
    clusters: sp.csr_array
    cluster_ids: tuple[str, ...]
    warnings: tuple[Problem, ...] = ()
    vectors: Vectors | None = None
    nesting: Forest | None = None

    @classmethod
    def build(cls, gold: GoldStandard, clustering: Clustering, vectors: Vectors | None = None) -> Case:
        """Match the pages of the clustering with those of the gold standard.

        Raises:
            InputError: a cluster contains a page that is not in the page list, or contains a page twice; a parent does
                not exist or is its own ancestor; pages without ids are not as many as the page list; there is not one
                vector per page.
        """
        if not gold.n_pages:
            raise InputError([Problem("no-pages", "pages", "an empty page list", "at least one page to measure on")])
        problems = ProblemList()
        _check_clustered(gold, clustering, problems)
        clusters = clustering.clusters
        if isinstance(clusters, LabelClusters) and _are_same_pages(clusters.page_ids, gold.page_ids):
            incidence, ids = clusters.incidence, clusters.ids
            nesting = Forest.flat(len(clusters), clusters.labels)
        else:
            incidence, ids = _matched_incidence(gold, clusters, problems)
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
        """The hierarchy of the clusters."""
        return self.nesting or Forest.flat(self.n_clusters)

    @cached_property
    def deepest(self) -> int:
        """The depth of the deepest cluster with pages; 1 if no cluster is inside another."""
        forest = self.forest
        if (forest.parent < 0).all():
            return 1
        return int(forest.depth[np.diff(self.held.indptr) > 0].max(initial=1))

    @cached_property
    def held(self) -> sp.csr_array:
        """(nodes, pages) 0/1 CSR with sorted indices: the pages of every cluster of the forest and of its
        descendants."""
        forest, clusters = self.forest, self.clusters
        listed = np.flatnonzero(forest.row >= 0)
        shape = (forest.parent.size, clusters.shape[0])
        place = sp.csr_array((np.ones(listed.size, dtype=np.int32), (listed, forest.row[listed])), shape=shape)
        return close_upwards(sp.csr_array(place @ clusters), forest.parent)

    @cached_property
    def sizes(self) -> IntArray:
        """(clusters,) the number of pages of each cluster."""
        return np.diff(self.clusters.indptr).astype(np.int64)


def _matched_incidence(
    gold: GoldStandard, clusters: Sequence[Cluster], problems: ProblemList
) -> tuple[sp.csr_array, list[str]]:
    """Return the (clusters, pages) incidence of the clusters that list pages, and their ids."""
    rows: list[IntArray] = []
    ids: list[str] = []
    known, changed = Spellings(gold.page_ids), dict[tuple[str, str], None]()
    for number, cluster in enumerate(clusters):
        where = f"clusters[{number}] (id {quoted(cluster.id)})"
        if not cluster.pages:
            problems.warn("empty-cluster", where, "no pages", "at least one page", "The cluster is ignored.")
            continue
        members = [gold.page_index.get(page, -1) for page in cluster.pages]
        if -1 in members:
            pages = known.of_all(cluster.pages)
            changed.update((pair, None) for pair in zip(cluster.pages, pages, strict=True) if pair[0] != pair[1])
            members = [gold.page_index.get(page, -1) for page in pages]
        unique = np.unique(np.asarray(members, dtype=np.int64))
        if unique.size < len(members) or unique[0] < 0:  # rare, so ids are checked only in this case
            expected = f"pages of query {quoted(gold.query_id)}" if gold.query_id else "pages of the page list"
            check_known(cluster.pages, known, where, expected, problems)
            check_no_repeats(cluster.pages, where, "each page once per cluster", problems)
        rows.append(unique)
        ids.append(cluster.id)
    if changed:
        problems.extend([respelled_warning("clustering", list(changed))])
    indptr = np.concatenate([[0], np.cumsum([row.size for row in rows], dtype=np.int64)])
    indices = np.concatenate([*rows, np.empty(0, dtype=np.int64)])
    ones = np.ones(indices.size, dtype=np.int32)
    return sp.csr_array((ones, indices, indptr), shape=(len(rows), gold.n_pages)), ids


def _are_same_pages(pages: Sequence[str], others: Sequence[str]) -> bool:
    """True if two page lists are the same object, or both are "0", "1", .. and equally long. Does not compare ids."""
    are_numbers = isinstance(pages, NumberedIds) and isinstance(others, NumberedIds)
    return pages is others or (are_numbers and len(pages) == len(others))


def _check_clustered(gold: GoldStandard, clustering: Clustering, problems: ProblemList) -> None:
    """Compare the clustered pages, if they are known, with the page list.

    Raises:
        InputError: pages without ids are not as many as the page list, or the page list has other ids.
    """
    pages, n_pages = clustering.pages, gold.n_pages
    if pages is None or _are_same_pages(pages, gold.page_ids):
        return
    known = Spellings(gold.page_ids)
    if isinstance(pages, NumberedIds) and not all(page in known for page in pages):
        found, expected = counted(len(pages), "page") + ' called "0", "1", ..', f"the {n_pages:,} of the page list"
        fix = "Give the ids of the pages: from_labels(labels, pages=...)."
        raise InputError([Problem("other-pages", "clustering", found, expected, fix)])
    if others := [page for page in pages if page not in known]:
        clustered = {page for cluster in clustering.clusters for page in cluster.pages}
        alone = [page for page in others if page not in clustered]  # pages of clusters are reported with their cluster
        expected, what = "pages of the page list", "pages in no cluster"
        check_known(alone, known, "clustering", expected, problems, what)
    absent = set(gold.page_ids) - set(pages)
    missing = sorted(absent - set(known.of_all(pages)), key=gold.page_index.__getitem__) if absent else []
    if missing and isinstance(pages, NumberedIds) and isinstance(gold.page_ids, NumberedIds):
        expected = f"{n_pages:,}, one for each page of the page list"
        raise InputError([Problem("wrong-length", "clustering", counted(len(pages), "label"), expected)])
    if missing:
        found = f"{counted(len(missing), 'page')} less: {listed(missing)}"
        problems.warn(
            "page-not-clustered", "clustering", found, "all pages clustered", "They count as pages in no cluster."
        )


# --- Conversion of a caller's input (objects or labels) to a gold standard and a clustering ---

GivenLabels = Sequence[Any] | npt.NDArray[Any]
"""Labels, one for each page. Columns of tables are also accepted; they have no type here."""
GivenGold = GoldStandard | GivenLabels
GivenClustering = Clustering | GivenLabels


def gold_standard_and_clustering(
    gold: Any, clustering: Any, noise: Any = None
) -> tuple[GoldStandard, Clustering, tuple[Problem, ...]]:
    """Return a gold standard, a clustering of its pages, and warnings about the labels they were made from.

    Args:
        gold: a gold standard, or a label for each page.
        clustering: a clustering, or a label for each page of the gold standard, in the order of its page list.
        noise: the labels that mean "in no cluster", as in `Clustering.from_labels`.

    Raises:
        InputError: an input of another kind; the two arguments are swapped; labels of other pages; ``noise`` without
            labels.
    """
    _check_kinds(gold, clustering)
    reader = _LabelReader(noise, isinstance(gold, GoldStandard) and isinstance(clustering, Clustering))
    if not isinstance(gold, GoldStandard) and not isinstance(clustering, Clustering):
        check_index(gold, clustering, "gold", "clustering")
    if not isinstance(gold, GoldStandard):
        pages = clustering.pages if isinstance(clustering, Clustering) else None
        found = reader.read(gold, "gold", pages, "clustered page")
        gold = GoldStandard.of_labelling(found, page_list(pages, found.n_pages))
    if not isinstance(clustering, Clustering):
        found = reader.read(clustering, "clustering", gold.page_ids, "page of the gold standard")
        clustering = Clustering.of_labelling(found, gold.page_ids)
    return gold, clustering, reader.warnings()


def two_clusterings(
    first: Any, second: Any, pages: Sequence[str] | None = None, noise: Any = None
) -> tuple[Clustering, Clustering, tuple[Problem, ...]]:
    """Return two clusterings of the same pages, and warnings about the labels they were made from.

    Args:
        first, second: clusterings, or a label for each page.
        pages: the pages that the labels belong to, if known; by default the pages of the other clustering.
        noise: the labels that mean "in no cluster", as in `Clustering.from_labels`.

    Raises:
        InputError: an input of another kind; labels of other pages; ``noise`` without labels.
    """
    given = {"first": first, "second": second}
    problems = ProblemList()
    for where, each in given.items():
        if isinstance(each, GoldStandard):
            fix = "Score a clustering against a gold standard with qc4.score(gold, clustering)."
            problems.error("no-clustering", where, "a gold standard", "a clustering, or a label for each page", fix)
        elif found := _describe_unread_file(each):
            problems.error("no-clustering", where, *found)
    problems.refuse_errors()
    if not any(isinstance(each, Clustering) for each in given.values()):
        check_index(first, second, "first", "second")
    reader = _LabelReader(noise, all(isinstance(each, Clustering) for each in given.values()))
    made: list[Clustering] = []
    for where, each in given.items():
        other = second if where == "first" else first
        if not isinstance(each, Clustering):
            those = pages if pages is not None or not isinstance(other, Clustering) else other.pages
            labelling = reader.read(each, where, those, "page")
            each = Clustering.of_labelling(labelling, page_list(those, labelling.n_pages))
        made.append(each)
    one, two = made
    if isinstance(one.pages, NumberedIds) and isinstance(two.pages, NumberedIds) and len(one.pages) != len(two.pages):
        _raise_wrong_length("second", len(two.pages), len(one.pages), "page of the first")
    return one, two, reader.warnings()


class _LabelReader:
    """Reads rows of labels with one noise rule, and collects warnings about them.

    Args:
        noise: the labels that mean "in no cluster", as in `NoiseRule.of`.
        is_idle: True if there are no labels to read.

    Raises:
        InputError: ``noise`` is given although there are no labels to read, or is not a list of labels.
    """

    def __init__(self, noise: Any, is_idle: bool) -> None:
        if noise is not None and is_idle:
            expected, fix = (
                "labels in place of one of them",
                "Pass noise= to from_labels, or to the function that reads the file.",
            )
            raise InputError([Problem("unused-noise", "noise", "no labels to read", expected, fix)])
        self._rule = NoiseRule.of(noise)
        self._warnings: list[Problem] = []
        self._noise: list[NoiseLabel] = []

    def read(self, labels: Any, where: str, pages: Sequence[str] | None, noun: str) -> Labelling:
        """Return the labels of these pages.

        Args:
            where: what the labels describe: "gold", or the name of a clustering.
            pages: the pages, if known; the index of a column of labels must list them in this order.
            noun: the noun for one of the pages in messages.

        Raises:
            InputError: an input that is not a row of labels; a wrong number of labels; labels in another order.
        """
        found = Labelling.of(labels, self._rule, where)
        self._noise += found.noise
        if found.noise and self._rule.is_usual:
            expected = f"noise: pages that are {'outliers' if where == 'gold' else 'in no cluster'}"
            choice = cluster_reading_choice(found.noise)
            fix = "" if choice else "If one of them is an ordinary label, list the noise labels: noise=[...]."
            self._warnings.append(
                Problem("noise", where, describe_noise(found.noise), expected, fix, "warning", choice=choice)
            )
        if where == "gold" and len(found.names) == 1 and not found.noise and found.n_pages > 1:
            label = f"the label {quoted(found.names[0])} on every page"
            expected, fix = "topics that divide the pages", "With one topic no clustering can score better than chance."
            self._warnings.append(Problem("topic-holds-all", where, label, expected, fix, "warning"))
        if found.are_words:
            texts = dict.fromkeys(label for label in label_row(labels) if isinstance(label, str))
            self._warnings += [problem.within(where) for problem in spelling_warnings("labels", list(texts))]
        if pages is not None:
            if len(pages) != found.n_pages:
                _raise_wrong_length(where, found.n_pages, len(pages), noun)
            check_order(labels, pages, where)
        return found

    def warnings(self) -> tuple[Problem, ...]:
        """Return warnings about the labels that were read, and about named noise labels that no page has."""
        if self._rule.is_usual:
            return tuple(self._warnings)
        return (*self._warnings, *unmatched_warnings(self._rule.unmatched(self._noise), "noise"))


def _raise_wrong_length(where: str, found: int, expected: int, noun: str) -> None:
    each = f"{expected:,}, one for each {noun}"
    raise InputError([Problem("wrong-length", where, counted(found, "label"), each)])


def _check_kinds(gold: Any, clustering: Any) -> None:
    """Raise InputError, with a hint, if an input is neither labels nor an object of the right kind."""
    problems = ProblemList()
    expected_gold, expected = "a gold standard, or a label for each page", "a clustering, or a label for each page"
    if isinstance(gold, Clustering) and isinstance(clustering, GoldStandard):
        found, order = "the clustering first, then the gold standard", "the gold standard first, then the clustering"
        problems.error("swapped", "gold, clustering", found, order, "Swap the two.")
    elif isinstance(gold, Clustering):
        fix = "Two clusterings are compared with qc4.compare_clusterings(a, b)."
        problems.error("no-gold", "gold", "a clustering", expected_gold, fix)
    elif isinstance(clustering, GoldStandard):
        problems.error("no-clustering", "clustering", "a gold standard", expected)
    if found_gold := _describe_unread_file(gold):
        problems.error("no-gold", "gold", *found_gold)
    if found_clustering := _describe_unread_file(clustering):
        problems.error("no-clustering", "clustering", *found_clustering)
    problems.refuse_errors()


def _describe_unread_file(given: Any) -> tuple[str, str, str] | None:
    """Return what was found, what was expected and the fix, if the input is a path or the content of a file."""
    expected = "the result of reading it"
    if isinstance(given, GoldDocument):
        return "a document that has not been checked", "a gold standard", "Use qc4.read_gold."
    if isinstance(given, SubmissionDocument):
        return "a submission with several clusterings", "a single clustering", "Pass one of its .clusterings."
    if isinstance(given, Mapping) and "format" in given:
        reader = "read_gold" if str(given["format"]).startswith("qc4-gold") else "read_clustering"
        return f"the content of a file in the format {given['format']}", expected, f"Use qc4.{reader}(...)."
    if hasattr(given, "__fspath__"):
        return "a path", expected, "Use qc4.read_gold(path) or qc4.read_clustering(path)."
    return None
