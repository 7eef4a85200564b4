"""Ids that come once, references to what there is, parents without a cycle: the same for every input that has ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from qc4.problems.problem import ProblemList
from qc4.problems.wording import listed, quoted

_SHOWN = 20


def repeats(ids: Iterable[str | None]) -> Iterator[tuple[int, int]]:
    """The place of every id that came before, and where it came first. None stands for one that could not be read."""
    first: dict[str, int] = {}
    for place, item in enumerate(ids):
        if item is not None and (earlier := first.setdefault(item, place)) != place:
            yield place, earlier


def repeated(ids: Iterable[str]) -> list[str]:
    """The ids that come more than once, each once."""
    return [item for item, count in Counter(ids).items() if count > 1]


def check_ids(
    code: str, ids: Sequence[str | None], at: Callable[[int], tuple[str, str]], expected: str, problems: ProblemList
) -> None:
    """Note every id that comes again; None, for one that could not be read, is passed over.

    Args:
        at: where the n-th id stands: for ``Problem.where``, and to follow "first", such as "at pages[3]".
    """
    if len(set(ids)) == len(ids):  # nearly always; more than one that could not be read are told apart below
        return
    for place, earlier in repeats(ids):
        if problems.full:
            return
        problems.error(
            code, at(place)[0], f"the id {quoted(ids[place] or '')} again (first {at(earlier)[1]})", expected
        )


def check_known(
    pages: Iterable[str], known: Container[str], where: str, expected: str, problems: ProblemList, what: str = "pages"
) -> None:
    """Note the pages of one list that the page list does not have, in one problem."""
    unknown = [page for page in pages if page not in known]
    if unknown:
        found = f"{what} that are not in the page list: {listed(unknown)}"
        problems.error("unknown-page", where, found, expected, "Remove them or correct their ids.")


def check_once(pages: Sequence[str], where: str, expected: str, problems: ProblemList, what: str = "pages") -> None:
    """Note the pages that one list holds more than once, in one problem."""
    if len(set(pages)) < len(pages):
        found = f"{what} listed twice: {listed(repeated(pages))}"
        problems.error("page-twice", where, found, expected, "Remove the repetition.")


def check_parent(parent: str | None, known: Container[str], where: str, expected: str, problems: ProblemList) -> None:
    """Note a parent that does not exist; None is no parent."""
    if parent is not None and parent not in known:
        problems.error("unknown-parent", where, f"the parent {quoted(parent)}", expected)


def check_cycles(
    cycles: Iterable[Sequence[int]], ids: Sequence[str], where: str, expected: str, problems: ProblemList, fix: str = ""
) -> None:
    """Note the cycles that `parents_first` found, each as a path."""
    for cycle in cycles:
        path = " > ".join(quoted(ids[place]) for place in cycle[:_SHOWN])
        shown = path if len(cycle) <= _SHOWN else f"{path} and {len(cycle) - _SHOWN:,} more"
        problems.error("parent-cycle", where, f"a cycle of parents: {shown}", expected, fix)


def parents_first(parents: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """An order in which parents stand before their children, and every cycle once, as the path back to its start.

    In one pass, however deep the chains are. The order means nothing where there is a cycle.

    Args:
        parents: the place of each one's parent, -1 for none.
    """
    order: list[int] = []
    cycles: list[list[int]] = []
    settled = [False] * len(parents)
    for start in range(len(parents)):
        trail: dict[int, None] = {}
        step = start
        while step >= 0 and not settled[step] and step not in trail:
            trail[step] = None
            step = parents[step]
        if step in trail:
            path = list(trail)
            cycles.append([*path[path.index(step) :], step])
        for place in reversed(trail):
            settled[place] = True
            order.append(place)
    return order, cycles
