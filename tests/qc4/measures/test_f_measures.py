"""F-measures that weight recall more: properties of van Rijsbergen's E, and the families that use it."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qc4.inputs.cover import COVERS
from qc4.inputs.partition import Contingency
from qc4.measures.overlap import bcubed_precision, bcubed_recall
from qc4.measures.pair_counting import pair_precision, pair_recall
from qc4.measures.parameters import f_measure
from qc4.measures.registry import REGISTRY
from qc4.model.policies import Policies
from tests.qc4.small_cases import case

shares = st.floats(0, 1)
partitions = st.integers(1, 15).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n) for _ in range(2)])
)


@given(shares, shares, st.floats(0.1, 10))
def test_it_lies_between_precision_and_recall(precision, recall, beta):
    assert min(precision, recall) - 1e-12 <= f_measure(precision, recall, beta) <= max(precision, recall) + 1e-12


@given(st.floats(0.01, 1), st.floats(0.01, 1))
def test_f2_gives_recall_a_weight_of_four_fifths(precision, recall):
    """This is F with α = 0.2 of the WePS evaluations: 1 / (α / P + (1 - α) / R)."""
    assert f_measure(precision, recall, 2) == pytest.approx(1 / (0.2 / precision + 0.8 / recall))


@given(st.floats(0.01, 1), st.floats(0.01, 1))
def test_larger_beta_moves_f_towards_recall(precision, recall):
    distances = [abs(f_measure(precision, recall, beta) - recall) for beta in (1, 2, 5, 50)]
    assert distances == sorted(distances, reverse=True) or distances == pytest.approx([0] * 4, abs=1e-12)


def test_f_is_0_if_both_are_0():
    assert f_measure(0.0, 0.0, 2) == 0.0


@pytest.mark.parametrize("beta", ["0.5", "1", "2", "5"])
@given(pair=partitions)
def test_pair_and_bcubed_f_measures(beta, pair):
    table, covers = Contingency.from_labels(*pair), COVERS.of(case(*pair), 1, Policies())
    assert REGISTRY.get(f"bcubed_f(beta={beta})").function(covers) == pytest.approx(
        f_measure(bcubed_precision(covers), bcubed_recall(covers), float(beta)), abs=1e-12
    )
    assume(table.pairs.same_class and table.pairs.same_cluster)  # otherwise a fraction of no pairs is 0
    expected = f_measure(pair_precision(table), pair_recall(table), float(beta))
    assert REGISTRY.get(f"pair_f(beta={beta})").function(table) == pytest.approx(expected, abs=1e-12)
