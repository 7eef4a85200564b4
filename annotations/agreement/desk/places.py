"""Where answers put pages, and the operations that bring them there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from annotations.agreement.concepts import SIDES
from annotations.agreement.desk.questions import Decision
from annotations.agreement.desk.table import Operation, Table
from annotations.agreement.placements import Placement
from annotations.answers import Choice
from annotations.drafting import DraftState


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
        finest = set(table.state.finest_topics(page))
        target = {table.topic_id(symbol) for symbol in placement.topics}
        if finest != target or placement.outlier != (page in table.state.outliers):
            leave = _highest_left(table.state, finest, target)
            alike[tuple(leave), tuple(sorted(target)), placement.outlier].append(page)
    return [operation for moved, pages in alike.items() for operation in _moves(*moved, pages)]


def _highest_left(state: DraftState, now: Iterable[str], target: Iterable[str]) -> list[str]:
    """The topics that a page has to leave; of those that lie in each other only the highest, which takes all."""
    stays = {step for topic in target for step in state.path(topic)}
    paths = ([step for step in state.path(topic) if step not in stays] for topic in now)
    return sorted({path[0] for path in paths if path})


def _moves(leave: tuple[str, ...], enter: tuple[str, ...], outlier: bool, pages: Iterable[str]) -> Iterator[Operation]:
    """Take pages out of topics and their subtopics, then put them into all topics they belong in."""
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
