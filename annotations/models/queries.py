"""Queries and their search results."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models

from annotations.models.collections import Collection
from annotations.models.stored import Stored
from common.limits import KEY_CHARS
from qc4.model import gold_document as document


class Query(Stored):
    """One query of a collection. ``key`` is its permanent id in files and URLs."""

    part = "pages"
    of_person = "collection__created_by"

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="queries")
    key = models.CharField(max_length=KEY_CHARS)
    text = models.TextField()
    position = models.PositiveIntegerField()
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("collection", "position", "pk")
        verbose_name_plural = "queries"
        indexes = [models.Index(fields=("collection", "position", "id"), name="query_in_order")]
        constraints = [models.UniqueConstraint(fields=("collection", "key"), name="query_key_once_per_collection")]

    def __str__(self) -> str:
        return self.text or self.key

    @property
    def n_pages(self) -> int:
        """How many it has: they are the rows it stores, all of them from its beginning."""
        return self.stored_rows

    def measured(self) -> tuple[int, int]:
        return weight(self.pages.all())


PAGES = models.Sum("stored_rows")
"""Of some queries: how many pages they have together (`Query.n_pages`)."""


class Pages(models.QuerySet["Page"]):
    """Pages; imports and page lists handle them whole, so that their texts are columns and no table of their own."""

    def without_texts(self) -> Pages:
        """For lists to look at: what a page says at length is left out."""
        return self.defer("text", "extra")


class Page(models.Model):
    """One search result. All its text is attacker text: shown escaped, never rendered or fetched."""

    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="pages")
    key = models.CharField(max_length=KEY_CHARS)
    position = models.PositiveIntegerField()
    rank = models.PositiveIntegerField(null=True)
    url = models.TextField(null=True)  # noqa: DJ001 - null and "" are different in qc4-gold/1 and must come back as given
    title = models.TextField(null=True)  # noqa: DJ001 - as above
    snippet = models.TextField(null=True)  # noqa: DJ001 - as above
    text = models.TextField(null=True)  # noqa: DJ001 - as above
    extra = models.JSONField(default=dict, blank=True)

    objects = Pages.as_manager()

    class Meta:
        ordering = ("query_id", "position")
        constraints = [
            models.UniqueConstraint(fields=("query", "key"), name="page_key_once_per_query"),
            models.UniqueConstraint(fields=("query", "position"), name="page_position_once_per_query"),
        ]

    def __str__(self) -> str:
        return self.title or self.key


def weight(pages: Iterable[Page | document.Page]) -> tuple[int, int]:
    """Bytes and rows of a query's pages."""
    texts = [[page.url, page.title, page.snippet, page.text] for page in pages]
    return sum(len(text.encode()) for said in texts for text in said if text), len(texts)
