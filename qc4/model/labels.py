"""Labels of any kind, converted to small integer codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set, ValuesView
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.model.noise import NoiseLabel, NoiseRule, is_missing, label_key, missing_name
from qc4.problems import InputError, Problem
from qc4.text import are_ascii, comparison_key
from qc4.wording import quoted, type_with_article

Labels = Sequence[Any] | npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Labelling:
    """The label of each page.

    Attributes:
        names: one text per label, in order of first appearance; all different.
        codes: (pages,) index of each page's label among the names; -1 for noise.
        are_words: True if every label is a text, and so can describe its pages; numbers cannot.
        noise: the labels that were read as noise, with their number of pages, in order of first appearance.
    """

    names: tuple[str, ...]
    codes: IntArray
    are_words: bool
    noise: tuple[NoiseLabel, ...] = ()

    @classmethod
    def of(cls, labels: Any, noise: Any = None, where: str = "labels") -> Labelling:
        """Return the labelling of labels in any accepted form.

        Args:
            labels: (pages,) a list, a tuple, an array or a column of a table (pandas, polars) of anything hashable. A
                text and a number that are spelled alike are the same label.
            noise: the labels that mean "in no cluster", as in `NoiseRule.of`.
            where: the name of the input in error messages.

        Raises:
            InputError: an input that is not a row of labels; a label that is not hashable; noise that is not a label.
        """
        rule = NoiseRule.of(noise)
        row = label_row(labels, where)
        if isinstance(row, np.ndarray) and row.dtype.kind in "iu":
            first, codes = _by_first_page(_integer_codes(row))
            values = row[first].tolist()
        else:
            values, codes = _hashed(row, where)
        keys = list(map(label_key, values))
        are_noise = np.array([rule.holds(key) for key in keys], dtype=bool)
        kept = [place for place, is_noise in enumerate(are_noise.tolist()) if not is_noise]
        numbers: dict[Any, int] = {}
        number_of = np.full(len(values), -1)
        for place in kept:
            number_of[place] = numbers.setdefault(keys[place], len(numbers))
        are_words = all(isinstance(values[place], str | bytes) for place in kept)
        found: Counter[str] = Counter()  # by printed form: an array may hold many NaN objects
        sizes = np.bincount(codes, minlength=len(values))
        for place in np.flatnonzero(are_noise).tolist():
            value = values[place]
            found[missing_name(value) if is_missing(value) else _text_of(value)] += int(sizes[place])
        noise_labels = tuple(NoiseLabel(label, number) for label, number in found.items())
        return cls(different_texts(list(numbers)), number_of[codes] if codes.size else codes, are_words, noise_labels)

    @property
    def n_pages(self) -> int:
        return int(self.codes.size)

    def incidence(self) -> sp.csr_array:
        """Return the (labels, pages) 0/1 incidence, with sorted indices and no empty row."""
        pages = np.flatnonzero(self.codes >= 0)
        ones = np.ones(pages.size, dtype=np.int32)
        return sp.csr_array((ones, (self.codes[pages], pages)), (len(self.names), self.n_pages))

    def members(self) -> list[IntArray]:
        """Return the pages of each label, in the order of the names; pages are in page order."""
        found = self.incidence()
        return np.split(found.indices.astype(np.int64), found.indptr[1:-1])[: len(self.names)]


def _text_of(value: Any) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def label_codes(labels: Labels, where: str = "labels") -> IntArray:
    """Return (pages,) codes >= 0, equal for equal labels. Integers in an array keep their order.

    Args:
        labels: (pages,) hashable values.
        where: the name of the input in error messages.

    Raises:
        InputError: an input that `checked_labels` rejects; a label that is not hashable.
    """
    checked_labels(labels, where)
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu":
        return _integer_codes(labels)
    return _hashed(labels, where)[1]


def by_first_page(labels: Labels, where: str = "labels") -> IntArray:
    """Return (pages,) codes 0, 1, .. in order of first appearance, without gaps. Otherwise like `label_codes`."""
    return _by_first_page(label_codes(labels, where))[1]


def _by_first_page(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the page on which each code first appears, and the (pages,) codes numbered in this order.

    Args:
        codes: (pages,) codes >= 0, not much larger than the number of pages; there may be gaps.
    """
    first = np.full(int(codes.max(initial=-1)) + 1, codes.size)
    first[codes[::-1]] = np.arange(codes.size - 1, -1, -1)  # the last assignment wins, so go backwards
    used = np.flatnonzero(first < codes.size)
    met = used[np.argsort(first[used])]
    rank = np.empty(first.size, dtype=np.int64)
    rank[met] = np.arange(met.size)
    return first[met], rank[codes]


def checked_labels(labels: Labels, where: str = "labels") -> None:
    """Raise InputError unless the input is a row of labels without missing values.

    Raises:
        InputError: an array that is not one-dimensional; a missing value (None, NaT, pandas' NA, or NaN, which does not
            equal itself).
    """
    _check_shape(labels, where)
    if isinstance(labels, np.ndarray) and labels.dtype.kind != "O":
        missing = np.flatnonzero(labels != labels).tolist()
    else:
        missing = [position for position, label in enumerate(labels) if is_missing(label)]
    if missing:
        name = missing_name(labels[missing[0]])
        number = sum(missing_name(labels[position]) == name for position in missing)
        found = name if number == 1 else f"{name}, the first of {number:,}"
        fix = "Use a label such as -1 for pages without a label."
        raise InputError([Problem("nan-label", f"{where}[{missing[0]}]", found, "a label that equals itself", fix)])


