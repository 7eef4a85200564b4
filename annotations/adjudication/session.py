"""An adjudication session: the drafts, the outcome made from them, the questions and the decisions so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics.alignment import SIDES, ComparedHierarchy, Concept, SideName, Symbol
from annotations.agreement.statistics.placements import Kind, PageComparison, Symbols
from annotations.drafts.state_machine import DraftState, from_document
from qc4.model.gold_document import Topic
from qc4.records import Record
from qc4.text import name_key

# --- Questions and decisions ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a question: a page by its id, or a topic by its id in the first draft that has it."""

    about: About
    key: str
    side: SideName = "first"

    @property
    def address(self) -> str:
        """The subject as one word, for URLs and forms."""
        return f"{self.about}:{self.side}:{self.key}"


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer to a question.

    Attributes:
        other: for `Choice.SAME` the id of the equal topic in the outcome; for `Choice.TYPED` the name.
    """

    subject: Subject
    choice: Choice
    other: str = ""


@dataclass(frozen=True, slots=True)
class Question(Record):
    """A subject with its possible answers.

    Attributes:
        symbol: the topic, for questions about topics.
        page: the comparison, for questions about pages.
        votes: choice -> all drafts that give this answer; the choice is named after the first of them.
        proposal: the answer of more than half of three or more drafts, if there is one. A person decides.
        decided: the last answer, if it is still valid.
    """

    KEYS = (
        "about=subject.about side=subject.side key=subject.key address=subject.address choices votes proposal decided"
    )

    subject: Subject
    choices: tuple[Choice, ...]
    symbol: Symbol | None = None
    page: PageComparison | None = None
    votes: Mapping[str, tuple[SideName, ...]] = field(default_factory=dict)
    proposal: Choice | None = None
    decided: Choice | None = None

    @property
    def is_open(self) -> bool:
        return self.decided is None


# --- The drafts, the outcome and the decisions so far -----------------------------------------------------------------

Operation = dict[str, Any]


@dataclass(frozen=True, eq=False)
class SessionState:
    """Two or more drafts, the current outcome, and the decisions so far.

    Attributes:
        aligned: topics aligned by pages and names, before decisions that two topics are the same.
        decisions: all decisions, oldest first.
    """

    sides: tuple[ComparedHierarchy, ...]
    aligned: tuple[Concept, ...]
    state: DraftState
    decisions: Sequence[Decision] = ()

    def after(self, decisions: Iterable[Decision], state: DraftState) -> Self:
        """Return the session after these further decisions, with the outcome in this state."""
        return replace(self, state=state, decisions=(*self.decisions, *decisions))

    @property
    def first(self) -> ComparedHierarchy:
        return self.sides[0]

    @property
    def names(self) -> tuple[SideName, ...]:
        return SIDES[: len(self.sides)]

    def side(self, name: SideName) -> ComparedHierarchy:
        return self.sides[SIDES.index(name)]

    @cached_property
    def last(self) -> Mapping[Subject, tuple[int, Decision]]:
        """Subject -> index and content of its last decision; reopened subjects are omitted."""
        found = {decision.subject: (number, decision) for number, decision in enumerate(self.decisions)}
        return {subject: last for subject, last in found.items() if last[1].choice != Choice.REOPEN}

    @cached_property
    def aligned_as(self) -> Mapping[Symbol, Concept]:
        """The topics aligned by pages and names, by symbol."""
        return {concept.symbol: concept for concept in self.aligned}

    @cached_property
    def concepts(self) -> Mapping[Symbol, Concept]:
        """The concepts by symbol, with topics united that somebody declared the same."""
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
        """Return the symbol of a subject's topic, even if the topic was declared the same as another."""
        return Symbol(subject.side, self.side(subject.side).topic_ids.index(subject.key))

    def symbol_called(self, topic_id: str) -> Symbol | None:
        """Return the symbol with this id in the outcome; None if there is none."""
        return next((symbol for symbol, own in self._ids.items() if own == topic_id), None)

    @cached_property
    def symbols(self) -> Symbols:
        """The topics that are in the outcome, in the outcome's own tree."""
        plain = Symbols(self.sides, tuple(self.concepts.values()))
        present = {self.topic_id(symbol): symbol for symbol in plain.all if self.is_in_draft(symbol)}
        tree = {symbol: self._nearest(topic_id, present) for topic_id, symbol in present.items()}
        return replace(plain, skipped=frozenset(plain.all) - frozenset(tree), tree=tree)

    def topic_id(self, symbol: Symbol) -> str:
        """Return the id that a topic has, or would have, in the outcome."""
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
        """True if the outcome contains the topic, and not only as a suggestion."""
        topic = self.state.topics.get(self.topic_id(symbol))
        return topic is not None and not topic.suggested

    def _nearest(self, topic_id: str, present: Mapping[str, Symbol]) -> Symbol | None:
        above = self.state.path(topic_id)[-2::-1]
        return next((present[step] for step in above if step in present), None)

    @cached_property
    def comparisons(self) -> tuple[PageComparison, ...]:
        """Every page, with its placements in topics of the outcome."""
        return tuple(map(self.symbols.compare, range(self.first.hierarchy.n_pages)))

    def free_for_same(self, symbol: Symbol) -> list[Symbol]:
        """Return what a topic may be declared the same as: topics of earlier drafts that none of its own drafts has."""
        own = self.concepts.get(symbol)
        if own is None:
            return []
        earlier = SIDES[: SIDES.index(symbol.side)]
        free = (concept for other, concept in self.concepts.items() if other.side in earlier)
        return [concept.symbol for concept in free if not self.share_a_side(own, concept)]

    def placed(self, page: str) -> tuple[frozenset[str], bool]:
        """Return the place of a page in the outcome: ids of its finest topics, and True if it is an outlier."""
        return frozenset(self.state.finest_topics(page)), page in self.state.outliers

    @cached_property
    def page_numbers(self) -> Mapping[str, int]:
        """Page id -> index in the page list."""
        return {page.id: number for number, page in enumerate(self.first.document.pages)}

    def decided(self, subject: Subject) -> Choice | None:
        """Return the last answer about a subject; None if there is none or it was reopened."""
        return self.last[subject][1].choice if subject in self.last else None

    def stands(self, subject: Subject, page: int) -> bool:
        """True if the subject's last decision is later than all decisions about topics that hold the page."""
        return subject in self.last and self.last[subject][0] > self._last_touched[page]

    @cached_property
    def _last_touched(self) -> list[int]:
        """(pages,) index of the last decision about a topic that holds the page, -1 for none."""
        touched = [-1] * self.first.hierarchy.n_pages
        for number, decision in enumerate(self.decisions):
            if decision.subject.about == About.TOPIC:
                concept = self.aligned_as[self.symbol_of(decision.subject)]
                for name, topic in concept.topics.items():
                    for page in self.side(name).members(topic).tolist():
                        touched[page] = number
        return touched


