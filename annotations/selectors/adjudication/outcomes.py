"""What came of an adjudication: where every page came to be, who placed it and why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from annotations.agreement import About, Choice, Question, Subject
from annotations.agreement.desk import wanted
from annotations.agreement.placements import Kind, PageComparison
from annotations.agreement.tables import own_paths
from annotations.models import Adjudication, AdjudicationDecision, Draft
from annotations.selectors.adjudication.decisions import decision_of
from annotations.selectors.adjudication.reading import Reading
from annotations.selectors.adjudication.words import how, places
from qc4.gold.document import Page
from qc4.records import Record

STATUSES = ("agreed", "decided", "open", "waiting", "skipped", "unplaced")
"""``waiting`` is for a topic, ``unplaced`` by both."""


@dataclass(frozen=True, slots=True)
class PageOutcome(Record):
    """Where a page came to be, and how.

    Attributes:
        status: one of `STATUSES`.
        now: its paths in the draft.
        changed: whether somebody has moved it since in the workspace.
    """

    KEYS = "id=page.id status how first second now changed decision"

    page: Page
    first: tuple[str, ...]
    second: tuple[str, ...]
    how: str
    status: str
    now: tuple[str, ...]
    changed: bool
    decision: AdjudicationDecision | None


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Every page of an adjudication, in the order of the page list."""

    reading: Reading

    @cached_property
    def statuses(self) -> list[str]:
        """The status of every page."""
        return [self._status(page, self._asked.get(page.page)) for page in self.reading.desk.comparisons]

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How many pages are in each status."""
        return [(status, self.statuses.count(status)) for status in STATUSES if status in self.statuses]

    def rows(self, show: str = "", start: int = 0, most: int | None = None) -> list[PageOutcome]:
        """The pages, or those of one status: ``most`` of them from ``start`` on."""
        shown = [number for number, status in enumerate(self.statuses) if show in ("", status)]
        stop = None if most is None else start + most
        return [self._row(self.reading.desk.comparisons[number]) for number in shown[start:stop]]

    @cached_property
    def _asked(self) -> dict[int, Question]:
        return {question.page.page: question for question in self.reading.questions if question.page is not None}

    def _status(self, page: PageComparison, question: Question | None) -> str:
        if question is not None and question.decided is not None:
            return "skipped" if question.decided == Choice.SKIP else "decided"
        if question is not None:
            return "open"
        if page.page in self.reading.desk.waiting:
            return "waiting"
        return "unplaced" if page.kind == Kind.NEITHER else "agreed"

    def _row(self, page: PageComparison) -> PageOutcome:
        desk = self.reading.desk
        found, status = desk.first.document.pages[page.page], self.statuses[page.page]
        is_answered = status in ("decided", "skipped")
        decision = self.reading.last.get(Subject(About.PAGE, found.id)) if is_answered else None
        return PageOutcome(
            page=found,
            first=tuple(own_paths(desk.first, page.page)),
            second=tuple(own_paths(desk.second, page.page)),
            how=how(self.reading, page),
            status=status,
            now=places(self.reading, found.id),
            changed=self._is_changed(page, found.id, status, decision),
            decision=decision,
        )

    def _is_changed(self, page: PageComparison, key: str, status: str, decision: AdjudicationDecision | None) -> bool:
        desk = self.reading.desk
        if status == "agreed":
            expected = page.first
        elif status == "decided" and decision is not None:
            expected = wanted(desk, decision_of(decision))
        else:
            return False
        return desk.placed(key) != (frozenset(map(desk.topic_id, expected.topics)), expected.outlier)


class ComparedDraft(NamedTuple):
    """A draft that was compared, and what it was called."""

    draft: int | None
    name: str


@dataclass(frozen=True, eq=False)
class AdjudicationDetail(Record):
    """Questions, every decision with its reason, and who placed each page."""

    TITLE = "Adjudication"
    KEYS = (
        "draft=draft.pk status=draft.status revision=draft.revision first second minimum=adjudication.minimum "
        "agreed_from_the_start=adjudication.n_agreed questions=reading.questions decisions=reading.decisions pages"
    )

    reading: Reading

    @property
    def adjudication(self) -> Adjudication:
        return self.reading.adjudication

    @property
    def draft(self) -> Draft:
        return self.adjudication.draft

    @property
    def first(self) -> ComparedDraft:
        return ComparedDraft(self.draft.first_id, self.adjudication.first_name)

    @property
    def second(self) -> ComparedDraft:
        return ComparedDraft(self.draft.second_id, self.adjudication.second_name)

    @property
    def pages(self) -> list[PageOutcome]:
        return Outcomes(self.reading).rows()
