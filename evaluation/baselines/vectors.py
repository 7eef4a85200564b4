"""TF-IDF vectors of a query's pages, and clusters made from labels of the pages."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from evaluation.baselines.task import BaselineResult, Parameter, Task
from evaluation.baselines.text import Sentence, Source, commonest, is_stop_word, sentences, tokenise
from qc4.model.clustering import Cluster
from qc4.model.gold_document import GoldDocument

LABEL_WORDS = 3


@dataclass(frozen=True, eq=False)
class PageVectors:
    """TF-IDF vectors, one row for each page that has a word of its own.

    Attributes:
        page_ids: the page of each row, in the order of the page list.
        rows: (pages with words, terms) CSR of TF-IDF weights, rows of length 1.
        terms: the word that is shown for each column.
    """

    page_ids: tuple[str, ...]
    rows: sp.csr_array
    terms: tuple[str, ...]

    @property
    def n_distinct(self) -> int:
        """Number of different rows, which is the largest sensible number of clusters."""
        indptr, indices, data = self.rows.indptr, self.rows.indices, self.rows.data
        return len({(indices[a:b].tobytes(), data[a:b].tobytes()) for a, b in pairwise(indptr.tolist())})

    def label(self, members: npt.NDArray[np.int64]) -> str:
        """Return the heaviest terms of the members' centroid, e.g. ``planet, orbit, crater``."""
        centroid = np.asarray(self.rows[members].sum(axis=0)).ravel()
        heaviest = np.argsort(-centroid, kind="stable")[:LABEL_WORDS]
        return ", ".join(self.terms[column] for column in heaviest if centroid[column] > 0)


def page_vectors(document: GoldDocument, source: Source) -> PageVectors:
    """Return TF-IDF vectors (sublinear term frequency, smoothed idf) of stems, without stop words and query words.

    Every result of a query contains the query's words, so they do not distinguish pages. Pages without any remaining
    word have no row, and so are in no cluster.
    """
    query = {token.stem for token in tokenise(document.query_text)}
    surfaces: dict[str, list[str]] = defaultdict(list)
    page_ids, bags = [], []
    for page in document.pages:
        bag = _terms(sentences(page, source), query, surfaces)
        if bag:
            page_ids.append(page.id)
            bags.append(bag)
    if not bags:
        return PageVectors((), sp.csr_array((0, 0), dtype=np.float64), ())
    from sklearn.feature_extraction.text import TfidfVectorizer  # takes a second to import

    vectoriser = TfidfVectorizer(analyzer=list, sublinear_tf=True)
    rows = sp.csr_array(vectoriser.fit_transform(bags))
    rows.sort_indices()
    terms = tuple(commonest(surfaces[str(column)]) for column in vectoriser.get_feature_names_out())
    return PageVectors(tuple(page_ids), rows, terms)


def _terms(page: Sequence[Sentence], query: set[str], surfaces: dict[str, list[str]]) -> list[str]:
    bag = []
    for token in (token for sentence in page for token in sentence):
        word = token.surface.casefold()
        if is_stop_word(word) or token.stem in query:
            continue
        surfaces[token.stem].append(word)
        bag.append(token.stem)
    return bag


# --- Shared by the three partitioning baselines: the number of clusters, and clusters from row labels ---

K = Parameter("k", None, "number of clusters; nothing: round(sqrt(n)), n pages with words, at most k_max", low=1)
K_MAX = Parameter("k_max", 20, "largest number of clusters that the default can choose", low=1)


def number_of_clusters(task: Task, vectors: PageVectors) -> int:
    """Return ``k`` if given, else a number that ignores the gold standard; at most the number of different pages."""
    given = task.parameters["k"]
    wanted = given or min(round(math.sqrt(len(vectors.page_ids))), task.parameters["k_max"])
    return int(min(max(wanted, 1), vectors.n_distinct))


def partition(vectors: PageVectors, labels: npt.NDArray[np.int64]) -> BaselineResult:
    """Make clusters from one label per row: largest first, then by first page; pages in the order of the page list."""
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    members.sort(key=lambda rows: (-rows.size, int(rows[0])))
    clusters = tuple(
        Cluster(f"c{number}", tuple(vectors.page_ids[row] for row in rows.tolist()), vectors.label(rows))
        for number, rows in enumerate(members, start=1)
    )
    return BaselineResult(clusters, {"k": len(clusters)})
