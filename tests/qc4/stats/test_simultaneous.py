"""One family with one critical value: a hand-worked example, reference values, and invariants for every table."""

from __future__ import annotations

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qc4.stats import (
    compare,
    leader_sentence,
    methods_sentence,
    p_number,
    pair_sentence,
    row_sentence,
    signed_number,
)

A, B, C = [0.9, 0.8, 0.7, 0.9, 0.8, 0.7], [0.5, 0.5, 0.4, 0.4, 0.4, 0.5], [0.4, 0.6, 0.3, 0.5, 0.2, 0.4]
HAND = {"A": A, "B": B, "C": C}


class TestByHand:
    """Three systems, six queries: 32 sign patterns."""

    def test_p_of_each_pair(self):
        found = compare(HAND)
        assert [(pair.a + pair.b, pair.p, pair.p_adjusted) for pair in found.pairs] == [
            ("AB", 1 / 32, 1 / 32),
            ("AC", 1 / 32, 2 / 32),
            ("BC", 17 / 32, 23 / 32),
        ]
        assert found.any_difference_p == 1 / 32

    def test_standard_errors(self):
        found = compare(HAND)
        assert [pair.standard_error for pair in found.pairs] == pytest.approx([0.042817, 0.057735, 0.05], abs=5e-7)
        t = [pair.difference / pair.standard_error for pair in found.pairs]
        assert t == pytest.approx([8.174239, 4 * math.sqrt(3), 1], abs=5e-7)

    def test_intervals_at_five_percent(self):
        found = compare(HAND)
        assert found.critical_value == pytest.approx(7, abs=1e-6)
        assert [pair.verdict for pair in found.pairs] == ["better", "not separated", "not separated"]
        ends = [end for pair in found.pairs for end in (pair.low, pair.high)]
        assert ends == pytest.approx([0.050278, 0.649722, -0.004145, 0.804145, -0.3, 0.4], abs=5e-7)

    def test_places_distances_and_letters_at_five_percent(self):
        found = compare(HAND)
        assert [(one.system, one.rank_low, one.rank_high) for one in found.systems] == [
            ("A", 1, 2),
            ("B", 2, 3),
            ("C", 1, 3),
        ]
        assert [one.system for one in found.could_be_best()] == ["A", "C"]
        ends = [end for one in found.systems for end in (one.behind_low, one.behind_high)]
        assert ends == pytest.approx([0, 0.004145, 0.050278, 0.649722, 0, 0.804145], abs=5e-7)
        assert [one.behind for one in found.systems] == pytest.approx([0, 0.35, 0.4])
        assert [one.compact_letter_display for one in found.systems] == ["a", "b", "ab"]

    def test_at_ten_percent(self):
        found = compare(HAND, alpha=0.1)
        assert found.critical_value == pytest.approx(2.794783, abs=5e-7)
        ends = [end for pair in found.pairs for end in (pair.low, pair.high)]
        assert ends == pytest.approx([0.230335, 0.469665, 0.238643, 0.561357, -0.089739, 0.189739], abs=5e-7)
        assert [(one.rank_low, one.rank_high) for one in found.systems] == [(1, 1), (2, 3), (2, 3)]
        assert [one.system for one in found.could_be_best()] == ["A"]

    def test_required_queries(self):
        """6 ((7 + .8416) / 6.9282)^2 = 7.7, and 6 (7.8416 / 1)^2 = 368.9."""
        found = compare(HAND)
        assert [pair.required_queries for pair in found.pairs] == [None, 8, 369]
        assert found.pairs[2].minimum_detectable_difference == pytest.approx(7.8416 * 0.05, abs=1e-5)

    def test_single_pair_has_a_narrower_interval(self):
        alone = compare(HAND, pair=("C", "A"))
        assert (alone.family, alone.family_size, [one.system for one in alone.systems]) == ("pair", 1, ["A", "C"])
        assert (alone.pairs[0].p, alone.pairs[0].p_adjusted, alone.pairs[0].verdict) == (1 / 32, 1 / 32, "better")
        assert alone.systems[0].rank_low is None
        assert "this pair tested alone, p = .0312." in pair_sentence(alone, alone.pairs[0])

    def test_a_baseline_has_no_places_and_no_groups(self):
        found = compare(HAND, baseline="B")
        assert [(pair.a, pair.b) for pair in found.pairs] == [("A", "B"), ("B", "C")]
        for one in found.systems:
            nothing = (one.rank_low, one.could_be_best, one.behind_low, one.behind_high, one.compact_letter_display)
            assert nothing == (None, None, None, None, "")


