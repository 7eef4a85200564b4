"""Start adjudications, decide, and take decisions back. Every decision that changes anything is an entry of the draft's
log, so that the outcome is an ordinary draft."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.models import User
from annotations.agreement import MINIMUM, Choice, Decision, Desk, align, sides, started
from annotations.agreement.desk import operations as operations_of
from annotations.drafting import OperationError, compile_batch
from annotations.limits import NOTE_CHARS
from annotations.models import Adjudication, AdjudicationDecision, Draft, Query
from annotations.selectors.adjudication.decisions import decision_of
from annotations.selectors.adjudication.finding import existing
from annotations.selectors.adjudication.reading import Reading, read
from annotations.selectors.drafts import states
from annotations.selectors.drafts.documents import document_of
from annotations.services.drafts.errors import DraftError, closed
from annotations.services.drafts.performing import perform
from annotations.services.drafts.planning import Asked
from annotations.services.drafts.starting import start as start_draft
from qc4.formats import write_gold
from qc4.gold.document import GoldDocument
from qc4.problems import ProblemList
from qc4.problems.wording import quoted


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answers to one question.

    Attributes:
        op_id: made by the sender; sending it again decides nothing again.
        reason: an `AdjudicationDecision.Reason`.
    """

    op_id: UUID
    decision: Decision
    reason: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """A decision, and the adjudication as it leaves it."""

    row: AdjudicationDecision
    reading: Reading


def start(*, query: Query, first: Draft, second: Draft, user: User, minimum: float = MINIMUM) -> Draft:
    """The adjudication draft of two submitted drafts; the one there is, if somebody has started it.

    Raises:
        InputError: not two drafts of this query, or one that is not submitted.
    """
    with transaction.atomic():
        # Held, so that neither is opened again meanwhile and two people do not start at once.
        rows = {row.pk: row for row in Draft.objects.select_for_update().filter(pk__in=[first.pk, second.pk])}
        _check(query, [rows[first.pk], rows[second.pk]])
        return existing(first, second) or _new(query, rows[first.pk], rows[second.pk], user, minimum)


def _check(query: Query, drafts: list[Draft]) -> None:
    problems = ProblemList()
    if drafts[0].pk == drafts[1].pk:
        problems.error("same-draft", "second", "the first draft again", "another draft of this query")
    for where, draft in zip(("first", "second"), drafts, strict=True):
        name = f"the draft {quoted(draft.name)}"
        if draft.query_id != query.pk:
            problems.error("other-query", where, f"{name} of another query", "a draft of this query")
        elif draft.status != Draft.Status.SUBMITTED or draft.archived_at is not None:
            state = "archived" if draft.archived_at is not None else draft.status
            fix = "Adjudication compares what people have finished: submit it first."
            problems.error("not-submitted", where, f"{name}, which is {state}", "a submitted draft", fix)
    problems.refuse_errors()


def _new(query: Query, first: Draft, second: Draft, user: User, minimum: float) -> Draft:
    documents = document_of(first), document_of(second)
    one, other = sides(*documents, (first.name, second.name))
    state = started(one, other, align(one, other, minimum))
    facts = {"from": "adjudication", "first": first.pk, "second": second.pk}
    draft = start_draft(
        query=query,
        user=user,
        kind=Draft.Kind.ADJUDICATION,
        state=state,
        started_from={**facts, "words": f"the drafts {first.name!r} and {second.name!r}"},
        name=f"{first.name[:95]} + {second.name[:95]}",
        first=first,
        second=second,
    )
    Adjudication.objects.create(
        draft=draft,
        first_document=_packed(documents[0]),
        second_document=_packed(documents[1]),
        first_name=first.name,
        second_name=second.name,
        minimum=minimum,
        n_agreed=len(state.placed()) + len(state.outliers),
        created_by=user,
    )
    return draft


def decide(adjudication: Adjudication, user: User, answer: Answer) -> Done:
    """Carry one answer out on the draft and keep it; what was sent before is not done again.

    Raises:
        DraftError: there is no such question or it has no such answer; the draft does not allow it or is not open; the
            id stands for another answer.
        InputError: an unknown reason, or another reason without a note.
    """
    _check_reason(answer)
    with _at_work(adjudication):
        reading = read(adjudication)
        if before := _sent_before(reading, user, answer.op_id):
            return Done(_same(before, answer), reading)
        _check_answer(reading.desk, answer.decision)
        revision = _carry_out(adjudication.draft, user, answer.op_id, _operations(reading.desk, answer.decision))
        return _keep(reading, user, answer, revision)


def take_back(adjudication: Adjudication, user: User, op_id: UUID) -> Done:
    """Undo this person's latest decision that is not undone; the draft goes back as well.

    Raises:
        DraftError: there is none; the person went on in the workspace, so that their latest step is another one; later
            changes of others keep it from being undone.
    """
    with _at_work(adjudication):
        reading = read(adjudication)
        if before := _sent_before(reading, user, op_id):
            return Done(before, reading)
        last = reading.latest_of(user)
        if last is None:
            raise DraftError("nothing-to-undo", "There is no decision of yours to take back.")
        revision = None
        if last.revision is not None:
            known = states.current(adjudication.draft)
            asked = Asked(op_id, known.revision, undo=last.revision)
            revision = perform(adjudication.draft, user, asked).revision
        return _keep(reading, user, _counted_before(reading, last, op_id), revision, undoes=last)


