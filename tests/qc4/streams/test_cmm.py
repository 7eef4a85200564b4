"""CMM: hand-computed cases, and agreement with the definitions written literally."""

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qc4.streams import GroundTruth, cmm, smallest_enclosing_ball
from qc4.streams.balls import Ball
from qc4.streams.classes import Classes
from qc4.streams.faults import FoundCluster, map_clusters
from tests.qc4.streams.reference import Reference, ball_of, inside

# Two classes on a line and a noise point between them. Mean distances to 2 neighbours in a class are 3/2, 1, 3/2; their
# mean is 4/3, so connectivities to the own class are 8/9, 1, 8/9.
LINE = [[0], [1], [2], [10], [11], [12], [5]]
CLASSES = [0, 0, 0, 1, 1, 1, -1]
ALL = 2 * (8 / 9 + 1 + 8 / 9) + 1


def only_fault(result):
    (fault,) = result.faults
    return fault


class TestFaults:
    def test_none(self):
        result = cmm(LINE, CLASSES, [[0, 1, 2], [3, 4, 5]])
        assert result.cmm == result.missed == result.misplaced == result.noise == result.basic == 1
        assert result.faults == ()
        assert (result.separability, result.redundancy, result.mapping) == (1, 0, (0, 1))

    def test_missed_near_its_cluster(self):
        """The cluster's ball has centre 0.5 and radius 0.5; point 2 is 1.5 away: (d - r) / (d + r) = 1/2."""
        result = cmm(LINE, CLASSES, [[0, 1], [3, 4, 5]])
        fault = only_fault(result)
        assert (fault.point, fault.type, fault.cluster) == (2, "missed", None)
        assert fault.penalty == pytest.approx(8 / 9 * (1 - math.exp(-1 / 2)))
        assert fault.reason == "in no cluster; a cluster stands for its class 0"
        assert result.cmm == pytest.approx(1 - fault.penalty / ALL)
        assert (result.missed, result.misplaced, result.noise) == (result.cmm, 1, 1)
        assert result.basic == pytest.approx(1 - 8 / 9 / ALL)

    def test_missed_without_the_discount(self):
        result = cmm(LINE, CLASSES, [[0, 1], [3, 4, 5]], refine_missed=False)
        assert only_fault(result).penalty == pytest.approx(8 / 9)

    def test_missed_with_its_whole_class(self):
        result = cmm(LINE, CLASSES, [[3, 4, 5]])
        assert [fault.penalty for fault in result.faults] == pytest.approx([8 / 9, 1, 8 / 9])
        assert result.faults[0].reason == "in no cluster; no cluster stands for its class 0"

    def test_a_missed_point_inside_the_ball_of_its_cluster_has_no_penalty(self):
        result = cmm(LINE, CLASSES, [[0, 2], [3, 4, 5]])
        assert only_fault(result).penalty == 0
        assert result.cmm == 1

    def test_the_nearest_of_several_clusters_sets_the_discount(self):
        """Clusters {0} and {1} are both mapped to class 0; their balls have radius 0, so both factors are 1 - 1/e."""
        result = cmm(LINE, CLASSES, [[0], ([1.5], 0.5), [3, 4, 5]])
        assert result.mapping == (0, 0, 1)
        assert result.faults == ()
        result = cmm(LINE, CLASSES, [[0], ([1], 0.5), [3, 4, 5]])
        assert only_fault(result).penalty == pytest.approx(8 / 9 * (1 - math.exp(-(1 - 0.5) / (1 + 0.5))))

    def test_misplaced(self):
        """Point 2 is 8 and 9 away from the points of class 1: connectivity (4/3) / 8.5 = 8/51."""
        result = cmm(LINE, CLASSES, [[0, 1], [2, 3, 4, 5]])
        fault = only_fault(result)
        assert (fault.point, fault.type, fault.cluster) == (2, "misplaced", 1)
        assert fault.penalty == pytest.approx(8 / 9 * (1 - 8 / 51))
        assert fault.reason == "a point of class 0 in cluster 1, which stands for class 1"
        assert (result.misplaced, result.missed) == (result.cmm, 1)

    def test_noise(self):
        """The noise point is 5 and 6 away from the points of class 1: connectivity (4/3) / 5.5 = 8/33."""
        result = cmm(LINE, CLASSES, [[0, 1, 2], [3, 4, 5, 6]])
        fault = only_fault(result)
        assert (fault.type, fault.penalty) == ("noise", pytest.approx(25 / 33))
        assert fault.reason == "noise in cluster 1, which stands for class 1"

    def test_noise_alone_in_a_cluster(self):
        result = cmm(LINE, CLASSES, [[0, 1, 2], [3, 4, 5], [6]])
        assert result.mapping == (0, 1, None)
        assert only_fault(result).penalty == 1
        assert only_fault(result).reason == "noise in cluster 2, which stands for no class"

    def test_unclustered_noise_is_not_a_fault(self):
        assert cmm(LINE, CLASSES, [[0, 1, 2], [3, 4, 5]]).cmm == 1

    def test_the_worst_of_several_faults_counts(self):
        """The noise point is 3 and 4 away from the points of class 0: connectivity 8/21, higher than to class 1."""
        result = cmm(LINE, CLASSES, [[0, 1, 2, 6], [3, 4, 5, 6]])
        fault = only_fault(result)
        assert (fault.cluster, fault.penalty) == (1, pytest.approx(25 / 33))

    def test_a_point_misplaced_in_one_of_two_clusters_is_a_fault(self):
        assert only_fault(cmm(LINE, CLASSES, [[0, 1, 2], [2, 3, 4, 5]])).type == "misplaced"

    def test_weights(self):
        weights = [1, 1, 0.5, 1, 1, 1, 0.25]
        result = cmm(LINE, CLASSES, [[0, 1], [3, 4, 5]], weights)
        whole = 8 / 9 + 1 + 0.5 * 8 / 9 + 25 / 9 + 0.25
        assert result.cmm == pytest.approx(1 - 0.5 * 8 / 9 * (1 - math.exp(-1 / 2)) / whole)

    def test_the_printed_denominator(self):
        """The denominator has only points with a fault: one missed point whose class has no cluster gives 0."""
        clusters = [[0, 1], [3, 4, 5]]
        found = cmm(LINE, CLASSES, clusters, denominator="fault", refine_missed=False)
        assert found.cmm == 0
        assert cmm(LINE, CLASSES, clusters, refine_missed=False).cmm == pytest.approx(1 - 8 / 9 / ALL)


