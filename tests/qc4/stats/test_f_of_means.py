"""F of the means: hand-worked values, plain loops, and the orders that the mean of F reverses."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from qc4.cli import main
from qc4.problems import InputError
from qc4.stats import f_of_means


def harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


def test_order_reversed_by_the_mean_of_f_is_reported() -> None:
    # Spread is better by both means. Its quality and coverage differ much on each query, so that each query's F is low.
    quality = [[0.5, 0.5, 0.5, 0.5], [1.0, 0.1, 1.0, 0.1]]
    coverage = [[0.5, 0.5, 0.5, 0.5], [0.1, 1.0, 0.1, 1.0]]
    found = f_of_means(quality, coverage, ["Even", "Spread"])
    assert [one.system for one in found.systems] == ["Spread", "Even"]
    first, second = found.systems
    assert (first.value, second.value) == (pytest.approx(0.55), pytest.approx(0.5))
    assert first.mean_of_f == pytest.approx(harmonic(1.0, 0.1))
    assert [(one.ahead, one.behind) for one in found.reversals] == [("Even", "Spread")]
    assert found.sentence.startswith(
        "Mean QC4-F reverses the order of 1 pair: Even is ahead of Spread (.500 against .182)"
    )


def test_no_reversal_if_systems_are_equal_or_each_leads_in_one_mean() -> None:
    same = [[0.5, 0.6], [0.5, 0.6]]
    assert f_of_means(same, same).sentence == ""
    assert f_of_means([[0.9, 0.1], [0.4, 0.5]], [[0.1, 0.9], [0.6, 0.6]]).reversals == ()


def test_p_equals_that_of_all_exchanges() -> None:
    random = np.random.default_rng(3)
    q, c = random.random((2, 7)), random.random((2, 7))

    def difference(swap: tuple[bool, ...]) -> float:
        rows = np.array([[1, 0] if one else [0, 1] for one in swap]).T
        each = [harmonic(*(scores[side, range(7)].mean() for scores in (q, c))) for side in rows]
        return each[0] - each[1]

    observed = abs(difference((False,) * 7))
    every = [abs(difference(swap)) >= observed - 1e-12 for swap in product((False, True), repeat=7)]
    (pair,) = f_of_means(q, c).pairs
    assert pair.difference == pytest.approx(observed)
    assert pair.p == pytest.approx(np.mean(every))


def test_intervals_contain_the_value_and_do_not_depend_on_order() -> None:
    random = np.random.default_rng(1)
    q, c = random.random((4, 40)), random.random((4, 40))
    found = f_of_means(q, c, list("ABCD"), [f"q{n:02}" for n in range(40)])
    turned = f_of_means(q[::-1, ::-1], c[::-1, ::-1], list("DCBA"), [f"q{n:02}" for n in reversed(range(40))])
    assert found == turned
    for one in found.systems:
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.value < one.high
        assert one.interval == "bca"
    draws = np.random.default_rng(0).integers(0, 40, (4000, 40))
    plain = [harmonic(q[0, drawn].mean(), c[0, drawn].mean()) for drawn in draws]
    a = next(one for one in found.systems if one.system == "A")
    assert (a.low, a.high) == pytest.approx(np.quantile(plain, (0.025, 0.975)), abs=0.02)


def test_one_query_zero_scores_and_missing_scores() -> None:
    (one,) = f_of_means([[0.5]], [[0.25]]).systems
    assert (one.value, one.low, one.interval) == (pytest.approx(1 / 3), None, "none")
    assert [one.value for one in f_of_means([[0, 0], [0, 0]], [[0, 0], [1, 1]]).systems] == [0, 0]
    assert f_of_means([[0.5, 0.4, np.nan]], [[0.5, np.nan, 0.1]]).queries == 1


def test_invalid_input_is_rejected() -> None:
    with pytest.raises(InputError, match="same shape"):
        f_of_means([[0.5, 0.5]], [[0.5]])
    with pytest.raises(InputError, match="shares from 0 to 1"):
        f_of_means([[1.5]], [[0.5]])


def test_the_command_reads_two_tables(tmp_path, capsys) -> None:
    quality, coverage = tmp_path / "quality.csv", tmp_path / "coverage.csv"
    quality.write_text("query,Even,Spread\na,.5,1\nb,.5,.1\n")
    coverage.write_text("query,Spread,Even\nb,1,.5\na,.1,.5\n")
    assert main(["f-of-means", str(quality), str(coverage)]) == 0
    said = capsys.readouterr().out
    assert "Even is ahead of Spread (.500 against .182)" in said
    assert main(["f-of-means", str(quality), str(coverage), "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("Spread,0.55,0.55,0.55")
