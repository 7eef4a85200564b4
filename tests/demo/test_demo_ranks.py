"""The comparison of the demo's algorithms equals independently computed reference values."""

from __future__ import annotations

from functools import cache

import pytest

from evaluation.baselines import run
from qc4.scoring.scoring import score
from qc4.stats import Comparison, compare
from tests.demo.test_demo_scores import DOCUMENTS, EVERY, GOLDS, REAL, in_order


@cache
def scores(with_baselines: bool = False) -> dict[str, dict[str, float]]:
    answers = {name.split(".")[0]: in_order(name) for name in EVERY}
    if with_baselines:
        answers |= {
            key: tuple(run(key, document, GOLDS[document.query_id], seed=0) for document in DOCUMENTS) for key in REAL
        }
    return {
        name: {one.query: score(GOLDS[one.query], one, ["qc4_f"]).value("qc4_f") for one in clusterings}
        for name, clusterings in answers.items()
    }


def better(found: Comparison) -> int:
    return sum(pair.verdict == "better" for pair in found.pairs)


def rounded(*values: float | None) -> list[float | None]:
    return [None if value is None else round(value, 6) for value in values]


def test_six_submissions() -> None:
    found = compare(scores())
    assert rounded(found.critical_value) == [3.667503]
    assert (better(found), found.family_size, found.queries) == (6, 15, 12)
    pair = found.pair("lantern", "broadbrush")
    assert rounded(pair.difference, pair.standard_error, pair.p, pair.p_adjusted, pair.low, pair.high) == [
        0.165758, 0.044430, 0.005371, 0.047852, 0.002811, 0.328705,
    ]  # fmt: skip
    assert pair.difference / (pair.standard_error or 1) == pytest.approx(3.730766, abs=5e-7)
    assert pair.verdict == "better"
    pair = found.pair("pebble", "broadbrush")
    assert rounded(pair.difference, pair.p_adjusted, pair.low, pair.high) == [0.164807, 0.066895, -0.011262, 0.340876]
    assert (pair.verdict, pair.required_queries) == ("not separated", 21)


def test_ranks_and_distances_of_six_submissions() -> None:
    systems = {one.system: one for one in compare(scores()).systems}
    assert {name: (one.rank_low, one.rank_high) for name, one in systems.items()} == {
        "lantern": (1, 4),
        "pebble": (1, 5),
        "branchwise": (1, 5),
        "phrase-loom": (1, 5),
        "broadbrush": (2, 5),
        "hasty-hash": (6, 6),
    }
    lantern, broadbrush = systems["lantern"], systems["broadbrush"]
    assert rounded(lantern.behind_low, lantern.behind_high) == [0, 0.171025]
    assert rounded(broadbrush.behind_low, broadbrush.behind_high) == [0.002811, 0.340876]


def test_other_families_of_comparisons() -> None:
    alone = compare(scores(), pair=("lantern", "broadbrush"))
    assert rounded(alone.critical_value, alone.pairs[0].low, alone.pairs[0].high) == [2.227142, 0.066806, 0.264709]
    assert rounded(compare(scores(), baseline="broadbrush").critical_value) == [2.941815]


def test_six_submissions_and_eight_baselines() -> None:
    found = compare(scores(with_baselines=True))
    assert rounded(found.critical_value) == [4.814027]
    assert (better(found), found.family_size) == (40, 91)
    pair = found.pair("lantern", "broadbrush")
    assert rounded(pair.p_adjusted, pair.low, pair.high) == [0.178223, -0.048129, 0.379644]
    assert pair.verdict == "not separated"
    broadbrush = next(one for one in found.systems if one.system == "broadbrush")
    assert (broadbrush.rank_low, broadbrush.rank_high) == (1, 12)
    assert len(list(found.could_be_best())) == 5
