"""Ids of pages and names of sets of pages, as Python has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, overload

import numpy as np

from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.references import check_ids, check_once
from qc4.problems.wording import kind_of, quoted
from qc4.text import comparison_key, difference


class Numbers(Sequence[str]):
    """The names "0", "1", .. of things that have none; each is made when asked for, as there may be millions."""

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
    """The ids of pages, each once.

    Args:
        n_pages: how many pages there are, where that is known; without ids they are "0", "1", ..

    Raises:
        InputError: another number of ids, or none; ids that repeat or are neither texts nor integers.
    """
    if pages is None and n_pages is not None:
        return Numbers(n_pages)
    if isinstance(pages, Numbers) and len(pages) == n_pages:
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
    """The ids of a group of pages as texts; what is no group, and what is no id, is noted.

    Those of a set, which has no order, are sorted: integers, then texts.
    """
    if hasattr(pages, "tolist") and not isinstance(pages, np.generic):
        pages = pages.tolist()
    if isinstance(pages, str | bytes | Mapping) or not isinstance(pages, Iterable):
        found = f"a text, {quoted(str(pages))}" if isinstance(pages, str | bytes) else kind_of(pages)
        problems.error("no-group", where, found, "a list of page ids")
        return ()
    found_ids = list(pages)
    wrong = [number for number, page in enumerate(found_ids) if not is_id(page)]
    if wrong:
        shown = f"{found_ids[wrong[0]]!r} as the id of a page"
        problems.error("bad-id", f"{where}[{wrong[0]}]", shown, "a text or an integer", "Write ids as texts: str(id).")
        return ()
    if isinstance(pages, Set):
        found_ids.sort(key=lambda page: (True, 0, page) if isinstance(page, str) else (False, int(page), ""))
    return tuple(map(str, found_ids))


def is_id(value: Any) -> bool:
    """Whether a page can be called so: a text that is not empty, or an integer."""
    if isinstance(value, str):
        return bool(value)
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def in_words(name: Any) -> str:
    """What a set of pages is called by its name: a text as it is, and anything else, such as a number, by nothing."""
    return name if isinstance(name, str) else ""


def named_sets(sets: Any, where: str) -> dict[str, tuple[str, ...]]:
    """Sets of pages by name; those of a list are named "0", "1", ..

    Args:
        sets: a mapping name -> pages, or the sets one after the other.

    Raises:
        InputError: it is neither; a set that is no group of pages or holds a page twice; two sets whose names are
            written alike.
    """
    if isinstance(sets, str | bytes) or not isinstance(sets, Iterable):
        found = f"a text, {quoted(str(sets))}" if isinstance(sets, str | bytes) else kind_of(sets)
        fix = "Labels, one for each page, are given with from_labels."
        raise InputError([Problem("no-sets", where, found, "sets of pages: a list of lists, or name -> pages", fix)])
    problems = ProblemList()
    members: dict[str, tuple[str, ...]] = {}
    spelled: dict[str, str] = {}
    for name, pages in sets.items() if isinstance(sets, Mapping) else enumerate(sets):
        place = f"{where}[{name!r}]"
        earlier = spelled.setdefault(comparison_key(str(name)), str(name))
        if str(name) in members or earlier != str(name):
            how = f" ({said})" if (said := difference(earlier, str(name))) else ""
            problems.error("duplicate-name", place, f"the name {quoted(str(name))} again{how}", "each name once")
        if not isinstance(pages, Set | Mapping | str | bytes) and isinstance(pages, Iterable):
            pages = list(pages)
        members[str(name)] = ids = page_ids(pages, place, problems)
        check_once(ids, place, "each page once", problems)
    if problems.errors and all(problem.code == "no-group" for problem in problems.errors):
        fix = "Labels, one for each page, are given with from_labels."
        first = problems.errors[0]
        raise InputError([Problem("no-sets", first.where, first.found, first.expected, fix)])
    problems.refuse_errors()
    return members
