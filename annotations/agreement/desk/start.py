"""The draft an adjudication begins with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from annotations.agreement.alignment import Alignment
from annotations.agreement.placements import Kind, PageComparison, Symbol, Symbols
from annotations.agreement.sides import Side
from annotations.drafting import DraftState, from_document
from qc4.gold.document import Topic


def started(first: Side, second: Side, alignment: Alignment) -> DraftState:
    """The draft an adjudication begins with: the aligned topics and the pages both sides place alike."""
    strict = Symbols(first, second, alignment)
    agreed = [page for page in map(strict.compare, range(first.hierarchy.n_pages)) if page.kind == Kind.AGREE]
    alone = frozenset(Symbol("first", topic) for topic in alignment.only_first)
    left_out = alone | {Symbol("second", topic) for topic in alignment.only_second}
    topics = _topics(Symbols(first, second, alignment, left_out), agreed)
    outliers = tuple(first.document.pages[page.page].id for page in agreed if page.first.outlier)
    return from_document(replace(first.document, topics=tuple(topics), outliers=outliers))


def _topics(symbols: Symbols, agreed: Sequence[PageComparison]) -> list[Topic]:
    """The aligned topics as the first side has them, parents before children, with the pages both place there."""
    first, members, topics = symbols.first, _members(symbols, agreed), []
    for pair in sorted(symbols.alignment.pairs, key=lambda pair: len(first.trail(pair.first))):
        own, parent = first.document.topics[pair.first], symbols.above("first", pair.first)
        above = first.topic_ids[parent.topic] if parent else None
        pages = tuple(members.get(Symbol("first", pair.first), ()))
        topics.append(Topic(own.id, own.name, above, None, pages, own.extra))
    return topics


def _members(symbols: Symbols, agreed: Sequence[PageComparison]) -> Mapping[Symbol, list[str]]:
    members: dict[Symbol, list[str]] = defaultdict(list)
    for page in agreed:
        for symbol in symbols.placement("first", page.page).topics:
            members[symbol].append(symbols.first.document.pages[page.page].id)
    return members
