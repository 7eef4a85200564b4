"""Labels of any kind as codes, so that everything else computes with small integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from qc4.arrays import IntArray
from qc4.problems import InputError, Problem

Labels = Sequence[Any] | npt.NDArray[Any]


def label_codes(labels: Labels, where: str = "labels") -> IntArray:
    """(pages,) codes >= 0, equal where labels are. Integers in an array keep their order.

    Args:
        labels: (pages,) anything that can be told apart.
        where: names the labels in what is raised.

    Raises:
        InputError: what `checked_labels` refuses.
    """
    checked_labels(labels, where)
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu":
        return _integer_codes(labels)
    numbers: dict[Any, int] = {}
    values = labels.tolist() if isinstance(labels, np.ndarray) else labels
    return np.fromiter((numbers.setdefault(label, len(numbers)) for label in values), np.int64, len(labels))


def by_first_page(labels: Labels, where: str = "labels") -> IntArray:
    """(pages,) codes from 0 on, every one in use, numbered as the pages come upon them; else as `label_codes`."""
    _, first, codes = np.unique(label_codes(labels, where), return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[codes]


def checked_labels(labels: Labels, where: str = "labels") -> None:
    """Refuse what is no list of labels.

    Raises:
        InputError: an array of another number of dimensions than 1; NaN, which equals nothing, not even itself.
    """
    if isinstance(labels, np.ndarray) and labels.ndim != 1:
        shape = " x ".join(map(str, labels.shape)) or "a single value"
        raise InputError([Problem("wrong-shape", where, f"an array of {shape}", "one row: a label for each page")])
    if isinstance(labels, np.ndarray) and labels.dtype.kind != "O":
        nan = np.flatnonzero(labels != labels).tolist()
    else:
        nan = [position for position, label in enumerate(labels) if label != label]
    if nan:
        found = "NaN" if len(nan) == 1 else f"NaN, the first of {len(nan):,}"
        fix = "Give pages without a label one of their own, such as -1."
        raise InputError([Problem("nan-label", f"{where}[{nan[0]}]", found, "a label that can be told apart", fix)])


def _integer_codes(labels: npt.NDArray[np.integer[Any]]) -> IntArray:
    """The codes of integers. Those in a range not much wider than the pages are only shifted, so some may be unused."""
    if not labels.size:
        return np.empty(0, dtype=np.int64)
    low, high = int(labels.min()), int(labels.max())
    codes: IntArray
    if high - low > 4 * labels.size:
        codes = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    elif labels.dtype.kind == "u":
        codes = (labels - labels.min()).astype(np.int64)  # those from 2^63 on are no int64 before
    else:
        codes = labels.astype(np.int64, copy=False)
        codes = codes - low if low else codes
    return codes
