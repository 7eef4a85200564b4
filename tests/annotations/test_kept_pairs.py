"""Figures of pairs of drafts, as bytes: what is kept is what was compared, put together or taken apart."""

from __future__ import annotations

from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotations.agreement.kept import FIGURES, KeptPairs, PairKey, from_bytes, joined, of_figures

Compared: TypeAlias = dict[PairKey, dict[str, Any]]
NUMBERS = st.integers(1, 2**40)
VALUE, REASON = st.floats(-1, 1), st.sampled_from("abc")
FIGURE = VALUE.map(lambda value: {"value": value}) | REASON.map(lambda why: {"undefined": why})
COMPARED = st.dictionaries(
    st.builds(PairKey, NUMBERS, NUMBERS, st.integers(0, 9), st.integers(0, 9)),
    st.fixed_dictionaries(dict.fromkeys(FIGURES, FIGURE)),
    max_size=6,
)


def told(kept: KeptPairs) -> Compared:
    """As `of_figures` was given it."""
    rows = zip(kept.keys, kept.values.tolist(), kept.why.tolist(), strict=True)
    return {
        key: {
            figure: {"value": value} if why < 0 else {"undefined": kept.reasons[why]}
            for figure, value, why in zip(FIGURES, values, whys, strict=True)
        }
        for key, values, whys in rows
    }


@given(COMPARED)
def test_what_is_kept_is_what_was_compared(compared: Compared) -> None:
    kept = of_figures(compared)
    read = from_bytes(*kept.to_bytes(), kept.reasons)
    assert told(read) == compared
    assert read.drafts.tolist() == [[key.first, key.second] for key in compared]


@given(st.lists(COMPARED, max_size=4), st.randoms())
def test_parts_are_joined_and_taken_apart(parts: list[Compared], chance: Random) -> None:
    all_of_them = joined([of_figures(part) for part in parts])
    keys = [key for part in parts for key in part]
    assert all_of_them.keys == keys
    stays = [chance.random() < 0.5 for _ in keys]
    some = all_of_them.only(np.array(stays, dtype=bool))
    assert some.keys == [key for key, here in zip(keys, stays, strict=True) if here]
    for part in parts:  # each as it was, wherever it came to stand
        of_part = all_of_them.only(np.array([key in part for key in keys], dtype=bool))
        assert told(of_part).keys() == part.keys()
        if len(of_part) == len(part):
            assert told(of_part) == part


def test_a_draft_is_kept_once_however_many_it_is_compared_with() -> None:
    figures = {key: {"value": 0.5} for key in FIGURES}
    few, many = (of_figures({PairKey(1, n, 7, 0): figures for n in range(2, 2 + size)}) for size in (1, 41))
    grown = len(many.to_bytes()[0]) - len(few.to_bytes()[0])
    assert grown == 40 * (2 * 8 + 2 * 4), "a draft with its revision, and two places"


def test_bytes_of_another_layout_are_refused() -> None:
    kept = of_figures({PairKey(1, 2, 0, 0): {key: {"undefined": "x"} for key in FIGURES}})
    numbers, values = kept.to_bytes()
    with pytest.raises(ValueError, match="each undefined one has its reason"):
        from_bytes(numbers[:-4], values, kept.reasons)
    before = np.array([17, 18, 0, 0], "<i8").tobytes() + np.zeros(len(FIGURES), "<i4").tobytes()
    with pytest.raises(ValueError, match="buffer is smaller than requested"):
        from_bytes(before, values, kept.reasons)
