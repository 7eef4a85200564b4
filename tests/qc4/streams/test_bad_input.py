"""Invalid input: each wrong row, cluster or option is reported, and too much work is rejected."""

import numpy as np
import pytest

from qc4.problems import InputError
from qc4.streams import cmm
from qc4.streams.inputs import check_size, checked_classes
from qc4.streams.stream import Stream

POINTS, CLASSES = [[0, 0], [1, 0], [0, 1]], [0, 0, -1]


def refused(*arguments, **options):
    with pytest.raises(InputError) as error:
        cmm(*arguments, **options)
    return "\n".join(map(str, error.value.problems))


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "points: found no points"),
        ([[0, 0], [1], None], "row 2: found 1 numbers; expected 2"),
        ([[0, 0], [1], None], "row 3: found 0 numbers; expected 2"),
        ([[0, 0], [1, float("nan")]], "row 2, column 2: found nan"),
        (np.array([[0, 0], [np.inf, 1]]), "row 2, column 1: found inf"),
        ([[0, 0], ["x", 1]], "points"),
    ],
)
def test_points(points, message):
    assert message in refused(points, [0] * len(points), [])


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        ([0, 0], "classes: found 2 classes; expected one for each of 3 points"),
        ([0, -2, 1], "classes: row 2: found -2"),
        ([0, 1.5, 1], "classes: row 2: found 1.5"),
        ([0, True, 1.5], "classes: row 3: found 1.5"),
        (["a", "b", "c"], "classes: row 3: found 'c'"),
    ],
)
def test_classes(classes, message):
    assert message in refused(POINTS, classes, [])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1], "weights: found 2 weights"),
        ([1, -1, 1], "weights: row 2: found -1.0"),
        ([1, 1, float("nan")], "weights: row 3: found nan"),
        ([0, 0, 0], "only zeros"),
    ],
)
def test_weights(weights, message):
    assert message in refused(POINTS, CLASSES, [], weights)


@pytest.mark.parametrize(
    ("cluster", "message"),
    [
        ([0, 3], "clusters[1]: found point 3; expected points from 0 to 2"),
        ([-1], "clusters[1]: found point -1"),
        ([0, 0, 1], "clusters[1]: found point 0 twice"),
        ([0.5], "clusters[1]: found '[0.5]'"),
        (([0], 1), "clusters[1]: found a centre of 1 number; expected a centre of 2 numbers"),
        (([0, 0], -1), "clusters[1]: found centre [0.0, 0.0], radius -1"),
        (([0, float("inf")], 1), "clusters[1]: found centre [0.0, inf]"),
        (([0, 0], None), "clusters[1]"),
        (7, "clusters[1]: found '7'"),
    ],
)
def test_clusters(cluster, message):
    assert message in refused(POINTS, CLASSES, [[0], cluster])


def test_every_wrong_cluster_is_reported():
    text = refused(POINTS, CLASSES, [[5], [0], [6]])
    assert "clusters[0]" in text
    assert "clusters[2]" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [({"k": 0}, "k: found 0"), ({"tau": 2}, "tau: found 2"), ({"denominator": "none"}, "denominator: found 'none'")],
)
def test_options(options, message):
    assert message in refused(POINTS, CLASSES, [[0]], **options)


def test_many_wrong_rows_are_counted():
    with pytest.raises(InputError) as refused_classes:
        checked_classes([-5] * 280, 280)
    said = [str(problem) for problem in refused_classes.value.problems]
    assert said[199].startswith("classes: row 200: found -5")
    assert said[200:] == ["classes: found 80 more of this kind; expected none"]


class TestTimes:
    def test_decreasing_times(self):
        with pytest.raises(InputError, match=r"times: row 3: found 1 after 2; expected times that never go back"):
            Stream.of(POINTS, CLASSES, [0, 2, 1])

    def test_times_missing_or_not_finite(self):
        with pytest.raises(InputError, match="times: found 2 times"):
            Stream.of(POINTS, CLASSES, [0, 1])
        with pytest.raises(InputError, match="times: row 2: found nan"):
            Stream.of(POINTS, CLASSES, [0, float("nan"), 1])

    def test_equal_times_are_accepted(self):
        assert Stream.of(POINTS, CLASSES, [0, 0, 1]).times.tolist() == [0, 0, 1]


class TestLimit:
    @pytest.mark.parametrize(
        ("n", "dimensions", "classes", "message"),
        [
            (1_000_001, 10, 20, r"200,000,200 points x classes x dimensions \(1,000,001 points of 10 dimensions in 20"),
            (100_001, 20, 5, r"200,004,000,020 points x points x dimensions \(100,001 points of 20 dimensions in 5"),
        ],
    )
    def test_too_much_work_is_rejected(self, n, dimensions, classes, message):
        check_size(n - 1, dimensions, classes)
        with pytest.raises(InputError, match=message):
            check_size(n, dimensions, classes)

    def test_the_largest_horizon_of_the_paper_is_accepted(self):
        check_size(10_000, 34, 5)
        check_size(200_000, 2, 6)


@pytest.mark.parametrize("noise", [-1, "-1", -1.0, None, float("nan"), "\u22121.0", "noise"])
def test_classes_of_points_follow_the_rule_for_noise_labels(noise):
    assert checked_classes([0, noise, "1"], 3).tolist() == [0, -1, 1]
    assert checked_classes(np.array([0, noise, 1.0], dtype=object), 3).tolist() == [0, -1, 1]
