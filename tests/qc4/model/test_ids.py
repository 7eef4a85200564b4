"""Ids of pages, names of sets, and the positions of ids in short and long lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qc4.model import ids as places
from qc4.model.ids import Numbers, Places, named_sets, page_list
from qc4.problems import InputError


def test_ids_are_texts_and_integers_of_any_kind():
    assert page_list(["a", 1, np.int8(2), np.str_("b")], 4) == ("a", "1", "2", "b")
    assert page_list(np.array([3, 4]), 2) == ("3", "4")
    assert list(page_list(None, 3)) == list(Numbers(3)) == ["0", "1", "2"]


def test_a_set_has_an_order_whatever_order_python_gives_it():
    assert named_sets([{"b", "a", "c"}, {10, 9, "x"}], "sets") == {"0": ("a", "b", "c"), "1": ("9", "10", "x")}


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ([None, "a"], r"pages\[0\]: found None as the id of a page; expected a text or an integer. Write ids as texts"),
        ([1.5, "a"], r"pages\[0\]: found 1.5 as the id"),
        (["a", ""], r"pages\[1\]: found '' as the id"),
        ([True, "a"], r"pages\[0\]: found True as the id"),
        (["a", "a"], r"pages\[1\]: found the id 'a' again \(first at pages\[0\]\); expected each page id once"),
        ([1, "1"], "found the id '1' again"),
        (["a"], "pages: found 1 ids; expected 2, one for each label"),
        ("ab", "pages: found a text, 'ab'; expected a list of page ids"),
        ({"a": 1}, "pages: found a dict; expected a list of page ids"),
        (7, "pages: found an int; expected a list of page ids"),
    ],
)
def test_what_are_no_ids_is_refused_with_place_and_fix(pages, words):
    with pytest.raises(InputError, match=words):
        page_list(pages, 2)


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        ([0, 0, 1], r"sets\[0\]: found an int; .* Labels, one for each page, are given with from_labels"),
        (["ab", "cd"], r"sets\[0\]: found a text, 'ab'; .* from_labels"),
        ("abc", "sets: found a text, 'abc'; expected sets of pages: a list of lists, or name -> pages"),
        (None, "sets: found None; expected sets of pages"),
        ([["a", "a"]], r"sets\[0\]: found pages listed twice: 'a'; expected each page once"),
        ({"x": ["a", 0.5]}, r"sets\['x'\]\[1\]: found 0.5 as the id of a page"),
        ({1: ["a"], "1": ["b"]}, r"sets\['1'\]: found the name '1' again"),
    ],
)
def test_what_are_no_sets_is_refused_with_place_and_fix(sets, words):
    with pytest.raises(InputError, match=words):
        named_sets(sets, "sets")


def test_sets_may_be_anything_that_holds_pages():
    sets = (pages for pages in [("a", "b"), np.array(["c"]), frozenset("d"), (page for page in "ef"), range(2)])
    assert list(named_sets(sets, "sets").values()) == [("a", "b"), ("c",), ("d",), ("e", "f"), ("0", "1")]


# Where ids stand in a list: short lists and long ones are answered in two ways, which say the same.

ids = st.lists(st.text("ab", max_size=3), max_size=40)


@pytest.mark.parametrize("hashed", [hash, lambda id: len(id) << 40], ids=["own hashes", "shared hashes"])
@given(known=ids.filter(len), asked=ids)
def test_long_lists_say_what_a_dictionary_says(hashed, known, asked):
    index = {id: place for place, id in enumerate(known)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "MANY", 0)
        patch.setattr(places, "_AT_A_TIME", 7)
        patch.setattr(places, "hash", hashed, raising=False)
        found = Places(known)
        assert found.of(asked).tolist() == [index.get(id, -1) for id in asked]
        assert found.all_differ == (len(set(known)) == len(known))


def test_lists_of_any_length_say_the_same():
    assert Places(["a", "b", "a"]).of(("b", "x", "a")).tolist() == [1, -1, 2]
    assert not Places(["a", "b", "a"]).all_differ
    assert Places([]).all_differ
    assert Places([]).of(["a"]).tolist() == [-1]
    many = [f"p{number}" for number in range(2 * places.MANY)]
    assert Places(many).all_differ
    assert not Places([*many, "p7"]).all_differ
    assert Places(many).of([*reversed(many), "x"]).tolist() == [*reversed(range(len(many))), -1]
