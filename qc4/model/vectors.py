"""Page vectors, the input of internal measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from qc4.arrays import FloatArray
from qc4.model.gold_document import GoldDocument, Page
from qc4.model.gold_standard import GoldStandard
from qc4.problems import InputError, Problem, ProblemList, require_package
from qc4.wording import quoted

LARGEST = 1e100
"""Larger coordinates are rejected: sums of their squares would exceed the range of floating point."""


@dataclass(frozen=True, eq=False)
class Vectors:
    """One point per page, in the order of the page list.

    Attributes:
        points: (pages, dimensions) finite float64, read-only.
        origin: the source of the vectors as JSON values: file and checksum, or the parameters they were made with.
    """

    points: FloatArray
    origin: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        rows: npt.ArrayLike,
        origin: Mapping[str, Any] | None = None,
        page_ids: Sequence[str] | None = None,
        where: str = "vectors",
    ) -> Vectors:
        """Check vectors and return them.

        Args:
            rows: one row of numbers per page. Lists of unequal length are reported row by row.
            page_ids: the page list, if known, to check the number of rows and to name pages in messages.
            where: the name of the input in messages.

        Raises:
            InputError: rows are missing, too many, of unequal length, not numbers, not finite or larger than `LARGEST`;
                the error names each wrong row, counted from 1.

        >>> Vectors.of([[0, 1], [0.5, 0.5]]).dimensions
        2
        """
        points = _matrix(rows, where)
        if page_ids is not None and (problems := row_count_problems(points.shape[0], page_ids, where)):
            raise InputError(problems)
        _check_rows(points, page_ids, where)
        points.flags.writeable = False
        return cls(points, dict(origin or {}))

    @property
    def n_pages(self) -> int:
        return int(self.points.shape[0])

    @property
    def dimensions(self) -> int:
        return int(self.points.shape[1])


def row_count_problems(rows: int, page_ids: Sequence[str], where: str) -> list[Problem]:
    """Return a problem unless there is one row per page; it names the first page without a row."""
    if rows == len(page_ids):
        return []
    fix = f"Row {rows + 1}, for page {quoted(page_ids[rows])}, is missing." if rows < len(page_ids) else ""
    found, expected = f"{rows:,} rows", f"{len(page_ids):,}, one per page in the order of the page list"
    return [Problem("wrong-number-of-vectors", where, found, expected, fix)]


def _matrix(rows: npt.ArrayLike, where: str) -> FloatArray:
    """Return rows as a new (rows, dimensions) float64 array."""
    if isinstance(rows, list | tuple):
        _check_lengths(rows, where)
    try:
        points = np.array(rows, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError([Problem("bad-vectors", where, str(error), "rows of numbers")]) from None
    if points.ndim != 2 or not points.shape[1]:
        shape = " x ".join(map(str, points.shape)) or "a single number"
        raise InputError(
            [Problem("bad-vectors", where, f"an array of shape {shape}", "pages x dimensions (at least 1)")]
        )
    return points


def _check_lengths(rows: Sequence[Any], where: str) -> None:
    lengths = [len(row) if hasattr(row, "__len__") else 0 for row in rows]
    wrong = [number for number, length in enumerate(lengths) if length != lengths[0]]
    named = ((f"{where}: row {number + 1}", f"{lengths[number]} numbers") for number in wrong)
    problems = ProblemList()
    problems.error_each("wrong-vector-length", named, len(wrong), where, f"{lengths[0] if wrong else 0}, as in row 1")
    problems.refuse_errors()


def _check_rows(points: FloatArray, page_ids: Sequence[str] | None, where: str) -> None:
    wrong = np.flatnonzero(~(np.abs(points) <= LARGEST).all(axis=1))  # NaN compares as false

    def place(row: int) -> tuple[str, str]:
        column = int(np.flatnonzero(~(np.abs(points[row]) <= LARGEST))[0])
        page = "" if page_ids is None else f" (page {quoted(page_ids[row])})"
        return f"{where}: row {row + 1}{page}, column {column + 1}", f"{points[row, column]:g}"

    problems = ProblemList()
    expected = f"a finite number with absolute value up to {LARGEST:g}"
    problems.error_each("bad-vector", map(place, wrong.tolist()), wrong.size, where, expected)
    problems.refuse_errors()


# --- Vectors from the text of pages: TF-IDF, reduced by truncated singular value decomposition ---

COMPONENTS = 100
FIELDS = ("title", "snippet", "text")
ITERATIONS = 5


def text_vectors(document: GoldDocument | GoldStandard, components: int = COMPONENTS, seed: int = 0) -> Vectors:
    """Return one vector per page, made from its title, snippet and text.

    Words are weighted by (1 + ln tf) times idf, rows are scaled to length 1, and the result is reduced to at most
    ``components`` dimensions (fewer if there are fewer pages or words). A page without words gets the zero vector. The
    parameters, seed and scikit-learn version are stored in ``origin``; equal values give equal vectors.

    Raises:
        InputError: no page has a word; ``components`` is less than 1; scikit-learn is not installed.

    >>> pages = (Page("p1", title="big cats"), Page("p2", title="fast cars"), Page("p3", title="cats in cars"))
    >>> text_vectors(GoldDocument("jaguar", "jaguar", pages)).points.shape
    (3, 3)
    """
    if components < 1:
        raise InputError([Problem("bad-components", "components", str(components), "a whole number from 1")])
    require_package("scikit-learn", "vectors from text")
    # Imported here because scikit-learn takes a second to load and is needed only for text.
    import sklearn
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    given = document.document if isinstance(document, GoldStandard) else document
    texts = [_text(page) for page in given.pages] if given else []
    vectoriser = TfidfVectorizer(sublinear_tf=True, token_pattern=r"(?u)\b\w+\b")  # noqa: S106  # words, not a secret
    try:
        weights = vectoriser.fit_transform(texts)
    except ValueError:  # scikit-learn raises it for an empty vocabulary
        found, expected = "no word in any page", f"text in one of the fields {', '.join(FIELDS)}"
        raise InputError([Problem("no-text", "pages", found, expected)]) from None
    origin: dict[str, Any] = {
        "made_by": "TF-IDF and truncated SVD",
        "fields": list(FIELDS),
        "sublinear_tf": True,
        "words": int(weights.shape[1]),
        "components": min(components, *weights.shape),
        "iterations": ITERATIONS,
        "seed": seed,
        "scikit-learn": sklearn.__version__,
    }
    if weights.shape[1] < 2:  # nothing to reduce, and scikit-learn raises an error
        return Vectors.of(weights.toarray(), origin)
    reducer = TruncatedSVD(origin["components"], n_iter=ITERATIONS, random_state=seed)
    return Vectors.of(reducer.fit_transform(weights), origin)


def _text(page: Page) -> str:
    return "\n".join(text for name in FIELDS if (text := getattr(page, name)))
