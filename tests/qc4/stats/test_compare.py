"""Comparison of systems: agreement with SciPy, plain implementations and hand-worked values; invariants; errors."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qc4.problems import InputError
from qc4.stats import (
    PROCEDURES,
    ComparisonContext,
    compare,
    leader_sentence,
    mean_interval,
    methods_sentence,
    number,
    p_words,
    pair_sentence,
)
from qc4.stats.draws import all_signs, sign_flips
from qc4.stats.intervals import bca
from qc4.stats.ranks import letter
from qc4.stats.tests import benjamini_hochberg, holm
from qc4.version import ENGINE_VERSION


def scores(systems: int, queries: int, seed: int, spread: float = 0.05) -> np.ndarray:
    """Return systems that differ by ``spread``, on queries that are hard or easy for all."""
    random = np.random.default_rng(seed)
    return (
        0.5
        + random.normal(0, 0.1, queries)
        + random.normal(0, spread, (systems, 1))
        + random.normal(0, 0.1, (systems, queries))
    )


class TestMeans:
    @pytest.mark.parametrize("seed", range(3))
    def test_interval_equals_bca_of_scipy(self, seed):
        for row in scores(3, 40, seed):
            expected = stats.bootstrap((row,), np.mean, n_resamples=10_000, method="BCa", rng=np.random.default_rng(9))
            found = mean_interval(row, seed=seed)
            width = expected.confidence_interval.high - expected.confidence_interval.low
            assert found.low == pytest.approx(expected.confidence_interval.low, abs=0.05 * width)
            assert found.high == pytest.approx(expected.confidence_interval.high, abs=0.05 * width)
            assert (found.mean, found.interval) == (pytest.approx(row.mean()), "bca")

    def test_same_draws_give_the_interval_of_scipy(self):
        row = scores(1, 30, 4)[0]
        # SciPy's bootstrap requests these values from a generator.
        drawn = np.random.default_rng(1).integers(0, 30, (2_000, 30))
        found = bca(row[None, :], row[drawn].mean(axis=1)[None, :], 0.95)
        random = np.random.default_rng(1)
        expected = stats.bootstrap((row,), np.mean, n_resamples=2_000, method="BCa", rng=random).confidence_interval
        assert (found.low[0], found.high[0]) == pytest.approx((expected.low, expected.high), abs=1e-12)

    def test_constant_scores_have_a_constant_interval(self):
        flat = mean_interval([0.5, 0.5, 0.5])
        assert (flat.low, flat.high, flat.interval) == (0.5, 0.5, "constant")


class TestPairs:
    @pytest.mark.parametrize("n", [2, 5, 9, 14])
    def test_p_of_few_queries_is_exact(self, n):
        values = scores(2, n, n)
        (pair,) = compare(values).pairs
        expected = stats.permutation_test(
            (values[0] - values[1],), np.mean, permutation_type="samples", n_resamples=np.inf
        )
        assert pair.p == pytest.approx(expected.pvalue, abs=1e-12)
        assert pair.p_adjusted == pair.p

    def test_p_of_many_queries_is_close_to_scipy(self):
        values = scores(2, 60, 8, spread=0.03)
        (pair,) = compare(values, draws=10_000).pairs
        expected = stats.permutation_test(
            (values[0] - values[1],), np.mean, permutation_type="samples", n_resamples=50_000, rng=1
        )
        assert pair.p == pytest.approx(expected.pvalue, abs=0.01)

    def test_p_is_exact_if_few_of_many_queries_differ(self):
        values = np.zeros((2, 40))
        values[0, :5] = [0.1, 0.2, 0.3, 0.05, -0.01]
        (pair,) = compare(values).pairs
        signs = [
            sum(s * d for s, d in zip(flip, values[0, :5], strict=True))
            for flip in itertools.product((1, -1), repeat=5)
        ]
        assert pair.p == sum(abs(total) >= abs(sum(values[0, :5])) - 1e-12 for total in signs) / 32
        assert (pair.wins, pair.ties, pair.losses) == (4, 35, 1)

    def test_hand_worked_pair(self):
        """The differences .2, .1, 0, -.1 have the mean .05; 2 of 8 relevant sign patterns reach it on each side."""
        (pair,) = compare([[0.5, 0.5, 0.5, 0.4], [0.3, 0.4, 0.5, 0.5]], ["A", "B"]).pairs
        assert (pair.a, pair.b, pair.queries) == ("A", "B", 4)
        assert pair.difference == pytest.approx(0.05)
        assert (pair.wins, pair.ties, pair.losses, pair.probability_of_superiority) == (2, 1, 1, 0.625)
        # Sums of +-.2 +-.1 +-.1: .4, .2, .2, 0, and their negatives: six of eight are .2 or more away from 0.
        assert pair.p == 0.75
        assert pair.standardised_difference == pytest.approx(0.05 / np.std([0.2, 0.1, 0, -0.1], ddof=1))

    def test_single_pair_is_not_adjusted(self):
        """Two of twenty queries differ, both in favour of A: half of their sign patterns are as extreme."""
        (pair,) = compare([[0.5] * 20, [0.5] * 18 + [0.4] * 2]).pairs
        assert (pair.p, pair.p_adjusted) == (0.5, 0.5)

    @pytest.mark.parametrize("factor", [1e-20, 1.0, 1e20])
    def test_unit_of_the_measure_changes_only_scale(self, factor):
        values = scores(4, 20, 2)
        one, other = compare(values, equivalence_margin=0), compare(factor * values, equivalence_margin=0)
        assert [(pair.a, pair.b, pair.verdict) for pair in one.pairs] == [
            (pair.a, pair.b, pair.verdict) for pair in other.pairs
        ]
        assert [pair.p_adjusted for pair in other.pairs] == pytest.approx(
            [pair.p_adjusted for pair in one.pairs], abs=2e-4
        )
        assert [pair.low for pair in other.pairs] == pytest.approx([factor * pair.low for pair in one.pairs])

    def test_means_that_differ_by_rounding_share_a_rank(self):
        found = compare([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.3, 0.1 + 1e-17]], ["c", "b", "a"])
        assert [(system.system, system.rank) for system in found.systems] == [("a", 1), ("b", 1), ("c", 1)]

    def test_identical_systems_do_not_differ(self):
        row = scores(1, 20, 1)[0]
        found = compare([row, row, row + 0.2], ["same", "twin", "other"])
        pair = found.pair("same", "twin")
        assert (pair.difference, pair.p, pair.p_adjusted, pair.verdict) == (0, 1, 1, "no difference")
        assert (pair.low, pair.high, pair.interval_note) == (None, None, "the same on every query")
        assert pair_sentence(found, pair) == "same and twin have the same score on all 20 queries."

    def test_pair_within_the_margin_is_practically_equivalent(self):
        values = scores(2, 200, 3, spread=0.0)
        pair = compare(values).pairs[0]
        reach = max(-pair.low, pair.high)
        assert compare(values, equivalence_margin=reach + 1e-9).pairs[0].practically_equivalent
        assert not compare(values, equivalence_margin=reach - 1e-9).pairs[0].practically_equivalent
        assert compare(values[:, :1]).pairs[0].practically_equivalent is None

    def test_minimum_detectable_difference_has_power_of_80_percent(self):
        values = scores(2, 25, 5)
        (pair,) = compare(values).pairs
        shift = pair.minimum_detectable_difference / (values[0] - values[1]).std(ddof=1) * 5
        reach = stats.t.ppf(0.975, 24)
        assert stats.nct.sf(reach, 24, shift) + stats.nct.cdf(-reach, 24, shift) == pytest.approx(0.8, abs=0.02)

    def test_required_queries_show_the_difference(self):
        """With the required number of queries, about eight of ten t tests find the difference."""
        values = scores(2, 30, 8, spread=0.03)
        (pair,) = compare(values).pairs
        differences = values[0] - values[1]
        mean, deviation = abs(differences.mean()), differences.std(ddof=1)
        random = np.random.default_rng(0)
        drawn = random.normal(mean, deviation, (4_000, pair.required_queries))
        assert np.mean(stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05) == pytest.approx(0.8, abs=0.03)

    def test_lower_is_better_changes_signs_only_internally(self):
        values = scores(4, 25, 3)
        up = compare(values, list("abcd"))
        down = compare(-values, list("abcd"), better="lower")
        assert [pair.to_dict() for pair in up.pairs] == [pair.to_dict() for pair in down.pairs]
        for one, other in zip(up.systems, down.systems, strict=True):
            assert one.to_dict() == other.to_dict() | {"mean": -other.mean}


class TestAdjusted:
    def test_step_down_equals_a_plain_implementation(self):
        """A plain implementation of Westfall & Young's algorithm, on the studentised differences themselves."""
        values = scores(5, 20, 7, spread=0.06)
        found = compare(values, list("abcde"), draws=512, procedure="step-down-max-t")
        flips = np.concatenate(list(sign_flips(20, 512, 0)))
        pairs = list(itertools.combinations(range(5), 2))

        def t(differences):
            return abs(differences.mean()) / (differences.std(ddof=1) / math.sqrt(20))

        observed = {pair: t(values[pair[0]] - values[pair[1]]) for pair in pairs}
        ordered = sorted(pairs, key=observed.__getitem__, reverse=True)
        reached = dict.fromkeys(pairs, 0)
        for flip in flips:
            largest = 0.0
            for pair in reversed(ordered):
                largest = max(largest, t(flip * (values[pair[0]] - values[pair[1]])))
                reached[pair] += largest >= observed[pair] * (1 - 1e-9)
        least = 0.0
        for pair in ordered:
            least = max(least, (1 + reached[pair]) / 513)
            assert found.pair("abcde"[pair[0]], "abcde"[pair[1]]).p_adjusted == pytest.approx(least, abs=1e-12)

    def test_holm_and_benjamini_hochberg(self):
        p = np.array([0.01, 0.04, 0.03, 0.005])
        assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])
        assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p))
        assert benjamini_hochberg(p) == pytest.approx([0.02, 0.04, 0.04, 0.02])

    @pytest.mark.parametrize("procedure", PROCEDURES[:-1])
    @pytest.mark.parametrize("options", [{}, {"baseline": "system 2"}])
    @given(
        systems=st.integers(2, 6),
        queries=st.integers(2, 20),
        seed=st.integers(0, 10**6),
        decimals=st.sampled_from([1, 9]),
    )
    def test_adjusted_p_is_never_below_raw_p(self, procedure, options, systems, queries, seed, decimals):
        values = np.round(scores(systems, queries, seed), decimals)
        found = compare(values, procedure=procedure, draws=100, **options)
        assert all(pair.p_adjusted >= pair.p for pair in found.pairs)

    @pytest.mark.parametrize("procedure", PROCEDURES[1:-1])
    def test_other_procedures_give_only_p(self, procedure):
        found = compare(scores(4, 20, 2), procedure=procedure, draws=200)
        assert {(pair.low, pair.high, pair.interval_note) for pair in found.pairs} == {(None, None, "by p alone")}
        assert {(one.rank_low, one.could_be_best, one.behind_low) for one in found.systems} == {(None, None, None)}
        assert found.critical_value is None

    def test_wilcoxon_equals_scipy(self):
        values = scores(3, 30, 6)
        found = compare(values, list("abc"), procedure="benjamini-hochberg-wilcoxon")
        raw = {
            pair: stats.wilcoxon(values["abc".index(pair[0])], values["abc".index(pair[1])]).pvalue
            for pair in ("ab", "ac", "bc")
        }
        expected = dict(zip(raw, stats.false_discovery_control(list(raw.values())), strict=True))
        for pair, p in expected.items():
            assert (found.pair(*pair).p, found.pair(*pair).p_adjusted) == pytest.approx((raw[pair], p))

    def test_benjamini_hochberg_adjusts_the_p_that_is_shown(self):
        """The p of one test was once shown with p adjusted from another, so that a third of the adjusted ones were
        smaller.
        """
        found = compare(scores(5, 12, 6), procedure="benjamini-hochberg")
        expected = stats.false_discovery_control([pair.p for pair in found.pairs])
        assert [pair.p_adjusted for pair in found.pairs] == pytest.approx(list(expected))

    def test_tukey_equals_a_plain_implementation(self):
        """Permute three systems within each of four queries in all ways, and compare max - min of the means with
        |difference|.
        """
        values = scores(3, 4, 5, spread=0.1)
        found = compare(values, list("abc"), procedure="tukey", draws=20_000)
        every = itertools.product(*(itertools.permutations(column) for column in values.T))
        ranges = [np.ptp(np.mean(columns, axis=0)) for columns in every]
        for one, other in itertools.combinations(range(3), 2):
            least = abs(values[one].mean() - values[other].mean())
            expected = np.mean(np.array(ranges) >= least - 1e-12)
            pair = found.pair("abc"[one], "abc"[other])
            assert pair.p_adjusted == pytest.approx(max(expected, pair.p), abs=0.012)


