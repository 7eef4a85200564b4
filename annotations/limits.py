"""How much the site takes in. What the engine takes, but ids no longer than their columns."""

from __future__ import annotations

from measures.formats import Limits

KEY_CHARS = 200
LARGEST_RANK = 2**31 - 1
LIMITS = Limits(id_chars=KEY_CHARS)
