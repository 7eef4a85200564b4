"""Breadcrumbs: (words, URL) pairs from a collection downwards; the current page has an empty URL."""

from __future__ import annotations

from django.urls import reverse

from annotations.models import Collection

Trail = list[tuple[str, str]]


def trail(collection: Collection, *below: tuple[str, str]) -> Trail:
    """Return the breadcrumbs of a page of a collection; without further pairs, those of the collection's own page."""
    address = reverse("collection", args=[collection.slug]) if below else ""
    return [(collection.name, address), *below]