@contextmanager
def _at_work(adjudication: Adjudication) -> Iterator[None]:
    """One decision at a time: this process' lock before the database's, in the order the drafts service takes them."""
    draft = adjudication.draft
    with states.alone(draft.pk), transaction.atomic():
        row = Draft.objects.select_for_update().get(pk=draft.pk)
        for name in states.MOVING:
            setattr(draft, name, getattr(row, name))
        yield


def _sent_before(reading: Reading, user: User, op_id: UUID) -> AdjudicationDecision | None:
    row = next((row for row in reading.decisions if row.op_id == op_id), None)
    if row is not None and row.user_id != user.pk:
        raise DraftError("operation-id-used", f"The id {op_id} was sent before by somebody else.", "Make another id.")
    return row


def _same(row: AdjudicationDecision, answer: Answer) -> AdjudicationDecision:
    if (decision_of(row), row.reason, row.note) != (answer.decision, answer.reason, answer.note):
        sentence = f"The id {answer.op_id} was sent before with another answer."
        raise DraftError("operation-id-used", sentence, "Give each answer an id of its own.")
    return row


def _check_reason(answer: Answer) -> None:
    problems = ProblemList()
    if answer.reason not in AdjudicationDecision.Reason.values:
        known = ", ".join(repr(value) for value in AdjudicationDecision.Reason.values)
        problems.error("unknown-reason", "reason", repr(answer.reason), f"one of {known}")
    if answer.reason == AdjudicationDecision.Reason.OTHER and not answer.note.strip():
        problems.error("no-note", "note", "nothing", "words for the reason 'other'", "Say in a few words what it is.")
    if len(answer.note) > NOTE_CHARS:
        problems.error("long-note", "note", f"{len(answer.note):,} characters", f"at most {NOTE_CHARS:,}")
    problems.refuse_errors()


def _check_answer(desk: Desk, decision: Decision) -> None:
    question = desk.question(decision.subject)
    name = quoted(decision.subject.key)
    if question is None:
        sentence = f"There is nothing to decide about the {decision.subject.about} {name}."
        raise DraftError("no-question", sentence, "Load the page again: another decision may have settled it.")
    if decision.choice not in question.choices:
        known = ", ".join(question.choices)
        raise DraftError("no-such-answer", f"{decision.choice!s} is no answer about {name}.", f"Answers are {known}.")
    if decision.choice == Choice.SAME and decision.other not in desk.free_for_same:
        sentence = f"{quoted(decision.other)} is not a topic only the first side has."
        raise DraftError("no-such-topic", sentence, "Choose a topic without a partner.")


def _operations(desk: Desk, decision: Decision) -> list[dict[str, Any]]:
    """The operations of an answer; none where together they change nothing."""
    try:
        operations = operations_of(desk, decision)
        return operations if operations and compile_batch(desk.state, operations) else []
    except OperationError as error:
        if error.code == "no-effect":
            return []
        raise DraftError(error.code, error.message, error.fix) from error


def _carry_out(draft: Draft, user: User, op_id: UUID, operations: list[dict[str, Any]]) -> int | None:
    """The revision it became; None where nothing had to change, though the draft must be open all the same."""
    if operations:
        return perform(draft, user, Asked(op_id, states.current(draft).revision, operations)).revision
    if draft.status != Draft.Status.OPEN or draft.archived_at is not None:
        raise closed(draft.status, archived=draft.archived_at is not None)
    return None


def _keep(
    reading: Reading, user: User, answer: Answer, revision: int | None, undoes: AdjudicationDecision | None = None
) -> Done:
    """Store a decision that the draft has followed, with how many questions it leaves open."""
    subject = answer.decision.subject
    row = AdjudicationDecision(
        adjudication=reading.adjudication,
        op_id=answer.op_id,
        about=subject.about,
        side=subject.side,
        key=subject.key,
        choice=answer.decision.choice,
        other=answer.decision.other,
        reason=answer.reason,
        note=answer.note,
        revision=revision,
        undoes=undoes,
        user=user,
    )
    after = reading.after(row)
    row.n_open = len(after.open)
    row.save(force_insert=True)
    return Done(row, after)


def _counted_before(reading: Reading, last: AdjudicationDecision, op_id: UUID) -> Answer:
    """What counted about a subject before its last decision: an earlier one, or that it is open."""
    subject = decision_of(last).subject
    earlier = [row for row in reading.decisions if decision_of(row).subject == subject and row.pk < last.pk]
    if not earlier:
        return Answer(op_id, Decision(subject, Choice.REOPEN))
    return Answer(op_id, decision_of(earlier[-1]), earlier[-1].reason, earlier[-1].note)


def _packed(document: GoldDocument) -> bytes:
    return zlib.compress(write_gold(document))
