"""Reads of adjudications: the question that is next, how far it is, and who placed each page and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth.models import User
from django.http import Http404

from annotations.access import DraftAccess, Person, get_draft, reach_draft
from annotations.agreement import About, Choice, Desk, Question, Side, Subject
from annotations.agreement.placements import Kind, PageComparison, SideName, Symbol
from annotations.agreement.tables import own_paths, worded
from annotations.models import Adjudication, AdjudicationDecision
from annotations.selectors.adjudication.desks import asked_at_first, decision_of, desk_of
from qc4.gold.document import Page

KEYS = {Choice.FIRST: "1", Choice.SECOND: "2", Choice.BOTH: "3", Choice.OUTLIER: "o", Choice.SKIP: "s"}
SAMPLE = 8
"""Pages shown of a topic."""


@dataclass(frozen=True, slots=True)
class Button:
    """An answer as it is offered.

    Attributes:
        paths: where in the draft it puts a page.
        note: the topics that side has it in that are not in the draft.
    """

    choice: Choice
    key: str
    words: str
    paths: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A question for people.

    Attributes:
        address: names it in addresses.
        sentence: how the two differ.
        pages: the page asked about, or some of a topic's; ``more`` is how many others it has.
        now: where the page or topic is in the draft.
        same: topics a topic may be declared the same as, as (id, path).
        decided: the decision that counts, in words.
    """

    question: Question
    address: str
    title: str
    sentence: str
    buttons: tuple[Button, ...]
    pages: tuple[Page, ...] = ()
    more: int = 0
    now: tuple[str, ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    decision: AdjudicationDecision | None = None
    decided: str = ""

    @property
    def refusals(self) -> list[tuple[str, str]]:
        """Keys that answer other questions, and why they do not answer this one."""
        offered = {button.choice for button in self.buttons}
        words = {Choice.BOTH: "both", Choice.OUTLIER: "outlier"}
        missing = [(KEYS[choice], name) for choice, name in words.items() if choice not in offered]
        return [(key, f"{key} ({name}) is no answer here: {self._why_not}.") for key, name in missing]

    @property
    def _why_not(self) -> str:
        if self.question.page is None:
            return "it is about pages"
        return "only one of the two has the page in topics of the draft"


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """Where a page came to be, and how.

    Attributes:
        status: ``agreed``, ``decided``, ``skipped``, ``open``, ``waiting`` (for a topic) or ``unplaced`` (by both).
        now: its paths in the draft.
        changed: whether somebody has moved it since in the workspace.
    """

    page: Page
    first: tuple[str, ...]
    second: tuple[str, ...]
    how: str
    status: str
    now: tuple[str, ...]
    changed: bool
    decision: AdjudicationDecision | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.page.id,
            "status": self.status,
            "how": self.how,
            "first": list(self.first),
            "second": list(self.second),
            "now": list(self.now),
            "changed": self.changed,
            "decision": decision_json(self.decision) if self.decision else None,
        }


def decision_json(row: AdjudicationDecision) -> dict[str, Any]:
    """A decision for the API."""
    return {
        "id": str(row.op_id),
        "about": row.about,
        "side": row.side,
        "key": row.key,
        "choice": row.choice,
        "other": row.other or None,
        "reason": row.reason or None,
        "note": row.note,
        "revision": row.revision,
        "undoes": str(row.undoes.op_id) if row.undoes else None,
        "by": row.user.get_username(),
        "at": row.created_at.isoformat(),
    }


