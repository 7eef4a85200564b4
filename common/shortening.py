"""Shortened texts for lists."""

from __future__ import annotations

from django.utils.text import Truncator


def shorten(text: str, n_chars: int) -> str:
    """Shorten a text like the filter ``truncatechars``, which is slow even for short texts."""
    return text if len(text) <= n_chars else Truncator(text).chars(n_chars)
