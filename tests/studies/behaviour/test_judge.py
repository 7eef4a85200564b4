"""No component of a column may prefer the worse clustering, and at least one must prefer the better one."""

import pytest

from studies.behaviour import StudyCase, StudyColumn, StudyPart, StudySide
from studies.behaviour.case import clustering, gold
from studies.behaviour.judge import judge
from studies.behaviour.result import SideScore

PART = StudyPart("qc4", "whole")
TWO_SIDES = StudyColumn(
    "two", "two", (StudySide("quality", (PART,), "higher"), StudySide("coverage", (PART,), "higher"))
)
ONE_SIDE = StudyColumn("one", "one", (StudySide("overall", (PART,), "higher"),))
DISTANCE = StudyColumn("distance", "distance", (StudySide("quality", (PART,), "lower"),))


def case(order=(("good",), ("bad",)), only=None):
    keys = [key for tier in order for key in tier]
    clusterings = tuple(clustering(key, key, [[0], [1]]) for key in keys)
    return StudyCase("case", "case", "good, then bad.", gold(2, {"A": [0], "B": [1]}), clusterings, order, only)


def verdict(column, the_case=None, **values):
    scores = {
        key: tuple(SideScore(None, value) if isinstance(value, str) else SideScore(value) for value in sides)
        for key, sides in values.items()
    }
    return judge(the_case or case(), column, scores)


@pytest.mark.parametrize(
    ("good", "bad", "status"),
    [
        ((0.8, 0.8), (0.5, 0.5), "passed"),
        ((0.8, 0.5), (0.5, 0.5), "passed"),
        ((0.5, 0.8), (0.5, 0.5), "passed"),
        ((0.5, 0.5), (0.5, 0.5), "failed"),
        ((0.9, 0.5), (0.5, 0.6), "failed"),
        ((0.5, 0.5), (0.5 - 1e-12, 0.5 + 1e-12), "failed"),
    ],
)
def test_verdict_on_two_components(good, bad, status):
    assert verdict(TWO_SIDES, good=good, bad=bad).status == status


def test_reason_names_the_component_that_prefers_the_worse_clustering():
    reasons = verdict(TWO_SIDES, good=(0.9, 0.5), bad=(0.5, 0.6)).reasons
    assert reasons == ("coverage prefers “bad” to “good”",)


def test_lower_distances_are_better():
    assert verdict(DISTANCE, good=(0.1,), bad=(0.2,)).status == "passed"
    assert verdict(DISTANCE, good=(0.2,), bad=(0.1,)).status == "failed"


def test_missing_value_makes_the_verdict_undefined():
    found = verdict(ONE_SIDE, good=(0.5,), bad=("3 pages are in more than one cluster",))
    assert (found.status, found.reasons) == ("undefined", ("3 pages are in more than one cluster",))


class TestEquallyGood:
    the_case = case(order=(("coarse", "fine"), ("bad",)))

    def test_equally_good_clusterings_must_score_the_same(self):
        assert verdict(ONE_SIDE, self.the_case, coarse=(0.9,), fine=(0.9,), bad=(0.1,)).status == "passed"
        found = verdict(ONE_SIDE, self.the_case, coarse=(0.8,), fine=(0.9,), bad=(0.1,))
        assert found.reasons == ("overall prefers “fine” to “coarse”, although both are equally good",)

    def test_each_must_beat_the_worse_clustering(self):
        found = verdict(ONE_SIDE, self.the_case, coarse=(0.5,), fine=(0.5,), bad=(0.5,))
        assert found.reasons == ("does not distinguish “coarse” from “bad”", "does not distinguish “fine” from “bad”")


class TestOneSideAlone:
    the_case = case(only="coverage")

    def test_named_component_must_fall_and_the_other_must_stay(self):
        assert verdict(TWO_SIDES, self.the_case, good=(1.0, 1.0), bad=(1.0, 0.5)).status == "passed"
        assert verdict(TWO_SIDES, self.the_case, good=(1.0, 1.0), bad=(0.9, 0.5)).status == "failed"
        assert verdict(TWO_SIDES, self.the_case, good=(1.0, 1.0), bad=(0.9, 1.0)).status == "failed"

    def test_column_with_one_component_fails(self):
        assert verdict(ONE_SIDE, self.the_case, good=(1.0,), bad=(0.5,)).status == "failed"


def test_every_step_of_a_longer_order_counts():
    the_case = case(order=(("a",), ("b",), ("c",)))
    assert verdict(ONE_SIDE, the_case, a=(0.9,), b=(0.5,), c=(0.1,)).status == "passed"
    assert verdict(ONE_SIDE, the_case, a=(0.9,), b=(0.1,), c=(0.5,)).status == "failed"