class TestRanks:
    def test_marginal_set_counts_the_significantly_different_systems(self):
        """As in Mogstad et al., the step-down family of a system is its differences with all others."""
        values, names = scores(7, 40, 5, spread=0.06), list("abcdefg")
        found = compare(values, names, procedure="marginal-ranks")
        sets = {system.system: (system.rank_low, system.rank_high) for system in found.systems}
        for name in names:
            against = compare(values, names, baseline=name, procedure="step-down-max-t")
            certain = [pair for pair in against.pairs if pair.verdict == "better"]
            better, worse = (
                sum(end == name for end in ends) for ends in zip(*((p.b, p.a) for p in certain), strict=True)
            )
            assert sets[name] == (1 + better, 7 - worse)
        assert len(set(sets.values())) > 2
        assert found.pairs == ()

    def test_ties_share_a_rank(self):
        row = scores(1, 10, 1)[0]
        assert [system.rank for system in compare([row, row, row - 0.1]).systems] == [1, 1, 3]


class TestInvariants:
    def test_order_does_not_change_any_bit(self):
        values = scores(7, 33, 12)
        names, keys = [f"s{n}" for n in range(7)], [f"q{n}" for n in range(33)]
        one = compare(values, names, keys, draws=2_000).to_dict()
        random = np.random.default_rng(0)
        rows, columns = random.permutation(7), random.permutation(33)
        other = compare(
            values[np.ix_(rows, columns)],
            [names[row] for row in rows],
            [keys[column] for column in columns],
            draws=2_000,
        ).to_dict()
        assert one == other

    @pytest.mark.parametrize("queries", [12, 30])
    def test_additional_system_does_not_change_raw_p(self, queries):
        values = scores(6, queries, 13)
        names = list("fedcba")
        without = compare(values[:5], names[:5], draws=2_000)
        more = compare(values, names, draws=2_000)
        for pair in without.pairs:
            assert more.pair(pair.a, pair.b).p == pair.p
            assert more.pair(pair.a, pair.b).p_adjusted >= pair.p

    def test_seed_determines_the_draws(self):
        values = scores(3, 30, 1)
        assert compare(values, seed=5).to_dict() == compare(values, seed=5).to_dict()
        assert compare(values, seed=5).critical_value != compare(values, seed=6).critical_value

    def test_all_signs_are_complete_up_to_flipping_all(self):
        assert {tuple(row) for row in all_signs(3)} == {(1, *rest) for rest in itertools.product((1, -1), repeat=2)}


