"""An adjudication as stored: its compared drafts, its session, its decisions and the state that a person has seen."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Self, cast

from django.db.models import Prefetch

from accounts.models import User
from annotations.adjudication.session import AdjudicationSession, Decision, Question, Subject, initial_draft
from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics import (
    SIDES,
    ComparedHierarchy,
    Concept,
    SideName,
    compared_hierarchies,
    concepts,
)
from annotations.drafts.selectors import states
from annotations.drafts.selectors.replay import Step, Undoing
from annotations.models import Adjudication, AdjudicationDecision, AdjudicationStep, ComparedDraft
from qc4.io import read_gold_document
from qc4.model.gold_document import GoldDocument


@dataclass(frozen=True, eq=False)
class Reading:
    """An adjudication at one time.

    Attributes:
        compared: the drafts it was made from, in order.
        steps: all steps of the session, oldest first; ``decisions`` are their decisions.
        refused: answers that were not applied because somebody else had answered meanwhile.
        session: the session with the questions that remain after the decisions.
    """

    adjudication: Adjudication
    compared: Sequence[ComparedDraft]
    steps: Sequence[AdjudicationStep]
    decisions: Sequence[AdjudicationDecision]
    session: AdjudicationSession
    refused: Sequence[AdjudicationStep] = ()

    def after(self, step: AdjudicationStep, rows: Sequence[AdjudicationDecision]) -> Reading:
        """Return the adjudication with one more step, which has already been applied to its draft."""
        session = self.session.after(map(decision_of, rows), states.current(self.adjudication.draft).state)
        return replace(self, steps=(*self.steps, step), decisions=(*self.decisions, *rows), session=session)

    @property
    def state(self) -> SeenState:
        """The state to send back with an answer."""
        return SeenState(self.adjudication.draft.revision, self.last_number)

    @property
    def last_number(self) -> int:
        """The number of the latest step, including rejected ones; 0 before the first."""
        return max((step.number for step in (*self.steps, *self.refused)), default=0)

    @cached_property
    def last(self) -> Mapping[Subject, AdjudicationDecision]:
        """Subject -> the decision in effect; reopened subjects are omitted."""
        found = {decision_of(row).subject: row for row in self.decisions}
        return {subject: row for subject, row in found.items() if row.choice != Choice.REOPEN}

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.session.questions

    @cached_property
    def open(self) -> list[Question]:
        return [question for question in self.questions if question.is_open]

    @property
    def skipped(self) -> list[Question]:
        return [question for question in self.questions if question.decided == Choice.SKIP]

    @property
    def n_decided(self) -> int:
        return len(self.questions) - len(self.open)

    @property
    def n_more(self) -> int:
        """The number of questions now minus the number at the start; negative if answers settled other questions."""
        return len(self.questions) - asked_at_first(self.adjudication, self.compared)

    @property
    def n_proposed(self) -> int:
        """The number of open questions that more than half answer alike."""
        return sum(question.proposal is not None for question in self.open)

    @property
    def reopened(self) -> list[ComparedDraft]:
        """The drafts that somebody has reopened since they were compared."""
        return [row for row in self.compared if row.reopened]

    @cached_property
    def page_titles(self) -> Mapping[str, str]:
        return {page.id: page.title or page.id for page in self.session.first.document.pages}

    def side(self, name: SideName) -> ComparedHierarchy:
        return self.session.side(name)

    def undo_of(self, person: User) -> AdjudicationStep | None:
        """Return this person's latest step that is not undone."""
        return self._step(self._undoing.undo(person.pk))

    def redo_of(self, person: User) -> AdjudicationStep | None:
        """Return the undo step that this person would redo next."""
        return self._step(self._undoing.redo(person.pk))

    def _step(self, found: Step | None) -> AdjudicationStep | None:
        return next((step for step in self.steps if found and step.pk == found.revision), None)

    @cached_property
    def _undoing(self) -> Undoing:
        """The undo stacks, as in the log of a draft, with step ids in place of revisions."""
        return Undoing().after(
            Step(step.pk, step.user_id, "", undoes=step.undoes_id, redoes=step.redoes_id) for step in self.steps
        )

    def rows_of(self, step: AdjudicationStep) -> list[AdjudicationDecision]:
        return [row for row in self.decisions if row.step_id == step.pk]


