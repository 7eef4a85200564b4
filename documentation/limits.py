"""How much the documentation's search takes and shows."""

from __future__ import annotations

SEARCH_CHARS = 200
"""Most characters of a search."""

SEARCH_RESULTS = 30
"""Most sections a search shows; it says how many more there are."""

EXCERPT_CHARS = 240
"""About as long is what a result shows of its section."""