class TestSentences:
    def test_sentence_for_several_possible_best_systems(self):
        assert leader_sentence(compare(HAND)) == (
            "A has the best mean; C could be as good or better. The other system is worse than at least one of these "
            "(all 3 pairs taken together, 95 %)."
        )

    def test_sentence_for_one_best_system(self):
        found = compare(HAND, alpha=0.1)
        expected = "A is better than each of the other 2 on 6 queries (90 % for all 3 pairs together)."
        assert leader_sentence(found) == expected

    def test_sentence_if_no_system_is_shown_to_be_better(self):
        found = compare({name: row[:5] for name, row in HAND.items()})
        assert leader_sentence(found) == (
            "No system is shown to be better than another on 5 queries. Fewer than 6 queries allow no verdict."
        )
        assert found.critical_value is None
        assert {one.could_be_best for one in found.systems} == {True}
        assert {(one.behind_low, one.behind_high) for one in found.systems} == {(0.0, None)}
        assert {pair.interval_note for pair in found.pairs} == {"too few queries"}
        far = compare([[0.5, 0.6, 0.4, 0.7, 0.3, 0.5, 0.6, 0.4], [0.4, 0.7, 0.3, 0.8, 0.4, 0.5, 0.5, 0.3]])
        assert leader_sentence(far) == pair_sentence(far, far.pairs[0])

    def test_sentences_of_rows(self):
        found = compare(HAND)
        assert row_sentence(found.systems[1]) == "place 2 to 3; behind the best by .050 to .650"
        best = compare(HAND, alpha=0.1)
        assert row_sentence(best.systems[0]) == "place 1; the best"

    def test_sentence_for_a_better_system(self):
        found = compare(HAND)
        assert pair_sentence(found, found.pairs[0]) == (
            "A is better than B by .350 (.050 to .650) on 6 queries; all 3 pairs taken together, p = .0312."
        )

    def test_sentence_for_a_pair_significant_only_when_tested_alone(self):
        found = compare(HAND)
        assert pair_sentence(found, found.pairs[1]) == (
            "A and C are not significantly different: A is .400 ahead on these 6 queries, the true difference may be "
            "anything from −.004 to .804; all 3 pairs taken together, p = .0625. About 8 queries would be needed. "
            "Tested alone, the pair would have p = .0312, but among 3 pairs that happens by chance too often."
        )

    def test_sentences_for_equal_means_and_equal_scores(self):
        found = compare({"A": A, "B": A[1:] + A[:1], "C": A})
        assert pair_sentence(found, found.pair("A", "B")) == "A and B have the same mean on 6 queries."
        assert pair_sentence(found, found.pair("A", "C")) == "A and C have the same score on all 6 queries."
        assert found.pair("A", "C").interval_note == "the same on every query"

    def test_sentence_for_a_constant_difference(self):
        found = compare({"A": A, "B": [score - 0.1 for score in A]})
        pair = found.pairs[0]
        assert (pair.low, pair.high, pair.interval_note) == (None, None, "the same difference on every query")
        assert pair_sentence(found, pair) == (
            "A is better than B by .100, the same difference on every query, on 6 queries; this pair tested alone, "
            "p = .0312."
        )

    def test_sentence_for_an_unrealistic_number_of_queries(self):
        random = np.random.default_rng(3)
        noise = random.normal(size=40)
        found = compare([0.5 + noise, 0.5 + noise[::-1] + 0.001])
        assert found.pairs[0].required_queries > 10_000
        words = "No realistic number of queries would show a difference this small."
        assert words in pair_sentence(found, found.pairs[0])

    @pytest.mark.parametrize(
        ("value", "shown"),
        [(0.0003, ".0003"), (-0.00004, "−.00004"), (0.0, ".000"), (0.1234, ".123"), (1e-12, "1e−12")],
    )
    def test_interval_end_has_enough_digits_for_its_sign(self, value, shown):
        assert signed_number(value) == shown

    @pytest.mark.parametrize(
        ("p", "alpha", "shown"),
        [
            (0.0502, 0.05, ".0502"),
            (0.050003, 0.05, ".050003"),
            (0.04999, 0.05, ".0500"),
            (0.00001, 0.05, "< .0001"),
            (0.00001, 0.00002, ".0000"),
        ],
    )
    def test_p_has_enough_digits_to_show_its_side_of_alpha(self, p, alpha, shown):
        assert p_number(p, alpha) == shown

    def test_methods_name_the_family_and_the_critical_value(self):
        said = methods_sentence(compare(HAND))
        assert "single-step max-T over all pairs (3 pairs), alpha 0.05" in said
        assert "mean difference ± 7.000 standard errors, with 95 % confidence for all of them together" in said


