"""Labels of clusters and names of topics as words, with the pages they stand for.

A label is a cluster's own words; the root has none, and a cluster whose label holds no word has none either. All topics
of all levels have their names; the outlier topic has none. Policies change nothing: pages in no cluster have no label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.clustering.case import Case
from qc4.gold.document import PAGE_TEXTS, Page
from qc4.views.policies import Policies
from qc4.views.tree import nodes_with_pages, whole_clusters
from qc4.views.undefined import Undefined
from qc4.views.view import CLUSTERS_ALONE, WHOLE_HIERARCHY, Level, View
from qc4.words import words

Phrase = tuple[str, ...]
READ = tuple(name for name in PAGE_TEXTS if name != "url")
"""What of a page is read for the words of labels."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """Sets of pages and what they are called.

    Attributes:
        pages: (sets, pages) 0/1 CSR, none empty.
        phrases: one per set: its words in their order; () where it has none.
    """

    pages: sp.csr_array
    phrases: tuple[Phrase, ...]

    @cached_property
    def term_counts(self) -> IntArray:
        """(sets,) number of different words."""
        return np.array([len(set(phrase)) for phrase in self.phrases], dtype=np.int64)

    @property
    def n_labels(self) -> int:
        """How many sets have a label."""
        return int(np.count_nonzero(self.term_counts))

    def terms(self, columns: dict[str, int]) -> sp.csr_array:
        """(sets, words) 0/1 CSR.

        Args:
            columns: word -> column; other words are left out.
        """
        return incidence([{columns[word] for word in phrase if word in columns} for phrase in self.phrases], columns)


@dataclass(frozen=True, eq=False)
class Named:
    """The topics of all levels with their names, and the clusters with their labels."""

    topics: Labelled
    clusters: Labelled


@dataclass(frozen=True, eq=False)
class WithTexts:
    """The clusters with their labels, and the pages with their words.

    Attributes:
        page_terms: (pages, words) 0/1 CSR of the words of labels.
        label_terms: (clusters, words) 0/1 CSR.
    """

    clusters: Labelled
    page_terms: sp.csr_array
    label_terms: sp.csr_array


def incidence(rows: Sequence[set[int]], columns: dict[str, int]) -> sp.csr_array:
    """(rows, words) 0/1 CSR with sorted indices."""
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.fromiter(chain.from_iterable(map(sorted, rows)), dtype=np.int64, count=int(indptr[-1]))
    return sp.csr_array((np.ones(indices.size, dtype=np.int64), indices, indptr), shape=(len(rows), len(columns)))


def vocabulary(*phrases: Sequence[Phrase]) -> dict[str, int]:
    """Word -> column, of all words of all phrases."""
    different = dict.fromkeys(word for group in phrases for phrase in group for word in phrase)
    return {word: column for column, word in enumerate(different)}


def _labels(case: Case) -> Labelled:
    """The clusters with their labels.

    Raises:
        Undefined: no cluster has one.
    """
    labels = case.forest.labels
    found = Labelled(whole_clusters(case).pages, tuple(words(labels[node]) for node in nodes_with_pages(case)))
    if not found.n_labels:
        raise Undefined("no cluster has a label with a word in it")
    return found


def _named(case: Case, level: Level, policies: Policies) -> Named:
    topics = Labelled(case.gold.hierarchy.pages, tuple(words(name) for name in case.gold.topic_names))
    if not topics.n_labels:
        raise Undefined("no topic has a name with a word in it")
    return Named(topics, _labels(case))


def _alone(case: Case, level: Level, policies: Policies) -> Labelled:
    return _labels(case)


def _with_texts(case: Case, level: Level, policies: Policies) -> WithTexts:
    clusters = _labels(case)
    pages = case.gold.document.pages if case.gold.document else ()
    if not any(getattr(page, name) for page in pages for name in READ):
        raise Undefined(f"no page has a text ({', '.join(READ)})")
    columns = vocabulary(clusters.phrases)
    page_terms = incidence([_columns_of(page, columns) for page in pages], columns)
    return WithTexts(clusters, page_terms, clusters.terms(columns))


def _columns_of(page: Page, columns: dict[str, int]) -> set[int]:
    texts = (text for name in READ if (text := getattr(page, name)))
    return {columns[word] for text in texts for word in words(text) if word in columns}


NAMED: View[Named] = View(_named, WHOLE_HIERARCHY)
"""Measures of labels against names of topics."""

LABELS: View[Labelled] = View(_alone, CLUSTERS_ALONE)
"""Measures of labels alone."""

WITH_TEXTS: View[WithTexts] = View(_with_texts, CLUSTERS_ALONE)
"""Measures of labels against the texts of pages."""
