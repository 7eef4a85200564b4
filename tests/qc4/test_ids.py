"""Ids of pages and names of sets, out of what Python has."""

import numpy as np
import pytest

from qc4.model.ids import Numbers, named_sets, page_list
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
