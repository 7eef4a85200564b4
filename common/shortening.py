"""Texts cut for lists."""

from __future__ import annotations

from django.utils.text import Truncator


def shortened(text: str, n_chars: int) -> str:
    """As the filter ``truncatechars``, which takes its time for short texts, too."""
    return text if len(text) <= n_chars else Truncator(text).chars(n_chars)
