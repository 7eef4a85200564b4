"""The outcome of an adjudication: the place of every page, who decided it and why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from annotations.adjudication.operations import chosen_placement
from annotations.adjudication.selectors.meanwhile import TwoAnswers, two_answers
from annotations.adjudication.selectors.reading import Reading, decision_of
from annotations.adjudication.selectors.wording import how, label_of, places
from annotations.adjudication.session import Question, Subject
from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics.placements import Kind, PageComparison
from annotations.agreement.statistics.tables import own_paths
from annotations.models import Adjudication, AdjudicationDecision, Draft
from qc4.model.gold_document import Page
from qc4.records import Record

STATUSES = ("agreed", "decided", "open", "waiting", "skipped", "unplaced")
"""``waiting``: a topic must be decided first. ``unplaced``: no draft has placed the page."""


@dataclass(frozen=True, slots=True)
class PageOutcome(Record):
    """The place of a page in the outcome, and how it was decided.

    Attributes:
        status: one of `STATUSES`.
        compared: its paths in each draft, in the order of the drafts.
        now: its paths in the outcome.
        changed: True if somebody has moved it in the workspace since.
        words: the decision, in words.
    """

    KEYS = "id=page.id status how compared now changed decision"

    page: Page
    compared: tuple[tuple[str, ...], ...]
    how: str
    status: str
    now: tuple[str, ...]
    changed: bool
    decision: AdjudicationDecision | None
    words: str


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The outcomes of all pages, in the order of the page list."""

    reading: Reading

    @cached_property
    def statuses(self) -> list[str]:
        """The status of every page."""
        return [self._status(page, self._asked.get(page.page)) for page in self.reading.session.comparisons]

    @property
    def counts(self) -> list[tuple[str, int]]:
        """The number of pages in each status."""
        return [(status, self.statuses.count(status)) for status in STATUSES if status in self.statuses]

    def rows(self, show: str = "", start: int = 0, most: int | None = None) -> list[PageOutcome]:
        """Return the pages, or those of one status: ``most`` of them, starting at index ``start``."""
        shown = [number for number, status in enumerate(self.statuses) if show in ("", status)]
        stop = None if most is None else start + most
        return [self._row(self.reading.session.comparisons[number]) for number in shown[start:stop]]

    @cached_property
    def _asked(self) -> dict[int, Question]:
        return {question.page.page: question for question in self.reading.questions if question.page is not None}

    def _status(self, page: PageComparison, question: Question | None) -> str:
        if question is not None and question.decided is not None:
            return "skipped" if question.decided == Choice.SKIP else "decided"
        if question is not None:
            return "open"
        if page.page in self.reading.session.waiting:
            return "waiting"
        return "unplaced" if page.kind == Kind.NEITHER else "agreed"

    def _row(self, page: PageComparison) -> PageOutcome:
        session = self.reading.session
        found, status = session.first.document.pages[page.page], self.statuses[page.page]
        is_answered = status in ("decided", "skipped")
        decision = self.reading.last.get(Subject(About.PAGE, found.id)) if is_answered else None
        return PageOutcome(
            page=found,
            compared=tuple(tuple(own_paths(side, page.page)) for side in session.sides),
            how=how(self.reading, page),
            status=status,
            now=places(self.reading, found.id),
            changed=self._is_changed(page, found.id, status, decision),
            decision=decision,
            words=label_of(decision, self.reading) if decision else "",
        )

    def _is_changed(self, page: PageComparison, key: str, status: str, decision: AdjudicationDecision | None) -> bool:
        session = self.reading.session
        if status == "agreed":
            expected = page.first
        elif status == "decided" and decision is not None:
            expected = chosen_placement(session, decision_of(decision))
        else:
            return False
        return session.placed(key) != (frozenset(map(session.topic_id, expected.topics)), expected.outlier)


@dataclass(frozen=True, eq=False)
class AdjudicationDetail(Record):
    """The compared drafts, the questions, every step with its decisions and reasons, and who placed each page.

    A draft in ``compared`` that was ``reopened`` is not submitted now. It is compared as it was when the adjudication
    started.
    """

    TITLE = "Adjudication"
    KEYS = (
        "draft=draft.pk status=draft.status revision=draft.revision compared=reading.compared "
        "minimum=adjudication.minimum agreed_from_the_start=adjudication.n_agreed questions=reading.questions "
        "steps=reading.steps two_answers state pages"
    )

    reading: Reading

    @property
    def state(self) -> str:
        """The state to send back with an answer, so that others' answers are not replaced unseen."""
        return str(self.reading.state)

    @property
    def two_answers(self) -> list[TwoAnswers]:
        """Questions that two people answered differently."""
        return two_answers(self.reading)

    @property
    def adjudication(self) -> Adjudication:
        return self.reading.adjudication

    @property
    def draft(self) -> Draft:
        return self.adjudication.draft

    @property
    def pages(self) -> list[PageOutcome]:
        return Outcomes(self.reading).rows()
