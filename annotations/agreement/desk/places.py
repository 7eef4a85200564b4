"""Where answers put pages, and the operations that bring them there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from annotations.agreement.concepts import SIDES
from annotations.agreement.desk.questions import Decision
from annotations.agreement.desk.table import Operation, Table
from annotations.agreement.placements import Placement
from annotations.answers import Choice


def wanted(table: Table, decision: Decision) -> Placement:
    """Where an answer puts a page."""
    if decision.choice == Choice.OUTLIER:
        return Placement(outlier=True)
    number, symbols = table.page_numbers[decision.subject.key], table.symbols
    placements = [symbols.placement(name, number) for name in table.names]
    if decision.choice == Choice.ALL:
        return Placement(symbols.deepest({symbol for placement in placements for symbol in placement.topics}))
    if decision.choice == Choice.MAJORITY:
        return symbols.majority(placements)
    return placements[SIDES.index(decision.choice.value)]


def placing(table: Table, wanted: Mapping[str, Placement]) -> list[Operation]:
    """The operations that put pages exactly there, those of pages that move alike together."""
    alike: dict[tuple[tuple[str, ...], tuple[str, ...], bool], list[str]] = defaultdict(list)
    for page, placement in wanted.items():
        direct = set(table.state.finest_topics(page))
        target = {table.topic_id(symbol) for symbol in placement.topics}
        if direct != target or placement.outlier != (page in table.state.outliers):
            alike[tuple(sorted(direct - target)), tuple(sorted(target)), placement.outlier].append(page)
    return [operation for moved, pages in alike.items() for operation in _moves(*moved, pages)]


def _moves(leave: tuple[str, ...], enter: tuple[str, ...], outlier: bool, pages: Iterable[str]) -> Iterator[Operation]:
    """Out of topics, which takes the pages out of the subtopics as well, and then into all they belong in."""
    together = list(pages)
    if outlier:
        yield {"kind": "outlier", "pages": together}
        return
    if leave:
        yield {"kind": "unassign", "pages": together, "topics": list(leave)}
    if enter:
        yield {"kind": "assign", "pages": together, "topics": list(enter)}
    elif not leave:
        yield {"kind": "clear_outlier", "pages": together}