class TestModelErrors:
    # Class 1 is in the middle of the ball of class 0, far from its points.
    points = [[0], [0.1], [0.2], [9.8], [9.9], [10], [4.9], [5], [5.1], [30]]
    classes = [0, 0, 0, 0, 0, 0, 1, 1, 1, -1]
    ball = ([5], 5)

    def test_faults_of_the_ground_truth_are_ignored(self):
        result = cmm(self.points, self.classes, [self.ball], merge=False)
        assert result.mapping == (0,)
        assert (result.cmm, result.faults) == (1, ())
        assert result.basic < 1

    def test_faults_of_the_ground_truth_count_on_request(self):
        result = cmm(self.points, self.classes, [self.ball], merge=False, model_errors=False)
        assert {fault.point for fault in result.faults} == {6, 7, 8}

    def test_faults_outside_the_ball_count(self):
        result = cmm(self.points, self.classes, [list(range(10))], merge=False)
        assert [(fault.point, fault.type) for fault in result.faults] == [(9, "noise")]


class TestMapping:
    def classes(self, inside_of, class_of):
        """Return classes whose regions contain the given points."""
        class_of = np.array(class_of)
        inside_ = np.zeros((class_of.size, len(inside_of)), dtype=bool)
        for number, held in enumerate(inside_of):
            inside_[held, number] = True
        members = tuple((number,) for number in range(len(inside_of)))
        return Classes(members, class_of, np.ones(inside_.shape), inside_, (Ball(np.zeros(1), 1.0),) * len(members))

    def map(self, classes, *clusters):
        found = [FoundCluster(np.zeros((classes.class_of.size, 1)), np.array(c, dtype=np.int64)) for c in clusters]
        return map_clusters(classes, found).tolist()

    def test_a_cluster_of_an_emerging_class_in_a_dense_one(self):
        """The paper's Fig. 3: counts (10, 11) and (1, 50); a cluster of (8, 12) has surplus 1 and 7."""
        first, second = list(range(10)), list(range(10, 60))
        classes = self.classes([first + second[:11], first[:1] + second], [0] * 10 + [1] * 50)
        assert self.map(classes, first[:8] + second[:12]) == [0]
        assert self.map(classes, first + second[:11], first[:1] + second) == [0, 1]

    def test_a_cluster_covered_by_several_is_mapped_to_the_one_with_most_points(self):
        """Both regions have 3 points of class 0, so neither has a surplus; the second contains the cluster's own
        points."""
        classes = self.classes([[0, 1, 2], [3, 4, 5, 6]], [0, 0, 0, 0, 0, 0, 1])
        assert self.map(classes, [3, 4, 5]) == [1]

    def test_noise_counts_for_contained_points_but_not_for_the_surplus(self):
        classes = self.classes([[0, 1, 2, 3], [0, 1, 2, 3, 4]], [0, 0, 0, 1, -1])
        assert self.map(classes, [0, 1]) == [0]
        assert self.map(classes, [0, 1, 4]) == [1]

    def test_a_cluster_inside_two_nested_true_clusters_is_mapped_to_the_outer_one(self):
        """Section 4.2. Class 0 is the larger class; the ball of class 1 contains its ball, and is the larger
        cluster."""
        inner, outer = [0, 1, 2, 3], [0, 1, 2, 3, 4, 5, 6]
        classes = self.classes([inner, outer], [0, 0, 0, 0, 1, 1, 1])
        assert self.map(classes, [0, 1], inner, outer) == [1, 1, 1]

    def test_noise_does_not_count_in_the_size_of_a_true_cluster(self):
        classes = self.classes([[0, 1, 2, 4, 5], [0, 1, 2, 3]], [0, 0, 0, 1, -1, -1])
        assert self.map(classes, [0, 1]) == [1]

    def test_a_ball_that_contains_a_larger_class(self):
        """On a line: class 1 at 0 and 10, class 0 between. A cluster of class 0 is mapped to class 1, because no ball
        separates the two."""
        points = [[0], [10], [4], [4.5], [5], [5.5]]
        assert cmm(points, [1, 1, 0, 0, 0, 0], [[2, 3, 4, 5]], merge=False).mapping == (1,)

    def test_ties_go_to_the_larger_class_then_to_the_first(self):
        everything = list(range(6))
        assert self.map(self.classes([everything] * 2, [0, 0, 1, 1, 1, 1]), [0, 1]) == [1]
        assert self.map(self.classes([everything] * 2, [0, 0, 0, 1, 1, 1]), [0, 4]) == [0]
        assert self.map(self.classes([[0], [3]], [0, 0, 1, 1]), [1, 2]) == [0]  # surplus 1 against both

    def test_a_cluster_without_class_points_is_not_mapped(self):
        assert self.map(self.classes([[0, 2], [1]], [0, 1, -1]), [2], []) == [-1, -1]


