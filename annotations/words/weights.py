"""The words of pages, weighted by how much they say about each (TF-IDF, scikit-learn)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from qc4.words import UNSPACED

# Every character of a script without spaces is a word. Elsewhere runs of two or more letters and digits are.
_WORD = re.compile(f"[{UNSPACED}]|(?:(?![{UNSPACED}])\\w){{2,}}")


@dataclass(frozen=True, eq=False)
class PageWords:
    """The pages of a query as weighted words.

    Attributes:
        keys: page ids in the order of the page list.
        weights: (pages, words) TF-IDF, rows of length 1; a page without words is a row of zeros.
        words: one per column.
    """

    keys: tuple[str, ...]
    weights: sp.csr_array
    words: tuple[str, ...]


def likeness(words: PageWords, key: str) -> list[tuple[str, float]]:
    """(page, cosine) of the other pages that share a word with one, the most similar first."""
    own = words.keys.index(key)
    scores = np.asarray((words.weights @ words.weights[[own]].T).todense()).ravel()
    scores[own] = 0
    order = np.argsort(-scores, kind="stable")
    return [(words.keys[page], float(scores[page])) for page in order if scores[page] > 0]


def weighted(texts: Sequence[str]) -> tuple[sp.csr_array, tuple[str, ...]]:
    """(texts, words) TF-IDF weights, (1 + ln tf) x idf in rows of length 1, and the words."""
    # Imported here because scikit-learn takes a second to load, and few requests need it.
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer(tokenizer=_words, token_pattern=None, lowercase=False, sublinear_tf=True)
    try:
        weights = vectoriser.fit_transform(texts)
    except ValueError:  # scikit-learn's answer to an empty vocabulary
        return sp.csr_array((len(texts), 0)), ()
    return sp.csr_array(weights), tuple(vectoriser.get_feature_names_out())


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
