"""Labels as codes: whatever can be told apart, and by name what cannot."""

import numpy as np
import pytest

from qc4.labels import by_first_page, label_codes
from qc4.problems import InputError
from qc4.views.contingency import Contingency
from qc4.views.points import ClusteredPoints

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
def test_nan_is_refused_by_name_and_place_in_every_kind_of_sequence(labels):
    with pytest.raises(InputError, match=r"clusters\[1\]: found NaN, the first of 2; .* such as -1") as caught:
        Contingency.from_labels([0, 0, 1, 1], labels)
    assert [problem.code for problem in caught.value.problems] == ["nan-label"]


def test_points_refuse_nan_too():
    with pytest.raises(InputError, match=r"labels\[2\]: found NaN; "):
        ClusteredPoints.from_labels(np.zeros((3, 2)), [0.0, 1.0, NAN])


@pytest.mark.parametrize(
    ("shape", "words"), [((2, 3), "2 x 3"), ((3, 1), "3 x 1"), ((1, 3, 1), "1 x 3 x 1"), ((), "a single value")]
)
def test_arrays_that_are_no_row_are_refused_by_their_shape(shape, words):
    for make in (label_codes, by_first_page):
        with pytest.raises(InputError, match=f"found an array of {words}; expected one row"):
            make(np.zeros(shape, dtype=np.int64))


@pytest.mark.parametrize("step", [1, 2**40])
def test_unsigned_integers_are_taken_in_full(step):
    labels = np.array([2**64 - 1, 2**64 - 1 - step, 2**64 - 1, 2**64 - 1 - 2 * step], dtype=np.uint64)
    assert label_codes(labels).tolist() == [2, 1, 2, 0]
    assert by_first_page(labels).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("dtype", [np.int8, np.int64])
def test_signed_integers_are_taken_in_full(dtype):
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    assert by_first_page(np.array([most, least, most - 1, least], dtype=dtype)).tolist() == [0, 1, 2, 1]
    assert label_codes(np.array([least + 1, least], dtype=dtype)).tolist() == [1, 0]


def test_codes_by_first_page_have_no_gaps_and_do_not_depend_on_names():
    expected = [0, 1, 0, 2, 1]
    for labels in (
        ["b", "a", "b", "c", "a"],
        np.array([7, 3, 7, 9, 3]),
        np.array([7, 3, 7, 900, 3]),
        [None, 1, None, (), 1],
    ):
        assert by_first_page(labels).tolist() == expected
    assert by_first_page([]).tolist() == by_first_page(np.array([], dtype=np.int64)).tolist() == []
