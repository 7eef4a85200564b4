"""Topics suggested from the words of pages: groups of pages that are alike, named by the words that set them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from annotations.words.weights import PageWords
from qc4.problems import InputError, Problem

DIMENSIONS = 50
MOST_TOPICS = 20
LABEL_WORDS = 3
SEED = 0
STARTS = 4


@dataclass(frozen=True, slots=True)
class SuggestedTopic:
    """A group of pages (ids in the order of the page list) and the words that name it."""

    name: str
    pages: tuple[str, ...]


def suggest_topics(words: PageWords, among: Sequence[str], topics: int | None = None) -> list[SuggestedTopic]:
    """Groups of the given pages, the largest first; pages without words are in none.

    K-means on latent semantic vectors (TF-IDF, truncated SVD, rows of length 1), seeded, so that the same pages give
    the same groups. By default about sqrt(pages / 2) groups, at most 20.

    Raises:
        InputError: fewer than two of the pages have words.
    """
    chosen = set(among)
    sizes = np.diff(words.weights.indptr)
    rows = [row for row, key in enumerate(words.keys) if key in chosen and sizes[row]]
    if len(rows) < 2:
        found = f"{len(rows)} pages with words among those in no topic"
        raise InputError([Problem("too-few-pages", "pages", found, "at least 2")])
    weights = words.weights[rows]
    wanted = topics if topics is not None else min(MOST_TOPICS, max(2, round((len(rows) / 2) ** 0.5)))
    labels = _groups(weights, min(wanted, len(rows)))
    order = sorted(range(labels.max() + 1), key=lambda group: -int((labels == group).sum()))
    found_topics: list[SuggestedTopic] = []
    for group in order:
        members = np.flatnonzero(labels == group)
        name = _free(_name(weights, members, words.words), {topic.name for topic in found_topics})
        found_topics.append(SuggestedTopic(name, tuple(words.keys[rows[member]] for member in members)))
    return found_topics


def _groups(weights: sp.csr_array, count: int) -> npt.NDArray[np.int64]:
    """(pages,) the group of each page, from 0, none empty."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    vectors = _latent(weights)
    # Fewer different pages than groups would make scikit-learn complain about what is no fault here.
    count = min(count, len(np.unique(vectors, axis=0)))
    with threadpool_limits(limits=1):
        labels = KMeans(count, n_init=STARTS, random_state=SEED).fit_predict(vectors)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _latent(weights: sp.csr_array) -> npt.NDArray[np.float64]:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize

    dimensions = min(DIMENSIONS, *(size - 1 for size in weights.shape))
    if dimensions < 2:
        return weights.toarray()
    with np.errstate(invalid="ignore"):  # pages that are all the same have no variance to explain
        reduced = TruncatedSVD(dimensions, random_state=SEED).fit_transform(weights)
    return np.asarray(normalize(np.round(reduced, 12)), dtype=np.float64)


def _name(weights: sp.csr_array, members: npt.NDArray[np.int64], words: Sequence[str]) -> str:
    """The words whose mean weight in the group exceeds that in all pages the most."""
    gain = np.asarray(weights[members].mean(axis=0)).ravel() - np.asarray(weights.mean(axis=0)).ravel()
    if len(members) == weights.shape[0]:  # one group of all: nothing sets it apart
        gain = np.asarray(weights.mean(axis=0)).ravel()
    best = [int(word) for word in np.argsort(-gain, kind="stable")[:LABEL_WORDS] if gain[word] > 0]
    return (", ".join(words[word] for word in best) or "similar pages")[:180]


def _free(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    return name
