"""Limits of the search in the documentation."""

from __future__ import annotations

SEARCH_CHARS = 200
"""Longest query, in characters."""

SEARCH_RESULTS = 30
"""Most results shown; the page says how many more there are."""

EXCERPT_WORDS = 40
"""Longest excerpt of a result, in words."""
