"""Vectors from arrays, files and text; errors name row and page."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest

from qc4 import GoldStandard, InputError, Vectors, read_vectors
from qc4.model.gold_document import GoldDocument, Page
from qc4.model.rules import prepare
from qc4.model.vectors import text_vectors

PAGES = ("a", "b", "c")


def messages(caught) -> list[str]:
    return [str(problem) for problem in caught.value.problems]


def npy(array) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def refused(source, page_ids=PAGES) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_vectors(source, page_ids, name="v")
    return messages(caught)


class TestArrays:
    def test_points_are_a_read_only_copy_in_double_precision(self):
        rows = np.ones((3, 2), dtype=np.float32)
        vectors = Vectors.of(rows)
        rows[:] = 5
        assert vectors.points.tolist() == [[1, 1]] * 3
        assert (vectors.n_pages, vectors.dimensions) == (3, 2)
        assert not vectors.points.flags.writeable

    @pytest.mark.parametrize(("value", "found"), [(np.nan, "nan"), (-np.inf, "-inf"), (1e101, "1e+101")])
    def test_numbers_that_are_not_finite_or_too_large(self, value, found):
        with pytest.raises(InputError) as caught:
            Vectors.of([[0, 1], [2, value], [value, 0]], page_ids=PAGES)
        expected = "expected a finite number with absolute value up to 1e+100"
        assert messages(caught) == [
            f"vectors: row 2 (page 'b'), column 2: found {found}; {expected}",
            f"vectors: row 3 (page 'c'), column 1: found {found}; {expected}",
        ]

    def test_rows_of_different_length(self):
        with pytest.raises(InputError) as caught:
            Vectors.of([[0, 1], [2], [0, 1, 2]])
        assert messages(caught) == [
            "vectors: row 2: found 1 numbers; expected 2, as in row 1",
            "vectors: row 3: found 3 numbers; expected 2, as in row 1",
        ]

    def test_the_error_names_the_page_of_a_missing_row(self):
        with pytest.raises(InputError, match=r"found 2 rows; expected 3, .* Row 3, for page 'c', is missing"):
            Vectors.of([[0], [1]], page_ids=PAGES)
        with pytest.raises(InputError, match="found 4 rows; expected 3"):
            Vectors.of([[0]] * 4, page_ids=PAGES)

    @pytest.mark.parametrize(
        "rows", [[], [[]], [1, 2], [[[1]]], [["x"]], 5, [[10**400]], [[None]], [{}], (r for r in "")]
    )
    def test_invalid_matrices(self, rows):
        with pytest.raises(InputError):
            Vectors.of(rows)

    def test_a_million_wrong_rows_give_a_short_error(self):
        with pytest.raises(InputError) as caught:
            Vectors.of(np.full((1000, 1), np.nan))
        assert messages(caught)[-1] == "vectors: found 800 more of this kind; expected none"


class TestFiles:
    @pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f8", "i4", "u1"])
    def test_npy(self, dtype):
        array = np.array([[1, 2], [3, 4], [5, 6]], dtype=dtype)
        vectors = read_vectors(npy(array), PAGES, name="v.npy")
        assert vectors.points.tolist() == array.tolist()
        assert vectors.origin["file"] == "v.npy"
        assert len(vectors.origin["sha256"]) == 64

    def test_columns_first_npy(self):
        array = np.asfortranarray(np.arange(6.0).reshape(3, 2))
        assert read_vectors(npy(array), PAGES).points.tolist() == array.tolist()

    @pytest.mark.parametrize(
        "text", ["1,2\n3,4\n5,6\n", "\ufeff1;2\r\n3;4\r\n5;6", "1\t2\n3\t4\n\n5\t6\n", " 1, 2\n3,4e0\n5.0,6\n"]
    )
    def test_csv_in_page_order(self, text):
        assert read_vectors(text.encode(), PAGES).points.tolist() == [[1, 2], [3, 4], [5, 6]]

    @pytest.mark.parametrize("header", ["id,x,y", "x,Page,y", '"id",x,y'])
    def test_csv_by_page(self, header):
        names = header.replace('"', "").split(",")
        place = next(k for k, name in enumerate(names) if name.casefold() in {"id", "page"})
        rows = [["5", "6"], ["1", "2"], ["3", "4"]]
        for page, row in zip("cab", rows, strict=True):
            row.insert(place, page)
        text = "\n".join([header, *map(",".join, rows)])
        assert read_vectors(text.encode(), PAGES).points.tolist() == [[1, 2], [3, 4], [5, 6]]

    def test_every_wrong_line_is_reported(self):
        assert refused(b"1,2\n3\n,1_0\n") == [
            "v: line 2: found 1 numbers; expected 2, as in the first row",
            "v: line 3, column 1: found nothing; expected a finite number",
            "v: line 3, column 2: found '1_0'; expected a finite number",
        ]

    def test_every_missing_unknown_and_repeated_page_is_reported(self):
        assert refused(b"id,x\na,1\nz,2\na,3\nb,inf\n") == [
            "v: line 3: found page 'z'; expected a page of the page list",
            "v: line 4: found page 'a' again; expected each page once (first on line 2)",
            "v: line 5, column 1: found 'inf'; expected a finite number",
            "v: found no row for page 'c'; expected one row per page",
        ]

    def test_too_few_lines(self):
        assert refused(b"1,2\n3,4\n")[0].startswith("v: found 2 rows; expected 3")

    @pytest.mark.parametrize(
        "source",
        [
            b"",
            b"id\na\nb\nc\n",
            npy(np.zeros(3)),
            npy(np.zeros((3, 0))),
            npy(np.array([["a"], ["b"], ["c"]])),
            npy(np.zeros((3, 2), dtype=complex)),
            npy(np.zeros((3, 2)))[:-8],
            b"\x93NUMPY\x01\x00",
            b"\x93NUMPY\x09\x00" + b" " * 80,
        ],
    )
    def test_broken_files(self, source):
        assert refused(source)

    def test_a_header_that_claims_more_than_the_file_holds_allocates_nothing(self):
        header = str({"descr": "<f8", "fortran_order": False, "shape": (10**12, 10)}).encode().ljust(117) + b"\n"
        huge = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        assert "expected 80,000,000,000,000, as its header says" in refused(huge)[0]

    def test_pickled_objects_are_not_loaded(self):
        file = io.BytesIO()
        np.save(file, np.array([[{}]], dtype=object), allow_pickle=True)
        assert "an array of object" in refused(file.getvalue())[0]


class TestText:
    texts = ("red car", "red red car dealer", "big cat", "cats and a cat", "")

    def document(self, *texts: str) -> GoldDocument:
        return GoldDocument("q", "q", tuple(Page(str(k), title=text, snippet=text[:3]) for k, text in enumerate(texts)))

    def test_the_same_seed_gives_the_same_vectors(self):
        one, other = (text_vectors(self.document(*self.texts), 3, seed=7) for _ in range(2))
        assert (one.points == other.points).all()
        assert one.points.shape == (5, 3)
        assert one.origin == other.origin

    def test_vectors_of_a_gold_standard_need_pages_with_words(self):
        document = replace(self.document(*self.texts), outliers=tuple("01234"))
        expected = text_vectors(document, 3).points
        assert (text_vectors(prepare(document), 3).points == expected).all()
        with pytest.raises(InputError, match="no word in any page"):
            text_vectors(GoldStandard.from_labels([0, 1]))

    def test_parameters_and_seed_are_recorded(self):
        origin = text_vectors(self.document(*self.texts), 3, seed=7).origin
        assert (origin["seed"], origin["components"], origin["fields"]) == (7, 3, ["title", "snippet", "text"])
        assert origin["scikit-learn"]
        json.dumps(origin)

    def test_pages_on_one_subject_have_similar_vectors(self):
        points = text_vectors(self.document(*self.texts)).points
        assert np.linalg.norm(points[0] - points[1]) < np.linalg.norm(points[0] - points[2])

    def test_a_page_without_words_is_the_zero_vector(self):
        assert text_vectors(self.document(*self.texts)).points[4] == pytest.approx(0)

    def test_words_of_any_script_and_length(self):
        assert text_vectors(self.document("猫 x", "собака y")).dimensions >= 2

    def test_one_word_is_enough(self):
        assert text_vectors(self.document("cat", "cat")).points.tolist() == [[1.0], [1.0]]

    def test_no_words_at_all(self):
        with pytest.raises(InputError, match="no word in any page"):
            text_vectors(self.document("", "!"))

    def test_no_components(self):
        with pytest.raises(InputError, match="a whole number from 1"):
            text_vectors(self.document("cat"), 0)
