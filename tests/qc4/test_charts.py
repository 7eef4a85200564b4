"""Scales, ticks and paths of charts."""

from __future__ import annotations

import pytest

from qc4.charts import Scale, path, ticks


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]), (0, 2999, [0, 1000, 2000])]
)
def test_ticks_are_round(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


def test_values_beyond_a_scale_are_clipped() -> None:
    upwards = Scale(0.5, 1.0, 240, 12)
    assert [upwards(value) for value in (0.5, 0.75, 1.0, 0.2, 7.0)] == [240, 126, 12, 240, 12]


def test_empty_range_maps_to_one_position() -> None:
    assert Scale(3.0, 3.0, 10, 20)(3.0) == 10


def test_path_breaks_at_none() -> None:
    assert path([(0, 1), (2, 3), None, (4, 5.04)]) == "M0.0 1.0L2.0 3.0M4.0 5.0"
    assert path([None, None]) == ""
