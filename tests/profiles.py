"""How much of the suite runs, and how many examples property tests draw: decided here alone.

`quick` is what runs without being asked for, by `pytest` as by `make test`, in five minutes on two cores: what holds
most rules, and in a browser the way from signing in to why, a board, a comparison, and the workspace by keys and mouse.
`full` is what `.ci/run` asks for (`pytest --hypothesis-profile=full`): more examples, most five times as many, more
roles at every address, and what is marked `thorough`: every other page and state of the workspace in a browser, sweeps
over all addresses, `manage.py serve` and `manage.py work` killed as people stop them, and the same on another database,
broker or browser. Both draw the same examples each time, so that a commit is green or not whoever asks; `search` draws
new ones to find faults.

No test is left out if you name what to run: ``pytest tests/boards``, ``pytest -k board`` and ``pytest --lf`` run all
tests that they select. The profile still decides how many examples are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, settings

from tests.paths import ROOT

FULL = 100
"""As many examples, or more, and nothing is left out."""

thorough = pytest.mark.thorough
"""``thorough("what is held by it")``: a mark of files, tests, or their parameters, that `quick` leaves out."""


def register() -> None:
    """Make the profiles known to Hypothesis. Property tests judge values, not the speed of a busy machine."""
    settings.register_profile(
        "quick", max_examples=20, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.register_profile("full", settings.get_profile("quick"), max_examples=FULL)
    settings.register_profile("search", settings.get_profile("quick"), max_examples=2_000, derandomize=False)
    settings.load_profile("quick")


_asked = {"by name": False}
"""What the tests of this process were asked for, as `ask` found it."""


def is_whole() -> bool:
    """Whether nothing is left out: in the full profile, or because the tests were asked for by name."""
    return _asked["by name"] or settings.default.max_examples >= FULL


def ask(config: pytest.Config) -> None:
    """Find out whether somebody asks for some tests by their places or words, or for those that failed, and not for the
    whole suite."""
    places = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    failed = getattr(config.option, "lf", False)  # not there without the plugin that keeps which failed
    _asked["by name"] = bool(config.option.keyword or failed) or any(ROOT / "tests" in each.parents for each in places)


def leave_out(items: Iterable[pytest.Item]) -> None:
    """Skip what is marked `thorough` unless it is asked for; the report says how much of what."""
    for item in items:
        if mark := item.get_closest_marker("thorough"):
            if not mark.args:
                raise pytest.UsageError(f"{item}: say what it holds: thorough(..)")
            if not is_whole():
                item.add_marker(pytest.mark.skip(reason=f"left to the full profile: {mark.args[0]}"))