def reach_adjudication(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """An adjudication, for people who may see it and both drafts it was made of.

    Raises:
        Http404: there is none, or one of the three may not be seen.
    """
    access = reach_draft(person, pk)
    found = Adjudication.objects.filter(draft=access.draft).first()
    if found is None:
        raise Http404("This draft is no adjudication.")
    for source in (access.draft.first_id, access.draft.second_id):
        if source is not None:
            get_draft(person, source)
    found.draft = access.draft
    return access, found


@dataclass(frozen=True, slots=True)
class Line:
    """A question in a list: its address, what it is about, and the answer in words ("" while it is open)."""

    address: str
    title: str
    about: str
    decided: str


class Reading:
    """An adjudication as it stands now."""

    def __init__(self, adjudication: Adjudication) -> None:
        self.adjudication = adjudication
        self.desk: Desk = desk_of(adjudication)

    @cached_property
    def decisions(self) -> list[AdjudicationDecision]:
        """All of them, oldest first."""
        return list(self.adjudication.decisions.select_related("user", "undoes").order_by("pk"))

    @cached_property
    def last(self) -> dict[Subject, AdjudicationDecision]:
        """The decision that counts about each subject; none where it was opened again."""
        found = {decision_of(row).subject: row for row in self.decisions}
        return {subject: row for subject, row in found.items() if row.choice != Choice.REOPEN}

    # --- Questions --------------------------------------------------------------------------------------------------

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.desk.questions

    @property
    def open(self) -> list[Question]:
        return [question for question in self.questions if question.is_open]

    @property
    def skipped(self) -> list[Question]:
        return [question for question in self.questions if question.decided == Choice.SKIP]

    @property
    def n_decided(self) -> int:
        return len(self.questions) - len(self.open)

    @property
    def structure(self) -> list[Line]:
        """The questions about topics, names and places in the tree."""
        return [self._line(question) for question in self.questions if question.page is None]

    @property
    def skipped_lines(self) -> list[Line]:
        return [self._line(question) for question in self.skipped]

    @property
    def n_more(self) -> int:
        """How many questions there are now beyond those at the start; less than 0 where answers settled some."""
        return len(self.questions) - asked_at_first(self.adjudication)

    def told(self, row: AdjudicationDecision) -> str:
        """What a decision did, in words."""
        decision = decision_of(row.undoes or row)
        answered = self._answered(decision.subject, decision.choice, decision.other)
        sentence = f"{self.title(decision.subject)}: {answered}."
        return f"Taken back: {sentence}" if row.undoes else sentence

    def _line(self, question: Question) -> Line:
        row = self.last.get(question.subject)
        decided = self._answered(question.subject, question.decided, row.other if row else "")
        return Line(address_of(question.subject), self.title(question.subject), question.subject.about, decided)

    def title(self, subject: Subject) -> str:
        """What a question is about, by its name: a page's title, a topic's path."""
        if subject.about == About.PAGE:
            return self._page_titles[subject.key]
        side = self._side(subject.side)
        return _joined(side.paths[side.topic_ids.index(subject.key)])

    @cached_property
    def _page_titles(self) -> dict[str, str]:
        return {page.id: page.title or page.id for page in self.desk.first.document.pages}

    def _side(self, name: SideName) -> Side:
        return self.desk.first if name == "first" else self.desk.second

    def _answered(self, subject: Subject, choice: Choice | None, other: str = "") -> str:
        """An answer in words; "" for none."""
        if choice == Choice.SAME:
            return f"the same as {self.title(Subject(About.TOPIC, other))}" if other else "the same as another"
        if choice not in (Choice.FIRST, Choice.SECOND):
            return _PLAIN[choice]
        name: SideName = "first" if choice == Choice.FIRST else "second"
        source = f"as {self._side(name).name}"
        if subject.about == About.TOPIC:
            return f"{'taken' if name == subject.side else 'left out'} ({source})"
        if subject.about == About.PAGE:
            return source
        topic = self.desk.first.topic_ids.index(subject.key)
        verb = "called" if subject.about == About.NAME else "in"
        return f"{verb} {self._values(subject.about, topic)[name == 'second']} ({source})"

    def _values(self, about: About, topic: int) -> tuple[str, str]:
        """What either side says about an aligned topic of the first: its name, or what it lies in."""
        first, second, other = self.desk.first, self.desk.second, self.desk.alignment.second_of[topic]
        if about == About.NAME:
            return first.topic_names[topic], second.topic_names[other]
        above = _joined(first.paths[topic][:-1]), _joined(second.paths[other][:-1])
        return above[0] or _NOWHERE, above[1] or _NOWHERE

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How many pages are in each status."""
        known = ("agreed", "decided", "open", "waiting", "skipped", "unplaced")
        return [(status, self.statuses.count(status)) for status in known if status in self.statuses]

    def can_take_back(self, person: User) -> bool:
        """Whether this person has a decision that is not taken back."""
        taken = {row.undoes_id for row in self.decisions}
        return any(row.user_id == person.pk and not row.undoes_id and row.pk not in taken for row in self.decisions)

    def card(self, address: str = "") -> Card | None:
        """The question at an address; else the first open one, None when all are answered."""
        at = next((question for question in self.questions if address_of(question.subject) == address), None)
        if at is None:
            at = next(iter(self.open), None)
        return self.card_of(at) if at else None

    def beside(self, card: Card | None, step: int) -> str:
        """The address of the question before or after a card; "" at either end."""
        if card is None:
            return ""
        place = self.questions.index(card.question) + step
        return address_of(self.questions[place].subject) if 0 <= place < len(self.questions) else ""

    def card_of(self, question: Question) -> Card:
        if question.page is not None:
            return self._page_card(question, question.page)
        if question.subject.about == About.TOPIC:
            return self._topic_card(question)
        return self._pair_card(question)

    def _page_card(self, question: Question, page: PageComparison) -> Card:
        found = self.desk.first.document.pages[page.page]
        buttons = [self._page_button(question, page, choice) for choice in question.choices]
        return self._card(question, self.how(page), buttons, pages=(found,), now=self.now(found.id))

    def _page_button(self, question: Question, page: PageComparison, choice: Choice) -> Button:
        if choice not in (Choice.FIRST, Choice.SECOND):
            return Button(choice, KEYS[choice], _PAGE_WORDS[choice])
        name: SideName = "first" if choice == Choice.FIRST else "second"
        placement = page.first if name == "first" else page.second
        topics = sorted(self._draft_path(self.desk.topic_id(symbol)) for symbol in placement.topics)
        paths = ["outlier"] if placement.outlier else topics or ["not placed"]
        return Button(choice, KEYS[choice], self._side(name).name, tuple(paths), self._absent(name, page.page))

    def how(self, page: PageComparison) -> str:
        """How the two differ about a page, in topics of the draft."""
        first, second = self.desk.first, self.desk.second
        said = worded(page.kind, first, second)
        lacking: dict[Kind, tuple[Side, SideName]] = {
            Kind.ONLY_FIRST: (first, "second"),
            Kind.ONLY_SECOND: (second, "first"),
        }
        if page.kind not in lacking:
            return said
        side, name = lacking[page.kind]
        absent = self._absent(name, page.page)
        if not absent:
            return said
        return f"only {side.name} has it in a topic of the draft; {self._side(name).name} has it in {absent}"

    def _absent(self, name: SideName, page: int) -> str:
        """The topics one side has a page in that are not in the draft, and why; "" for none."""
        symbols, side = self.desk.symbols, self._side(name)
        topics = [topic for topic in side.direct[page] if symbols.of(name, topic) in symbols.skipped]
        return ", and ".join(f"“{_joined(side.paths[topic])}”, which {self._fate(name, topic)}" for topic in topics)

    def _fate(self, name: SideName, topic: int) -> str:
        """Why a topic of one side is not in the draft."""
        found = self.last.get(Subject(About.TOPIC, self._side(name).topic_ids[topic], name))
        if found is None or found.choice == Choice.SKIP:
            return "is not decided yet"
        return "was left out" if found.choice == _LEAVE_OUT[name] else "is not in the draft"

    def _topic_card(self, question: Question) -> Card:
        symbol = _symbol(question)
        side, other = self._side(symbol.side), self._side(_OTHER[symbol.side])
        members = side.members(symbol.topic).tolist()
        sentence = f"Only {side.name} has this topic, with {len(members)} page{'' if len(members) == 1 else 's'}."
        words: dict[str, str] = {
            symbol.side: f"{side.name}: take it",
            _OTHER[symbol.side]: f"{other.name}: leave it out",
        }
        buttons = [
            Button(choice, KEYS[choice], words.get(choice.value, "Later"))
            for choice in question.choices
            if choice in KEYS
        ]
        same: tuple[tuple[str, str], ...] = ()
        if Choice.SAME in question.choices:
            paths = dict(zip(self.desk.first.topic_ids, self.desk.first.paths, strict=True))
            same = tuple((topic_id, _joined(paths[topic_id])) for topic_id in self.desk.free_for_same)
        pages = tuple(side.document.pages[page] for page in members[:SAMPLE])
        in_draft = self.desk.topic_id(symbol) in self.desk.state.topics
        now = (self._draft_path(self.desk.topic_id(symbol)),) if in_draft else ()
        return self._card(question, sentence, buttons, pages=pages, more=len(members) - len(pages), now=now, same=same)

    def _pair_card(self, question: Question) -> Card:
        topic = _symbol(question).topic
        first, second = self.desk.first, self.desk.second
        called = question.subject.about == About.NAME
        sentence = "The same topic, called differently." if called else "The same topic, in another place of the tree."
        values = self._values(question.subject.about, topic)
        buttons = [
            Button(Choice.FIRST, "1", first.name, (values[0],)),
            Button(Choice.SECOND, "2", second.name, (values[1],)),
            Button(Choice.SKIP, "s", "Later"),
        ]
        in_draft = first.topic_ids[topic] in self.desk.state.topics
        now = (self._draft_path(first.topic_ids[topic]),) if in_draft else ()
        return self._card(question, sentence, buttons, now=now)

    def _card(self, question: Question, sentence: str, buttons: Sequence[Button], **more: Any) -> Card:
        decision, subject = self.last.get(question.subject), question.subject
        decided = self._answered(subject, decision_of(decision).choice, decision.other) if decision else ""
        names = address_of(subject), self.title(subject), sentence
        return Card(question, *names, tuple(buttons), decision=decision, decided=decided, **more)

    # --- Outcome ----------------------------------------------------------------------------------------------------

    @cached_property
    def statuses(self) -> list[str]:
        """The status of every page, in the order of the page list."""
        return [self._status(page, self._asked.get(page.page)) for page in self.desk.comparisons]

    @cached_property
    def _asked(self) -> dict[int, Question]:
        return {question.page.page: question for question in self.questions if question.page is not None}

    def outcomes(self, show: str = "", start: int = 0, most: int | None = None) -> list[PageOutcome]:
        """Pages in the order of the page list: of one status if it is given, ``most`` of them from ``start`` on."""
        shown = [number for number, status in enumerate(self.statuses) if show in ("", status)]
        stop = None if most is None else start + most
        return [self._outcome(self.desk.comparisons[number]) for number in shown[start:stop]]

    def _outcome(self, page: PageComparison) -> PageOutcome:
        found = self.desk.first.document.pages[page.page]
        status = self.statuses[page.page]
        decision = self.last.get(Subject(About.PAGE, found.id)) if status in ("decided", "skipped") else None
        return PageOutcome(
            page=found,
            first=tuple(own_paths(self.desk.first, page.page)),
            second=tuple(own_paths(self.desk.second, page.page)),
            how=self.how(page),
            status=status,
            now=self.now(found.id),
            changed=self._changed(page, found.id, status, decision),
            decision=decision,
        )

    def _status(self, page: PageComparison, question: Question | None) -> str:
        if question is not None and question.decided is not None:
            return "skipped" if question.decided == Choice.SKIP else "decided"
        if question is not None:
            return "open"
        if page.page in self.desk.waiting:
            return "waiting"
        return "unplaced" if page.kind == Kind.NEITHER else "agreed"

    def _changed(self, page: PageComparison, key: str, status: str, decision: AdjudicationDecision | None) -> bool:
        if status == "agreed":
            wanted = page.first
        elif status == "decided" and decision is not None:
            wanted = self.desk.wanted(decision_of(decision))
        else:
            return False
        return self.desk.placed(key) != (frozenset(map(self.desk.topic_id, wanted.topics)), wanted.outlier)

    def now(self, page: str) -> tuple[str, ...]:
        """Where a page is in the draft."""
        topics, outlier = self.desk.placed(page)
        return ("outlier",) if outlier else tuple(sorted(map(self._draft_path, topics)))

    def _draft_path(self, topic_id: str) -> str:
        state = self.desk.state
        return _joined([state.topics[step].name for step in state.path(topic_id)])


_OTHER: dict[SideName, SideName] = {"first": "second", "second": "first"}
_LEAVE_OUT: dict[SideName, Choice] = {"first": Choice.SECOND, "second": Choice.FIRST}
_NOWHERE = "no other topic"
_PAGE_WORDS = {Choice.BOTH: "Both", Choice.OUTLIER: "Outlier", Choice.SKIP: "Skip"}
_PLAIN = {
    None: "",
    Choice.BOTH: "in the topics of both",
    Choice.OUTLIER: "an outlier",
    Choice.SKIP: "skipped",
    Choice.REOPEN: "opened again",
}


def address_of(subject: Subject) -> str:
    """A subject in one word, for addresses and forms."""
    return f"{subject.about}:{subject.side}:{subject.key}"


def subject_at(address: str) -> Subject | None:
    """The subject of an address; None for anything else."""
    about, _, rest = address.partition(":")
    side, _, key = rest.partition(":")
    if about not in set(About) or side not in _OTHER:
        return None
    return Subject(About(about), key, "first" if side == "first" else "second")


def _symbol(question: Question) -> Symbol:
    if question.symbol is None:
        raise ValueError(f"a question about a {question.subject.about} has a topic")
    return question.symbol


def _joined(path: Sequence[str]) -> str:
    return " › ".join(path)
