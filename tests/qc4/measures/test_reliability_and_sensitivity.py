"""Reliability and sensitivity: agreement with comparing every pair of pages, and consequences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.inputs.cover import COVERS, GIVEN_SETS, GivenSets
from qc4.measures.overlap import (
    bcubed_f,
    bcubed_precision,
    bcubed_recall,
    reliability,
    reliability_sensitivity_f,
    sensitivity,
)
from qc4.model.case import Case
from qc4.model.policies import Policies
from tests.qc4.small_cases import clustering, gold, incidence

some_sets = st.lists(st.sets(st.integers(0, 7), min_size=1), max_size=4)


def given_sets(topics, clusters, n: int = 8) -> GivenSets:
    return GivenSets(incidence(topics, n), incidence(clusters, n))


def agreement(one: list[set[int]], other: list[set[int]], n: int = 8) -> float:
    """Return the mean, over pages, of the fraction of one's statements on the page that the other also makes."""
    held, held_there = (set().union(*sets) for sets in (one, other))
    shares = []
    for page in range(n):
        said = right = 0.0
        for mate in range(n):
            v, l = (sum({page, mate} <= sets for sets in side) for side in (one, other))  # noqa: E741  # as in the source
            if page == mate:  # alone if it is in no set
                v, l = max(v, 1), max(l, 1)  # noqa: E741  # as above
            if v:
                said += 1
                right += min(v, l) / v
            elif (page in held) != (mate in held):
                said += 1
                right += (page in held_there, mate in held_there) == (page in held, mate in held)
        shares.append(right / said)
    return float(np.mean(shares))


@given(some_sets, some_sets)
def test_values_agree_with_comparing_every_pair(topics, clusters):
    sets = given_sets(topics, clusters)
    assert reliability(sets) == pytest.approx(agreement(clusters, topics), abs=1e-12)
    assert sensitivity(sets) == pytest.approx(agreement(topics, clusters), abs=1e-12)


@given(some_sets, some_sets)
def test_exchanging_topics_and_clusters_exchanges_the_two_measures(topics, clusters):
    sets, swapped = given_sets(topics, clusters), given_sets(clusters, topics)
    assert reliability(sets) == pytest.approx(sensitivity(swapped), abs=1e-12)
    assert reliability_sensitivity_f(sets) == pytest.approx(reliability_sensitivity_f(swapped), abs=1e-12)


@given(some_sets, some_sets)
def test_without_outliers_and_unclustered_pages_they_equal_bcubed(topics, clusters):
    """This is the result of the source for clusterings."""
    whole = [set(range(8))]
    case = Case.build(gold(8, topics + whole), clustering(*map(sorted, clusters + whole)))
    sets, covers = GIVEN_SETS.of(case, 1, Policies()), COVERS.of(case, 1, Policies())
    assert reliability(sets) == pytest.approx(bcubed_precision(covers), abs=1e-12)
    assert sensitivity(sets) == pytest.approx(bcubed_recall(covers), abs=1e-12)
    assert reliability_sensitivity_f(sets) == pytest.approx(bcubed_f(covers), abs=1e-12)


@given(some_sets)
def test_the_gold_standard_with_unclustered_outliers_scores_one(topics):
    sets = given_sets(topics, topics)
    assert reliability(sets) == sensitivity(sets) == 1.0


def test_clustering_an_outlier_lowers_the_value():
    topics = [{0, 1, 2, 3}, {4, 5, 6}]
    left_out, put_in = given_sets(topics, topics), given_sets(topics, [topics[0], topics[1] | {7}])
    assert reliability(put_in) < reliability(left_out) == 1.0
    assert sensitivity(put_in) < sensitivity(left_out) == 1.0


def test_without_clusters_reliability_is_one():
    sets = given_sets([{0, 1, 2, 3, 4, 5, 6, 7}], [])
    assert reliability(sets) == 1.0
    assert sensitivity(sets) == 1 / 8
