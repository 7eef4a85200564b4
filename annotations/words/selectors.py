"""Similarity of a query's pages, by the words of their titles, snippets and texts."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from django.db.models.functions import Substr

from annotations.models import Query
from annotations.words.feature_selection import select_features
from annotations.words.tfidf import PageWords, cosine_similarities, tfidf_weights

TEXT_CHARS = 4_000
"""Number of characters read of each page's text. The beginning is enough, and whole texts would take seconds."""
ALL_CHARS = 4_000_000
"""Number of characters read of all pages together, because users wait. For 10,000 pages this is 400 characters each."""
NAMING_CHARS = 300
SIMILAR = 8
KEPT_QUERIES = 16


def visible_text(text: str | None) -> str:
    """Return a text of a page; "" if there is none, or nothing but spaces."""
    return text if text and not text.isspace() else ""


class SimilarPage(NamedTuple):
    """A page whose text is like another's; ``score`` is the cosine of their TF-IDF vectors, above 0 to 1."""

    page: str
    score: float


def similar_pages(query: Query, key: str, count: int = SIMILAR) -> list[SimilarPage]:
    """Return the pages most similar to a page, best first, without pages that share no word with it."""
    return [SimilarPage(page, round(score, 4)) for page, score in cosine_similarities(page_words(query), key)[:count]]


def page_words(query: Query) -> PageWords:
    """Return the words of a query's pages. They are cached in memory, because a query's pages never change."""
    return _page_words(query.pk, query.collection.created_at)


def distinctive_words(query: Query) -> PageWords:
    """Return the distinctive words of a query's pages, cached like `page_words`."""
    return _telling_words(query.pk, query.collection.created_at)


def page_texts(query: Query) -> dict[str, str]:
    """Return a dict of page -> text for naming topics: title and snippet, or title and the beginning of its text."""
    pages = query.pages.annotate(beginning=Substr("text", 1, NAMING_CHARS))
    rows = pages.values_list("key", "title", "snippet", "beginning")
    return {key: f"{title or ''}\n{snippet or beginning or ''}" for key, title, snippet, beginning in rows}


@lru_cache(KEPT_QUERIES)
def _page_words(query: int, _created_at: object) -> PageWords:
    pages = Query.objects.get(pk=query).pages.order_by("position")
    most = ALL_CHARS // max(pages.count(), 1)
    begun = pages.annotate(beginning=Substr("text", 1, min(TEXT_CHARS, most)))
    keys, texts = [], []
    for key, *parts in begun.values_list("key", "title", "snippet", "beginning").iterator():
        keys.append(key)
        texts.append("\n".join(part for part in parts if part)[:most])
    weights, words = tfidf_weights(texts)
    return PageWords(tuple(keys), weights, words)


@lru_cache(KEPT_QUERIES)
def _telling_words(query: int, created_at: object) -> PageWords:
    return select_features(_page_words(query, created_at))
