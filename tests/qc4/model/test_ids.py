"""Ids of pages, names of sets, and the positions of ids in short and long lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.model import ids as places
from qc4.model.ids import IdPositions, NumberedIds, named_sets, page_list
from qc4.problems import InputError


def test_texts_and_all_kinds_of_integers_are_ids():
    assert page_list(["a", 1, np.int8(2), np.str_("b")], 4) == ("a", "1", "2", "b")
    assert page_list(np.array([3, 4]), 2) == ("3", "4")
    assert list(page_list(None, 3)) == list(NumberedIds(3)) == ["0", "1", "2"]


def test_ids_of_a_set_are_sorted():
    assert named_sets([{"b", "a", "c"}, {10, 9, "x"}], "sets") == {"0": ("a", "b", "c"), "1": ("9", "10", "x")}


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ([None, "a"], r"pages\[0\]: found the page id None; expected a text or an integer. Write ids as texts"),
        ([1.5, "a"], r"pages\[0\]: found the page id 1.5"),
        (["a", ""], r"pages\[1\]: found the page id ''"),
        ([True, "a"], r"pages\[0\]: found the page id True"),
        (["a", "a"], r"pages\[1\]: found the id 'a' again \(first at pages\[0\]\); expected each page id once"),
        ([1, "1"], "found the id '1' again"),
        (["a"], "pages: found 1 ids; expected 2, one for each label"),
        ("ab", "pages: found a text, 'ab'; expected a list of page ids"),
        ({"a": 1}, "pages: found a dict; expected a list of page ids"),
        (7, "pages: found an int; expected a list of page ids"),
    ],
)
def test_invalid_ids_are_rejected_with_place_and_fix(pages, words):
    with pytest.raises(InputError, match=words):
        page_list(pages, 2)


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        ([0, 0, 1], r"sets\[0\]: found an int; .* To give one label per page, use from_labels"),
        (["ab", "cd"], r"sets\[0\]: found a text, 'ab'; .* from_labels"),
        ("abc", "sets: found a text, 'abc'; expected sets of pages: a list of lists, or name -> pages"),
        (None, "sets: found None; expected sets of pages"),
        ([["a", "a"]], r"sets\[0\]: found pages listed twice: 'a'; expected each page once"),
        ({"x": ["a", 0.5]}, r"sets\['x'\]\[1\]: found the page id 0.5"),
        ({1: ["a"], "1": ["b"]}, r"sets\['1'\]: found a second '1'"),
    ],
)
def test_invalid_sets_are_rejected_with_place_and_fix(sets, words):
    with pytest.raises(InputError, match=words):
        named_sets(sets, "sets")


def test_sets_may_be_any_container_of_pages():
    sets = (pages for pages in [("a", "b"), np.array(["c"]), frozenset("d"), (page for page in "ef"), range(2)])
    assert list(named_sets(sets, "sets").values()) == [("a", "b"), ("c",), ("d",), ("e", "f"), ("0", "1")]


# --- Lookup of ids: short and long lists use different algorithms with the same results ---

ids = st.lists(st.text("ab", max_size=3), max_size=40)


@pytest.mark.parametrize("hashed", [hash, lambda id: len(id) << 40], ids=["own hashes", "shared hashes"])
@given(known=ids.filter(len), asked=ids)
def test_lookup_in_long_lists_agrees_with_a_dictionary(hashed, known, asked):
    index = {id: place for place, id in enumerate(known)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "MANY", 0)
        patch.setattr(places, "_AT_A_TIME", 7)
        patch.setattr(places, "hash", hashed, raising=False)
        found = IdPositions(known)
        assert found.of(asked).tolist() == [index.get(id, -1) for id in asked]
        assert found.all_differ == (len(set(known)) == len(known))


def test_lookup_does_not_depend_on_the_length_of_lists():
    assert IdPositions(["a", "b", "a"]).of(("b", "x", "a")).tolist() == [1, -1, 2]
    assert not IdPositions(["a", "b", "a"]).all_differ
    assert IdPositions([]).all_differ
    assert IdPositions([]).of(["a"]).tolist() == [-1]
    many = [f"p{number}" for number in range(2 * places.MANY)]
    assert IdPositions(many).all_differ
    assert not IdPositions([*many, "p7"]).all_differ
    assert IdPositions(many).of([*reversed(many), "x"]).tolist() == [*reversed(range(len(many))), -1]
