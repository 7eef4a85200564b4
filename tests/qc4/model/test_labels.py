"""Labels as codes: accepted kinds of labels, and errors for the others."""

import numpy as np
import pytest

from qc4.inputs.partition import Contingency
from qc4.inputs.points import ClusteredPoints
from qc4.model.labels import Labelling, by_first_page, label_codes
from qc4.model.noise import NoiseLabel
from qc4.problems import InputError

NAN = float("nan")


@pytest.mark.parametrize(
    "labels",
    [
        [0.5, NAN, 1.0, NAN],
        [0.5, float("nan"), 1.0, float("nan")],
        np.array([0.5, NAN, 1.0, NAN]),
        np.array(["a", NAN, None, NAN], dtype=object),
    ],
)
def test_nan_is_rejected_with_its_place_in_every_kind_of_sequence(labels):
    with pytest.raises(InputError, match=r"clusters\[1\]: found NaN, the first of 2; .* such as -1") as caught:
        Contingency.from_labels([0, 0, 1, 1], labels)
    assert [problem.code for problem in caught.value.problems] == ["nan-label"]


def test_nan_labels_of_points_are_rejected():
    with pytest.raises(InputError, match=r"labels\[2\]: found NaN; "):
        ClusteredPoints.from_labels(np.zeros((3, 2)), [0.0, 1.0, NAN])


@pytest.mark.parametrize(
    ("shape", "words"), [((2, 3), "2 x 3"), ((3, 1), "3 x 1"), ((1, 3, 1), "1 x 3 x 1"), ((), "a single value")]
)
def test_arrays_that_are_not_one_dimensional_are_rejected(shape, words):
    for make in (label_codes, by_first_page):
        with pytest.raises(InputError, match=f"found an array of {words}; expected one row"):
            make(np.zeros(shape, dtype=np.int64))


@pytest.mark.parametrize("step", [1, 2**40])
def test_the_full_range_of_unsigned_integers_is_accepted(step):
    labels = np.array([2**64 - 1, 2**64 - 1 - step, 2**64 - 1, 2**64 - 1 - 2 * step], dtype=np.uint64)
    assert label_codes(labels).tolist() == [2, 1, 2, 0]
    assert by_first_page(labels).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("dtype", [np.int8, np.int64])
