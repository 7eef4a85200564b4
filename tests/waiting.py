"""How long tests wait for a condition before they fail."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 120.0
"""Seconds. So many that a right product on a busy machine never needs them; a verdict is never a matter of time."""


def wait_for(condition: Callable[[], Any], what: str) -> Any:
    """The condition's first true value; fails after `PATIENCE` seconds."""
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: did not happen within {PATIENCE:g} s")
        time.sleep(0.03)
    return found
