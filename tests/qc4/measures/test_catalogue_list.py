"""`list_measures()`: measures by family and by accepted kinds of clusters."""

import pytest

from qc4 import InputError, list_measures
from qc4.measures.registry import REGISTRY


def test_measures_can_be_filtered_by_family_and_accepted_clusters():
    assert tuple(list_measures()) == REGISTRY.all()
    assert {each.family for each in list_measures(family="overlap")} == {"overlap"}
    assert list_measures("overlap") == list_measures(family="overlap")
    both = list_measures(accepts=["overlap", "outliers"])
    assert both == tuple(each for each in REGISTRY.all() if {"overlap", "outliers"} <= set(each.accepts))
    assert "ari" not in {each.key for each in list_measures(accepts="overlap")}


def test_measures_print_as_one_line_each_by_family():
    lines = repr(list_measures(family="pair-counting")).splitlines()
    assert lines[0] == "Pair counting"
    assert lines.index("") == 1 + len(list_measures(family="pair-counting"))
    assert lines[-2:] == ["With your own parameters", "  pair_f(beta=1)  Pair Fβ  beta: 0.01 … 100, default 1"]
    assert "<td" in list_measures(family="pair-counting")._repr_html_()


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"family": "pairs"}, "family: found 'pairs'; expected one of qc4, .* Did you mean 'pair-counting'"),
        ({"accepts": "overlaps"}, "accepts: found 'overlaps'; expected one of partition, .* Did you mean 'overlap'"),
        ({"accepts": ["overlap", "x"]}, "accepts: found 'x'"),
    ],
)
def test_unknown_families_and_kinds_are_rejected_with_a_suggestion(wanted, words):
    with pytest.raises(InputError, match=words):
        list_measures(**wanted)
