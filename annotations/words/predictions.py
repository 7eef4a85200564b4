"""Predicted topics of unplaced pages, and active learning: the unplaced pages that are most informative to place.

Predictions use k nearest neighbours (Yang and Liu, "A re-examination of text categorization methods", SIGIR 1999). The
five most similar placed pages vote for their topics, weighted by the cosine of their distinctive words. The *margin* of
a page is the votes of its best topic minus those of the second.

The most informative pages have three properties:

- They are uncertain, with a small margin (Scheffer, Decomain and Wrobel, "Active hidden Markov models for information
  extraction", IDA 2001).
- They are dense: similar to many other unplaced pages (Settles and Craven, "An analysis of active learning strategies
  for sequence labeling tasks", EMNLP 2008).
- They are novel: different from pages already placed or chosen (Brinker, "Incorporating diversity in active learning
  with support vector machines", ICML 2003).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from annotations.words.tfidf import PageWords

NEIGHBOURS = 5
MIN_MARGIN = 0.3
"""The minimum margin of a prediction that is shown. docs/users/curation.md states how often these are right."""
SHOWN_NEIGHBOURS = 3
_ROWS = 512
"""Number of pages compared at a time, to limit memory to a few megabytes."""

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Classification:
    """A classification problem.

    Attributes:
        waiting: the pages to classify.
        examples: class -> pages in the class. A page may be in several classes.
    """

    waiting: Collection[str]
    examples: Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True)
class PredictedClass:
    """A prediction for a page.

    Attributes:
        choice: the class with the most votes.
        margin: its votes minus those of the second class.
        like: the most similar pages that are in the class.
    """

    page: str
    choice: str
    margin: float
    like: tuple[str, ...]


def predict_classes(words: PageWords, choice: Classification) -> list[PredictedClass]:
    """Return a prediction for each waiting page whose best class leads, in page-list order."""
    if len(choice.examples) < 2:
        return []
    near = _find_neighbours(words, choice)
    classes = list(choice.examples)
    found = []
    for at, row in enumerate(near.waiting):
        best, margin = near.leader(at)
        if margin <= 0:
            continue
        like = near.like(at, choice.examples[classes[best]], words.keys)
        found.append(PredictedClass(words.keys[row], classes[best], round(margin, 4), like))
    return found


def most_informative(words: PageWords, choice: Classification, count: int) -> list[str]:
    """Return at most ``count`` waiting pages that are the most informative to classify, best first.

    Each next page has the largest product of uncertainty, density and novelty. Uncertainty is 1 minus margin / votes of
    the best class, or 1 without votes. Density is the sum of its cosines with the waiting pages. Novelty is 1 minus its
    largest cosine with a placed or chosen page. Ties are broken by page-list order. Pages without distinctive words
    come last.
    """
    near = _find_neighbours(words, choice)
    weights = sp.csr_array(words.weights[near.waiting])
    density = weights @ np.asarray(weights.sum(axis=0)).ravel()
    best = near.most()
    margins = np.array([near.leader(at)[1] for at in range(len(near.waiting))])
    worth = density * (1 - np.divide(margins, best, out=np.zeros_like(best), where=best > 0))
    likeness = near.scores.max(axis=1, initial=0)
    left = np.ones(len(worth), bool)
    found: list[str] = []
    while left.any() and len(found) < count:
        value = np.where(left, np.round(worth * np.clip(1 - likeness, 0, 1), 9), -1)
        chosen = int(value.argmax())
        left[chosen] = False
        found.append(words.keys[near.waiting[chosen]])
        likeness = np.maximum(likeness, weights @ weights[[chosen]].toarray().ravel())
    return found


@dataclass(frozen=True, eq=False, slots=True)
class _Neighbours:
    """The nearest examples of each waiting page.

    Attributes:
        waiting, placed: row numbers of the pages.
        places: (waiting, at most five) indices into ``placed``, most similar first.
        scores: (waiting, at most five) cosines with these pages.
        votes: (waiting, classes) sums of the cosines; sparse, because a page has votes for few classes.
        n_classes: the number of classes.
    """

    waiting: Rows
    placed: Rows
    places: Rows
    scores: Floats
    votes: sp.csr_array
    n_classes: int

    def leader(self, at: int) -> tuple[int, float]:
        """Return the class with the most votes (the first of equals) and its margin."""
        span = slice(*self.votes.indptr[at : at + 2])
        own = self.votes.data[span]
        if not own.size or self.n_classes < 2:
            return 0, 0.0
        best = int(own.argmax())
        return int(self.votes.indices[span][best]), float(own[best] - np.delete(own, best).max(initial=0))

    def most(self) -> Floats:
        """Return the votes of each page's best class."""
        return np.array([self.votes.data[slice(*span)].max(initial=0) for span in pairwise(self.votes.indptr)])

    def like(self, at: int, members: Collection[str], keys: Sequence[str]) -> tuple[str, ...]:
        """Return the nearest pages that are among these members."""
        alike = (keys[self.placed[place]] for place in self.places[at][self.scores[at] > 0])
        return tuple(islice((key for key in alike if key in members), SHOWN_NEIGHBOURS))


def _find_neighbours(words: PageWords, choice: Classification) -> _Neighbours:
    row_of = {key: row for row, key in enumerate(words.keys)}
    waiting = np.array(sorted(row_of[page] for page in choice.waiting), dtype=np.intp)
    held = [np.array([row_of[page] for page in pages], dtype=np.intp) for pages in choice.examples.values()]
    everywhere = np.concatenate([*held, np.empty(0, np.intp)])
    placed, position = np.unique(everywhere, return_inverse=True)
    classes = np.repeat(np.arange(len(held)), [len(rows) for rows in held])
    shape = len(placed), len(held)
    belongs = sp.csr_array((np.ones(len(classes)), (position.ravel(), classes)), shape)
    places, scores = _most_similar(words.weights, waiting, placed)
    ends = np.arange(len(waiting) + 1) * places.shape[1]
    votes = sp.csr_array((scores.ravel(), places.ravel(), ends), (len(waiting), len(placed))) @ belongs
    votes.sort_indices()
    return _Neighbours(waiting, placed, places, scores, votes, len(held))


def _most_similar(weights: sp.csr_array, waiting: Rows, placed: Rows) -> tuple[Rows, Floats]:
    kept = min(NEIGHBOURS, len(placed))
    places = np.zeros((len(waiting), kept), np.intp)
    scores = np.zeros((len(waiting), kept))
    examples = sp.csc_array(weights[placed].T)
    for start in range(0, len(waiting) if kept else 0, _ROWS):
        span = slice(start, start + _ROWS)
        likeness = np.round((weights[waiting[span]] @ examples).toarray(), 9)
        order = np.argsort(-likeness, axis=1, kind="stable")[:, :kept]
        places[span] = order
        scores[span] = np.take_along_axis(likeness, order, axis=1)
    return places, scores
