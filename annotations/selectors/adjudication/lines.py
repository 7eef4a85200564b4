"""Questions in lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotations.agreement.desk.questions import Question
from annotations.selectors.adjudication.reading import Reading
from annotations.selectors.adjudication.words import answered, title


@dataclass(frozen=True, slots=True)
class Line:
    """A question in a list: its address, what it is about, and the answer in words ("" while it is open)."""

    address: str
    title: str
    about: str
    decided: str


def structure(reading: Reading) -> list[Line]:
    """The questions about topics, names and places in the tree."""
    return _lines(reading, (question for question in reading.questions if question.page is None))


def skipped(reading: Reading) -> list[Line]:
    """The questions that were put off."""
    return _lines(reading, reading.skipped)


def _lines(reading: Reading, questions: Iterable[Question]) -> list[Line]:
    return [_line(reading, question) for question in questions]


def _line(reading: Reading, question: Question) -> Line:
    subject, row = question.subject, reading.last.get(question.subject)
    decided = answered(reading, subject, question.decided, row.other if row else "")
    return Line(subject.address, title(reading, subject), subject.about, decided)
