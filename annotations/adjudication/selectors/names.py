"""The table of names that differ: the name in each draft, and the name in the outcome."""

from __future__ import annotations

from dataclasses import dataclass

from annotations.adjudication.selectors.reading import Reading
from annotations.adjudication.selectors.wording import draft_names, draft_path, draft_value
from annotations.adjudication.session import Question
from annotations.adjudication_choices import About, Choice


@dataclass(frozen=True, slots=True)
class NameChoice:
    """A name that some drafts give a topic."""

    choice: str
    name: str
    by: str
    chosen: bool
    proposed: bool


@dataclass(frozen=True, slots=True)
class NameRow:
    """A topic with different names in the drafts.

    Attributes:
        topic: its id in the outcome; ``parent`` is its parent's id, "" for none.
        path: its path in the outcome.
        sides: draft -> the choice of its name, as "first=first third=first".
        typed: the name that somebody typed for it.
    """

    address: str
    topic: str
    parent: str
    path: str
    choices: tuple[NameChoice, ...]
    sides: str
    typed: str
    is_typed: bool
    is_open: bool


def name_table(reading: Reading) -> list[NameRow]:
    """Return a row for every topic in the outcome whose name is or was in question."""
    asked = (each for each in reading.session.structural if each.subject.about == About.NAME)
    return [_row(reading, question) for question in asked if _topic(reading, question) in reading.session.state.topics]


def sibling_names(reading: Reading) -> dict[str, dict[str, str]]:
    """Return parent ("" for none) -> topic -> name, for all siblings of the topics in the table."""
    state = reading.session.state
    parents = {state.topics[row.topic].parent for row in name_table(reading)}
    return {
        parent or "": {topic: state.topics[topic].name for topic in state.children_of(parent)} for parent in parents
    }


def _topic(reading: Reading, question: Question) -> str:
    return reading.session.topic_id(reading.session.symbol_of(question.subject))


def _row(reading: Reading, question: Question) -> NameRow:
    topic, symbol = _topic(reading, question), reading.session.symbol_of(question.subject)
    last = reading.last.get(question.subject)
    typed = last.other if last is not None and last.choice == Choice.TYPED else ""
    choices = tuple(
        NameChoice(
            choice,
            draft_value(reading, About.NAME, symbol, names[0]),
            draft_names(reading, names),
            chosen=question.decided == choice,
            proposed=question.proposal == choice,
        )
        for choice, names in question.votes.items()
    )
    return NameRow(
        address=question.subject.address,
        topic=topic,
        parent=reading.session.state.topics[topic].parent or "",
        path=draft_path(reading, topic),
        choices=choices,
        sides=" ".join(f"{name}={choice}" for choice, names in question.votes.items() for name in names),
        typed=typed,
        is_typed=bool(typed),
        is_open=question.is_open,
    )
