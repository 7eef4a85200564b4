"""Sentences use the caller's word for a system."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from qc4.io.comparisons import comparison_latex
from qc4.stats import (
    Alternative,
    compare,
    compare_measures,
    leader_sentence,
    measures_methods_sentence,
    measures_sentence,
    methods_sentence,
    robustness,
    robustness_methods_sentence,
)
from qc4.stats.pictures import against_picture, behind_picture, matrix_picture, measures_picture

NAMES = ["STC", "Lingo", "K-means"]
QUERIES = [f"q{place}" for place in range(12)]
RANDOM = np.random.default_rng(3)
NEAR, FAR, FEW = (
    RANDOM.random((3, 12)),
    0.1 * RANDOM.random((3, 12)) + [[0.8], [0.5], [0.2]],
    RANDOM.random((3, 3)),
)
COMPARED = [compare(scores, NAMES) for scores in (NEAR, FAR, FEW, FEW[:, :1])]
MEASURES = compare_measures({"one": NEAR, "other": FAR}, NAMES, QUERIES)
ROBUST = robustness(
    [Alternative("measure", name, scores, NAMES, QUERIES) for name, scores in (("near", NEAR), ("far", FAR))]
)
RUNS = compare(NEAR, ["STC#1", "STC#2", "Lingo#1"], repeats={"STC#1": "STC", "STC#2": "STC", "Lingo#1": "Lingo"})
SAID: dict[str, Callable[[str], str]] = {
    **{f"leader {place}": lambda word, one=one: leader_sentence(one, word) for place, one in enumerate(COMPARED)},
    **{
        f"methods {place}": lambda word, one=one: methods_sentence(one, None, word)
        for place, one in enumerate(COMPARED)
    },
    "baseline": lambda word: methods_sentence(compare(NEAR, NAMES, baseline="STC"), None, word),
    "runs": lambda word: methods_sentence(RUNS, None, word),
    "measures": lambda word: measures_sentence(MEASURES, None, word),
    "measures' methods": lambda word: measures_methods_sentence(MEASURES, word),
    "robustness' methods": lambda word: robustness_methods_sentence(ROBUST, word),
    "LaTeX": lambda word: comparison_latex(COMPARED[1], None, word),
    "behind": lambda word: behind_picture(COMPARED[1], called=word),
    "against": lambda word: against_picture(COMPARED[1], called=word),
    "matrix": lambda word: matrix_picture(COMPARED[1], called=word),
    "measures' picture": lambda word: measures_picture(MEASURES, called=word),
}


@pytest.mark.parametrize("what", SAID)
def test_another_word_replaces_only_the_word_system(what):
    usual = SAID[what]("system")
    assert "ystem" in usual or what.startswith(("leader", "methods", "against"))
    said = SAID[what]("algorithm")
    assert "ystem" not in said
    assert said.replace("algorithm", "system").replace("Algorithm", "System") == usual


def test_equal_agreement_is_not_called_least_agreement():
    one, two = [0.9, 0.5], [0.8, 0.1]
    found = compare_measures({"m": np.array([one, two]), "n": np.array([two, [0, 0]]), "o": np.array([one, two])})
    assert "all pairs of measures agree equally, tau 1.00." in measures_sentence(found)
    assert "least" not in measures_sentence(found)