class TestMerging:
    # Two classes alternate on a line; the last point of class 3 is outside the ball of class 0.
    points = [[0], [1], [2], [3], [4], [5], [6], [7], [8], [15]]
    classes = [0, 3] * 5

    def test_inseparable_classes_are_merged(self):
        result = cmm(self.points, self.classes, [list(range(10))])
        assert (result.cmm, result.separability, result.classes, result.mapping) == (1, 0.5, ((0, 3),), (0,))
        assert result.basic < 1
        assert result.redundancy == 0.8  # points 0 and 9 are in only one ball

    def test_classes_are_not_merged_if_disabled_or_the_threshold_is_one(self):
        clusters = [list(range(10))]
        assert cmm(self.points, self.classes, clusters, merge=False).cmm < 1
        assert cmm(self.points, self.classes, clusters, tau=1).separability == 1

    def test_reasons_name_merged_classes(self):
        result = cmm(self.points, self.classes, [list(range(9))])
        assert only_fault(result).reason == "in no cluster; a cluster stands for its merged classes 0, 3"


def small_streams(noise=True):
    """Draw points on a small grid or anywhere, with their classes."""
    coordinate = st.one_of(st.integers(0, 4).map(float), st.floats(0, 4))
    row = st.integers(1, 2).flatmap(
        lambda d: st.lists(
            st.tuples(st.tuples(*[coordinate] * d), st.integers(-1 if noise else 0, 2)), min_size=1, max_size=9
        )
    )
    return row.map(lambda rows: ([list(point) for point, _ in rows], [label for _, label in rows]))


