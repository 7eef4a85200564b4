"""Where pages probably belong, judged by the placed ones, and which unplaced pages teach most when they are placed.

A page is like its five most similar placed pages: each gives its topics as many votes as the two have in common (the
cosine of their telling words); k nearest neighbours, Yang and Liu, "A re-examination of text categorization methods",
SIGIR 1999. The *margin* of a page are the votes of the best topic less those of the second.

What teaches most is what is uncertain (a small margin: Scheffer, Decomain and Wrobel, "Active hidden Markov models for
information extraction", IDA 2001), like many others that wait (density: Settles and Craven, "An analysis of active
learning strategies for sequence labeling tasks", EMNLP 2008), and like nothing that is placed or chosen already
(diversity: Brinker, "Incorporating diversity in active learning with support vector machines", ICML 2003).
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
LIMIT = 0.3
"""The margin from which a prediction is shown. docs/users/curation.md says how often such predictions are right."""
SHOWN_NEIGHBOURS = 3
_ROWS = 512
"""Pages compared at a time: a few megabytes, whatever the size of a query."""

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice to be made for pages: one of some classes, of which others are examples.

    Attributes:
        waiting: pages it is to be made for.
        examples: class -> the pages that are in it; a page may be in several.
    """

    waiting: Collection[str]
    examples: Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True)
class Guess:
    """What the pages most like one say of it: the class with most votes, its margin, and its pages among them."""

    page: str
    choice: str
    margin: float
    like: tuple[str, ...]


def guesses(words: PageWords, choice: Choice) -> list[Guess]:
    """A guess for every waiting page for which one class is ahead of another, in page-list order."""
    if len(choice.examples) < 2:
        return []
    near = _near(words, choice)
    classes = list(choice.examples)
    found = []
    for at, row in enumerate(near.waiting):
        best, margin = near.leader(at)
        if margin <= 0:
            continue
        like = near.like(at, choice.examples[classes[best]], words.keys)
        found.append(Guess(words.keys[row], classes[best], round(margin, 4), like))
    return found


def teaching(words: PageWords, choice: Choice, count: int) -> list[str]:
    """The waiting pages that teach most, at most as many as asked for, the first one most.

    Each next page has the largest product of uncertainty (1 less margin / votes of the best class; 1 where nothing is
    known), density (the sum of its cosines with the waiting pages) and novelty (1 less its largest cosine with a placed
    or chosen page). Of equals the first in the page list. Pages without telling words come last, in their order.
    """
    near = _near(words, choice)
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
class _Near:
    """The examples most like each waiting page.

    Attributes:
        waiting, placed: rows of the pages.
        places: (waiting, at most five) positions in ``placed``, the most similar first.
        scores: (waiting, at most five) their cosines.
        votes: (waiting, classes) sums of these; a page has votes for few of many classes.
        n_classes: a single one is ahead of nothing.
    """

    waiting: Rows
    placed: Rows
    places: Rows
    scores: Floats
    votes: sp.csr_array
    n_classes: int

    def leader(self, at: int) -> tuple[int, float]:
        """The class with most votes, of equals the first, and its margin."""
        span = slice(*self.votes.indptr[at : at + 2])
        own = self.votes.data[span]
        if not own.size or self.n_classes < 2:
            return 0, 0.0
        best = int(own.argmax())
        return int(self.votes.indices[span][best]), float(own[best] - np.delete(own, best).max(initial=0))

    def most(self) -> Floats:
        """The votes of the best class of each."""
        return np.array([self.votes.data[slice(*span)].max(initial=0) for span in pairwise(self.votes.indptr)])

    def like(self, at: int, members: Collection[str], keys: Sequence[str]) -> tuple[str, ...]:
        """The most similar of these members."""
        alike = (keys[self.placed[place]] for place in self.places[at][self.scores[at] > 0])
        return tuple(islice((key for key in alike if key in members), SHOWN_NEIGHBOURS))


def _near(words: PageWords, choice: Choice) -> _Near:
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
    return _Near(waiting, placed, places, scores, votes, len(held))


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
