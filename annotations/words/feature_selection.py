"""What of the words tells pages apart: neither function words nor what is in most pages or in one alone."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from annotations.words.stop_words import is_telling, stop_words
from annotations.words.tfidf import PageWords, unit_rows

COMMON = 1 / 2
"""Words of a larger share of the pages say nothing about one: among them those of the query."""
FEW = 5
"""Up to so many pages every word counts: two of three are no majority yet."""
HEAVIEST = 40
"""Words kept of a page, those with the largest weights; more of a long text cost seconds and change little."""


def telling(words: PageWords) -> PageWords:
    """The same pages with the words that tell them apart, at most 40 of each, rows of length 1 (or zeros)."""
    pages = words.weights.shape[0]
    stops = stop_words(words)
    found_in = np.bincount(words.weights.indices, minlength=len(words.words))
    common = found_in > max(FEW, COMMON * pages)
    known = np.fromiter((is_telling(word, stops) for word in words.words), bool, len(words.words))
    columns = np.flatnonzero(known & ~common & (found_in > 1))
    kept = _heaviest(sp.csr_array(words.weights[:, columns]))
    return PageWords(words.keys, unit_rows(kept), tuple(words.words[column] for column in columns))


def _heaviest(weights: sp.csr_array) -> sp.csr_array:
    """The heaviest words of every row; of equal ones the first."""
    kept = np.ones(weights.nnz, bool)
    for row in np.flatnonzero(np.diff(weights.indptr) > HEAVIEST):
        span = slice(weights.indptr[row], weights.indptr[row + 1])
        kept[span][np.argsort(-weights.data[span], kind="stable")[HEAVIEST:]] = False
    ends = np.concatenate([[0], np.cumsum(kept)])[weights.indptr]
    return sp.csr_array((weights.data[kept], weights.indices[kept], ends), weights.shape)