class TestRows:
    def test_references_are_shown_but_not_compared(self):
        with_random = compare({**HAND, "random": [0.99, None, 0.99, 0.99, 0.99, 0.99]}, references=["random"])
        without = compare(HAND)
        assert with_random.to_dict() == without.to_dict() | {
            "references": [{"system": "random", "mean": pytest.approx(0.99), "queries": 5}]
        }

    def test_subset_keeps_the_family(self):
        found = compare(HAND).showing(["A", "B"])
        assert [one.system for one in found.systems] == ["A", "B"]
        assert "all 3 pairs taken together" in pair_sentence(found, found.pairs[0])

    def test_intervals_of_very_different_systems_are_wide_enough(self):
        """With U alone, whose flips move all pairs as one, the critical value would be too small."""
        random = np.random.default_rng(0)
        held = 0
        for _ in range(60):
            values = random.normal(size=(8, 20)) + 5 * np.arange(8)[:, None]
            found = compare(values, [f"s{row}" for row in range(8)], draws=400)
            held += all(pair.low <= 5 * (int(pair.a[1]) - int(pair.b[1])) <= pair.high for pair in found.pairs)
        assert held >= 52


def table(kind: str, systems: int, queries: int, seed: int) -> np.ndarray:
    """Return tables with ties, duplicate systems, rows that are constant or shifted, and very different systems."""
    random = np.random.default_rng(seed)
    values = random.normal(0.5, 0.2, (systems, queries)) + random.normal(0, 0.2, queries)
    values += random.choice([0.0, 0.1, 0.5]) * np.arange(systems)[:, None]
    if kind == "tied":
        return np.round(values, 1)
    if kind == "twins":
        values[-1] = values[0]
    if kind == "shifted":
        values[-1] = values[0] + 0.25
    if kind == "constant":
        values[0], values[-1] = 0.5, 0.75
    return np.round(values, 3)


TABLES = {
    "kind": st.sampled_from(["plain", "tied", "twins", "shifted", "constant"]),
    "systems": st.integers(2, 5),
    "queries": st.one_of(st.integers(2, 10), st.integers(15, 40)),
    "seed": st.integers(0, 10**6),
    "alpha": st.sampled_from([0.01, 0.05, 0.1, 0.2]),
}


def names(systems: int) -> list[str]:
    return [f"s{row}" for row in range(systems)]


