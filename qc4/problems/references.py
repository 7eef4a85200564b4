"""Ids that come once, references to what there is, parents without a cycle: the same for every input that has ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from qc4.problems.problem import ProblemList
from qc4.problems.wording import listed, quoted
from qc4.text import Spellings, are_ascii, comparison_key, difference, unified

_SHOWN = 20


def repeats(ids: Iterable[str | None]) -> Iterator[tuple[int, int]]:
    """Yield the place of every id that came before, in whichever Unicode form, and where it came first.

    None stands for an id that could not be read.
    """
    first: dict[str, int] = {}
    for place, item in enumerate(ids):
        if item is not None and (earlier := first.setdefault(comparison_key(item), place)) != place:
            yield place, earlier


def repeated(ids: Iterable[str]) -> list[str]:
    """Return the ids that come more than once, in whichever Unicode form, each once and as it is written first."""
    return [item for item, count in Counter(unified(list(ids))).items() if count > 1]


def check_ids(
    code: str, ids: Sequence[str | None], at: Callable[[int], tuple[str, str]], expected: str, problems: ProblemList
) -> None:
    """Note every id that was used before, in whichever Unicode form; None, for an unreadable id, is passed over.

    Args:
        at: where the n-th id stands: for ``Problem.where``, and to follow "first", such as "at pages[3]".
    """
    if are_ascii(filter(None, ids)) and len(set(ids)) == len(ids):  # nearly always
        return
    for place, earlier in repeats(ids):
        if problems.full:
            return
        problems.error(
            code,
            at(place)[0],
            f"the id {quoted(ids[place] or '')} again (first {at(earlier)[1]}"
            f"{_in_brackets(difference(ids[earlier] or '', ids[place] or ''))})",
            expected,
        )


def _in_brackets(said: str) -> str:
    return f"; {said}" if said else ""


def check_known(
    pages: Iterable[str], known: Container[str], where: str, expected: str, problems: ProblemList, what: str = "pages"
) -> None:
    """Note the pages of one list that the page list does not have, in one problem.

    Args:
        known: the ids of the page list; as `Spellings`, the message also says which of them an unknown id looks like.
    """
    unknown = [page for page in pages if page not in known]
    if unknown:
        found = f"{what} that are not in the page list: {listed(unknown)}"
        if isinstance(known, Spellings):
            found += _looks_like(unknown, known)
        problems.error("unknown-page", where, found, expected, "Remove them or correct their ids.")


def _looks_like(unknown: Sequence[str], known: Spellings) -> str:
    """Which known id the first unknown id that looks like one looks like, and how the two differ; to follow a list."""
    for text in unknown[:_SHOWN]:
        if other := known.look_alike(text):
            return f" ({quoted(other)} is there and {quoted(text)} is not: {difference(other, text)})"
    return ""


def check_once(pages: Sequence[str], where: str, expected: str, problems: ProblemList, what: str = "pages") -> None:
    """Note the pages that one list holds more than once, in whichever Unicode form, in one problem."""
    if are_all_different(pages):
        return
    twice: dict[str, list[str]] = {}
    for page in pages:
        twice.setdefault(comparison_key(page), []).append(page)
    groups = [group for group in twice.values() if len(group) > 1]
    found = f"{what} listed twice: {listed([group[0] for group in groups])}"
    said = next(filter(None, (difference(group[0], other) for group in groups for other in group)), "")
    problems.error("page-twice", where, found + _in_brackets(said), expected, "Remove the repetition.")


def are_all_different(ids: Sequence[str]) -> bool:
    """Return whether no id is there twice, in whichever Unicode form."""
    return len(set(ids)) == len(ids) and (are_ascii(ids) or len(set(map(comparison_key, ids))) == len(ids))


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
