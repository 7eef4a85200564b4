"""Other rates for one test."""

from __future__ import annotations

from typing import Any


def set_rates(settings: Any, **rates: str) -> None:
    """Change rates of the settings by scope, hyphens as underscores; those of other tests stay."""
    changed = {scope.replace("_", "-"): rate for scope, rate in rates.items()}
    framework = settings.REST_FRAMEWORK
    throttles = {**framework["DEFAULT_THROTTLE_RATES"], **changed}
    settings.REST_FRAMEWORK = {**framework, "DEFAULT_THROTTLE_RATES": throttles}
