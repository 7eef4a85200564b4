"""Suggested topics: groups of similar pages, named by their distinctive phrases."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from annotations.words.cluster_labels import name_groups
from annotations.words.clustering import cluster_pages
from annotations.words.feature_selection import select_features
from annotations.words.stop_words import stop_words
from annotations.words.tfidf import PageWords
from qc4.problems import InputError, Problem


@dataclass(frozen=True, slots=True)
class SuggestedTopic:
    """A group of pages (ids, most typical first) and its name."""

    name: str
    pages: tuple[str, ...]


def suggest_topics(
    words: PageWords, texts: Mapping[str, str], among: Collection[str], topics: int | None = None
) -> list[SuggestedTopic]:
    """Return groups of the given pages, largest first, without pages that share no word with another page.

    The same pages give the same groups. Words that most of the given pages have are ignored, even if the query's other
    pages do not have them.

    Args:
        texts: page -> text for names.
        among: the pages to group.
        topics: the number of groups; by default, `cluster_pages` finds it from the data.

    Raises:
        InputError: fewer than two of the pages have words.
    """
    chosen = set(among)
    own = words.only([row for row, key in enumerate(words.keys) if key in chosen])
    worded = np.flatnonzero(np.diff(own.weights.indptr))
    if len(worded) < 2:
        found = f"{len(worded)} pages with words among those in no topic"
        raise InputError([Problem("too-few-pages", "pages", found, "at least 2")])
    weights = select_features(own).weights
    sharing = np.flatnonzero(np.diff(weights.indptr))
    if len(sharing) < 2:  # no distinctive word is shared, so use all words
        weights, sharing = own.weights, worded
    weights = sp.csr_array(weights[sharing])
    labels = cluster_pages(weights, topics)
    members = [_most_typical_first(weights, np.flatnonzero(labels == group)) for group in range(labels.max() + 1)]
    pages = [tuple(own.keys[sharing[row]] for row in group) for group in members]
    called = name_groups([[texts.get(page, "") for page in group] for group in pages], stop_words(own))
    return [SuggestedTopic(name, group) for name, group in zip(called, pages, strict=True)]


def _most_typical_first(weights: sp.csr_array, members: npt.NDArray[np.intp]) -> list[int]:
    """Return the members of a group, sorted by their cosine with its centroid, so that similar pages are adjacent."""
    own = weights[members]
    likeness = own @ np.asarray(own.sum(axis=0)).ravel()
    return [int(row) for row in members[np.argsort(-np.round(likeness, 9), kind="stable")]]
