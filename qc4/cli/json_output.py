"""What a command found, as JSON."""

from __future__ import annotations

import json


def as_json(value: object, indent: int | None = 2) -> str:
    """The text with a line end: names as they are written, and no number that JSON has not; ``indent`` as of `json`."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent) + "\n"
