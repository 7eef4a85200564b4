"""Selection of words that distinguish pages: no function words, and no words of most pages or of only one page."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from annotations.words.stop_words import is_distinctive, stop_words
from annotations.words.tfidf import PageWords, unit_rows

MAX_PAGE_SHARE = 1 / 2
"""Words in a larger share of the pages do not distinguish pages. The query's own words are usually among them."""
FEW_PAGES = 5
"""Up to this number of pages, no word is excluded for being common: two of three pages mean little."""
MAX_WORDS_PER_PAGE = 40
"""Number of words per page with the largest weights that are used. More would cost seconds and change little."""


def select_features(words: PageWords) -> PageWords:
    """Return the pages with at most 40 distinctive words each, in rows of length 1 (or zeros)."""
    pages = words.weights.shape[0]
    stops = stop_words(words)
    found_in = np.bincount(words.weights.indices, minlength=len(words.words))
    common = found_in > max(FEW_PAGES, MAX_PAGE_SHARE * pages)
    known = np.fromiter((is_distinctive(word, stops) for word in words.words), bool, len(words.words))
    columns = np.flatnonzero(known & ~common & (found_in > 1))
    kept = _keep_heaviest(sp.csr_array(words.weights[:, columns]))
    return PageWords(words.keys, unit_rows(kept), tuple(words.words[column] for column in columns))


def _keep_heaviest(weights: sp.csr_array) -> sp.csr_array:
    """Keep the largest weights of each row. Among equal weights, the first are kept."""
    kept = np.ones(weights.nnz, bool)
    for row in np.flatnonzero(np.diff(weights.indptr) > MAX_WORDS_PER_PAGE):
        span = slice(weights.indptr[row], weights.indptr[row + 1])
        kept[span][np.argsort(-weights.data[span], kind="stable")[MAX_WORDS_PER_PAGE:]] = False
    ends = np.concatenate([[0], np.cumsum(kept)])[weights.indptr]
    return sp.csr_array((weights.data[kept], weights.indices[kept], ends), weights.shape)
