"""Ids of pages and of sets of pages: checks, the index of a table, and lookup of positions in a list of ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import repeat
from operator import ne
from typing import Any, overload

import numpy as np

from qc4.arrays import BoolArray, IntArray
from qc4.problems import InputError, Problem, ProblemList, check_ids, check_no_repeats
from qc4.text import are_ascii, comparison_key, difference
from qc4.wording import counted, quoted, type_with_article


class NumberedIds(Sequence[str]):
    """The names "0", "1", .. of items without names. They are created on access because there may be millions."""

    def __init__(self, size: int) -> None:
        self._range = range(size)

    def __len__(self) -> int:
        return len(self._range)

    def __iter__(self) -> Iterator[str]:
        return map(str, self._range)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return tuple(map(str, self._range[index])) if isinstance(index, slice) else str(self._range[index])


def page_list(pages: Any, n_pages: int | None = None) -> Sequence[str]:
    """Return the ids of pages, after checking that each occurs once.

    Args:
        n_pages: the number of pages, if known; without ids the pages are named "0", "1", ..

    Raises:
        InputError: a wrong number of ids; no ids; ids that repeat or are neither texts nor integers.
    """
    if pages is None and n_pages is not None:
        return NumberedIds(n_pages)
    if isinstance(pages, NumberedIds) and len(pages) == n_pages:
        return pages
    problems = ProblemList()
    ids = page_ids(pages, "pages", problems)
    check_ids("duplicate-page", ids, lambda n: (f"pages[{n}]", f"at pages[{n}]"), "each page id once", problems)
    if n_pages is not None and len(ids) != n_pages:
        problems.error("wrong-length", "pages", f"{len(ids):,} ids", f"{n_pages:,}, one for each label")
    if n_pages is None and not ids:
        problems.error("no-pages", "pages", "no page", "at least one page to measure on")
    problems.refuse_errors()
    return ids


def page_ids(pages: Any, where: str, problems: ProblemList) -> tuple[str, ...]:
    """Return the ids of a group of pages as texts, and report invalid groups and ids.

    The ids of a set, which has no order, are sorted: integers first, then texts.
    """
    if hasattr(pages, "tolist") and not isinstance(pages, np.generic):
        pages = pages.tolist()
    if isinstance(pages, str | bytes | Mapping) or not isinstance(pages, Iterable):
        found = f"a text, {quoted(str(pages))}" if isinstance(pages, str | bytes) else type_with_article(pages)
        problems.error("no-group", where, found, "a list of page ids")
        return ()
    found_ids = list(pages)
    wrong = [number for number, page in enumerate(found_ids) if not is_id(page)]
    if wrong:
        shown = f"the page id {found_ids[wrong[0]]!r}"
        problems.error("bad-id", f"{where}[{wrong[0]}]", shown, "a text or an integer", "Write ids as texts: str(id).")
        return ()
    if isinstance(pages, Set):
        found_ids.sort(key=lambda page: (True, 0, page) if isinstance(page, str) else (False, int(page), ""))
    return tuple(map(str, found_ids))


def is_id(value: Any) -> bool:
    """Return True if the value can be a page id: a non-empty text or an integer."""
    if isinstance(value, str):
        return bool(value)
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def readable_name(name: Any) -> str:
    """Return the readable name of a set of pages: the name itself if it is a text, and an empty text otherwise."""
    return name if isinstance(name, str) else ""


def named_sets(sets: Any, where: str) -> dict[str, tuple[str, ...]]:
    """Return sets of pages by name; sets in a list are named "0", "1", ..

    Args:
        sets: a mapping name -> pages, or a sequence of sets.

    Raises:
        InputError: an input of another kind; a set that is not a group of pages or contains a page twice; two names
            with the same text.
    """
    if isinstance(sets, str | bytes) or not isinstance(sets, Iterable):
        found = f"a text, {quoted(str(sets))}" if isinstance(sets, str | bytes) else type_with_article(sets)
        fix = "To give one label per page, use from_labels."
        raise InputError([Problem("no-sets", where, found, "sets of pages: a list of lists, or name -> pages", fix)])
    problems = ProblemList()
    members: dict[str, tuple[str, ...]] = {}
    spelled: dict[str, str] = {}
    for name, pages in sets.items() if isinstance(sets, Mapping) else enumerate(sets):
        place = f"{where}[{name!r}]"
        earlier = spelled.setdefault(comparison_key(str(name)), str(name))
        if str(name) in members or earlier != str(name):
            how = f" ({said})" if (said := difference(earlier, str(name))) else ""
            problems.error("duplicate-name", place, f"a second {quoted(str(name))}{how}", "each name once")
        if not isinstance(pages, Set | Mapping | str | bytes) and isinstance(pages, Iterable):
            pages = list(pages)
        members[str(name)] = ids = page_ids(pages, place, problems)
        check_no_repeats(ids, place, "each page once", problems)
    if problems.errors and all(problem.code == "no-group" for problem in problems.errors):
        fix = "To give one label per page, use from_labels."
        first = problems.errors[0]
        raise InputError([Problem("no-sets", first.where, first.found, first.expected, fix)])
    problems.refuse_errors()
    return members


# --- The index of a column: columns can be matched by position only if their rows have the same names ---


def check_order(labels: Any, pages: Sequence[str], where: str) -> None:
    """Raise InputError if the index of a column lists these pages in another order, as labels are matched by
    position."""
    rows = getattr(labels, "index", None)
    if rows is None or not hasattr(rows, "equals") or isinstance(pages, NumberedIds):
        return
    names = list(map(str, rows))
    if names != list(pages) and set(names) == set(pages):
        apart = next(place for place, page in enumerate(pages) if names[place] != page)
        found = f"an index of the same pages in another order, first at [{apart}]: {names[apart]} not {pages[apart]}"
        fix = "Align it with .loc[page ids], or pass .to_numpy() if it is in the order of the page list."
        raise InputError([Problem("other-index", where, found, "labels in the order of the page list", fix)])


def check_index(first: Any, second: Any, name: str, other: str) -> None:
    """Raise InputError if the row names of two columns differ, as it is then unclear which labels belong together."""
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
    fix = f"Align it with .loc[{name}.index], or pass .to_numpy() of both to match them by position."
    raise InputError([Problem("other-index", other, found, "the same index in both", fix)])


# --- Fast lookup of the positions of many ids ---

MANY = 10_000
"""From this number of ids, sorted hashes are faster than a dictionary, which does not fit into the CPU cache."""
_AT_A_TIME = 4_096
"""A number of ids that fits into the CPU cache."""
_PLACE_BITS = 24
"""The largest number of bits for a position; the other bits of 64 hold the hash."""


class IdPositions:
    """The positions of ids in a list. A repeated id has its last position.

    >>> Places(["a", "b"]).of(["b", "x", "a"])
    array([ 1, -1,  0])
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids

    @property
    def all_differ(self) -> bool:
        """True if no id is repeated; different Unicode forms of an id count as the same."""
        if not are_ascii(self.ids):
            return len(set(map(comparison_key, self.ids))) == len(self.ids)
        if not _are_many(self.ids):
            return len(set(self.ids)) == len(self.ids)
        return len(self._index_of_alike) == int(self._are_alike.sum())

    def of(self, ids: Sequence[str]) -> IntArray:
        """Return the (ids,) position of each id, or -1 if it is not in the list."""
        if not (_are_many(self.ids) and _are_many(ids)):
            return np.fromiter(map(self._index.get, ids, repeat(-1)), np.int64, len(ids))
        hashes, order = self._hashed
        wanted, asked = _hashed(ids)
        near = np.searchsorted(hashes, wanted).clip(max=hashes.size - 1)
        found, alike = np.empty(asked.size, dtype=np.int64), np.empty(asked.size, dtype=bool)
        found[asked], alike[asked] = order[near], self._are_alike[near]
        for place in np.flatnonzero(alike).tolist():
            found[place] = self._index_of_alike.get(ids[place], -1)
        self._forget_others(found, ids)
        return found

    def _forget_others(self, found: IntArray, ids: Sequence[str]) -> None:
        """Set to -1 the positions of ids that are not in the list but share a hash with one that is.

        Ids are compared in list order, which is mostly their order in memory, so that the CPU cache holds the next
        ones.
        """
        known = self.ids
        packed = _packed(found)
        packed.sort()
        for start in range(0, len(ids), _AT_A_TIME):
            places, asked = _unpacked(packed[start : start + _AT_A_TIME])
            there = [known[place] for place in places.tolist()]
            wanted = [ids[number] for number in asked.tolist()]
            if there != wanted:
                found[asked[np.fromiter(map(ne, there, wanted), bool, asked.size)]] = -1

    @cached_property
    def _index(self) -> dict[str, int]:
        return {id: place for place, id in enumerate(self.ids)}

    @cached_property
    def _hashed(self) -> tuple[IntArray, IntArray]:
        return _hashed(self.ids)

    @cached_property
    def _are_alike(self) -> BoolArray:
        """(ids,) True for ids that share their hash with others, in the order of the hashes."""
        hashes, _ = self._hashed
        same = np.concatenate([[False], hashes[1:] == hashes[:-1], [False]])
        alike: BoolArray = np.logical_or(same[1:], same[:-1])
        return alike

    @cached_property
    def _index_of_alike(self) -> dict[str, int]:
        """The positions of ids that share their hash with others: nearly always only repeated ids."""
        alike = self._hashed[1][self._are_alike]
        return {self.ids[place]: place for place in np.sort(alike).tolist()}


def all_differ(ids: Sequence[str]) -> bool:
    """Return True if no id is repeated; different Unicode forms of an id count as the same."""
    return IdPositions(ids).all_differ


def _are_many(ids: Sequence[str]) -> bool:
    return MANY <= len(ids) <= 1 << _PLACE_BITS


def _hashed(ids: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Return the sorted (ids,) upper bits of all hashes, and the (ids,) position of each, from one integer sort."""
    packed = _packed(np.fromiter(map(hash, ids), np.int64, len(ids)) >> _PLACE_BITS)
    packed.sort()
    return _unpacked(packed)


def _packed(numbers: IntArray) -> IntArray:
    """Return (numbers,) each number with its position in its lower bits, so that sorting keeps them together."""
    return numbers << _PLACE_BITS | np.arange(numbers.size, dtype=np.int64)


def _unpacked(packed: IntArray) -> tuple[IntArray, IntArray]:
    """Return the (numbers,) packed values and the (numbers,) position of each."""
    return packed >> _PLACE_BITS, packed & ((1 << _PLACE_BITS) - 1)
