"""What lies on the desk: two hierarchies, the draft made of them, and the decisions so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from annotations.agreement.alignment import Alignment, Pair
from annotations.agreement.desk.questions import About, Choice, Decision, Subject
from annotations.agreement.placements import PageComparison, Symbol, Symbols
from annotations.agreement.sides import Side
from annotations.drafting import DraftState

Operation = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Table:
    """Two sides, the draft as it is, and the decisions so far.

    Attributes:
        aligned: by pages and names; decisions that two topics are the same come on top.
        decisions: all of them, oldest first.
    """

    first: Side
    second: Side
    aligned: Alignment
    state: DraftState
    decisions: Sequence[Decision] = ()

    def after(self, decision: Decision, state: DraftState) -> Self:
        """The same when this was decided last and the draft is in this state."""
        return replace(self, state=state, decisions=(*self.decisions, decision))

    @cached_property
    def last(self) -> Mapping[Subject, tuple[int, Decision]]:
        """Subject -> number and content of its last decision, where that was not to open it again."""
        found = {decision.subject: (number, decision) for number, decision in enumerate(self.decisions)}
        return {subject: last for subject, last in found.items() if last[1].choice != Choice.REOPEN}

    @cached_property
    def alignment(self) -> Alignment:
        same = [pair for _, decision in self.last.values() if (pair := self._same(decision))]
        return replace(self.aligned, pairs=tuple(sorted((*self.aligned.pairs, *same), key=lambda pair: pair.first)))

    def _same(self, decision: Decision) -> Pair | None:
        if decision.choice != Choice.SAME:
            return None
        one = self.first.topic_ids.index(decision.other)
        other = self.second.topic_ids.index(decision.subject.key)
        return Pair(one, other, int(self.aligned.shared[one, other]), float(self.aligned.jaccard[one, other]))

    @cached_property
    def symbols(self) -> Symbols:
        """The topics that are in the draft, in the draft's own tree."""
        plain = Symbols(self.first, self.second, self.alignment)
        present = {self.topic_id(symbol): symbol for symbol in plain.all if self.is_in_draft(symbol)}
        tree = {symbol: self._nearest(topic_id, present) for topic_id, symbol in present.items()}
        return replace(plain, skipped=frozenset(plain.all) - frozenset(tree), tree=tree)

    def topic_id(self, symbol: Symbol) -> str:
        """The id a topic has, or would have, in the draft."""
        if symbol.side == "first":
            return self.first.topic_ids[symbol.topic]
        own = self.second.topic_ids[symbol.topic]
        return own if own not in self.first.topic_ids else _free(own, {*self.first.topic_ids, *self.second.topic_ids})

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

    @property
    def free_for_same(self) -> list[str]:
        """The first side's topics that are still without a partner."""
        return [self.first.topic_ids[topic] for topic in self.alignment.only_first]

    def placed(self, page: str) -> tuple[frozenset[str], bool]:
        """Where a page is in the draft: topic ids, the deepest only, and whether it is an outlier."""
        direct = frozenset(self.state.direct_topics(page))
        above = {step for topic in direct for step in self.state.path(topic)[:-1]}
        return direct - above, page in self.state.outliers

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
                side = self.first if decision.subject.side == "first" else self.second
                for page in side.members(side.topic_ids.index(decision.subject.key)).tolist():
                    touched[page] = number
        return touched


def _free(wanted: str, taken: set[str]) -> str:
    """An id nobody has: the wanted one with a mark behind it."""
    number = 2
    while (name := f"{wanted[:190]}~{number}") in taken:
        number += 1
    return name
