"""Marks and strips are stable, distinguishable without colour, and escaped."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from accounts.models import User
from annotations.models import Collection
from evaluation.charts.marks import Mark, marks, marks_of
from evaluation.models import Algorithm
from evaluation.templatetags.boards import bar, strips, waterfall


def test_the_first_56_algorithms_of_a_collection_look_different() -> None:
    found = marks_of([Algorithm(pk=n, name=str(n)) for n in range(1, 57)]).values()
    assert len({(mark.hue, mark.shape) for mark in found}) == 56


def test_new_algorithm_changes_no_earlier_mark(
    owner: User, collection: Collection, submit: Callable[..., object]
) -> None:
    submit(owner, "First")
    before = marks(collection)
    submit(owner, "Another")
    assert before.items() <= marks(collection).items()


def test_baselines_have_the_same_hollow_marks_everywhere() -> None:
    one = marks_of([Algorithm(pk=1, name="x"), Algorithm(pk=2, name="Random", baseline="random")])
    other = marks_of([Algorithm(pk=7, name="Random", baseline="random")])
    assert one[2] == other[7]
    assert one[2].hollow
    assert not one[1].hollow


def test_strip_has_a_bar_per_query_and_explains_missing_ones() -> None:
    tips = ["<b>one</b>: .250", "two: <i>why</i>", "three: 1.000"]
    drawn = strips(np.array([[0.25, np.nan, 1.0]]), [Mark(1, "circle", False)], tips=[tips])[0]
    assert 'class="bars" d="M0.5 21v-5M8.5 21v-20"' in drawn
    assert 'class="gap" d="M4.5 22v2"' in drawn
    assert drawn.count("<title>") == 3
    assert "&lt;i&gt;why" in drawn
    assert "<b>" not in drawn
    assert "2 queries with a value, from 0.250 to 1.000" in drawn


def test_strip_without_values_reports_that() -> None:
    drawn = strips(np.full((1, 2), np.nan), [None])[0]
    assert "no values" in drawn
    assert 'class="bars" d=""' in drawn


def test_strip_of_many_queries_combines_neighbours() -> None:
    values = np.repeat([0.2, np.nan], [398, 2])
    values[3] = 0.6
    bars = strips(values[None], [None])[0].partition('class="bars" d="')[2].partition('"')[0].split("M")[1:]
    assert len(bars) == 100
    assert bars[0] == "0.5 21v-6"  # the mean of .2, .2, .2 and .6
    assert bars[-1] == "396.5 21v-4"  # the mean of the two that have a value


def test_waterfall_has_a_text_alternative_with_its_numbers() -> None:
    drawn = waterfall((("entropy", 1.0, 0.7), ("recall", 0.7, 0.4), ("random", 0.4, 0.4)), 0.4)
    assert "entropy takes 0.300" in drawn
    assert "quality 0.400" in drawn


def test_bars_stay_within_their_track() -> None:
    assert 'width="100.00"' in bar(1.7)
    assert 'width="0.00"' in bar(None)
