"""Smallest enclosing balls: correct for degenerate points, and fast."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.streams import smallest_enclosing_ball
from tests.qc4.streams.reference import ball_of


@given(st.integers(1, 3).flatmap(lambda d: st.lists(st.tuples(*[st.integers(-3, 3)] * d), min_size=1, max_size=7)))
def test_grids_lines_circles_and_duplicates(rows):
    points = np.array(rows, dtype=float)
    ball = smallest_enclosing_ball(points)
    assert ball.radius == pytest.approx(ball_of(points)[1], rel=1e-12, abs=1e-12)
    assert ball.holds(points).all()


@pytest.mark.parametrize("seed", range(20))
def test_random_points_far_from_the_origin(seed):
    rng = np.random.default_rng(seed)
    points = 1e6 + 1e-2 * rng.normal(size=(8, 1 + seed % 4))
    assert smallest_enclosing_ball(points).radius == pytest.approx(ball_of(points)[1], rel=1e-7)


def test_points_on_a_sphere():
    points = np.random.default_rng(0).normal(size=(2000, 5))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    ball = smallest_enclosing_ball(points)
    assert ball.radius == pytest.approx(1, abs=1e-12)
    assert ball.centre == pytest.approx(np.zeros(5), abs=1e-9)


def test_corners_of_a_cube_in_ten_dimensions():
    ball = smallest_enclosing_ball(np.array(list(product([0.0, 1.0], repeat=10))))
    assert ball.radius == pytest.approx(np.sqrt(10) / 2)


def test_one_point_and_equal_points_have_no_extent():
    for many in (1, 3):
        ball = smallest_enclosing_ball(np.full((many, 2), 0.1))
        assert (ball.radius, ball.centre.tolist()) == (0, [0.1, 0.1])
        assert ball.holds(np.array([[0.1, 0.1], [0.1, 0.2]])).tolist() == [True, False]


def test_a_point_counts_as_inside_up_to_a_billionth_of_the_radius():
    ball = smallest_enclosing_ball(np.array([[-1.0], [1.0]]))
    assert ball.holds(np.array([[1 + 5e-10], [1 + 2e-9]])).tolist() == [True, False]
