"""Measures with parameters: the grammar, the printed form, and one key for all spellings of a measure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4 import score
from qc4.measures.parameters import DIGITS, number_text, split_measures
from qc4.measures.registry import MOST_OTHERS, REGISTRY
from qc4.problems import InputError

TOPICS, CLUSTERS = ["a", "a", "b", "b", "b"], [0, 0, 0, 1, 1]


def refused(*keys: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        REGISTRY.select(keys)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("alpha_ndcg@10", "alpha_ndcg_10"),
        ("alpha_ndcg@10(alpha=0.5)", "alpha_ndcg_10"),
        ("alpha_ndcg(alpha=.50, cutoff=10)", "alpha_ndcg_10"),
        ("alpha_ndcg@15", "alpha_ndcg@15"),
        ("alpha_ndcg@15(alpha=0.30)", "alpha_ndcg@15(alpha=0.3)"),
        ("alpha_ndcg@15( alpha = 0.3 )", "alpha_ndcg@15(alpha=0.3)"),
        ("pair_f", "pair_f1"),
        ("pair_f(beta=1.0)", "pair_f1"),
        ("pair_f(beta=2)", "pair_f2"),
        ("pair_f(beta=0.5)", "pair_f(beta=0.5)"),
        ("bcubed_f(beta=5)", "bcubed_f5"),
        ("s_precision(percent=75)", "s_precision_75"),
        ("kssl(k=4)", "kssl_4"),
        ("kssl_list(k=5)", "kssl_list(k=5)"),
    ],
)
def test_all_spellings_of_a_measure_give_the_same_key(written, key):
    assert REGISTRY.get(written).key == REGISTRY.key_of(written) == key
    assert REGISTRY.select([written, key]) == (REGISTRY.get(key),)


@pytest.mark.parametrize("found", REGISTRY.all(), ids=lambda found: found.key)
def test_catalogue_keys_and_their_spellings_are_the_same_measure(found):
    assert REGISTRY.get(found.spelling) == found
    assert bool(found.parameters) == (found.name in {each.name for each in REGISTRY.parametrised()})


@given(st.data())
def test_printed_values_are_read_back_unchanged(data):
    """The printed form is also short enough for the column in which sites store keys."""
    declared = data.draw(st.sampled_from(REGISTRY.parametrised()))
    values: list[str] = []
    for one in declared.facts.parameters:
        number: st.SearchStrategy[float] = st.integers(int(one.low), int(one.high))
        if not one.whole:
            number = st.floats(one.low, one.high).map(lambda value: round(value, DIGITS))
        values.append(f"{one.name}={number_text(data.draw(number))}")
    found = REGISTRY.get(f"{declared.name}({','.join(values)})")
    assert REGISTRY.get(found.key) == REGISTRY.get(found.spelling) == found
    assert len(found.key) <= 40
    assert [f"{one.name}={number_text(one.value)}" for one in found.parameters] == values


def test_titles_and_formulas_name_the_values():
    found = REGISTRY.get("alpha_ndcg@15(alpha=0.25)")
    assert found.title == "α-nDCG@15 (α = 0.25)"
    assert "α = 0.25" in found.formula
    assert "first 15 pages" in found.meaning
    assert "Parameter: alpha (0 … 1, default 0.5)" in str(found.function.__doc__)
    assert REGISTRY.get("pair_f(beta=0.5)").title == "Pair F0.5"


def test_metadata_contains_the_parameters_with_range_default_and_value():
    assert REGISTRY.get("alpha_ndcg@15").to_dict()["parameters"] == [
        {
            "name": "cutoff",
            "meaning": "number of pages of the list that are counted",
            "low": 1,
            "high": 100,
            "default": None,
            "whole": True,
            "value": 15,
        },
        {
            "name": "alpha",
            "meaning": "fraction of its gain that a subtopic loses each time it is seen",
            "low": 0,
            "high": 1,
            "default": 0.5,
            "whole": False,
            "value": 0.5,
        },
    ]


def test_only_the_harmonic_mean_is_symmetric():
    assert [REGISTRY.get(f"pair_f(beta={beta})").symmetric for beta in (0.5, 1, 2)] == [False, True, False]


def test_a_measure_with_parameters_is_scored_like_any_other():
    found = score(TOPICS, CLUSTERS, ["pair_f(beta=0.5)", "ari", "pair_f(beta=2)"])
    assert [one.measure for one in found.scores] == ["pair_f(beta=0.5)", "ari", "pair_f2"]
    assert found.value("pair_f(beta=.5)") == pytest.approx(1.25 * 2 / (0.25 * 4 + 4))
    assert found.value("pair_f(beta=2.0)") == found.value("pair_f2")
    assert "Pair F0.5" in found.table()


def test_lists_are_split_between_measures_only():
    assert split_measures("ari, alpha_ndcg@5(alpha=0.3,cutoff=5),,f ") == [
        "ari",
        "alpha_ndcg@5(alpha=0.3,cutoff=5)",
        "f",
    ]
    assert split_measures("pair_f(beta=2,ari") == ["pair_f(beta=2", "ari"]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            "alpha_ndcg",
            "'alpha_ndcg' without cutoff; expected cutoff: a whole number from 1 to 100. Write alpha_ndcg@10.",
        ),
        ("alpha_ndcg@0", "found cutoff '0' in 'alpha_ndcg@0'; expected cutoff: a whole number from 1 to 100"),
        ("alpha_ndcg@101", "a whole number from 1 to 100. Write"),
        ("alpha_ndcg@2.5", "found cutoff '2.5'"),
        ("alpha_ndcg@-1", "found cutoff '-1'"),
        ("alpha_ndcg@5(alpha=1e-1)", "found alpha '1e-1'"),
        ("alpha_ndcg@5(alpha=0.12345)", "expected alpha: a number with at most 4 decimals from 0 to 1"),
        ("alpha_ndcg@5(alhpa=0.3)", "alpha (0 … 1, default 0.5). Did you mean 'alpha'?"),
        ("alpha_ndcg@5(cutoff=5)", "expected each parameter at most once"),
        ("alpha_ndcg@", "expected name, name@cutoff or name@cutoff(parameter=value, …)"),
        ("pair_f(beta=2", "expected name, name@cutoff or name@cutoff(parameter=value, …)"),
        ("pair_f@5", "expected a parameter of pair_f: beta (0.01 … 100, default 1)"),
        ("ari@1", "expected ari, which has no parameters"),
        ("alpha_ndcg_10(alpha=0.3)", "Write alpha_ndcg@cutoff(alpha=0.5)."),
        ("alpa_ndcg@5", "Did you mean 'alpha_ndcg'"),
    ],
)
def test_mistakes_are_reported_with_the_fix(written, message):
    assert message in " ".join(refused(written))
    assert not REGISTRY.knows(written)
    assert REGISTRY.key_of(written) == written


def test_all_mistakes_are_reported():
    assert len(refused("alpha_ndcg@0(alpha=2)", "ari", "pair_f(gamma=1)", "nothing")) == 4


def test_the_number_of_custom_measures_is_limited():
    others = [f"s_recall@{100 + k}" for k in range(MOST_OTHERS)]
    assert (
        len(REGISTRY.select([*(found.key for found in REGISTRY.all()), *others])) == len(REGISTRY.all()) + MOST_OTHERS
    )
    assert f"at most {MOST_OTHERS} measures with your own parameters" in refused(*others, "s_recall@99")[0]