class TestAgainstTheDefinitions:
    @given(small_streams(), st.data())
    def test_all_parts(self, stream, data):
        points, classes = stream
        n = len(points)
        listed = data.draw(st.lists(st.sets(st.integers(0, n - 1)), max_size=3))
        balls = data.draw(st.lists(st.tuples(st.integers(0, n - 1), st.floats(0, 3)), max_size=2))
        k = data.draw(st.integers(1, 3))
        weights = data.draw(st.lists(st.floats(0.1, 1), min_size=n, max_size=n))
        clusters = [sorted(members) for members in listed] + [(points[o], radius) for o, radius in balls]
        literal = [(members, None) for members in listed]
        for o, radius in balls:
            ball = np.array(points[o]), radius
            literal.append(({p for p in range(n) if inside(np.array(points[p]), ball)}, ball))
        result = cmm(points, classes, clusters, weights, k=k)
        plain, merged = Reference(points, classes, k), Reference(points, classes, k).merge()
        assume(not decided_by_rounding(plain, merged))
        assert result.cmm == pytest.approx(merged.value(literal, weights), abs=1e-9)
        for kind in ("missed", "misplaced", "noise"):
            assert getattr(result, kind) == pytest.approx(merged.value(literal, weights, (kind,)), abs=1e-9)
        basic = plain.value(literal, weights, model_errors=False, refine=False)
        assert result.basic == pytest.approx(basic, abs=1e-9)
        assert result.separability == (len(merged.classes) / plain.before if plain.before else 1)
        assert result.redundancy == len(plain.redundant) / n


def decided_by_rounding(plain, merged):
    """Return True if a point is at the tolerance limit of a ball, so that either result is correct."""
    balls = [ball for truth in (plain, merged) for region in truth.regions for ball in region]
    margins = [
        abs(np.linalg.norm(point - ball[0]) / ball[1] - (1 + 1e-9))
        for ball in balls
        if ball[1]
        for point in plain.points
    ]
    return any(margin < 1e-10 for margin in margins)


class TestPromises:
    @given(small_streams(), st.booleans())
    def test_ground_truth_clusters_give_one(self, stream, merge):
        points, classes = np.array(stream[0]), np.array(stream[1])
        balls = [smallest_enclosing_ball(points[classes == label]) for label in np.unique(classes[classes >= 0])]
        assert cmm(points, classes, balls, merge=merge).cmm == 1
        by_others = [ball_of(points[classes == label]) for label in np.unique(classes[classes >= 0])]
        assert cmm(points, classes, by_others, merge=merge).cmm == 1

    def test_ground_truth_of_merged_classes_gives_one_outside_the_merged_ball(self):
        """Without the balls of its parts, the region of a merged class would not contain everything that its parts
        contain."""
        rng = np.random.default_rng(0)
        stuck_out = 0
        for _ in range(300):
            points, classes = rng.random((40, 2)), rng.integers(-1, 4, 40)
            truth = GroundTruth.prepare(points, classes)
            outer = [
                smallest_enclosing_ball(points[np.isin(classes, labels)]).holds(points)
                for labels in truth.merged.members
            ]
            stuck_out += any((truth.merged.inside[:, number] > held).any() for number, held in enumerate(outer))
            assert truth.measure(truth.classes.balls).cmm == 1
            assert truth.measure(truth.merged.balls).cmm == 1
        assert stuck_out > 0

    @given(small_streams(), st.data())
    def test_losses_sum_to_the_total_and_values_are_in_range(self, stream, data):
        points, classes = stream
        clusters = data.draw(st.lists(st.sets(st.integers(0, len(points) - 1)).map(sorted), max_size=4))
        result = cmm(points, classes, clusters)
        losses = sum(1 - value for value in (result.missed, result.misplaced, result.noise))
        assert losses == pytest.approx(1 - result.cmm, abs=1e-12)
        for value in (result.cmm, result.missed, result.misplaced, result.noise, result.basic, result.redundancy):
            assert type(value) is float
            assert 0 <= value <= 1

    def test_order_of_points_and_clusters_does_not_matter(self):
        rng = np.random.default_rng(4)
        points, classes = rng.random((60, 2)), rng.integers(-1, 3, 60)
        clusters = [np.flatnonzero(rng.random(60) < 0.3) for _ in range(4)]
        order = rng.permutation(60)
        place = np.argsort(order)
        shuffled = cmm(points[order], classes[order], [place[cluster] for cluster in reversed(clusters)])
        assert shuffled.cmm == pytest.approx(cmm(points, classes, clusters).cmm, abs=1e-12)

    def test_the_result_is_plain_json(self):
        result = cmm(LINE, CLASSES, [[0, 1], [2, 3, 4, 5, 6]])
        read = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert [fault["type"] for fault in read["faults"]] == ["misplaced", "noise"]
        assert read["mapping"] == [0, 1]
        assert "faults" not in result.to_dict(faults=False)

    def test_only_noise(self):
        result = cmm([[0], [1]], [-1, -1], [[0]])
        assert (result.cmm, result.separability, result.redundancy) == (0.5, 1, 0)

    def test_no_clusters(self):
        assert cmm([[0], [1]], [0, 0], []).cmm == 0
