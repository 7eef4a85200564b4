"""A question as it is put to people: how the two differ, and the answers there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotations.agreement import About, Choice, Question, Symbol
from annotations.agreement.placements import PageComparison, SideName
from annotations.models import AdjudicationDecision
from annotations.selectors.adjudication.decisions import decision_of
from annotations.selectors.adjudication.reading import Reading
from annotations.selectors.adjudication.words import absent, answered, draft_path, how, joined, places, title, values
from qc4.gold.document import Page
from qc4.problems.wording import counted

KEYS = {Choice.FIRST: "1", Choice.SECOND: "2", Choice.BOTH: "3", Choice.OUTLIER: "o", Choice.SKIP: "s"}
SAMPLE = 8
"""Pages shown of a topic."""
_PAGE_WORDS = {Choice.BOTH: "Both", Choice.OUTLIER: "Outlier", Choice.SKIP: "Skip"}
_OTHER: dict[SideName, SideName] = {"first": "second", "second": "first"}


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


def card_at(reading: Reading, address: str = "") -> Card | None:
    """The question at an address; else the first open one, None when all are answered."""
    asked = (question for question in reading.questions if question.subject.address == address)
    at = next(asked, None) or next(iter(reading.open), None)
    return card_of(reading, at) if at else None


def beside(reading: Reading, card: Card | None, step: int) -> str:
    """The address of the question before or after a card; "" at either end."""
    if card is None:
        return ""
    place = reading.questions.index(card.question) + step
    return reading.questions[place].subject.address if 0 <= place < len(reading.questions) else ""


def card_of(reading: Reading, question: Question) -> Card:
    """A question as it is put to people."""
    if question.page is not None:
        return _page_card(reading, question, question.page)
    if question.subject.about == About.TOPIC:
        return _topic_card(reading, question)
    return _pair_card(reading, question)


def _page_card(reading: Reading, question: Question, page: PageComparison) -> Card:
    found = reading.desk.first.document.pages[page.page]
    buttons = [_page_button(reading, page, choice) for choice in question.choices]
    return _card(reading, question, how(reading, page), buttons, pages=(found,), now=places(reading, found.id))


def _page_button(reading: Reading, page: PageComparison, choice: Choice) -> Button:
    if choice not in (Choice.FIRST, Choice.SECOND):
        return Button(choice, KEYS[choice], _PAGE_WORDS[choice])
    name: SideName = "first" if choice == Choice.FIRST else "second"
    placement = page.first if name == "first" else page.second
    topics = sorted(draft_path(reading, reading.desk.topic_id(symbol)) for symbol in placement.topics)
    paths = ["outlier"] if placement.outlier else topics or ["not placed"]
    return Button(choice, KEYS[choice], reading.side(name).name, tuple(paths), absent(reading, name, page.page))


def _topic_card(reading: Reading, question: Question) -> Card:
    symbol = _symbol(question)
    side = reading.side(symbol.side)
    members = side.members(symbol.topic).tolist()
    return _card(
        reading,
        question,
        f"Only {side.name} has this topic, with {counted(len(members), 'page')}.",
        _topic_buttons(reading, question, symbol),
        pages=tuple(side.document.pages[page] for page in members[:SAMPLE]),
        more=max(0, len(members) - SAMPLE),
        now=_place(reading, reading.desk.topic_id(symbol)),
        same=_same(reading) if Choice.SAME in question.choices else (),
    )


def _topic_buttons(reading: Reading, question: Question, symbol: Symbol) -> list[Button]:
    other = _OTHER[symbol.side]
    words: dict[str, str] = {
        symbol.side: f"{reading.side(symbol.side).name}: take it",
        other: f"{reading.side(other).name}: leave it out",
    }
    offered = (choice for choice in question.choices if choice in KEYS)
    return [Button(choice, KEYS[choice], words.get(choice.value, "Later")) for choice in offered]


def _same(reading: Reading) -> tuple[tuple[str, str], ...]:
    """The topics one without a partner may be declared the same as."""
    first = reading.desk.first
    paths = dict(zip(first.topic_ids, first.paths, strict=True))
    return tuple((topic_id, joined(paths[topic_id])) for topic_id in reading.desk.free_for_same)


def _pair_card(reading: Reading, question: Question) -> Card:
    topic, about = _symbol(question).topic, question.subject.about
    first, second = reading.desk.first, reading.desk.second
    where = "called differently" if about == About.NAME else "in another place of the tree"
    said = values(reading, about, topic)
    buttons = [
        Button(Choice.FIRST, KEYS[Choice.FIRST], first.name, (said[0],)),
        Button(Choice.SECOND, KEYS[Choice.SECOND], second.name, (said[1],)),
        Button(Choice.SKIP, KEYS[Choice.SKIP], "Later"),
    ]
    now = _place(reading, first.topic_ids[topic])
    return _card(reading, question, f"The same topic, {where}.", buttons, now=now)


def _place(reading: Reading, topic_id: str) -> tuple[str, ...]:
    """Where a topic is in the draft, if it is."""
    return (draft_path(reading, topic_id),) if topic_id in reading.desk.state.topics else ()


def _card(reading: Reading, question: Question, sentence: str, buttons: Sequence[Button], **more: Any) -> Card:
    decision, subject = reading.last.get(question.subject), question.subject
    decided = answered(reading, subject, decision_of(decision).choice, decision.other) if decision else ""
    names = subject.address, title(reading, subject), sentence
    return Card(question, *names, tuple(buttons), decision=decision, decided=decided, **more)


def _symbol(question: Question) -> Symbol:
    if question.symbol is None:
        raise ValueError(f"a question about a {question.subject.about} has a topic")
    return question.symbol