class TestMissing:
    VALUES = ((0.5, math.nan, 0.7), (0.4, 0.9, 0.6))

    def test_skipped_queries_are_reported(self):
        found = compare(self.VALUES, ["A", "B"], ["q1", "q2", "q3"])
        assert (found.queries, found.left_out, found.filled) == (2, ("q2",), 0)
        assert found.systems[0].mean == pytest.approx(0.6)

    def test_a_missing_cell_counts_as_the_worst_value(self):
        found = compare(self.VALUES, ["A", "B"], ["q1", "q2", "q3"], missing="worst")
        assert (found.queries, found.left_out, found.filled) == (3, (), 1)
        assert [(system.system, round(system.mean, 3)) for system in found.systems] == [("B", 0.633), ("A", 0.4)]

    def test_one_query_gives_means_and_the_reason(self):
        found = compare([[0.5], [0.4]], ["A", "B"])
        assert "one query" in found.note
        assert (found.pairs[0].low, found.systems[0].rank_low, found.pairs[0].p) == (None, None, None)
        assert found.pairs[0].verdict == "untested"
        assert "one query" in pair_sentence(found, found.pairs[0])
        assert "one query" in leader_sentence(found)


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            ({"scores": [1, 2]}, "bad-scores"),
            ({"scores": [["a"]]}, "bad-scores"),
            ({"scores": [[1.0, math.inf]]}, "bad-score"),
            ({"scores": [[1.0, -1e200]]}, "bad-score"),
            ({"scores": [[1.0], [math.nan]]}, "no-queries"),
            ({"scores": [[1.0], [2.0]], "systems": ["A", "A"]}, "name-twice"),
            ({"scores": [[1.0], [2.0]], "systems": ["A"]}, "wrong-length"),
            ({"scores": [[1.0], [2.0]], "baseline": "C"}, "unknown-system"),
            ({"scores": [[1.0]], "alpha": 1.5}, "out-of-range"),
            ({"scores": [[1.0]], "draws": 1}, "out-of-range"),
            ({"scores": [[1.0]], "seed": -1}, "out-of-range"),
            ({"scores": [[1.0]], "equivalence_margin": math.inf}, "out-of-range"),
            ({"scores": [[1.0]], "equivalence_margin": math.nan}, "out-of-range"),
            ({"scores": [[1.0]], "procedure": "bonferroni"}, "unknown-choice"),
            ({"scores": [[1.0]], "missing": "ignore"}, "unknown-choice"),
        ],
    )
    def test_each_error_has_its_code(self, arguments, code):
        with pytest.raises(InputError) as error:
            compare(**arguments)
        assert [problem.code for problem in error.value.problems] == [code]


