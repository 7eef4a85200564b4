"""Columns of tables have an index: two of them are joined by position only if their rows are named alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qc4.ids import Numbers
from qc4.problems import InputError, Problem
from qc4.problems.wording import counted


def check_order(labels: Any, pages: Sequence[str], where: str) -> None:
    """Refuse a column of a table whose index names these pages in another order: labels are taken by position."""
    rows = getattr(labels, "index", None)
    if rows is None or not hasattr(rows, "equals") or isinstance(pages, Numbers):
        return
    names = list(map(str, rows))
    if names != list(pages) and set(names) == set(pages):
        apart = next(place for place, page in enumerate(pages) if names[place] != page)
        found = f"an index of the same pages in another order, first at [{apart}]: {names[apart]} not {pages[apart]}"
        fix = "Align it with .loc[page ids], or give .to_numpy() if its order is that of the page list."
        raise InputError([Problem("other-index", where, found, "labels in the order of the page list", fix)])


def check_index(first: Any, second: Any, name: str, other: str) -> None:
    """Refuse two columns of tables whose rows are named differently: nothing says which labels belong together."""
    rows, other_rows = getattr(first, "index", None), getattr(second, "index", None)
    if rows is None or other_rows is None or not (hasattr(rows, "equals") and hasattr(other_rows, "equals")):
        return
    if rows.equals(other_rows):
        return
    if len(rows) != len(other_rows):
        each = f"{len(rows):,}, one for each page of {name}"
        raise InputError([Problem("wrong-length", other, counted(len(other_rows), "label"), each)])
    apart = int(np.flatnonzero(np.asarray(rows) != np.asarray(other_rows))[0])
    found = f"another index than that of {name}, first at [{apart}]: {other_rows[apart]} instead of {rows[apart]}"
    fix = f"Align it with .loc[{name}.index], or give .to_numpy() of both where the order says what belongs together."
    raise InputError([Problem("other-index", other, found, "the same index in both", fix)])