def _free(wanted: str, taken: set[str]) -> str:
    """Return an id that is not taken: the wanted one with a number appended."""
    number = 2
    while (name := f"{wanted[:190]}~{number}") in taken:
        number += 1
    return name


# --- Remaining questions ----------------------------------------------------------------------------------------------
# The outcome starts with the topics that all drafts have, as the first draft has them, and the pages that all drafts
# place alike. The rest are questions: topics that only some drafts have, names and parents that differ, and pages. The
# topics are read from the outcome, so an adjudicator can also work on it in the workspace.

Votes = Mapping[str, tuple[SideName, ...]]
FEWEST_FOR_MAJORITY = 3
"""Smallest number of drafts with a majority: of two, neither is one."""


class AdjudicationSession(SessionState):
    """The questions that remain, given the drafts, the current outcome and the decisions so far."""

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """All open and answered questions: topics, names, places in the tree, pages."""
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
        """The questions about topics that only some drafts have."""
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
        """Return the subject of questions about a topic."""
        return Subject(about, self.side(symbol.side).topic_ids[symbol.topic], symbol.side)

    def _shared(self) -> Iterator[Concept]:
        """Yield the topics that several drafts have and that are in the outcome, or were from the start."""
        for concept in self.aligned:
            everywhere = len(concept.topics) == len(self.sides)
            if len(concept.topics) > 1 and (everywhere or self.is_in_draft(concept.symbol)):
                yield concept

    def _names(self) -> Iterator[Question]:
        for concept in self._shared():
            names = {name: name_key(self.side(name).topic_names[topic]) for name, topic in concept.topics.items()}
            yield from self._about_shared(About.NAME, concept, _votes(names), (Choice.TYPED,))

    def _parents(self) -> Iterator[Question]:
        """Yield questions about topics that the drafts put below different topics of the outcome."""
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
        """Return the answer of more than half of all drafts; None if there is none."""
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
        """Return where more than half of the drafts put the page: a draft's choice, or `MAJORITY` if it equals none of
        them."""
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
        """True if one of the topics that a page would be moved up from is undecided."""
        for step in reversed(self.symbols.side(name).trail(topic)):
            if step in undecided or self.symbols.of(name, step) not in self.symbols.skipped:
                return step in undecided
        return False

    def is_settled(self, page: PageComparison) -> bool:
        """True if all drafts place a page alike, in topics that are decided."""
        return page.kind == Kind.AGREE and page.page not in self.waiting


def _votes(said: Mapping[SideName, Hashable]) -> Votes:
    """Group drafts by their answer; each group is named after its first draft."""
    found: dict[Hashable, list[SideName]] = {}
    for name, value in said.items():
        found.setdefault(value, []).append(name)
    return {names[0]: tuple(names) for names in found.values()}


# --- The draft that an adjudication starts with -----------------------------------------------------------------------


def initial_draft(sides: tuple[ComparedHierarchy, ...], concepts: tuple[Concept, ...]) -> DraftState:
    """Return the draft an adjudication starts with: the topics all drafts have, and the pages all place alike."""
    strict, first = Symbols(sides, concepts), sides[0]
    agreed = [page for page in map(strict.compare, range(first.hierarchy.n_pages)) if page.kind == Kind.AGREE]
    left_out = frozenset(concept.symbol for concept in concepts if len(concept.topics) < len(sides))
    topics = _topics(replace(strict, skipped=left_out), agreed)
    outliers = tuple(first.document.pages[page.page].id for page in agreed if page.first.outlier)
    return from_document(replace(first.document, topics=tuple(topics), outliers=outliers))


def _topics(symbols: Symbols, agreed: Sequence[PageComparison]) -> list[Topic]:
    """Return the topics that all have, as in the first draft, parents before children, with the pages all place
    there."""
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
