"""Questions as people see them: one as a card, many as a list, and the comments about one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotations.adjudication.operations import broken_rules
from annotations.adjudication.selectors.reading import Reading
from annotations.adjudication.selectors.wording import (
    absent,
    answered,
    draft_names,
    draft_path,
    draft_value,
    how,
    label_of,
    path_of,
    places,
    title,
)
from annotations.adjudication.session import Decision, Question
from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics import SIDES, SideName, Symbol
from annotations.agreement.statistics.placements import PageComparison
from annotations.discussion.selectors import comment_urls, mentionable_people, threads_about
from annotations.drafts.access import DraftAccess
from annotations.models import AdjudicationDecision, CommentThread
from qc4.model.gold_document import Page
from qc4.records import to_plain
from qc4.wording import counted

PROPOSAL_KEY = "p"
SAMPLE = 8
"""Number of pages shown for a topic."""
_KEYS = {Choice.OUTLIER: "o", Choice.SKIP: "s", Choice.MAJORITY: PROPOSAL_KEY}
_TWO = 2


@dataclass(frozen=True, slots=True)
class Button:
    """A button for an answer.

    Attributes:
        paths: where in the draft it puts a page.
        note: that draft's topics of the page that are not in the outcome.
        breaks: the rules it would break.
        proposed: True if more than half of three or more drafts give this answer.
    """

    choice: Choice
    key: str
    words: str
    paths: tuple[str, ...] = ()
    note: str = ""
    breaks: tuple[str, ...] = ()
    proposed: bool = False


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page with the notes of its curators, as (name of the draft, note)."""

    page: Page
    notes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A question as it is shown to people.

    Attributes:
        address: identifies the question in URLs.
        sentence: how the drafts differ.
        pages: the page in question, or some pages of the topic; ``more`` is the number of its other pages.
        now: where the page or topic is in the outcome.
        same: topics that the topic may be declared equal to, as (id in the outcome, path).
        typed: the content of the field for another name; None if the question is not about a name.
        about_topic: descriptions of the topic, as (name of the draft, description).
        decided: the current decision, in words.
    """

    question: Question
    address: str
    title: str
    sentence: str
    buttons: tuple[Button, ...]
    pages: tuple[ShownPage, ...] = ()
    more: int = 0
    now: tuple[str, ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    typed: str | None = None
    about_topic: tuple[tuple[str, str], ...] = ()
    decision: AdjudicationDecision | None = None
    decided: str = ""
    everybody: str = "both"
    everybodys_key: str = "3"

    @property
    def refusals(self) -> list[tuple[str, str]]:
        """Keys that answer other questions, with the reasons why they do not apply here."""
        offered = {button.choice for button in self.buttons}
        words = {Choice.ALL: (self.everybodys_key, self.everybody), Choice.OUTLIER: ("o", "outlier")}
        missing = [told for choice, told in words.items() if choice not in offered]
        return [(key, f"{key} ({name}) is not an answer here: {self._why_not}.") for key, name in missing]

    @property
    def _why_not(self) -> str:
        if self.question.page is None:
            return "it only applies to pages"
        return "only one of the two has the page in topics of the outcome"


def card_at(reading: Reading, address: str = "") -> Card | None:
    """Return the question at an address, or else the first open one; None if all are answered."""
    asked = (question for question in reading.questions if question.subject.address == address)
    at = next(asked, None) or next(iter(reading.open), None)
    return card_of(reading, at) if at else None


def neighbour_address(reading: Reading, card: Card | None, step: int) -> str:
    """Return the address of the question before or after a card; "" at either end."""
    if card is None:
        return ""
    place = reading.questions.index(card.question) + step
    return reading.questions[place].subject.address if 0 <= place < len(reading.questions) else ""


def card_of(reading: Reading, question: Question) -> Card:
    """Return a question as it is shown to people."""
    if question.page is not None:
        return _page_card(reading, question, question.page)
    if question.subject.about == About.TOPIC:
        return _topic_card(reading, question, _symbol(question))
    return _shared_card(reading, question, _symbol(question))


# --- Pages ------------------------------------------------------------------------------------------------------------


def _page_card(reading: Reading, question: Question, page: PageComparison) -> Card:
    found = reading.session.first.document.pages[page.page]
    buttons = [_page_button(reading, question, page, choice) for choice in question.choices]
    shown = (_shown(reading, found),)
    return _card(reading, question, how(reading, page), buttons, pages=shown, now=places(reading, found.id))


def _page_button(reading: Reading, question: Question, page: PageComparison, choice: Choice) -> Button:
    if choice not in set(SIDES):
        everybody = "Both" if len(reading.compared) == _TWO else "All"
        words = {Choice.ALL: everybody, Choice.OUTLIER: "Outlier", Choice.MAJORITY: "Majority"}
        return _button(reading, question, choice, words.get(choice, "Skip"))
    names = question.votes[choice]
    placement = page.placements[SIDES.index(names[0])]
    topics = sorted(draft_path(reading, reading.session.topic_id(symbol)) for symbol in placement.topics)
    paths = ["outlier"] if placement.outlier else topics or ["not assigned"]
    note = absent(reading, names[0], page.page)
    return _button(reading, question, choice, draft_names(reading, names), paths, note)


def _shown(reading: Reading, page: Page) -> ShownPage:
    notes = ((row.name, str(row.notes.get(page.id, ""))) for row in reading.compared)
    return ShownPage(page, tuple((name, note) for name, note in notes if note))


# --- Topics -----------------------------------------------------------------------------------------------------------


def _topic_card(reading: Reading, question: Question, symbol: Symbol) -> Card:
    side = reading.side(symbol.side)
    concept = reading.session.aligned_as[symbol]
    members = side.members(symbol.topic).tolist()
    have = "has" if len(concept.topics) == 1 else "have"
    return _card(
        reading,
        question,
        f"Only {draft_names(reading, concept.topics)} {have} this topic, with {counted(len(members), 'page')}.",
        [_topic_button(reading, question, choice) for choice in question.choices if choice != Choice.SAME],
        pages=tuple(_shown(reading, side.document.pages[page]) for page in members[:SAMPLE]),
        more=max(0, len(members) - SAMPLE),
        now=_place(reading, reading.session.topic_id(symbol)),
        same=_same(reading, symbol) if Choice.SAME in question.choices else (),
        about_topic=_descriptions(reading, symbol),
    )


def _topic_button(reading: Reading, question: Question, choice: Choice) -> Button:
    if choice == Choice.SKIP:
        return _button(reading, question, choice, "Later")
    names = question.votes[choice]
    has_it = names[0] in reading.session.aligned_as[_symbol(question)].topics
    words = f"{draft_names(reading, names)}: {'take it' if has_it else 'exclude it'}"
    return _button(reading, question, choice, words)


def _same(reading: Reading, symbol: Symbol) -> tuple[tuple[str, str], ...]:
    """Return the topics that a topic may be declared equal to."""
    free = reading.session.free_for_same(symbol)
    return tuple((reading.session.topic_id(other), path_of(reading, other)) for other in free)


def _shared_card(reading: Reading, question: Question, symbol: Symbol) -> Card:
    about = question.subject.about
    where = "with different names" if about == About.NAME else "in different places of the tree"
    buttons = []
    for choice in question.choices:
        if choice in set(SIDES):
            names = question.votes[choice]
            said = (draft_value(reading, about, symbol, names[0]),)
            buttons.append(_button(reading, question, choice, draft_names(reading, names), said))
        elif choice == Choice.SKIP:
            buttons.append(_button(reading, question, choice, "Later"))
    topic_id = reading.session.topic_id(symbol)
    now = _place(reading, topic_id)
    typed = reading.session.state.topics[topic_id].name if now and about == About.NAME else None
    told = _descriptions(reading, symbol)
    return _card(reading, question, f"The same topic {where}.", buttons, now=now, typed=typed, about_topic=told)


def _descriptions(reading: Reading, symbol: Symbol) -> tuple[tuple[str, str], ...]:
    found = []
    for name, topic in reading.session.aligned_as[symbol].topics.items():
        side = reading.side(name)
        words = side.document.topics[topic].extra.get("description")
        if isinstance(words, str) and words:
            found.append((side.name, words))
    return tuple(found)


def _place(reading: Reading, topic_id: str) -> tuple[str, ...]:
    """Return where a topic is in the outcome, if it is there."""
    return (draft_path(reading, topic_id),) if topic_id in reading.session.state.topics else ()


# --- Both -------------------------------------------------------------------------------------------------------------


def _button(
    reading: Reading, question: Question, choice: Choice, words: str, paths: Sequence[str] = (), note: str = ""
) -> Button:
    told = tuple(broken_rules(reading.session, Decision(question.subject, choice))) if choice != Choice.SKIP else ()
    return Button(choice, _key_to_press(reading, choice), words, tuple(paths), note, told, choice == question.proposal)


def _key_to_press(reading: Reading, choice: Choice) -> str:
    if choice == Choice.ALL:
        return str(len(reading.compared) + 1)
    return _KEYS.get(choice) or str(SIDES.index(_side(choice)) + 1)


def _side(choice: Choice) -> SideName:
    return next(name for name in SIDES if name == choice)


def _card(reading: Reading, question: Question, sentence: str, buttons: Sequence[Button], **more: Any) -> Card:
    decision, subject = reading.last.get(question.subject), question.subject
    decided = label_of(decision, reading) if decision else ""
    names = subject.address, title(reading, subject), sentence
    more["everybody"] = "both" if len(reading.compared) == _TWO else "all"
    more["everybodys_key"] = str(len(reading.compared) + 1)
    return Card(question, *names, tuple(buttons), decision=decision, decided=decided, **more)


def _symbol(question: Question) -> Symbol:
    if question.symbol is None:
        raise ValueError(f"a question about a {question.subject.about} has a topic")
    return question.symbol


# --- Lists ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question in a list: its address, its subject, and the answer in words ("" while it is open)."""

    address: str
    title: str
    about: str
    decided: str


