"""Breadcrumbs: (words, address) pairs from a collection downwards; the page itself has no address."""

from __future__ import annotations

from django.urls import reverse

from annotations.models import Collection

Trail = list[tuple[str, str]]


def trail(collection: Collection, *below: tuple[str, str]) -> Trail:
    """The way to a page of a collection; nothing below means the collection's own page."""
    address = reverse("collection", args=[collection.slug]) if below else ""
    return [(collection.name, address), *below]
