"""Topics suggested from the words of pages: groups of pages that are alike, named by phrases that set them apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from annotations.words.cluster_labels import names
from annotations.words.clustering import groups
from annotations.words.feature_selection import telling
from annotations.words.stop_words import stop_words
from annotations.words.tfidf import PageWords
from qc4.problems import InputError, Problem


@dataclass(frozen=True, slots=True)
class SuggestedTopic:
    """A group of pages (ids, the most typical first) and the phrase that names it."""

    name: str
    pages: tuple[str, ...]


def suggest_topics(
    words: PageWords, texts: Mapping[str, str], among: Collection[str], topics: int | None = None
) -> list[SuggestedTopic]:
    """Groups of the given pages, the largest first; pages that share no word with another are in none.

    Without a number as many as the pages show: `groups` says how. The same pages give the same groups. What most of the
    given pages have tells none of them apart, whatever the others of the query have.

    Args:
        texts: page -> what names are looked for in.

    Raises:
        InputError: fewer than two of the pages have words.
    """
    chosen = set(among)
    own = words.only([row for row, key in enumerate(words.keys) if key in chosen])
    worded = np.flatnonzero(np.diff(own.weights.indptr))
    if len(worded) < 2:
        found = f"{len(worded)} pages with words among those in no topic"
        raise InputError([Problem("too-few-pages", "pages", found, "at least 2")])
    weights = telling(own).weights
    sharing = np.flatnonzero(np.diff(weights.indptr))
    if len(sharing) < 2:  # nothing is shared: each page by all of its words
        weights, sharing = own.weights, worded
    weights = sp.csr_array(weights[sharing])
    labels = groups(weights, topics)
    members = [_typical_first(weights, np.flatnonzero(labels == group)) for group in range(labels.max() + 1)]
    pages = [tuple(own.keys[sharing[row]] for row in group) for group in members]
    called = names([[texts.get(page, "") for page in group] for group in pages], stop_words(own))
    return [SuggestedTopic(name, group) for name, group in zip(called, pages, strict=True)]


def _typical_first(weights: sp.csr_array, members: npt.NDArray[np.intp]) -> list[int]:
    """The members of a group by their cosine with its centroid: each stands near those it is like."""
    own = weights[members]
    likeness = own @ np.asarray(own.sum(axis=0)).ravel()
    return [int(row) for row in members[np.argsort(-np.round(likeness, 9), kind="stable")]]