@settings(max_examples=150)
@given(**TABLES)
def test_results_are_consistent(kind, systems, queries, seed, alpha):
    """Invariants I1 to I9."""
    found = compare(table(kind, systems, queries, seed), names(systems), alpha=alpha, draws=400)
    one = {system.system: system for system in found.systems}
    better = {(pair.a, pair.b) for pair in found.pairs if pair.verdict == "better"}
    low = {(pair.a, pair.b): _low(pair) for pair in found.pairs} | {
        (pair.b, pair.a): -_high(pair) for pair in found.pairs
    }
    for pair in found.pairs:
        assert (pair.verdict == "better") == (pair.difference > 0 and pair.p_adjusted <= alpha)  # I1
        if pair.low is not None:
            assert (pair.low > 0) == (pair.verdict == "better")
            assert pair.low <= pair.difference <= pair.high
        assert pair.p <= pair.p_adjusted  # I2
        if pair.required_queries is not None:
            assert pair.required_queries > queries  # I9
        shared = set(one[pair.a].compact_letter_display) & set(one[pair.b].compact_letter_display)
        assert bool(shared) == (pair.verdict != "better")  # I8
        a, b = one[pair.a], one[pair.b]
        if a.rank_high < b.rank_low:
            assert pair.verdict == "better"  # I4
        if pair.verdict == "better":
            assert a.rank_low < b.rank_low
            assert a.rank_high < b.rank_high
    statistics = sorted((_t(pair), pair.p_adjusted) for pair in found.pairs)
    for (t, p), (larger, smaller) in pairwise(statistics):
        assert smaller <= p or larger - t < 1e-9 * larger
    for first in one:
        for second in one:
            for third in one:
                if (first, second) in better and (second, third) in better:
                    assert (first, third) in better  # I3
                if found.critical_value is not None and len({first, second, third}) == 3:
                    assert low[first, third] >= low[first, second] + low[second, third] - 1e-6
    orders = [order for order in permutations(one) if all(order.index(a) < order.index(b) for a, b in better)]
    for name, system in one.items():
        places = {1 + order.index(name) for order in orders}
        assert (min(places), max(places)) == (system.rank_low, system.rank_high)  # I6
        assert system.rank_low <= system.rank <= system.rank_high  # I5
        assert (system.behind_low > 0) == (system.rank_low > 1) == (not system.could_be_best)  # I7
        assert system.behind_low <= system.behind
        assert system.behind_high is None or system.behind <= system.behind_high
    assert found.leader.rank_low == 1
    best = list(found.could_be_best())
    if len(best) == 1:
        assert all((found.leader.system, name) in better for name in one if name != found.leader.system)
    assert (len(best) == systems) == (not better)


def _t(pair):
    if pair.difference == 0:
        return 0.0
    return pair.difference / pair.standard_error if pair.standard_error else math.inf


def _low(pair):
    return pair.difference if pair.low is None else pair.low


def _high(pair):
    return pair.difference if pair.high is None else pair.high


@given(**TABLES)
def test_order_scaling_and_shifts_do_not_matter(kind, systems, queries, seed, alpha):
    """Invariant I10."""
    values, keys = table(kind, systems, queries, seed), [f"q{column}" for column in range(queries)]
    random = np.random.default_rng(seed)
    one = compare(values, names(systems), keys, alpha=alpha, draws=200)
    rows, columns = random.permutation(systems), random.permutation(queries)
    turned = compare(
        values[np.ix_(rows, columns)], [f"s{row}" for row in rows], [keys[column] for column in columns], alpha=alpha,
        draws=200,
    )  # fmt: skip
    assert one.to_dict() == turned.to_dict()
    moved = compare(4 * (values + random.integers(-3, 3, queries)), names(systems), keys, alpha=alpha, draws=200)
    for before, after in zip(one.pairs, moved.pairs, strict=True):
        if before.difference:
            assert (before.a, before.b, before.verdict) == (after.a, after.b, after.verdict)
        assert after.p_adjusted == pytest.approx(before.p_adjusted)
        assert after.difference == pytest.approx(4 * before.difference, abs=1e-9)
        if before.low is not None:
            assert (after.low, after.high) == pytest.approx((4 * before.low, 4 * before.high), abs=1e-6)


@given(**TABLES)
def test_duplicate_system_has_the_same_results_and_critical_value(kind, systems, queries, seed, alpha):
    """Invariant I11."""
    values = table(kind, systems, queries, seed)
    without = compare(values, names(systems), alpha=alpha, draws=200)
    found = compare([*values, values[0]], [*names(systems), "twin"], alpha=alpha, draws=200)
    original, twin = (next(one for one in found.systems if one.system == name) for name in ("s0", "twin"))
    for fact in ("mean", "rank", "rank_low", "rank_high", "behind_low", "behind_high", "compact_letter_display"):
        assert getattr(original, fact) == getattr(twin, fact)
    if systems > 2 and found.critical_value is not None:  # for two systems U decides, for more U and V
        assert found.critical_value == pytest.approx(without.critical_value, rel=1e-9)
