"""Every procedure of the registry tests pairs or ranks systems, names its sources and is documented."""

import numpy as np
import pytest

from qc4.stats import compare, comparison_bibtex, methods_sentence
from qc4.stats.tests import REGISTRY, Procedure
from tests.paths import DOCS

SCORES = np.add(np.random.default_rng(3).random((3, 20)), [[0.0], [0.1], [1.5]])


def compared(key: str):
    return compare(SCORES, ["one", "two", "far better"], procedure=key, draws=500)


@pytest.mark.parametrize("key", REGISTRY)
def test_procedure_finds_a_system_that_is_better_on_every_query(key):
    found = compared(key)
    assert found.systems[0].system == "far better"
    if REGISTRY[key].test is None:
        assert found.pairs == ()
        assert (found.systems[0].rank_low, found.systems[0].rank_high) == (1, 1)
    else:
        assert {pair.b for pair in found.pairs if pair.a == "far better" and pair.verdict == "better"} == {"one", "two"}
        assert all(pair.p <= pair.p_adjusted for pair in found.pairs)
        assert (found.pairs[0].low is not None) == REGISTRY[key].has_intervals


@pytest.mark.parametrize("key", REGISTRY)
def test_procedure_has_a_name_and_sources(key):
    found = compared(key)
    assert REGISTRY[key].sentence.format(called="system") in methods_sentence(found)
    assert all(work in comparison_bibtex(found) for work in REGISTRY[key].works)


@pytest.mark.parametrize("key", REGISTRY)
def test_procedure_is_documented(key):
    assert f"\n| `{key}`" in (DOCS / "users" / "comparison.md").read_text(encoding="utf-8")


def test_every_procedure_tests_pairs_or_ranks_systems():
    def does(one: Procedure) -> int:
        return (one.test is not None) + (one.ranks is not None)

    assert {key for key, one in REGISTRY.items() if does(one) != 1} == set()
