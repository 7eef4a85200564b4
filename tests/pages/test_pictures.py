"""Marks and strips: stable, told apart without colour, and never unescaped."""

from __future__ import annotations

from collections.abc import Callable

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Algorithm
from evaluation.selectors.board import Mean
from evaluation.selectors.marks import Mark, marks, marks_of
from evaluation.selectors.scores import Cell, ScoredQuery, State
from evaluation.templatetags.boards import bar, strip, waterfall

QUERIES = [ScoredQuery(n, f"q{n}", f"<b>query {n}</b>", 1) for n in range(400)]


def mean_of(cells: list[Cell]) -> Mean:
    return Mean(0.5, len(cells), len(cells), len(cells), (), {}, tuple(cells))


def test_the_first_56_algorithms_of_a_collection_look_different() -> None:
    found = marks_of([Algorithm(pk=n, name=str(n)) for n in range(1, 57)]).values()
    assert len({(mark.hue, mark.shape) for mark in found}) == 56


def test_a_later_algorithm_changes_no_earlier_mark(
    owner: User, collection: Collection, submit: Callable[..., object]
) -> None:
    submit(owner, "First")
    before = marks(collection)
    submit(owner, "Another")
    assert before.items() <= marks(collection).items()


def test_baselines_are_hollow_and_the_same_everywhere() -> None:
    one = marks_of([Algorithm(pk=1, name="x"), Algorithm(pk=2, name="Random", baseline="random")])
    other = marks_of([Algorithm(pk=7, name="Random", baseline="random")])
    assert one[2] == other[7]
    assert one[2].hollow
    assert not one[1].hollow


def test_a_strip_has_a_bar_per_query_and_says_why_one_is_missing() -> None:
    cells = [Cell(State.VALUE, 0.25), Cell(State.UNDEFINED, reason="<i>why</i>"), Cell(State.VALUE, 1.0)]
    drawn = strip(mean_of(cells), QUERIES[:3], Mark(1, "circle", False))
    assert drawn.count("<rect") == 3
    assert drawn.count('class="gap"') == 1
    assert "&lt;i&gt;why" in drawn
    assert "<b>" not in drawn
    assert "from 0.250 to 1.000" in drawn


def test_a_strip_of_many_queries_joins_neighbours() -> None:
    drawn = strip(mean_of([Cell(State.VALUE, 0.5)] * 400), QUERIES, None)
    assert drawn.count("<rect") == 134


def test_a_waterfall_tells_its_numbers_without_seeing_it() -> None:
    drawn = waterfall((("entropy", 1.0, 0.7), ("recall", 0.7, 0.4), ("random", 0.4, 0.4)), 0.4)
    assert "entropy takes 0.300" in drawn
    assert "quality 0.400" in drawn


def test_bars_stay_within_their_track() -> None:
    assert 'width="100.00"' in bar(1.7)
    assert 'width="0.00"' in bar(None)
