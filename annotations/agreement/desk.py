"""Adjudication: the questions two hierarchies leave open, and the operations that carry an answer out on a draft.

The draft starts with the aligned topics, as the first side has them, and with the pages both place alike. What is left
are questions: topics only one side has, names and places in the tree that differ, and pages. Which topics there are is
read off the draft, so that an adjudicator may work on it in the workspace as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from annotations.agreement.alignment import Alignment, Pair
from annotations.agreement.placements import Kind, PageComparison, Placement, SideName, Symbol, Symbols
from annotations.agreement.sides import Side
from annotations.drafting import DraftState, apply, compile_batch, from_document
from qc4.gold.document import Topic

Operation = dict[str, Any]


class About(StrEnum):
    """What a question is about."""

    TOPIC = "topic"
    NAME = "name"
    PARENT = "parent"
    PAGE = "page"


class Choice(StrEnum):
    """An answer. Of topics only one side has, that side's answer is to take the topic, the other's to leave it out."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    OUTLIER = "outlier"
    SAME = "same"
    SKIP = "skip"
    REOPEN = "reopen"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is decided: a page by its id, or a topic by its side and id (aligned topics by the first side's)."""

    about: About
    key: str
    side: SideName = "first"


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer, in the order they were given. ``other`` is the first side's topic id for `Choice.SAME`."""

    subject: Subject
    choice: Choice
    other: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A subject with the answers it allows.

    Attributes:
        symbol: the topic, of questions about topics.
        page: the comparison, of questions about pages.
        decided: the last answer, if it stands.
    """

    subject: Subject
    choices: tuple[Choice, ...]
    symbol: Symbol | None = None
    page: PageComparison | None = None
    decided: Choice | None = None

    @property
    def is_open(self) -> bool:
        return self.decided is None


_SIDES: tuple[SideName, SideName] = ("first", "second")
_TOPIC = (Choice.FIRST, Choice.SECOND, Choice.SKIP)
_NOT_BOTH = (Choice.FIRST, Choice.SECOND, Choice.OUTLIER, Choice.SKIP)
_PAGE = (Choice.FIRST, Choice.SECOND, Choice.BOTH, Choice.OUTLIER, Choice.SKIP)


def started(first: Side, second: Side, alignment: Alignment) -> DraftState:
    """The draft an adjudication begins with: the aligned topics and the pages both sides place alike."""
    alone = frozenset(Symbol("first", topic) for topic in alignment.only_first)
    left_out = alone | {Symbol("second", topic) for topic in alignment.only_second}
    symbols = Symbols(first, second, alignment, left_out)
    strict = Symbols(first, second, alignment)
    agreed = [page for page in map(strict.compare, range(first.hierarchy.n_pages)) if page.kind == Kind.AGREE]
    members: dict[Symbol, list[str]] = defaultdict(list)
    for page in agreed:
        for symbol in symbols.placement("first", page.page).topics:
            members[symbol].append(first.document.pages[page.page].id)
    topics = []
    for pair in sorted(alignment.pairs, key=lambda pair: len(first.trail(pair.first))):
        own, parent = first.document.topics[pair.first], symbols.above("first", pair.first)
        above = first.topic_ids[parent.topic] if parent else None
        topics.append(Topic(own.id, own.name, above, None, tuple(members[Symbol("first", pair.first)]), own.extra))
    outliers = tuple(first.document.pages[page.page].id for page in agreed if page.first.outlier)
    return from_document(replace(first.document, topics=tuple(topics), outliers=outliers))


@dataclass(frozen=True, eq=False)
class Desk:
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

    # --- The topics of the draft ------------------------------------------------------------------------------------

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
        present = {self.topic_id(symbol): symbol for symbol in plain.all if self._is_in_draft(symbol)}
        tree = {symbol: self._nearest(topic_id, present) for topic_id, symbol in present.items()}
        return replace(plain, skipped=frozenset(plain.all) - frozenset(tree), tree=tree)

    def topic_id(self, symbol: Symbol) -> str:
        """The id a topic has, or would have, in the draft."""
        if symbol.side == "first":
            return self.first.topic_ids[symbol.topic]
        own = self.second.topic_ids[symbol.topic]
        return own if own not in self.first.topic_ids else _free(own, {*self.first.topic_ids, *self.second.topic_ids})

    def _is_in_draft(self, symbol: Symbol) -> bool:
        topic = self.state.topics.get(self.topic_id(symbol))
        return topic is not None and not topic.suggested

    def _nearest(self, topic_id: str, present: Mapping[str, Symbol]) -> Symbol | None:
        above = self.state.path(topic_id)[-2::-1]
        return next((present[step] for step in above if step in present), None)

    # --- The questions ----------------------------------------------------------------------------------------------

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
        decided = self._decided(subject)
        if decided is None and symbol.side == "first" and symbol.topic in self.alignment.second_of:
            decided = Choice.SAME
        return Question(subject, choices, symbol, decided=decided)

    @property
    def free_for_same(self) -> list[str]:
        """The first side's topics that are still without a partner."""
        return [self.first.topic_ids[topic] for topic in self.alignment.only_first]

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
        return Question(subject, _TOPIC, Symbol("first", pair.first), decided=self._decided(subject))

    def _pages(self) -> Iterator[Question]:
        for page in self.comparisons:
            subject = Subject(About.PAGE, self.first.document.pages[page.page].id)
            if not page.agree or subject in self.last:
                both = page.first.topics and page.second.topics
                decided = self._decided(subject) if self._stands(subject, page.page) or page.agree else None
                yield Question(subject, _PAGE if both else _NOT_BOTH, page=page, decided=decided)

    @cached_property
    def comparisons(self) -> tuple[PageComparison, ...]:
        """Every page, in topics of the draft."""
        return tuple(map(self.symbols.compare, range(self.first.hierarchy.n_pages)))

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

    def _decided(self, subject: Subject) -> Choice | None:
        return self.last[subject][1].choice if subject in self.last else None

    def _stands(self, subject: Subject, page: int) -> bool:
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

    # --- The answers ------------------------------------------------------------------------------------------------

    def operations(self, decision: Decision) -> list[Operation]:
        """What an answer does to the draft; nothing where the draft is like that already.

        Raises:
            OperationError: the draft does not allow it, as when a topic would be moved below itself.
        """
        if decision.choice in (Choice.SKIP, Choice.REOPEN):
            return []
        if decision.subject.about == About.PAGE:
            return self._placing({decision.subject.key: self.wanted(decision)})
        change = self._restructuring(decision)
        after = replace(
            self,
            state=apply(self.state, compile_batch(self.state, change), 0) if change else self.state,
            decisions=(*self.decisions, decision),
        )
        return change + after._placing(after._newly_agreed(self))

    def wanted(self, decision: Decision) -> Placement:
        """Where an answer puts a page."""
        if decision.choice == Choice.OUTLIER:
            return Placement(outlier=True)
        number = self._page_numbers[decision.subject.key]
        first, second = self.symbols.placement("first", number), self.symbols.placement("second", number)
        if decision.choice == Choice.BOTH:
            return Placement(self.symbols.deepest(first.topics | second.topics))
        return first if decision.choice == Choice.FIRST else second

    @cached_property
    def _page_numbers(self) -> dict[str, int]:
        return {page.id: number for number, page in enumerate(self.first.document.pages)}

    def placed(self, page: str) -> tuple[frozenset[str], bool]:
        """Where a page is in the draft: topic ids, the deepest only, and whether it is an outlier."""
        direct = frozenset(self.state.direct_topics(page))
        above = {step for topic in direct for step in self.state.path(topic)[:-1]}
        return direct - above, page in self.state.outliers

    def _newly_agreed(self, before: Desk) -> dict[str, Placement]:
        """The pages both sides now place alike, and did not before, unless somebody decided about them."""
        pages = [page for page in self.comparisons if self._is_settled(page) and not before._is_settled_at(page.page)]
        named = {self.first.document.pages[page.page].id: page.first for page in pages}
        undecided = (None, Choice.SKIP)
        return {page: to for page, to in named.items() if self._decided(Subject(About.PAGE, page)) in undecided}

    def _is_settled(self, page: PageComparison) -> bool:
        return page.kind == Kind.AGREE and page.page not in self.waiting

    def _is_settled_at(self, page: int) -> bool:
        return self._is_settled(self.comparisons[page])

    def _restructuring(self, decision: Decision) -> list[Operation]:
        about, side = decision.subject.about, decision.subject.side
        own = self.first if side == "first" else self.second
        topic = own.topic_ids.index(decision.subject.key)
        if about == About.NAME:
            return self._rename(topic, decision.choice)
        if about == About.PARENT:
            return self._move(topic, decision.choice)
        symbol = Symbol(side, topic)
        if decision.choice == Choice.SAME:
            return self._unite(symbol, Symbol("first", self.first.topic_ids.index(decision.other)))
        return self._take(symbol) if decision.choice.value == side else self._leave_out(symbol)

    def _rename(self, topic: int, choice: Choice) -> list[Operation]:
        names = self.first.topic_names[topic], self.second.topic_names[self.aligned.second_of[topic]]
        name, topic_id = names[choice == Choice.SECOND], self.first.topic_ids[topic]
        if topic_id not in self.state.topics or self.state.topics[topic_id].name == name:
            return []
        return [{"kind": "rename", "topic": topic_id, "name": name}]

    def _move(self, topic: int, choice: Choice) -> list[Operation]:
        second = self.aligned.second_of[topic]
        above = self.symbols.above("first", topic) if choice == Choice.FIRST else self.symbols.above("second", second)
        parent, topic_id = above and self.topic_id(above), self.first.topic_ids[topic]
        if self.state.topics[topic_id].parent == parent:
            return []
        return [{"kind": "move", "topic": topic_id, "parent": parent}]

    def _take(self, symbol: Symbol) -> list[Operation]:
        """Add a topic where its side has it, and move what its side has in it from beside it into it."""
        if self._is_in_draft(symbol):
            return []
        side, topic_id = self.symbols.side(symbol.side), self.topic_id(symbol)
        topic, above = side.document.topics[symbol.topic], self.symbols.above(symbol.side, symbol.topic)
        parent = self.topic_id(above) if above else None
        add: Operation = {"kind": "add_topic", "topic": topic_id, "name": topic.name, "parent": parent}
        if isinstance(topic.extra.get("description"), str) and topic.extra["description"]:
            add["description"] = topic.extra["description"]
        inside = [child for child in self._inside(symbol) if self.state.topics[child].parent == parent]
        return [add, *({"kind": "move", "topic": child, "parent": topic_id} for child in inside)]

    def _inside(self, symbol: Symbol) -> list[str]:
        """The draft's topics that would lie right below a topic of one side if it were there."""
        side = self.symbols.side(symbol.side)
        found = []
        for topic in range(side.n_topics):
            own = self.symbols.of(symbol.side, topic)
            steps = side.trail(topic)[:-1]
            between = steps[steps.index(symbol.topic) + 1 :] if symbol.topic in steps else None
            if between is None or own in self.symbols.skipped:
                continue
            if all(self.symbols.of(symbol.side, step) in self.symbols.skipped for step in between):
                found.append(self.topic_id(own))
        return found

    def _leave_out(self, symbol: Symbol) -> list[Operation]:
        """Delete a topic that was taken; its subtopics and pages go to what it lies in."""
        if not self._is_in_draft(symbol):
            return []
        topic_id = self.topic_id(symbol)
        pages = "unplace" if self.state.topics[topic_id].parent is None else "parent"
        return [{"kind": "delete_topic", "topic": topic_id, "children": "lift", "pages": pages}]

    def _unite(self, second: Symbol, first: Symbol) -> list[Operation]:
        """Two topics without a partner are the same: the first side's is taken, and holds what the other held."""
        taken = self._take(first)
        if not self._is_in_draft(second):
            return taken
        return [*taken, {"kind": "merge", "topics": [self.topic_id(second)], "into": self.topic_id(first)}]

    def _placing(self, wanted: Mapping[str, Placement]) -> list[Operation]:
        """The operations that put pages exactly there, those of pages that move alike together."""
        alike: dict[tuple[tuple[str, ...], tuple[str, ...], bool], list[str]] = defaultdict(list)
        for page, placement in wanted.items():
            direct = set(self.state.direct_topics(page))
            target = {self.topic_id(symbol) for symbol in placement.topics}
            if direct != target or placement.outlier != (page in self.state.outliers):
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


def _free(wanted: str, taken: set[str]) -> str:
    """An id nobody has: the wanted one with a mark behind it."""
    number = 2
    while (name := f"{wanted[:190]}~{number}") in taken:
        number += 1
    return name
