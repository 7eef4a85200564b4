"""An adjudication as it stands: its desk and its decisions, read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from accounts.person import Person
from annotations.agreement import Choice, Desk, Question, Side, Subject
from annotations.agreement.placements import SideName
from annotations.models import Adjudication, AdjudicationDecision
from annotations.selectors.adjudication.decisions import decision_of
from annotations.selectors.adjudication.sources import asked_at_first, sources_of
from annotations.selectors.drafts import states


@dataclass(frozen=True, eq=False)
class Reading:
    """An adjudication at one moment.

    Attributes:
        decisions: all of them, oldest first.
        desk: its questions as its draft and its decisions leave them.
    """

    adjudication: Adjudication
    decisions: Sequence[AdjudicationDecision]
    desk: Desk

    def after(self, row: AdjudicationDecision) -> Reading:
        """The same with one more decision, which its draft has followed already."""
        desk = self.desk.after(decision_of(row), states.current(self.adjudication.draft).state)
        return replace(self, decisions=(*self.decisions, row), desk=desk)

    @cached_property
    def last(self) -> Mapping[Subject, AdjudicationDecision]:
        """The decision that counts about each subject; none where it was opened again."""
        found = {decision_of(row).subject: row for row in self.decisions}
        return {subject: row for subject, row in found.items() if row.choice != Choice.REOPEN}

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.desk.questions

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
        """How many questions there are now beyond those at the start; less than 0 where answers settled some."""
        return len(self.questions) - asked_at_first(self.adjudication)

    @cached_property
    def page_titles(self) -> Mapping[str, str]:
        return {page.id: page.title or page.id for page in self.desk.first.document.pages}

    def side(self, name: SideName) -> Side:
        return self.desk.first if name == "first" else self.desk.second

    def latest_of(self, person: Person) -> AdjudicationDecision | None:
        """This person's latest decision that is not taken back."""
        taken = {row.undoes_id for row in self.decisions}
        mine = (row for row in reversed(self.decisions) if row.user_id == person.pk)
        return next((row for row in mine if not row.undoes_id and row.pk not in taken), None)


def read(adjudication: Adjudication) -> Reading:
    """The adjudication as it is now."""
    rows = list(adjudication.decisions.select_related("user", "undoes").order_by("pk"))
    state = states.current(adjudication.draft).state
    return Reading(adjudication, rows, Desk(*sources_of(adjudication), state, tuple(map(decision_of, rows))))
