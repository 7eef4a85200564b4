"""What lies on the desk: the hierarchies, the draft made of them, and the decisions so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from annotations.agreement.concepts import SIDES, Concept, SideName, Symbol
from annotations.agreement.desk.questions import Decision, Subject
from annotations.agreement.placements import PageComparison, Symbols
from annotations.agreement.sides import Side
from annotations.answers import About, Choice
from annotations.drafting import DraftState

Operation = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Table:
    """Two or more sides, the draft as it is, and the decisions so far.

    Attributes:
        aligned: by pages and names; decisions that two topics are the same come on top.
        decisions: all of them, oldest first.
    """

    sides: tuple[Side, ...]
    aligned: tuple[Concept, ...]
    state: DraftState
    decisions: Sequence[Decision] = ()

    def after(self, decisions: Iterable[Decision], state: DraftState) -> Self:
        """The same when these were decided last and the draft is in this state."""
        return replace(self, state=state, decisions=(*self.decisions, *decisions))

    @property
    def first(self) -> Side:
        return self.sides[0]

    @property
    def names(self) -> tuple[SideName, ...]:
        return SIDES[: len(self.sides)]

    def side(self, name: SideName) -> Side:
        return self.sides[SIDES.index(name)]

    @cached_property
    def last(self) -> Mapping[Subject, tuple[int, Decision]]:
        """Subject -> number and content of its last decision, where that was not to open it again."""
        found = {decision.subject: (number, decision) for number, decision in enumerate(self.decisions)}
        return {subject: last for subject, last in found.items() if last[1].choice != Choice.REOPEN}

    @cached_property
    def aligned_as(self) -> Mapping[Symbol, Concept]:
        """What topics are aligned by pages and names, by their symbols."""
        return {concept.symbol: concept for concept in self.aligned}

    @cached_property
    def concepts(self) -> Mapping[Symbol, Concept]:
        """The concepts by their symbols; topics that somebody said are the same are one."""
        found, into = dict(self.aligned_as), dict[Symbol | None, Symbol]()
        for _, decision in sorted(self.last.values(), key=lambda last: last[0]):
            if decision.choice == Choice.SAME:
                own, other = self.symbol_of(decision.subject), self.symbol_called(decision.other)
                while other in into:
                    other = into[other]
                if own in found and other in found and not self.share_a_side(found[own], found[other]):
                    found[other] = found[other].joined(found.pop(own))
                    into[own] = other
        return found

    @staticmethod
    def share_a_side(one: Concept, other: Concept) -> bool:
        return not one.topics.keys().isdisjoint(other.topics)

    def symbol_of(self, subject: Subject) -> Symbol:
        """The symbol of a topic that is decided about, whatever it was said to be the same as."""
        return Symbol(subject.side, self.side(subject.side).topic_ids.index(subject.key))

    def symbol_called(self, topic_id: str) -> Symbol | None:
        """The symbol that has this id in the draft."""
        return next((symbol for symbol, own in self._ids.items() if own == topic_id), None)

    @cached_property
    def symbols(self) -> Symbols:
        """The topics that are in the draft, in the draft's own tree."""
        plain = Symbols(self.sides, tuple(self.concepts.values()))
        present = {self.topic_id(symbol): symbol for symbol in plain.all if self.is_in_draft(symbol)}
        tree = {symbol: self._nearest(topic_id, present) for topic_id, symbol in present.items()}
        return replace(plain, skipped=frozenset(plain.all) - frozenset(tree), tree=tree)

    def topic_id(self, symbol: Symbol) -> str:
        """The id a topic has, or would have, in the draft."""
        return self._ids[symbol]

    @cached_property
    def _ids(self) -> Mapping[Symbol, str]:
        everybodys = {topic_id for side in self.sides for topic_id in side.topic_ids}
        found: dict[Symbol, str] = {}
        taken: set[str] = set()
        for concept in self.aligned:
            symbol = concept.symbol
            own = self.side(symbol.side).topic_ids[symbol.topic]
            found[symbol] = own if own not in taken else _free(own, everybodys | taken)
            taken.add(found[symbol])
        return found

    def is_in_draft(self, symbol: Symbol) -> bool:
        """Whether the draft holds the topic, and not only as a suggestion."""
        topic = self.state.topics.get(self.topic_id(symbol))
        return topic is not None and not topic.suggested

    def _nearest(self, topic_id: str, present: Mapping[str, Symbol]) -> Symbol | None:
        above = self.state.path(topic_id)[-2::-1]
        return next((present[step] for step in above if step in present), None)

    @cached_property
    def comparisons(self) -> tuple[PageComparison, ...]:
        """Every page, in topics of the draft."""
        return tuple(map(self.symbols.compare, range(self.first.hierarchy.n_pages)))

    def free_for_same(self, symbol: Symbol) -> list[Symbol]:
        """What a topic may be declared the same as: topics of earlier sides that none of its own sides has."""
        own = self.concepts.get(symbol)
        if own is None:
            return []
        earlier = SIDES[: SIDES.index(symbol.side)]
        free = (concept for other, concept in self.concepts.items() if other.side in earlier)
        return [concept.symbol for concept in free if not self.share_a_side(own, concept)]

    def placed(self, page: str) -> tuple[frozenset[str], bool]:
        """Where a page is in the draft: ids of its finest topics, and whether it is an outlier."""
        return frozenset(self.state.finest_topics(page)), page in self.state.outliers

    @cached_property
    def page_numbers(self) -> Mapping[str, int]:
        """Page id -> place in the page list."""
        return {page.id: number for number, page in enumerate(self.first.document.pages)}

    def decided(self, subject: Subject) -> Choice | None:
        """The last answer about a subject; None where there is none or it was opened again."""
        return self.last[subject][1].choice if subject in self.last else None

    def stands(self, subject: Subject, page: int) -> bool:
        """Whether no topic that holds the page was decided about after the page was."""
        return subject in self.last and self.last[subject][0] > self._last_touched[page]

    @cached_property
    def _last_touched(self) -> list[int]:
        """(pages,) number of the last decision on a topic that holds the page, -1 for none."""
        touched = [-1] * self.first.hierarchy.n_pages
        for number, decision in enumerate(self.decisions):
            if decision.subject.about == About.TOPIC:
                concept = self.aligned_as[self.symbol_of(decision.subject)]
                for name, topic in concept.topics.items():
                    for page in self.side(name).members(topic).tolist():
                        touched[page] = number
        return touched


def _free(wanted: str, taken: set[str]) -> str:
    """An id nobody has: the wanted one with a mark behind it."""
    number = 2
    while (name := f"{wanted[:190]}~{number}") in taken:
        number += 1
    return name
