"""Adjudication: the questions hierarchies leave open, and the operations that carry an answer out on a draft.

The draft starts with the topics all sides have, as the first has them, and with the pages all place alike. What is left
are questions: topics only some sides have, names and places in the tree that differ, and pages. Which topics there are
is read off the draft, so that an adjudicator may work on it in the workspace as well.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property

from annotations.agreement.concepts import Concept, SideName, Symbol
from annotations.agreement.desk.questions import Question, Subject
from annotations.agreement.desk.table import Table
from annotations.agreement.placements import Kind, PageComparison
from annotations.answers import About, Choice
from qc4.text import name_key

Votes = Mapping[str, tuple[SideName, ...]]
FEWEST_FOR_MAJORITY = 3
"""Of two, neither is a majority."""


class Desk(Table):
    """The questions that the sides, the draft as it is, and the decisions so far leave."""

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Everything that is or was to be decided: topics, names, places in the tree, pages."""
        return (*self.structural, *self._pages())

    @cached_property
    def structural(self) -> tuple[Question, ...]:
        """The questions about topics, names and places in the tree."""
        return (*self._topics, *self._names(), *self._parents())

    def question(self, subject: Subject) -> Question | None:
        return next((question for question in self.questions if question.subject == subject), None)

    # --- Topics -------------------------------------------------------------------------------------------------------

    @cached_property
    def _topics(self) -> tuple[Question, ...]:
        """The topics that some sides have and others have not."""
        partial = (concept for concept in self.aligned if len(concept.topics) < len(self.sides))
        return tuple(map(self._about_topic, partial))

    def _about_topic(self, concept: Concept) -> Question:
        symbol = concept.symbol
        votes = _votes({name: name in concept.topics for name in self.names})
        same = (Choice.SAME,) if symbol.side != "first" else ()
        subject = self.subject(About.TOPIC, symbol)
        decided = self.decided(subject)
        now = self.concepts.get(symbol)
        if decided is None and now is not None and len(now.topics) > len(concept.topics):
            decided = Choice.SAME
        choices = (*map(Choice, votes), *same, Choice.SKIP)
        return Question(subject, choices, symbol, votes=votes, proposal=self._most(votes), decided=decided)

    def subject(self, about: About, symbol: Symbol) -> Subject:
        """What questions about a topic are about."""
        return Subject(about, self.side(symbol.side).topic_ids[symbol.topic], symbol.side)

    def _shared(self) -> Iterator[Concept]:
        """The topics that several sides have: in the draft, or there from the start."""
        for concept in self.aligned:
            everywhere = len(concept.topics) == len(self.sides)
            if len(concept.topics) > 1 and (everywhere or self.is_in_draft(concept.symbol)):
                yield concept

    def _names(self) -> Iterator[Question]:
        for concept in self._shared():
            names = {name: name_key(self.side(name).topic_names[topic]) for name, topic in concept.topics.items()}
            yield from self._about_shared(About.NAME, concept, _votes(names), (Choice.TYPED,))

    def _parents(self) -> Iterator[Question]:
        """Where the sides lay a topic into different topics of the draft."""
        for concept in self._shared():
            if self.is_in_draft(concept.symbol):
                above = {name: self.symbols.above(name, topic) for name, topic in concept.topics.items()}
                yield from self._about_shared(About.PARENT, concept, _votes(above))

    def _about_shared(
        self, about: About, concept: Concept, votes: Votes, more: tuple[Choice, ...] = ()
    ) -> Iterator[Question]:
        if len(votes) > 1:
            subject, choices = self.subject(about, concept.symbol), (*map(Choice, votes), *more, Choice.SKIP)
            decided, proposal = self.decided(subject), self._most(votes)
            yield Question(subject, choices, concept.symbol, votes=votes, proposal=proposal, decided=decided)

    def _most(self, votes: Votes) -> Choice | None:
        """The answer of more than half of all sides."""
        if len(self.sides) < FEWEST_FOR_MAJORITY:
            return None
        return next((Choice(choice) for choice, own in votes.items() if 2 * len(own) > len(self.sides)), None)

    # --- Pages --------------------------------------------------------------------------------------------------------

    def _pages(self) -> Iterator[Question]:
        for page in self.comparisons:
            subject = Subject(About.PAGE, self.first.document.pages[page.page].id)
            if not page.agree or subject in self.last:
                decided = self.decided(subject) if self.stands(subject, page.page) or page.agree else None
                yield self._about_page(subject, page, decided)

    def _about_page(self, subject: Subject, page: PageComparison, decided: Choice | None) -> Question:
        votes = _votes(dict(zip(self.names, page.placements, strict=True)))
        in_topics = {placement for placement in page.placements if placement.topics}
        both = (Choice.ALL,) if len(in_topics) > 1 else ()
        proposal = self._proposed(page, votes)
        more = (Choice.MAJORITY,) if proposal == Choice.MAJORITY else ()
        choices = (*map(Choice, votes), *both, *more, Choice.OUTLIER, Choice.SKIP)
        return Question(subject, choices, page=page, votes=votes, proposal=proposal, decided=decided)

    def _proposed(self, page: PageComparison, votes: Votes) -> Choice | None:
        """Where more than half of the sides put the page: as some side does, or as none does exactly."""
        if len(self.sides) < FEWEST_FOR_MAJORITY:
            return None
        found = self.symbols.majority(page.placements)
        if not found.is_placed:
            return None
        where = dict(zip(self.names, page.placements, strict=True))
        return next((Choice(choice) for choice, own in votes.items() if where[own[0]] == found), Choice.MAJORITY)

    @cached_property
    def waiting(self) -> frozenset[int]:
        """Pages in a topic that nobody has decided about yet."""
        found = set()
        for name in self.names:
            side, undecided = self.symbols.side(name), self._undecided(name)
            hanging = {topic for topic in range(side.n_topics) if self._hangs_on(name, topic, undecided)}
            found |= {page for page, topics in enumerate(side.direct) if hanging.intersection(topics)}
        return frozenset(found)

    def _undecided(self, name: SideName) -> set[int]:
        left = [each.symbol for each in self._topics if each.symbol and each.decided in (None, Choice.SKIP)]
        return {self.aligned_as[symbol].topics[name] for symbol in left if name in self.aligned_as[symbol].topics}

    def _hangs_on(self, name: SideName, topic: int, undecided: set[int]) -> bool:
        """Whether one of the topics a page would be lifted out of is undecided."""
        for step in reversed(self.symbols.side(name).trail(topic)):
            if step in undecided or self.symbols.of(name, step) not in self.symbols.skipped:
                return step in undecided
        return False

    def is_settled(self, page: PageComparison) -> bool:
        """Whether all sides place a page alike, in topics that are decided."""
        return page.kind == Kind.AGREE and page.page not in self.waiting


def _votes(said: Mapping[SideName, Hashable]) -> Votes:
    """What sides say, those together that say the same: by the first of them."""
    found: dict[Hashable, list[SideName]] = {}
    for name, value in said.items():
        found.setdefault(value, []).append(name)
    return {names[0]: tuple(names) for names in found.values()}