def read(adjudication: Adjudication) -> Reading:
    """Return the adjudication as it is now."""
    compared = compared_in(adjudication)
    in_order = Prefetch("rows", AdjudicationDecision.objects.select_related("repeats__step__user").order_by("pk"))
    related = adjudication.steps.select_related("user", "undoes", "redoes")
    every = list(related.prefetch_related(in_order).order_by("number"))
    steps = [step for step in every if not step.is_refused]
    rows = [row for step in steps for row in step.decisions]
    state = states.current(adjudication.draft).state
    session = AdjudicationSession(*sources_of(adjudication, compared), state, tuple(map(decision_of, rows)))
    refused = [step for step in every if step.is_refused]
    return Reading(adjudication, compared, steps, rows, session, refused)


def undoing_of(reading: Reading, person: User) -> dict[str, bool]:
    """Return whether this person can undo and redo something, in the session or in the draft since."""
    known = states.current(reading.adjudication.draft).undoing
    return {
        "can_undo": reading.undo_of(person) is not None or known.undo(person.pk) is not None,
        "can_redo": reading.redo_of(person) is not None or known.redo(person.pk) is not None,
    }


# --- Sources ----------------------------------------------------------------------------------------------------------
# The compared documents never change and are read for every answer, so they are cached.

_Content = tuple[tuple[bytes, ...], tuple[str, ...], float]


def compared_in(adjudication: Adjudication) -> list[ComparedDraft]:
    """Return the comparisons of an adjudication in order, with the drafts as they are now."""
    return list(adjudication.compared.select_related("draft__reopened_by").order_by("position"))


def sources_of(
    adjudication: Adjudication, compared: Sequence[ComparedDraft]
) -> tuple[tuple[ComparedHierarchy, ...], tuple[Concept, ...]]:
    """Return the compared hierarchies and their aligned topics."""
    return _compared(*_content(adjudication, compared))


def asked_at_first(adjudication: Adjudication, compared: Sequence[ComparedDraft]) -> int:
    """Return the number of questions before any answer."""
    return _asked_at_first(*_content(adjudication, compared))


def _content(adjudication: Adjudication, compared: Sequence[ComparedDraft]) -> _Content:
    documents = tuple(bytes(row.document) for row in compared)
    return documents, tuple(row.name for row in compared), adjudication.minimum


@lru_cache(maxsize=64)
def _asked_at_first(documents: tuple[bytes, ...], names: tuple[str, ...], minimum: float) -> int:
    found, aligned = _compared(documents, names, minimum)
    return len(AdjudicationSession(found, aligned, initial_draft(found, aligned)).questions)


@lru_cache(maxsize=16)
def _compared(
    documents: tuple[bytes, ...], names: tuple[str, ...], minimum: float
) -> tuple[tuple[ComparedHierarchy, ...], tuple[Concept, ...]]:
    found = compared_hierarchies([_unpacked(content) for content in documents], names)
    return found, concepts(found, minimum)


def _unpacked(content: bytes) -> GoldDocument:
    return read_gold_document(zlib.decompress(content))


# --- The state that a person has seen ---------------------------------------------------------------------------------
# Pages and programs send this state back with an answer.

_FORM = re.compile(r"(\d{1,9})\.(\d{1,9})")


@dataclass(frozen=True, slots=True)
class SeenState:
    """A state of an adjudication.

    Attributes:
        revision: revision of the draft.
        number: number of the latest step; 0 before the first one.
    """

    revision: int
    number: int

    @classmethod
    def of(cls, adjudication: Adjudication) -> Self:
        """Return the current state of an adjudication."""
        latest = adjudication.steps.order_by("-number").values_list("number", flat=True).first()
        return cls(adjudication.draft.revision, latest or 0)

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return the state that a text such as "12.3" represents; None for any other text."""
        found = _FORM.fullmatch(text)
        return cls(int(found[1]), int(found[2])) if found else None

    def __str__(self) -> str:
        return f"{self.revision}.{self.number}"


# --- Decisions --------------------------------------------------------------------------------------------------------


def decision_of(row: AdjudicationDecision) -> Decision:
    """Return a stored decision as the session uses it."""
    side = cast("SideName", row.side)  # a table constraint ensures this
    return Decision(Subject(About(row.about), row.key, side), Choice(row.choice), row.other)


def subject_at(address: str) -> Subject | None:
    """Return the subject with this address; None if it is invalid."""
    about, _, rest = address.partition(":")
    side, _, key = rest.partition(":")
    found = next((name for name in SIDES if name == side), None)
    return Subject(About(about), key, found) if about in set(About) and found else None
