"""What the quick profile leaves out, and that the full one leaves out nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import settings

from tests import profiles
from tests.paths import ROOT


class Item:
    """As much of a test as is asked."""

    def __init__(self, *marks: pytest.MarkDecorator) -> None:
        self.marks = {mark.name: mark.mark for mark in marks}
        self.skipped = ""

    def get_closest_marker(self, name: str) -> object:
        return self.marks.get(name)

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.skipped = mark.kwargs["reason"]


@pytest.fixture(autouse=True)
def _asked_for_the_whole_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "_asked", {"by name": False})


@pytest.mark.parametrize(
    ("profile", "left_out"),
    [("quick", "left to the full profile: another browser"), ("full", ""), ("search", "")],
)
def test_what_is_thorough_is_left_to_the_full_profile(
    monkeypatch: pytest.MonkeyPatch, profile: str, left_out: str
) -> None:
    monkeypatch.setattr(profiles, "settings", SimpleNamespace(default=settings.get_profile(profile)))
    plain, thorough = Item(), Item(profiles.thorough("another browser"))
    profiles.leave_out([plain, thorough])
    assert (plain.skipped, thorough.skipped) == ("", left_out)


@pytest.mark.parametrize(
    ("arguments", "keyword", "named"),
    [
        (["tests"], "", False),
        ([str(ROOT / "tests")], "", False),
        (["."], "", False),
        (["tests/boards"], "", True),
        (["tests", "tests/boards/test_browser_leaderboard.py::test_that"], "", True),
        (["tests"], "board", True),
        ([".."], "", False),
    ],
)
def test_nothing_is_left_out_of_what_is_named(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], keyword: str, named: bool
) -> None:
    monkeypatch.setattr(profiles, "settings", SimpleNamespace(default=settings.get_profile("quick")))
    asked = SimpleNamespace(
        invocation_params=SimpleNamespace(dir=ROOT),
        args=arguments,
        option=SimpleNamespace(keyword=keyword),
    )
    profiles.ask(asked)
    thorough = Item(profiles.thorough("another browser"))
    profiles.leave_out([thorough])
    assert bool(thorough.skipped) is not named


def test_who_leaves_something_out_says_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "settings", SimpleNamespace(default=settings.get_profile("full")))
    with pytest.raises(pytest.UsageError, match="say what it holds"):
        profiles.leave_out([Item(pytest.mark.thorough)])