def _check_shape(labels: Labels, where: str) -> None:
    if isinstance(labels, np.ndarray) and labels.ndim != 1:
        shape = " x ".join(map(str, labels.shape)) or "a single value"
        raise InputError([Problem("wrong-shape", where, f"an array of {shape}", "one row: a label for each page")])


def label_row(labels: Any, where: str = "labels") -> Labels:
    """Return one row of labels from any container that has one. Masked and missing labels become None.

    Raises:
        InputError: no input, a text, a table, a mapping, or anything else that is not a row of labels.
    """
    row: Labels
    if isinstance(labels, np.ma.MaskedArray):
        row, masked = np.asarray(labels.data), np.ma.getmaskarray(labels)
        if masked.any():
            row = row.astype(object)
            row[masked] = None
    elif hasattr(labels, "to_numpy"):
        row = np.asarray(labels.to_numpy())
    elif hasattr(labels, "__array__") and not isinstance(labels, np.generic):
        row = np.asarray(labels)
    else:
        row = list(labels) if isinstance(labels, ValuesView) else labels
        if isinstance(row, str | bytes) or not isinstance(row, Sequence):
            found, fix = _describe_wrong_input(row)
            raise InputError([Problem("no-labels", where, found, "a list with a label for each page", fix)])
    _check_shape(row, where)
    return row


def _describe_wrong_input(labels: Any) -> tuple[str, str]:
    """Return what was given instead of a row of labels, and how to fix it."""
    name = type_with_article(labels)
    if labels is None:
        return "None", ""
    if isinstance(labels, str | bytes):
        text = labels if isinstance(labels, str) else repr(labels)
        return f"a text, {quoted(text)}", "To read a file, use read_gold or read_clustering."
    if isinstance(labels, Mapping):
        fix = "For page -> label use from_labels(list(d.values()), pages=list(d)); for name -> pages use from_sets(d)."
        return name, f"{fix} For the content of a file use read_gold(d) or read_clustering(d)."
    if isinstance(labels, Set):
        return f"{name}, which has no order", "Convert it to a list, or use from_sets for sets of pages."
    if isinstance(labels, Iterator):
        return f"{name}, which can be read only once", "Convert it to a list: list(...)."
    if isinstance(labels, int | float | complex | np.generic):
        return f"a single value, {labels}", ""
    return name, ""


def _hashed(labels: Labels, where: str) -> tuple[list[Any], IntArray]:
    """Return the different labels in order of first appearance, and the (pages,) index of each page's label.

    Texts with the same comparison key are one label, spelled like the first of them.
    """
    numbers: dict[Any, int] = {}
    values: Sequence[Any] = labels if not isinstance(labels, np.ndarray) else _as_list(labels)
    try:
        codes = np.fromiter((numbers.setdefault(label, len(numbers)) for label in values), np.int64, len(values))
    except TypeError:
        place = next(number for number, label in enumerate(values) if not _is_hashable(label))
        found, expected = type_with_article(values[place]), "a label: a number, a text or anything else hashable"
        fix = "Use from_sets for sets of pages, or GoldStandard.from_levels for labels on several levels."
        raise InputError([Problem("no-label", f"{where}[{place}]", found, expected, fix)]) from None
    different = list(numbers)
    if are_ascii(value for value in different if isinstance(value, str)):
        return different, codes
    by_key: dict[Any, int] = {}
    places = [by_key.setdefault(_key(value), len(by_key)) for value in different]
    if len(by_key) == len(different):
        return different, codes
    firsts = [places.index(number) for number in range(len(by_key))]
    return [different[first] for first in firsts], np.array(places, dtype=np.int64)[codes]


def _key(label: Any) -> Any:
    return comparison_key(label) if isinstance(label, str) else label


def _as_list(labels: npt.NDArray[Any]) -> list[Any]:
    # `tolist` turns times in nanoseconds into numbers.
    found: list[Any] = list(labels) if labels.dtype.kind in "mM" else labels.tolist()
    return found


def _is_hashable(label: Any) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def different_texts(values: Sequence[Any]) -> tuple[str, ...]:
    """Return a text for each value: its printed form, unless two values print alike (1 and "1"), which are numbered."""
    texts = [str(value) for value in values]
    if len(set(texts)) == len(texts):
        return tuple(texts)
    for again in (repr, lambda value: f"{value!r} ({type(value).__name__})"):
        forms: dict[str, set[str]] = {}
        for text, value in zip(texts, values, strict=True):
            forms.setdefault(text, set()).add(again(value))
        texts = [again(value) if len(forms[text]) > 1 else text for text, value in zip(texts, values, strict=True)]
    taken, seen = set(texts), Counter[str]()
    for place, text in enumerate(texts):
        seen[text] += 1
        if seen[text] == 1:
            continue
        while f"{text} #{seen[text]}" in taken:
            seen[text] += 1
        texts[place] = f"{text} #{seen[text]}"
        taken.add(texts[place])
    return tuple(texts)


def _integer_codes(labels: npt.NDArray[np.integer[Any]]) -> IntArray:
    """Return codes of integers. If their range is not much wider than the number of pages, they are only shifted."""
    if not labels.size:
        return np.empty(0, dtype=np.int64)
    low, high = int(labels.min()), int(labels.max())
    codes: IntArray
    if high - low > 4 * labels.size:
        codes = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    elif labels.dtype.kind == "u":
        codes = (labels - labels.min()).astype(np.int64)  # subtract first: values from 2^63 do not fit into int64
    else:
        codes = labels.astype(np.int64, copy=False)
        codes = codes - low if low else codes
    return codes