def structure(reading: Reading) -> list[QuestionLine]:
    """Return the questions about topics, names and places in the tree."""
    return _lines(reading, (question for question in reading.questions if question.page is None))


def skipped(reading: Reading) -> list[QuestionLine]:
    """Return the questions that were skipped."""
    return _lines(reading, reading.skipped)


def _lines(reading: Reading, questions: Iterable[Question]) -> list[QuestionLine]:
    return [_line(reading, question) for question in questions]


def _line(reading: Reading, question: Question) -> QuestionLine:
    subject, row = question.subject, reading.last.get(question.subject)
    decided = answered(reading, subject, question.decided, row.other if row else "")
    return QuestionLine(subject.address, title(reading, subject), subject.about, decided)


# --- Comments ---------------------------------------------------------------------------------------------------------


def discussion_about(access: DraftAccess, reading: Reading, card: Card | None) -> dict[str, Any] | None:
    """Return the threads, and the data scripts need to add one to the outcome, as JSON; None if there is no
    question."""
    if card is None:
        return None
    draft, question = access.draft, card.question
    is_page = question.subject.about == About.PAGE
    about = CommentThread.About.PAGE if is_page else CommentThread.About.TOPIC
    # A topic that nobody took is not in the outcome, so nobody can comment on it there.
    there = not draft.is_archived and (is_page or _id_in_outcome(reading, question) in reading.session.state.topics)
    names = {draft.pk: "In the outcome"} | {source.draft_id: source.name for source in reading.compared}
    urls = comment_urls(draft if there else None)
    return {
        "me": access.person.get_username(),
        "draft": draft.pk,
        "urls": urls,
        "threads": to_plain(threads_about(access.person, list(names), about, _ids_in_drafts(reading, question))),
        "names": {str(pk): name for pk, name in names.items()},
        "at": draft.talk,
        "people": to_plain(mentionable_people(draft, access.person)),
        "subject": {"about": about, "key": _id_in_outcome(reading, question), "words": f"Comment on this {about}"},
    }


def _id_in_outcome(reading: Reading, question: Question) -> str:
    """Return the id of the page or topic in the outcome."""
    return reading.session.topic_id(question.symbol) if question.symbol else question.subject.key


def _ids_in_drafts(reading: Reading, question: Question) -> set[str]:
    """Return its ids in the outcome and in the compared drafts: each draft has its own id for an aligned topic."""
    keys = {question.subject.key, _id_in_outcome(reading, question)}
    if question.symbol is not None:
        concept = reading.session.concepts.get(question.symbol)
        sides = concept.topics.items() if concept else ()
        keys |= {reading.session.side(side).topic_ids[topic] for side, topic in sides}
    return keys
