"""Krippendorff's alpha: hand-computed and published values."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotations.agreement.statistics.coefficients import (
    Value,
    alpha,
    distance_between,
    jaccard,
    masi,
    nominal,
)
from annotations.agreement.statistics.group import OUTLIERS, compare_all
from qc4.inputs.undefined import Undefined
from tests.agreement.hierarchies import drafts, hierarchy

NAMES = ("Ana", "Ben", "Cem")


def sets(*units: str) -> list[list[Value]]:
    """Return units written as words, one per judgement, with a letter per element: "ab a" is {a, b} and {a}."""
    return [[frozenset(word) for word in unit.split()] for unit in units]


def test_krippendorff_four_observers() -> None:
    """Krippendorff, Computing Krippendorff's alpha-reliability, 2011, example C: nominal alpha 0.743."""
    observers = [
        "1 2 3 3 2 1 4 1 2 ? ? ?",
        "1 2 3 3 2 2 4 1 2 5 ? 3",
        "? 3 3 3 2 3 4 2 2 5 1 ?",
        "1 2 3 3 2 4 4 1 2 5 1 ?",
    ]
    units = zip(*(observer.split() for observer in observers), strict=True)
    judged = [[frozenset(value) for value in unit if value != "?"] for unit in units]
    assert alpha(judged, nominal) == pytest.approx(0.743, abs=5e-4)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("a", "a", 0),
        ("a", "b", 1),
        ("ab", "a", 1 - 2 / 3 * 1 / 2),
        ("ab", "bc", 1 - 1 / 3 * 1 / 3),
        ("abc", "ab", 1 - 2 / 3 * 2 / 3),
    ],
)
def test_masi_distance_is_smaller_for_subsets_than_overlaps(one: str, other: str, expected: float) -> None:
    assert distance_between(frozenset(one), frozenset(other), masi) == pytest.approx(expected)
    assert distance_between(frozenset(other), frozenset(one), masi) == pytest.approx(expected)


def test_alpha_of_sets_matches_hand_calculation() -> None:
    """Three pages by two: a/a, ab/a, b/b. Six judgements: a three times, ab once, b twice.

    Observed: one page of three differs, by d(ab, a). Expected, over 6 x 5 ordered pairs: a-ab 3, a-b 6, ab-b 2, each
    twice. Jaccard: d(ab, a) = 1/2, d(ab, b) = 1/2, d(a, b) = 1, so 2 (1.5 + 6 + 1) / 30. MASI: 2/3, 2/3, 1.
    """
    units = sets("a a", "ab a", "b b")
    assert alpha(units, jaccard) == pytest.approx(1 - (1 / 2 / 3) / (17 / 30))
    assert alpha(units, masi) == pytest.approx(1 - (2 / 3 / 3) / (2 * (2 + 6 + 4 / 3) / 30))
    assert alpha(units, nominal) == pytest.approx(1 - (1 / 3) / (22 / 30))


@pytest.mark.parametrize(
    ("units", "words"),
    [
        (["a", "b", ""], "no page that at least two have assigned"),
        (["a a", "a a"], "all assign every page alike"),
        ([], "no page that at least two have assigned"),
    ],
)
def test_undefined_alpha_has_reason(units: Sequence[str], words: str) -> None:
    with pytest.raises(Undefined, match=words):
        alpha(sets(*units), masi)


def test_many_different_sets_are_computed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    units = sets("a a b", "ab a a", "b abc", "c c", "ac b")
    whole = [alpha(units, distance) for distance in (nominal, jaccard, masi)]
    monkeypatch.setattr("annotations.agreement.statistics.coefficients.MOST_SETS", 2)
    monkeypatch.setattr("annotations.agreement.statistics.coefficients._PART", 2)
    assert [alpha(units, distance) for distance in (nominal, jaccard, masi)] == pytest.approx(whole)


def test_pages_with_one_judgement_are_excluded() -> None:
    assert alpha(sets("a a", "b b", "c"), masi) == alpha(sets("a a", "b b"), masi) == 1.0


ONE = hierarchy("abcdef", {"Cars": "abc", "Cars/Dealers": "a", "Boats": "de"}, "f")
TWO = hierarchy("abcdef", {"Autos": "abc", "Boats": "de"}, "f")
THREE = hierarchy("abcdef", {"Autos": "ab", "Boats": "cde"})


def test_alpha_of_three_drafts_per_level_and_outliers() -> None:
    found = compare_all([ONE, TWO, THREE], NAMES)
    assert (found.n_agreed, len(found.pages)) == (3, 6)
    assert (found.n_everywhere, found.n_partial) == (2, 1)
    by_name = {(figure.measure, figure.level): figure for figure in found.figures}
    # Level 1: a, b, d and e agree; c is Cars, Cars, Boats; f is an outlier for two and not placed by the third.
    units = sets("c c c", "c c c", "c c b", "b b b", "b b b", "o o")
    for key, distance in (("alpha_masi", masi), ("alpha_jaccard", jaccard), ("alpha_nominal", nominal)):
        assert by_name[key, 1].value == pytest.approx(alpha(units, distance))
    assert by_name[OUTLIERS, None].value == pytest.approx(alpha(sets("t t t", *["t t t"] * 4, "o o"), nominal))
    assert by_name["alpha_masi", 1].pages == 6


def test_undefined_group_statistics_have_a_reason() -> None:
    found = compare_all([hierarchy("ab", {"A": "a"}), hierarchy("ab", {"A": "a"}), hierarchy("ab", {})], NAMES)
    assert {figure.undefined for figure in found.figures} == {
        "all assign every page alike, so agreement cannot be adjusted for chance"
    }
    assert "excludes 1 page that fewer than two have assigned" in {figure.note for figure in found.figures}


@given(st.lists(drafts(), min_size=3, max_size=3))
def test_three_identical_drafts_agree_fully(documents: list[object]) -> None:
    found = compare_all([documents[0]] * 3, NAMES, groups=0)  # type: ignore[list-item]  # any hierarchy
    assert {figure.value for figure in found.figures} <= {1.0, None}
    mixed = compare_all(documents, NAMES, groups=0)  # type: ignore[arg-type]  # any hierarchy
    assert all(figure.value is None or figure.value <= 1 for figure in mixed.figures)
