"""How much of the suite runs, and how many examples property tests draw: decided here alone.

`quick` is what runs without being asked for, by `pytest` as by `make test`: every promise, once. `full` is what
`.ci/run` asks for (`pytest --hypothesis-profile=full`): five times the examples, and what is marked `thorough`, which
holds the same promises again, on another database, broker or browser, or for longer. Both draw the same examples each
time, so that a commit is green or not whoever asks; `search` draws new ones to find faults.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, settings

FULL = 100
"""As many examples, or more, and nothing is left out."""

thorough = pytest.mark.thorough
"""``thorough("what is held again by it")``: a mark of tests, or of their parameters, that `quick` leaves out."""


def register() -> None:
    """Make the profiles known to Hypothesis. Property tests judge values, not the speed of a busy machine."""
    settings.register_profile(
        "quick", max_examples=20, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.register_profile("full", settings.get_profile("quick"), max_examples=FULL)
    settings.register_profile("search", settings.get_profile("quick"), max_examples=2_000, derandomize=False)
    settings.load_profile("quick")


def is_full() -> bool:
    """Whether everything is asked for."""
    return settings.default.max_examples >= FULL


def leave_out(items: Iterable[pytest.Item]) -> None:
    """Skip what is marked `thorough` where not everything is asked for; the report says how much of what."""
    for item in items:
        if mark := item.get_closest_marker("thorough"):
            if not mark.args:
                raise pytest.UsageError(f"{item}: say what is held again: thorough(..)")
            if not is_full():
                item.add_marker(pytest.mark.skip(reason=f"left to the full profile: {mark.args[0]}"))