def test_the_full_range_of_signed_integers_is_accepted(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    assert by_first_page(np.array([most, least, most - 1, least], dtype=dtype)).tolist() == [0, 1, 2, 1]
    assert label_codes(np.array([least + 1, least], dtype=dtype)).tolist() == [1, 0]


def test_codes_by_first_page_have_no_gaps_and_do_not_depend_on_names():
    expected = [0, 1, 0, 2, 1]
    for labels in (
        ["b", "a", "b", "c", "a"],
        np.array([7, 3, 7, 9, 3]),
        np.array([7, 3, 7, 900, 3]),
        ["", 1, "", (), 1],
    ):
        assert by_first_page(labels).tolist() == expected
    assert by_first_page([]).tolist() == by_first_page(np.array([], dtype=np.int64)).tolist() == []


class Column:
    """A column like those of pandas and polars: not a sequence, but with values and (in pandas) an index."""

    def __init__(self, values, index=None):
        self.values, self.index = values, index

    def to_numpy(self):
        return np.asarray(self.values)


class NotAvailable:
    """A value like pandas' NA, whose comparisons are neither true nor false."""

    def __ne__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    __hash__ = object.__hash__

    def __str__(self):
        return "<NA>"


@pytest.mark.parametrize(
    "labels",
    [
        ["x", "x", "y", "z"],
        ("x", "x", "y", "z"),
        np.array(["x", "x", "y", "z"]),
        [1, "1", "1x", "x"],
        [np.int64(0), 0.0, 1, np.int8(2)],
        [(1, 2), (1, 2), (), (3,)],
        [b"x", "x", b"y", "z"],
        np.array([2**64 - 1, 2**64 - 1, 2**63, 0], dtype=np.uint64),
        np.array([1, 1, "a", (2,)], dtype=object),
        np.array(["2020", "2020", "2021", "2022"], dtype="datetime64[Y]"),
        Column([0.5, 0.5, 1, 2]),
        {"p": 0, "q": 0, "r": 1, "s": 2}.values(),
        [True, True, False, 7],
    ],
)
def test_any_row_of_hashable_values_is_a_labelling(labels):
    found = Labelling.of(labels)
    assert found.codes.tolist() == [0, 0, 1, 2]
    assert len(set(found.names)) == 3
    assert [members.tolist() for members in found.members()] == [[0, 1], [2], [3]]


def test_labels_that_print_alike_have_different_names():
    assert Labelling.of([(1,), "(1,)", "x"]).names == ("(1,)", "'(1,)'", "x")


@pytest.mark.parametrize(
    "labels", [[0, -1, 1, -1], [0.0, -1.0, 1.0, -1.0], np.array([0, -1, 1, -1]), ["a", -1, "b", -1]]
)
def test_noise_is_not_a_label_unless_the_caller_says_so(labels):
    found = Labelling.of(labels)
    assert (found.codes.tolist(), [each.pages for each in found.noise], len(found.names)) == ([0, -1, 1, -1], [2], 2)
    everything = Labelling.of(labels, noise=[])
    assert (everything.codes.tolist(), everything.noise) == ([0, 1, 2, 1], ())
    assert Labelling.of(["x", "?", "x"], noise="?").codes.tolist() == [0, -1, 0]


def test_noise_only_and_empty_rows_are_labellings():
    assert Labelling.of([-1, -1]).members() == []
    assert (Labelling.of([]).names, Labelling.of([]).n_pages) == ((), 0)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (None, "labels: found None; expected a list with a label for each page"),
        ("abc", "labels: found a text, 'abc'; .* read_gold or read_clustering"),
        (7, "labels: found a single value, 7; expected a list"),
        (np.int64(7), "labels: found a single value, 7; expected a list"),
        (np.array(7), "labels: found an array of a single value; expected one row"),
        ({0, 1}, "labels: found a set, which has no order; .* Convert it to a list"),
        ({"p": 0}, r"labels: found a dict; .* from_labels\(list\(d.values\(\)\), pages=list\(d\)\).* from_sets\(d\)"),
        ((label for label in [0]), r"labels: found a generator, which can be read only once; .* list\(...\)"),
        (
            [[0, 1], [2]],
            r"labels\[0\]: found a list; .* from_sets for sets of pages, or GoldStandard.from_levels",
        ),
        ([0, {1}], r"labels\[1\]: found a set"),
        ([np.zeros(2), 0], r"labels\[0\]: found a ndarray"),
        ([0, ([1],)], r"labels\[1\]: found a tuple; expected a label: a number, a text or anything else hashable"),
        (np.zeros((2, 1)), "labels: found an array of 2 x 1; expected one row"),
        (Column([[0], [1]]), "labels: found an array of 2 x 1; expected one row"),
        (object(), "labels: found an object; expected a list"),
    ],
)
def test_invalid_labels_are_rejected_with_place_and_fix(labels, words):
    with pytest.raises(InputError, match=words):
        Labelling.of(labels)


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        ([0, None], "None"),
        ([0, float("nan")], "NaN"),
        (np.array([0, np.nan]), "NaN"),
        (["x", NotAvailable()], "<NA>"),
        (Column(["x", NotAvailable()]), "<NA>"),
        (np.array(["2020", "NaT"], dtype="datetime64[Y]"), "NaT"),
        (np.ma.masked_equal([1, 2], 2), "None"),
        (np.array([b"x", b"-1"]), "-1"),
    ],
)
def test_a_missing_label_is_never_a_cluster(labels, shown):
    found = Labelling.of(labels)
    assert (found.codes.tolist(), found.noise) == ([0, -1], (NoiseLabel(shown, 1),))
    if shown != "-1":
        assert Labelling.of(labels, noise=[]).codes.tolist() == [0, -1]


@pytest.mark.parametrize("noise", [[[-1]], [{"x": 1}], {"x": 1}])
def test_invalid_noise_labels_are_rejected(noise):
    with pytest.raises(InputError, match=r"noise: found a (list|dict); expected a label such as -1, a list of labels"):
        Labelling.of([0, -1], noise)


@pytest.mark.parametrize("noise", [-1, [-1], (-1,), {-1, "?"}, np.array([-1]), "-1.0", ["-1", "?"]])
def test_noise_may_be_one_label_or_several(noise):
    assert Labelling.of([0, -1, "None"], noise).codes.tolist() == [0, -1, 1]


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_times_are_named_by_their_printed_form(unit):
    days = np.array(["2020-01-01", "2020-01-01", "2021-05-01"], dtype=f"datetime64[{unit}]")
    assert [name[:10] for name in Labelling.of(days).names] == ["2020-01-01", "2021-05-01"]


def test_labels_are_printed_only_once_if_they_print_differently():
    class Label:
        def __init__(self, text: str) -> None:
            self.text = text

        def __str__(self) -> str:
            return self.text

        def __repr__(self) -> str:
            raise AssertionError("printed again")

    assert Labelling.of([Label("x"), Label("y")]).names == ("x", "y")
