"""Robustness of the winner: signs, omitted queries, resampled queries; hand-worked values and plain implementations."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest

from qc4.io.comparisons import robustness_csv
from qc4.problems import InputError
from qc4.stats import Alternative, compare, robustness, robustness_sentences, stays_ahead

QUERIES = [f"q{number}" for number in range(1, 9)]
# Differences of A over B: .4, .1, .1, .1, 0, -.1, -.1, .2: mean .0875.
A = np.array([0.9, 0.6, 0.7, 0.5, 0.4, 0.3, 0.2, 0.7])
B = np.array([0.5, 0.5, 0.6, 0.4, 0.4, 0.4, 0.3, 0.5])
REFERENCE = Alternative("measure", "quality", [B, A], ["B", "A"], QUERIES)


def test_pair_is_ordered_and_reversing_tables_are_named():
    tables = [
        REFERENCE,
        Alternative("measure", "vi", [-A, -B], ["A", "B"], QUERIES, better="lower"),
        Alternative("gold version", "v1", [A, B], ["B", "A"], QUERIES),
        Alternative("policy", "first", [A, A, B], ["A", "B", "C"], QUERIES),
        Alternative("draft", "Mika", [A], ["A"], QUERIES),
        Alternative("level", "level 3", [[math.nan] * 8, A], ["A", "B"], QUERIES),
    ]
    found = robustness(tables, "B", "A", draws=500)
    assert (found.a, found.b) == ("A", "B")
    assert found.reference.difference == pytest.approx(0.0875)
    assert [row.agrees for row in found.rows] == [True, False, None, None, None]
    assert [row.difference for row in found.rows[:3]] == pytest.approx([0.0875, -0.0875, 0.0])
    assert [row.verdict for row in found.rows] == ["not separated"] * 2 + ["no difference"] + ["untested"] * 2
    assert [row.note for row in found.rows[3:]] == ["no scores of B", "no query has scores of both A and B"]
    assert [row.leader for row in found.rows] == ["A", "B", "A", "A", None]
    assert [row.name for row in found.turned()] == ["v1"]
    assert robustness_sentences(found)[1] == (
        "It stays ahead under 1 of 2 other tables; B is ahead under v1 (gold version); 3 give no result; each table is "
        "analysed separately."
    )


def test_reversed_row_is_the_same_comparison_with_opposite_sign():
    ahead = robustness([REFERENCE, Alternative("measure", "other", [A, B], ["B", "A"], QUERIES)]).rows[0]
    behind = compare([A, B], ["B", "A"], QUERIES).pairs[0]
    assert (ahead.difference, ahead.p) == (-behind.difference, behind.p)
    # a and b are exchanged, and with them the rounding of the draws.
    assert (ahead.low, ahead.high) == pytest.approx((-behind.high, -behind.low))


def test_most_influential_query_and_number_that_reverse_the_order():
    """Without q1 the sum .7 becomes .3 over 7 queries, without q8 also .1, and without one more .1 it is 0: three
    reverse
    it.
    """
    found = robustness([REFERENCE])
    assert found.without.query == "q1"
    assert found.without.difference == pytest.approx(0.3 / 7)
    expected = compare([A[1:], B[1:]], ["A", "B"], QUERIES[1:]).pairs[0]
    assert (found.without.p, found.without.verdict) == (expected.p, expected.verdict)
    assert found.to_turn == 3
    sentence = robustness_sentences(found)[1]
    assert sentence.startswith("Without query q1, which favours A most, the difference is .043, p = ")
    assert sentence.endswith("; removing 3 queries of 8 can reverse the order.")


def test_share_of_resampled_sets_is_close_to_the_exact_share():
    """A leads in 27 - 8 of the 3^3 ways to draw three queries with differences .3, -.1, -.1: those with .3."""
    table = Alternative("measure", "m", [[0.3, 0, 0], [0, 0.1, 0.1]], ["A", "B"])
    found = robustness([table], draws=20_000)
    assert found.reference.share == pytest.approx(19 / 27, abs=0.015)


def test_leader_is_compared_with_the_second():
    table = Alternative("measure", "m", [A - 0.3, A, B], ["X", "Y", "Z"], QUERIES)
    found = robustness([table])
    assert (found.a, found.b) == ("Y", "Z")
    assert (robustness([table], "X").a, robustness([table], "X").b) == ("Y", "X")


def test_equal_systems_have_no_winner_to_change():
    found = robustness([Alternative("measure", "m", [A, A], ["A", "B"], QUERIES), REFERENCE])
    assert (found.without, found.to_turn, found.rows[0].agrees) == (None, None, None)
    assert robustness_sentences(found) == ("A and B have the same mean on 8 queries: there is no winner to change.",)


def test_single_query_is_noted():
    found = robustness([Alternative("measure", "m", [[0.5], [0.4]], ["A", "B"])])
    assert (found.reference.share, found.reference.p, found.without, found.to_turn) == (None, None, None, 1)
    assert robustness_sentences(found) == ("A is ahead of B by .100 on 1 query.",)


def test_file_has_the_numbers_of_the_record():
    found = robustness([REFERENCE, Alternative("measure", "=ari", [A, B], ["A", "B"], QUERIES)])
    rows = list(csv.DictReader(io.StringIO(robustness_csv(found))))
    assert [row["name"] for row in rows] == ["quality", "'=ari"]
    for row, record in zip(rows, (found.reference, *found.rows), strict=True):
        assert float(row["difference"]) == record.difference
        assert float(row["share"]) == record.share
    assert found.to_dict()["rows"][0]["name"] == "=ari"


@pytest.mark.parametrize(
    ("tables", "pair", "code"),
    [
        ([], (), "no-tables"),
        ([REFERENCE, REFERENCE], (), "name-twice"),
        ([REFERENCE], ("A", "Q"), "unknown-system"),
        ([REFERENCE], ("A", "A"), "no-pair"),
        ([Alternative("measure", "m", [A], ["A"])], (), "no-pair"),
    ],
)
def test_each_error_has_its_code(tables, pair, code):
    with pytest.raises(InputError) as error:
        robustness(tables, *pair)
    assert [problem.code for problem in error.value.problems] == [code]


def test_stays_ahead_equals_the_table():
    random = np.random.default_rng(4)
    made = [
        Alternative("measure", f"m{number}", random.random((3, 9)), ["a", "b", "c"], better=better)
        for number, better in enumerate(["higher", "lower"] * 5)
    ]
    made.append(Alternative("measure", "same", np.ones((2, 4)), ["a", "b"]))
    made.append(Alternative("measure", "absent", np.ones((2, 4)), ["a", "c"]))
    found = robustness(made, "a", "b", draws=100)
    agrees = [row.agrees for row in found.rows]
    assert list(stays_ahead(made, found.a, found.b)) == [True, *agrees]
    assert {None, True, False} <= set(agrees)
