"""Which pages of a query are alike, by the words of their titles, snippets and texts (TF-IDF, scikit-learn)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse as sp
from django.db.models.functions import Substr

from annotations.models import Query

TEXT_CHARS = 4_000
"""How much of each page's text is looked at: its beginning says what it is about, and whole texts take seconds."""
SIMILAR = 8
KEPT_QUERIES = 16
# Scripts written without spaces: every character is a word. Elsewhere runs of letters and digits are.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(f"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\\w){{2,}}")


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


def similar_pages(query: Query, key: str, count: int = SIMILAR) -> list[dict[str, Any]]:
    """The pages most like one: ``page`` and ``score`` (cosine), the most similar first; none that share no word."""
    found = page_words(query)
    row = found.weights[[found.keys.index(key)]]
    scores = np.asarray((found.weights @ row.T).todense()).ravel()
    scores[found.keys.index(key)] = 0
    order = np.argsort(-scores, kind="stable")[:count]
    return [{"page": found.keys[page], "score": round(float(scores[page]), 4)} for page in order if scores[page] > 0]


def page_words(query: Query) -> PageWords:
    """The words of a query's pages; kept in memory, because a query's pages never change."""
    return _page_words(query.pk, query.collection.created_at)


@lru_cache(KEPT_QUERIES)
def _page_words(query: int, _created_at: object) -> PageWords:
    pages = Query.objects.get(pk=query).pages.order_by("position")
    rows = pages.annotate(beginning=Substr("text", 1, TEXT_CHARS)).values_list("key", "title", "snippet", "beginning")
    keys, texts = [], []
    for key, *parts in rows:
        keys.append(key)
        texts.append("\n".join(part for part in parts if part))
    weights, words = weighted(texts)
    return PageWords(tuple(keys), weights, words)


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
