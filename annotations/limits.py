"""How much the site takes in. What the engine takes, but ids no longer than their columns, and JSON that is read in
seconds: 30 million tiny values in 64 MB would hold a web process for a minute and a gigabyte."""

from __future__ import annotations

from qc4.formats import Limits

KEY_CHARS = 200
LARGEST_RANK = 2**31 - 1
LIMITS = Limits(id_chars=KEY_CHARS, json_values=3_000_000)
