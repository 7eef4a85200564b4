"""Scores as arrays, data frames and dicts: the command line's CSV and the library read them alike."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qc4.problems import InputError
from qc4.stats import (
    Alternative,
    compare,
    compare_measures,
    f_of_means,
    fold_repeats,
    robustness,
    where_better,
)
from qc4.stats.scores import read_table

A, B = [0.9, 0.5, 0.7, 0.6], [0.4, 0.6, 0.2, 0.3]
QUERIES = ["lion", "jaguar", "puma", "lynx"]
ARRAY = compare([A, B], ["A", "B"], QUERIES)


class Column(list):
    """A column of a data frame."""


class Frame:
    """A data frame with only the attributes that are read."""

    def __init__(self, columns, index=None):
        self._columns, self.columns = columns, list(columns)
        if index is not None:
            self.index = index

    def __getitem__(self, name):
        return Column(self._columns[name])

    def to_numpy(self):
        return np.array(list(self._columns.values())).T


class Series:
    """A series with only the attributes that are read."""

    def __init__(self, values):
        self.values = values

    def items(self):
        return self.values.items()


FORMS = {
    "frame": Frame({"A": A, "B": B}, QUERIES),
    "frame read from the CSV": Frame({"query": QUERIES, "A": A, "B": B}, range(4)),
    "frame without an index": Frame({"query": QUERIES, "A": A, "B": B}),
    "dict of dicts": {"A": dict(zip(QUERIES, A, strict=True)), "B": dict(zip(QUERIES[::-1], B[::-1], strict=True))},
    "dict of series": {name: Series(dict(zip(QUERIES, row, strict=True))) for name, row in (("A", A), ("B", B))},
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_comparison(form):
    found = compare(FORMS[form])
    assert found.to_dict() == ARRAY.to_dict()
    assert found.query_keys == ARRAY.query_keys


def test_a_real_data_frame_has_rows_of_queries():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"A": A, "B": B}, index=QUERIES)
    assert compare(frame).to_dict() == ARRAY.to_dict()
    frame["A"] = frame["A"].astype("Float64")
    frame.loc["lynx", "A"] = pandas.NA
    assert compare(frame).left_out == ("lynx",)


def test_a_dict_of_lists_names_systems_and_takes_names_of_queries():
    assert compare({"A": A, "B": B}, queries=QUERIES).to_dict() == ARRAY.to_dict()
    assert [one.system for one in compare({"A": A, "B": B}).systems] == ["A", "B"]


def test_absent_queries_and_none_are_missing_scores():
    found = compare({"A": {"x": 0.5, "y": 0.6, "z": None}, "B": {"x": 0.4, "z": 0.3}})
    assert (found.query_keys, found.left_out) == (("x",), ("y", "z"))


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ({}, "at least one system"),
        ({"A": A, "B": B[:3]}, "3 scores of 'B', 4 of 'A'"),
        ({"A": A, "B": {"x": 1}}, "the same kind for every system"),
        ({"A": "0.5"}, "a list of them"),
        ({"A": {"x": "high"}}, "numbers"),
        (Frame({"query": QUERIES}), "a column of numbers per system"),
        (Frame({"A": ["high", 0.5]}, ["x", "y"]), "numbers"),
    ],
)
def test_other_forms_are_rejected(scores, words):
    with pytest.raises(InputError, match=words):
        compare(scores)


def test_repeated_columns_are_rejected_by_name():
    frame = Frame({"A": A}, QUERIES)
    frame.columns = ["A", "A"]
    with pytest.raises(InputError, match="systems: found 'A'; expected each name once"):
        compare(frame)


def test_systems_are_named_in_any_unicode_form_and_by_numbers():
    frame = Frame({"caf\u00e9": A, 2: B, 3: B}, QUERIES)
    assert compare(frame, baseline=2).baseline == "2"
    assert compare(frame, baseline="cafe\u0301").baseline == "caf\u00e9"
    assert {each.system for each in compare(frame, pair=("cafe\u0301", 2)).systems} == {"caf\u00e9", "2"}
    assert [each.system for each in compare(frame, references=["cafe\u0301"]).references] == ["caf\u00e9"]
    with pytest.raises(InputError, match="names of two systems"):
        compare(frame, pair=("cafe\u0301", "caf\u00e9"))
    with pytest.raises(InputError, match="only one of them"):
        compare(frame, pair=("cafe\u0301", 2), baseline=2)


def test_names_given_twice_are_rejected():
    with pytest.raises(InputError, match="Omit systems"):
        compare({"A": A, "B": B}, ["one", "two"])


def test_an_array_keeps_systems_as_rows():
    assert read_table([A, B]).values.shape == (2, 4)
    assert compare([A, B]).queries == 4


def test_all_functions_accept_every_form_of_scores():
    frame = FORMS["frame"]
    table = Alternative("measure", "quality", frame)
    assert robustness([table], draws=200).to_dict() == (
        robustness([Alternative("measure", "quality", [A, B], ["A", "B"], QUERIES)], draws=200).to_dict()
    )
    facts = {"size": [1, 2, 3, 4]}
    assert where_better(frame, facts, draws=200).to_dict() == (
        where_better([A, B], facts, ["A", "B"], QUERIES, draws=200).to_dict()
    )
    assert f_of_means(frame, frame, draws=200).to_dict() == (
        f_of_means([A, B], [A, B], ["A", "B"], QUERIES, draws=200).to_dict()
    )
    runs = {"STC#1": A, "STC#2": B}
    assert fold_repeats(runs, None, {"STC#1": "STC", "STC#2": "STC"}).systems == ("STC",)


def test_covariates_with_names_are_joined_by_name():
    in_order = where_better(FORMS["frame"], {"size": [1, 2, 3, 4]}, draws=200).to_dict()
    named = dict(zip(QUERIES[::-1], [4, 3, 2, 1], strict=True))
    for fact in (named, Series(named)):
        assert where_better(FORMS["frame"], {"size": fact}, draws=200).to_dict() == in_order
    with pytest.raises(InputError, match=r"covariates\['size'\]: found 'tiger'"):
        where_better(FORMS["frame"], {"size": named | {"tiger": 5}}, draws=200)


def test_queries_missing_in_one_table_are_reported():
    quality, coverage = [[0.5, 0.6], [0.4, math.nan]], [[0.1, 0.2], [0.3, 0.4]]
    found = f_of_means(quality, coverage, ["A", "B"], ["x", "y"], draws=200)
    assert (found.queries, found.left_out) == (1, ("y",))


def test_tables_of_several_measures_are_joined_by_name():
    turned = Frame({"B": B[::-1], "A": A[::-1]}, QUERIES[::-1])
    same = compare_measures({"one": FORMS["frame"], "two": turned}, draws=200)
    assert [one.tau for one in same.agreements] == [1.0]
    assert same.curves["one"] == same.curves["two"]
    found = f_of_means(FORMS["frame"], turned, draws=200)
    assert [(one.quality, one.coverage) for one in found.systems] == [
        (pytest.approx(one.quality), pytest.approx(one.quality)) for one in found.systems
    ]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (Frame({"A": A, "C": B}, QUERIES), "systems of one and two"),
        (Frame({"A": A, "B": B}, ["x", *QUERIES[1:]]), "queries of one and two"),
        ([A, B], "names in only one of them"),
    ],
)
def test_tables_of_other_systems_or_queries_are_rejected(other, words):
    with pytest.raises(InputError, match=words):
        compare_measures({"one": FORMS["frame"], "two": other})


class TestWorst:
    """A missing score counts as the worst value of the measure."""

    GAPS = ((0.5, math.nan, 0.7), (0.4, 0.9, 0.6))

    def test_worst_value_is_0_if_higher_is_better(self):
        found = compare(self.GAPS, ["A", "B"], missing="worst")
        assert [(one.system, round(one.mean, 6)) for one in found.systems] == [("B", 0.633333), ("A", 0.4)]

    def test_worst_value_is_required_if_lower_is_better(self):
        """0 would be the best value, so it cannot be the default."""
        with pytest.raises(InputError, match="the largest value that the measure can have"):
            compare(self.GAPS, better="lower", missing="worst")
        found = compare(self.GAPS, ["A", "B"], better="lower", missing="worst", worst=1)
        assert [one.system for one in found.systems] == ["B", "A"]

    def test_worst_value_is_optional_if_nothing_is_missing(self):
        assert compare([A, B], better="lower", missing="worst").filled == 0

    @pytest.mark.parametrize("worst", [math.nan, math.inf, -math.inf])
    @pytest.mark.parametrize("missing", ["skip", "worst"])
    def test_worst_value_is_a_number(self, worst, missing):
        with pytest.raises(InputError, match="worst: found"):
            compare(self.GAPS, missing=missing, worst=worst)

    @pytest.mark.parametrize(("better", "worst"), [("higher", 0.45), ("lower", 0.85)])
    def test_worst_value_is_not_better_than_a_score(self, better, worst):
        with pytest.raises(InputError, match="but there is a score of"):
            compare(self.GAPS, better=better, missing="worst", worst=worst)

    def test_worst_value_applies_to_every_run(self):
        with pytest.raises(InputError, match="largest value"):
            fold_repeats(self.GAPS, ["A", "B"], {"A": "S", "B": "S"}, better="lower", missing="worst")

    def test_zero_is_not_a_rule(self):
        with pytest.raises(InputError, match="one of skip, worst"):
            compare(self.GAPS, missing="zero")
