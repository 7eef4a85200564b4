"""Adjudication: the questions two hierarchies leave open, and the operations that carry an answer out on a draft.

The draft starts with the aligned topics, as the first side has them, and with the pages both place alike. What is left
are questions: topics only one side has, names and places in the tree that differ, and pages. Which topics there are is
read off the draft, so that an adjudicator may work on it in the workspace as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from annotations.agreement.alignment import Pair
from annotations.agreement.desk.questions import About, Choice, Question, Subject
from annotations.agreement.desk.table import Table
from annotations.agreement.placements import Kind, PageComparison, SideName, Symbol

_SIDES: tuple[SideName, SideName] = ("first", "second")
_TOPIC = (Choice.FIRST, Choice.SECOND, Choice.SKIP)
_NOT_BOTH = (Choice.FIRST, Choice.SECOND, Choice.OUTLIER, Choice.SKIP)
_PAGE = (Choice.FIRST, Choice.SECOND, Choice.BOTH, Choice.OUTLIER, Choice.SKIP)


class Desk(Table):
    """The questions that two sides, the draft as it is, and the decisions so far leave."""

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Everything that is or was to be decided: topics, names, places in the tree, pages."""
        return (*self._topics(), *self._names(), *self._parents(), *self._pages())

    def question(self, subject: Subject) -> Question | None:
        return next((question for question in self.questions if question.subject == subject), None)

    def _topics(self) -> Iterator[Question]:
        for topic in self.aligned.only_first:
            yield self._about_topic(Symbol("first", topic), _TOPIC)
        for topic in self.aligned.only_second:
            yield self._about_topic(Symbol("second", topic), (*_TOPIC[:2], Choice.SAME, Choice.SKIP))

    def _about_topic(self, symbol: Symbol, choices: tuple[Choice, ...]) -> Question:
        side = self.first if symbol.side == "first" else self.second
        subject = Subject(About.TOPIC, side.topic_ids[symbol.topic], symbol.side)
        decided = self.decided(subject)
        if decided is None and symbol.side == "first" and symbol.topic in self.alignment.second_of:
            decided = Choice.SAME
        return Question(subject, choices, symbol, decided=decided)

    def _names(self) -> Iterator[Question]:
        for pair in self.aligned.pairs:
            if self.first.topic_names[pair.first].casefold() != self.second.topic_names[pair.second].casefold():
                yield self._about_pair(About.NAME, pair)

    def _parents(self) -> Iterator[Question]:
        """Where the sides lay an aligned topic into different topics of the draft."""
        for pair in self.aligned.pairs:
            symbol = Symbol("first", pair.first)
            if symbol not in self.symbols.skipped and self._other_parents(pair):
                yield self._about_pair(About.PARENT, pair)

    def _other_parents(self, pair: Pair) -> bool:
        return self.symbols.above("first", pair.first) != self.symbols.above("second", pair.second)

    def _about_pair(self, about: About, pair: Pair) -> Question:
        subject = Subject(about, self.first.topic_ids[pair.first])
        return Question(subject, _TOPIC, Symbol("first", pair.first), decided=self.decided(subject))

    def _pages(self) -> Iterator[Question]:
        for page in self.comparisons:
            subject = Subject(About.PAGE, self.first.document.pages[page.page].id)
            if not page.agree or subject in self.last:
                both = page.first.topics and page.second.topics
                decided = self.decided(subject) if self.stands(subject, page.page) or page.agree else None
                yield Question(subject, _PAGE if both else _NOT_BOTH, page=page, decided=decided)

    @cached_property
    def waiting(self) -> frozenset[int]:
        """Pages in a topic that nobody has decided about yet."""
        found = set()
        for name in _SIDES:
            side, undecided = self.symbols.side(name), self._undecided(name)
            hanging = {topic for topic in range(side.n_topics) if self._hangs_on(name, topic, undecided)}
            found |= {page for page, topics in enumerate(side.direct) if hanging.intersection(topics)}
        return frozenset(found)

    def _undecided(self, name: SideName) -> set[int]:
        asked = [question for question in self._topics() if question.symbol and question.symbol.side == name]
        return {each.symbol.topic for each in asked if each.symbol and each.decided in (None, Choice.SKIP)}

    def _hangs_on(self, name: SideName, topic: int, undecided: set[int]) -> bool:
        """Whether one of the topics a page would be lifted out of is undecided."""
        for step in reversed(self.symbols.side(name).trail(topic)):
            if step in undecided or self.symbols.of(name, step) not in self.symbols.skipped:
                return step in undecided
        return False

    def is_settled(self, page: PageComparison) -> bool:
        """Whether both sides place a page alike, in topics that are decided."""
        return page.kind == Kind.AGREE and page.page not in self.waiting
