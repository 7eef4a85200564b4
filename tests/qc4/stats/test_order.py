"""On random tables, the order of systems and queries changes no bit, and an additional system changes no raw p."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.stats import Alternative, compare, compare_measures, repeats_by_separator, robustness, where_better

SHAPES = {"systems": st.integers(2, 7), "queries": st.integers(2, 24), "seed": st.integers(0, 10**6)}
GRIDS = st.sampled_from([1, 12])
"""Number of decimals of the scores. With one decimal there are many ties."""


class Drawn:
    """A random table, and the same table in another order."""

    def __init__(self, systems: int, queries: int, seed: int, decimals: int, gaps: bool = False) -> None:
        random = np.random.default_rng(seed)
        self.scores = np.round(random.normal(0.5, 0.2, (systems, queries)) + random.normal(0, 0.2, queries), decimals)
        if gaps:
            self.scores[0, random.integers(queries)] = math.nan
        self.systems = [f"s{number}#{number % 2}" for number in random.permutation(systems)]
        self.queries = [f"q{number}" for number in range(queries)]
        rows, columns = random.permutation(systems), random.permutation(queries)
        self.turned = self.scores[np.ix_(rows, columns)]
        self.turned_systems = [self.systems[row] for row in rows]
        self.turned_queries = [self.queries[column] for column in columns]
        self.columns = columns


@given(
    **SHAPES,
    decimals=GRIDS,
    procedure=st.sampled_from(["max-t", "step-down-max-t", "holm", "tukey"]),
    gaps=st.booleans(),
)
def test_order_of_a_comparison_does_not_matter(systems, queries, seed, decimals, procedure, gaps):
    drawn, how = Drawn(systems, queries, seed, decimals, gaps), {"draws": 100, "procedure": procedure}
    one = compare(drawn.scores, drawn.systems, drawn.queries, **how)
    assert one.to_dict() == compare(drawn.turned, drawn.turned_systems, drawn.turned_queries, **how).to_dict()


@given(**SHAPES, decimals=GRIDS)
def test_order_of_runs_does_not_matter(systems, queries, seed, decimals):
    drawn = Drawn(systems, queries, seed, decimals)
    found = [
        compare(scores, names, keys, repeats={name: name[:2] if name < "s2" else "rest" for name in names}, draws=100)
        for scores, names, keys in (
            (drawn.scores, drawn.systems, drawn.queries),
            (drawn.turned, drawn.turned_systems, drawn.turned_queries),
        )
        if systems > 3  # the rest are two runs or more
    ]
    assert [each.to_dict() for each in found[1:]] == [each.to_dict() for each in found[:1]]


@given(**SHAPES, decimals=GRIDS)
def test_order_of_robustness_does_not_matter(systems, queries, seed, decimals):
    one, other = Drawn(systems, queries, seed, decimals), Drawn(systems, queries, seed + 1, decimals)
    found = [
        robustness([Alternative("measure", "one", *tables[0]), Alternative("measure", "other", *tables[1])], draws=100)
        for tables in (
            [(each.scores, each.systems, each.queries) for each in (one, other)],
            [(each.turned, each.turned_systems, each.turned_queries) for each in (one, other)],
        )
    ]
    assert found[0].to_dict() == found[1].to_dict()


@given(queries=st.integers(2, 24), seed=st.integers(0, 10**6), decimals=GRIDS)
def test_order_of_covariates_does_not_matter(queries, seed, decimals):
    drawn = Drawn(2, queries, seed, decimals)
    fact = np.random.default_rng(seed).integers(0, 9, queries).astype(float)
    one = where_better(drawn.scores, {"fact": fact}, queries=drawn.queries, draws=100)
    columns = drawn.columns
    other = where_better(drawn.scores[:, columns], {"fact": fact[columns]}, queries=drawn.turned_queries, draws=100)
    assert one.to_dict() == other.to_dict()


@given(**SHAPES, decimals=GRIDS)
def test_order_of_compared_measures_does_not_matter(systems, queries, seed, decimals):
    drawn = Drawn(systems, queries, seed, decimals)
    one = compare_measures({"up": drawn.scores, "down": -(drawn.scores**2)}, drawn.systems, drawn.queries, draws=100)
    turned = {"up": drawn.turned, "down": -(drawn.turned**2)}
    assert one.to_dict() == compare_measures(turned, drawn.turned_systems, drawn.turned_queries, draws=100).to_dict()


@given(**SHAPES, decimals=GRIDS, more=st.integers(1, 40))
def test_additional_systems_do_not_change_raw_p_or_interval_of_a_pair(systems, queries, seed, decimals, more):
    _check_further_systems(systems, queries, seed, decimals, more)


def test_every_draw_reaches_a_difference_that_is_only_rounding():
    """For a difference of 7.4e-18, rounding in the sums once decided how many draws counted as smaller."""
    _check_further_systems(systems=2, queries=15, seed=23, decimals=1, more=15)
    drawn = Drawn(17, 15, 23, 1)
    pair = compare(drawn.scores[:2], drawn.systems[:2], drawn.queries, draws=100).pairs[0]
    assert abs(pair.difference) < 1e-15
    assert pair.p == 1


def _check_further_systems(systems, queries, seed, decimals, more):
    drawn = Drawn(systems + more, queries, seed, decimals)
    few = compare(drawn.scores[:systems], drawn.systems[:systems], drawn.queries, draws=100)
    many = compare(drawn.scores, drawn.systems, drawn.queries, draws=100)
    for pair in few.pairs:
        assert many.pair(pair.a, pair.b).p == pair.p


@pytest.mark.parametrize("queries", [9, 30])
def test_additional_runs_of_another_system_do_not_change_raw_p(queries):
    random = np.random.default_rng(queries)
    scores, names = random.normal(0.5, 0.1, (7, queries)), ["A#1", "A#2", "B#1", "B#2", "B#3", "C#1", "C#2"]
    few = compare(scores[:5], names[:5], repeats=repeats_by_separator(names[:5], "#"), draws=300)
    many = compare(scores, names, repeats=repeats_by_separator(names, "#"), draws=300)
    assert many.pair("A", "B").p == few.pair("A", "B").p


@pytest.mark.parametrize("queries", [9, 30])
def test_additional_systems_change_only_the_leader_of_a_robustness_table(queries):
    random = np.random.default_rng(queries)
    scores, names = random.normal(0.5, 0.1, (12, queries)), [f"s{number:02}" for number in range(12)]
    few, many = (
        robustness(
            [Alternative("measure", name, sign * scores[:n], names[:n]) for name, sign in (("up", 1), ("down", -1))],
            "s00",
            "s01",
            draws=300,
        ).to_dict()
        for n in (2, 12)
    )
    for found in (few, many):
        for row in (found["reference"], *found["rows"]):
            del row["leader"]
    assert few == many