class TestWords:
    def test_sentences_of_a_comparison(self):
        values = scores(4, 44, 21, spread=0.1)
        found = compare(values, ["STC", "K-means", "Random", "Ward"])
        better = next(pair for pair in found.pairs if pair.verdict == "better")
        sentence = pair_sentence(found, better)
        assert sentence.startswith(f"{better.a} is better than {better.b} by {number(better.difference)} (")
        assert f"on 44 queries; all 6 pairs taken together, {p_words(better.p_adjusted)}." in sentence
        assert "alpha 0.05" in methods_sentence(found)
        assert "all pairs (6 pairs)" in methods_sentence(found)
        baseline = compare(values, ["STC", "K-means", "Random", "Ward"], baseline="Ward")
        assert {frozenset((pair.a, pair.b)) for pair in baseline.pairs} == {
            frozenset((name, "Ward")) for name in ("STC", "K-means", "Random")
        }
        assert "all 3 pairs with Ward taken together" in pair_sentence(baseline, baseline.pairs[0])

    def test_methods_sentence_includes_all_known_data(self):
        found = compare(scores(3, 44, 1), ["STC", "Ward", "Random"])
        about = ComparisonContext(
            measure="quality", collection="AMBIENT", gold="v3", sha256="1a2b3c4d5e6f7a8b", engine="2.0.0",
            policies={"outliers": "drop", "overlap": "refuse"},
        )  # fmt: skip
        assert methods_sentence(found, about) == (
            "Means of quality over 44 queries of AMBIENT (queries that all systems have), gold standard v3 (SHA-256 "
            "1a2b3c4d5e6f); policies outliers drop, overlap refuse; computed by QC4 Bench, engine 2.0.0; two-sided "
            "paired randomization tests by single-step max-T over all pairs (3 pairs), alpha 0.05; intervals of "
            f"differences are the mean difference ± {found.critical_value:.3f} standard errors, with 95 % confidence "
            "for all of them together; places and distances behind the best follow from the same tests; 10,000 draws, "
            "seed 0."
        )
        assert methods_sentence(found).startswith(
            f"Means over 44 queries (queries that all systems have), computed by QC4 Bench, engine {ENGINE_VERSION}; "
        )
        assert methods_sentence(compare([[0.5], [0.4]])).endswith("one query says nothing about others: means only.")

    def test_sentence_gives_the_required_queries(self):
        found = compare(scores(2, 44, 5, spread=0.0), ["A", "B"])
        assert found.pairs[0].required_queries < 10_000
        assert "are not significantly different: " in pair_sentence(found, found.pairs[0])
        assert "queries would be needed" in pair_sentence(found, found.pairs[0])

    def test_sentence_says_that_queries_are_too_few_for_a_verdict(self):
        """The smallest p of five queries is 2 / 2^5 = .0625, of six .03125."""
        five = compare([[0.9] * 5, [0.1] * 5], ["A", "B"])
        assert five.pairs[0].p == 0.0625
        assert "Fewer than 6 queries allow no verdict." in pair_sentence(five, five.pairs[0])
        assert "Fewer than 6 queries" in leader_sentence(five)
        six = compare([[0.9] * 6, [0.1] * 6], ["A", "B"])
        assert (six.pairs[0].p, six.pairs[0].verdict) == (0.03125, "better")

    @pytest.mark.parametrize(
        ("value", "shown"), [(0.0814, ".081"), (-0.011, "−.011"), (1.25, "1.250"), (-0.0001, ".000"), (None, "–")]
    )
    def test_numbers_are_formatted(self, value, shown):
        assert number(value) == shown

    def test_letters_continue_after_z(self):
        assert [letter(number) for number in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]
