"""Change rate limits for one test."""

from __future__ import annotations

from typing import Any


def set_rates(settings: Any, **rates: str) -> None:
    """Change rates of the settings by the names of their limits, with underscores for hyphens."""
    settings.RATES = {**settings.RATES, **{name.replace("_", "-"): rate for name, rate in rates.items()}}
