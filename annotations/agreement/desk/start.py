"""The draft an adjudication begins with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from annotations.agreement.concepts import Concept, Symbol
from annotations.agreement.placements import Kind, PageComparison, Symbols
from annotations.agreement.sides import Side
from annotations.drafting import DraftState, from_document
from qc4.model.gold_document import Topic


def started(sides: tuple[Side, ...], concepts: tuple[Concept, ...]) -> DraftState:
    """The draft an adjudication begins with: the topics all sides have and the pages all place alike."""
    strict, first = Symbols(sides, concepts), sides[0]
    agreed = [page for page in map(strict.compare, range(first.hierarchy.n_pages)) if page.kind == Kind.AGREE]
    left_out = frozenset(concept.symbol for concept in concepts if len(concept.topics) < len(sides))
    topics = _topics(replace(strict, skipped=left_out), agreed)
    outliers = tuple(first.document.pages[page.page].id for page in agreed if page.first.outlier)
    return from_document(replace(first.document, topics=tuple(topics), outliers=outliers))


def _topics(symbols: Symbols, agreed: Sequence[PageComparison]) -> list[Topic]:
    """The topics all have as the first side has them, parents before children, with the pages all place there."""
    first, members, topics = symbols.sides[0], _members(symbols, agreed), []
    shared = [symbol.topic for symbol in symbols.all if symbol not in symbols.skipped]
    for topic in sorted(shared, key=lambda topic: len(first.trail(topic))):
        own, parent = first.document.topics[topic], symbols.above("first", topic)
        above = first.topic_ids[parent.topic] if parent else None
        pages = tuple(members.get(Symbol("first", topic), ()))
        topics.append(Topic(own.id, own.name, above, None, pages, own.extra))
    return topics


def _members(symbols: Symbols, agreed: Sequence[PageComparison]) -> Mapping[Symbol, list[str]]:
    members: dict[Symbol, list[str]] = defaultdict(list)
    for page in agreed:
        for symbol in symbols.placement("first", page.page).topics:
            members[symbol].append(symbols.sides[0].document.pages[page.page].id)
    return members
