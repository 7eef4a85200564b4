"""Which pages of a query are alike, by the words of their titles, snippets and texts."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from django.db.models.functions import Substr

from annotations.models import Query
from annotations.words.weights import PageWords, likeness, weighted

TEXT_CHARS = 4_000
"""How much of each page's text is looked at: its beginning says what it is about, and whole texts take seconds."""
SIMILAR = 8
KEPT_QUERIES = 16


class SimilarPage(NamedTuple):
    """A page whose text is like another's; ``score`` is the cosine of their TF-IDF vectors, above 0 to 1."""

    page: str
    score: float


def similar_pages(query: Query, key: str, count: int = SIMILAR) -> list[SimilarPage]:
    """The pages most like one, the most similar first; none that share no word."""
    return [SimilarPage(page, round(score, 4)) for page, score in likeness(page_words(query), key)[:count]]


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
