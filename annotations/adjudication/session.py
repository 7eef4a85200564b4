"""An adjudication session: the drafts, the draft made from them, the disagreements and the decisions so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics.alignment import SIDES, Concept, Side, SideName, Symbol
from annotations.agreement.statistics.placements import Kind, PageComparison, Symbols
from annotations.drafts.state_machine import DraftState, from_document
from qc4.model.gold_document import Topic
from qc4.records import Record
from qc4.text import name_key

# --- Disagreements and decisions --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Subject:
    """What is decided: a page by its id, or a topic by its id on the first side that has it."""

    about: About
    key: str
    side: SideName = "first"

    @property
    def address(self) -> str:
        """The subject in one word, for addresses and forms."""
        return f"{self.about}:{self.side}:{self.key}"


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer, in the order they were given.

    Attributes:
        other: for `Choice.SAME` the id in the draft of the topic it is the same as; for `Choice.TYPED` the name.
    """

    subject: Subject
    choice: Choice
    other: str = ""


@dataclass(frozen=True, slots=True)
class Question(Record):
    """A subject with the answers it allows.

    Attributes:
        symbol: the topic, of questions about topics.
        page: the comparison, of questions about pages.
        votes: of answers that are sides' own, all sides that say it; the answer goes by the first of them.
        proposal: what more than half of three or more sides say, if they do. A person decides.
        decided: the last answer, if it stands.
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


# --- The questions that are left --------------------------------------------------------------------------------------
# The draft starts with the topics that all sides have, as the first side has them, and with the pages that all sides
# place alike. The rest are questions: topics that only some sides have, names and parents that differ, and pages. Which
# topics exist is read from the draft, so an adjudicator can work on it in the workspace as well.

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


# --- The draft that an adjudication starts with -----------------------------------------------------------------------


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
