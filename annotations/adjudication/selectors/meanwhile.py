"""Others' recent work on a question, and questions that two people answered differently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import User
from annotations.adjudication.selectors.reading import Reading, SeenState, decision_of
from annotations.adjudication.selectors.wording import label_of, step_words, title
from annotations.adjudication.session import Subject
from annotations.adjudication_choices import About, Choice
from annotations.drafts.selectors import states
from annotations.models import AdjudicationDecision
from qc4.records import Record
from qc4.wording import counted

_MOVES = {"in+", "in-", "out+", "out-"}
NAMED = 3
"""Maximum number of questions that a message names."""


@dataclass(frozen=True, slots=True)
class Meanwhile(Record):
    """Work of another person on a question.

    Attributes:
        label: their answer in words, or what they did in the workspace.
        is_answer: True for an answer, False for work in the workspace.
    """

    KEYS = "about=subject.about side=subject.side key=subject.key by label"

    subject: Subject
    by: str
    label: str
    is_answer: bool

    def sentence(self, reading: Reading) -> str:
        """Return a sentence such as "bob answered “Page 3” meanwhile: in the topics of both." """
        name = title(reading, self.subject)
        if self.is_answer:
            return f"{self.by} answered “{name}” meanwhile: {self.label}."
        return f"{self.by} changed “{name}” in the workspace meanwhile: {self.label}."


def changes_meanwhile(reading: Reading, person: User, subjects: Iterable[Subject], seen: SeenState) -> list[Meanwhile]:
    """Return what others did about questions since a person saw them, one item for each such question.

    An answer is rejected if there are any. Somebody else's answer counts if it is the latest one to the question.
    Somebody else's work in the workspace counts if it moved the page or changed the property of the topic that is in
    question.
    """
    wanted = list(subjects)
    found = _answers(reading, person, seen)
    missing = [subject for subject in wanted if subject not in found]
    return [*(found[each] for each in wanted if each in found), *_work(reading, person, missing, seen)]


def _answers(reading: Reading, person: User, seen: SeenState) -> dict[Subject, Meanwhile]:
    since = {step.pk for step in reading.steps if step.number > seen.number and step.user_id != person.pk}
    return {
        subject: Meanwhile(subject, row.by, _with_reason(row, label_of(row, reading)), is_answer=True)
        for subject, row in reading.last.items()
        if row.step_id in since and row.user != person
    }


def _with_reason(row: AdjudicationDecision, label: str) -> str:
    reason = row.get_reason_display().lower() if row.reason else ""
    more = ", ".join(filter(None, [reason, f"“{row.note}”" if row.note else ""]))
    return f"{label} ({more})" if more else label


def _work(reading: Reading, person: User, subjects: list[Subject], seen: SeenState) -> list[Meanwhile]:
    draft = reading.adjudication.draft
    if not subjects or seen.revision >= draft.revision:
        return []
    known = states.current(draft)
    answers = {step.revision for step in (*reading.steps, *reading.refused)}
    entries = [
        each for each in states.entries_since(draft, known, seen.revision) if each["by"] != person.get_username()
    ]
    found = []
    for subject in subjects:
        topic = "" if subject.about == About.PAGE else reading.session.topic_id(reading.session.symbol_of(subject))
        done = [each for each in entries if any(_touches(change, subject, topic) for change in each["changes"])]
        if done:
            last = done[-1]
            found.append(Meanwhile(subject, last["by"], last["label"], is_answer=last["revision"] in answers))
    return found


def _touches(change: Mapping[str, Any], subject: Subject, topic: str) -> bool:
    """True if a change to the draft affects the subject of a question."""
    kind = change["c"]
    match subject.about:
        case About.PAGE:
            return kind in _MOVES and subject.key in change["pages"]
        case About.NAME:
            return kind == "set" and (change["topic"], change["field"]) == (topic, "name")
        case About.PARENT:
            return kind == "place" and bool(change["topic"] == topic)
        case About.TOPIC:
            return kind in {"topic+", "topic-"} and bool(change["topic"]["id"] == topic)


def news_since(reading: Reading, person: User, seen: SeenState) -> list[str]:
    """Return what others did in the session since a person saw it, in sentences, latest first."""
    steps = [step for step in reading.steps if step.number > seen.number and step.user_id != person.pk]
    sentences = [f"{step.user.get_username()}: {step_words(reading, step)}" for step in reversed(steps)]
    more = len(sentences) - NAMED
    return [*sentences[:NAMED], f"{counted(more, 'earlier answer')} by others."] if more > 0 else sentences


@dataclass(frozen=True, slots=True)
class AnswerGiven(Record):
    """One person's answer to a question, in words."""

    TITLE = "AnswerGiven"
    KEYS = "by label reason|null note at"

    by: str
    label: str
    reason: str
    note: str
    at: datetime


@dataclass(frozen=True, slots=True)
class TwoAnswers(Record):
    """A question that two people answered differently. Both of them see both answers.

    Attributes:
        counts: the answer in effect.
        other: the other person's answer, which was replaced or rejected (``is_refused``).
    """

    TITLE = "TwoAnswers"
    KEYS = "about=subject.about side=subject.side key=subject.key counts|null other is_refused"

    subject: Subject
    title: str
    counts: AnswerGiven | None
    other: AnswerGiven
    is_refused: bool


def two_answers(reading: Reading) -> list[TwoAnswers]:
    """Return the questions that two people answered differently, latest first."""
    found = {**_replaced(reading), **_refused(reading)}
    return [found[subject] for subject in sorted(found, key=lambda each: found[each].other.at, reverse=True)]


def _replaced(reading: Reading) -> dict[Subject, TwoAnswers]:
    """Return the questions with an answer that replaced a different answer by somebody else."""
    rows: dict[Subject, list[AdjudicationDecision]] = {}
    for row in reading.decisions:
        rows.setdefault(decision_of(row).subject, []).append(row)
    found = {}
    for subject, last in reading.last.items():
        before = [row for row in rows[subject] if row.pk < last.pk][-1:]
        if before and before[0].choice != Choice.REOPEN and _differ(before[0], last):
            counts, other = _given(reading, last), _given(reading, before[0])
            found[subject] = TwoAnswers(subject, title(reading, subject), counts, other, is_refused=False)
    return found


def _refused(reading: Reading) -> dict[Subject, TwoAnswers]:
    """Return the questions with a rejected answer, until somebody answers them again."""
    numbers = {step.pk: step.number for step in (*reading.steps, *reading.refused)}
    latest = {decision_of(row).subject: numbers[row.step_id] for row in reading.decisions}
    found = {}
    for step in reading.refused:
        for row in step.decisions:
            subject = decision_of(row).subject
            last = reading.last.get(subject)
            if latest.get(subject, 0) < step.number and (last is None or _differ(row, last)):
                counts = _given(reading, last) if last else None
                other = _given(reading, row)
                found[subject] = TwoAnswers(subject, title(reading, subject), counts, other, is_refused=True)
    return found


def _differ(one: AdjudicationDecision, other: AdjudicationDecision) -> bool:
    return one.user != other.user and (one.choice, one.other) != (other.choice, other.other)


def _given(reading: Reading, row: AdjudicationDecision) -> AnswerGiven:
    return AnswerGiven(row.by, label_of(row, reading), row.reason, row.note, row.at)
