"""Start adjudications, decide, and undo and redo decisions."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from accounts.models import User
from annotations.adjudication.operations import combined_operations, proposals
from annotations.adjudication.selectors.meanwhile import NAMED, changes_meanwhile
from annotations.adjudication.selectors.reading import Reading, SeenState, decision_of, read
from annotations.adjudication.session import AdjudicationSession, Decision, Question, initial_draft
from annotations.adjudication_choices import About, Choice
from annotations.agreement.selectors import documents_within, names_in_comparison
from annotations.agreement.statistics import MINIMUM, compared_hierarchies, concepts
from annotations.drafts.access import existing_adjudication
from annotations.drafts.selectors import states
from annotations.drafts.selectors.replay import Step
from annotations.drafts.services.errors import ConflictError, DraftError
from annotations.drafts.services.lifecycle import start as start_draft
from annotations.drafts.services.performing import check_open, lock, perform
from annotations.drafts.services.planning import DraftRequest
from annotations.drafts.state_machine import DraftState, OperationError, apply, compile_batch
from annotations.limits import COMPARED_DRAFTS, DECISIONS_AT_ONCE, NAME_CHARS, NOTE_CHARS
from annotations.models import Adjudication, AdjudicationDecision, AdjudicationStep, ComparedDraft, Draft, Query
from qc4.io import write_gold
from qc4.problems import ProblemList
from qc4.records import Record
from qc4.text import name_key
from qc4.wording import clipped, counted, quoted

# --- Start ------------------------------------------------------------------------------------------------------------

FEWEST = 2
_JOINED = " + "


def start(*, query: Query, drafts: Sequence[Draft], user: User, minimum: float = MINIMUM) -> Draft:
    """Return the adjudication draft of two or more submitted drafts, in their order; an existing one if there is one.

    Raises:
        InputError: for too few or too many drafts, a repeated draft, drafts of another query, drafts that are not
            submitted, or drafts that are too large together.
    """
    with transaction.atomic():
        # The rows are locked, so that no draft is reopened meanwhile and two people do not start at once.
        rows = Draft.objects.select_for_update().filter(pk__in=[draft.pk for draft in drafts]).order_by("pk")
        held = {row.pk: row for row in rows}
        chosen = [held[draft.pk] for draft in drafts]
        _check(query, chosen)
        return existing_adjudication(chosen) or _new(query, chosen, user, minimum)


def name_share(n: int) -> int:
    """Return the number of characters of each draft's name that fit into the name of an adjudication of n drafts."""
    return NAME_CHARS // n - len(_JOINED)


def _check(query: Query, drafts: Sequence[Draft]) -> None:
    problems = ProblemList()
    if not FEWEST <= len(drafts) <= COMPARED_DRAFTS:
        problems.error("number-of-drafts", "drafts", f"{len(drafts)}", f"{FEWEST} to {COMPARED_DRAFTS} drafts")
    if len({draft.pk for draft in drafts}) < len(drafts):
        problems.error("same-draft", "drafts", "a repeated draft", "different drafts of this query")
    for draft in drafts:
        name = f"the draft {quoted(draft.name)}"
        if draft.query_id != query.pk:
            problems.error("other-query", "drafts", f"{name}, which is of another query", "drafts of this query")
        elif draft.status != Draft.Status.SUBMITTED or draft.archived_at is not None:
            state = "archived" if draft.archived_at is not None else draft.status
            fix = "Submit it first: only submitted drafts can be adjudicated."
            problems.error("not-submitted", "drafts", f"{name}, which is {state}", "submitted drafts", fix)
    problems.refuse_errors()


def _new(query: Query, drafts: Sequence[Draft], user: User, minimum: float) -> Draft:
    documents, names = documents_within(drafts), names_in_comparison(drafts)
    found = compared_hierarchies(documents, names)
    state = initial_draft(found, concepts(found, minimum))
    words = " and ".join(map(repr, names))
    draft = start_draft(
        query=query,
        user=user,
        kind=Draft.Kind.ADJUDICATION,
        state=state,
        started_from={"from": "adjudication", "drafts": [each.pk for each in drafts], "words": f"the drafts {words}"},
        name=_JOINED.join(clipped(name, name_share(len(drafts))) for name in names),
    )
    adjudication = Adjudication.objects.create(
        draft=draft, minimum=minimum, n_agreed=len(state.placed()) + len(state.outliers), created_by=user
    )
    ComparedDraft.objects.bulk_create(
        ComparedDraft(
            adjudication=adjudication,
            position=position,
            draft=source,
            name=name,
            document=zlib.compress(write_gold(document)),
            notes=states.current(source).state.notes,
        )
        for position, (source, name, document) in enumerate(zip(drafts, names, documents, strict=True))
    )
    return draft


# --- Decide -----------------------------------------------------------------------------------------------------------
# Every decision with an effect is an entry of the draft's log, so the outcome is an ordinary draft. Decisions that are
# made together are one entry and are undone together.


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer to one question or to several at once.

    Attributes:
        op_id: id chosen by the sender; an answer with an id that was applied before has no effect.
        reason: an `AdjudicationDecision.Reason`.
        state: the state of the adjudication that the person saw; None for its current state.
    """

    op_id: UUID
    decisions: tuple[Decision, ...]
    reason: str = ""
    note: str = ""
    state: SeenState | None = None


@dataclass(frozen=True, slots=True)
class StepResult(Record):
    """A step, and the adjudication after it. There is no step if only work in the workspace was undone or redone.

    Attributes:
        label: the label of that work.
        open: the number of open questions after it.
    """

    TITLE = "Decided"
    KEYS = "step label|null revision open state"

    step: AdjudicationStep | None
    reading: Reading
    label: str = ""

    @property
    def revision(self) -> int:
        """The revision of the draft."""
        return self.reading.adjudication.draft.revision

    @property
    def state(self) -> str:
        """The state after the step, for the next answer."""
        return str(self.reading.state)

    @property
    def open(self) -> int:
        return len(self.reading.open)


def decide(adjudication: Adjudication, user: User, answer: Answer) -> StepResult:
    """Apply answers to the draft as one step and store them. An answer that was sent before is not applied again.

    Raises:
        ClashError: if somebody else has answered one of the questions since the state that the person saw, or changed
            its page or topic in the workspace. The answer is stored, so that both see both answers, but not applied.
        DraftError: if there is no such question or answer, the draft does not allow it or is not open, or the id was
            used for another answer.
        InputError: for an unknown reason, the reason "other" without a note, or an invalid typed name.
    """
    _check_form(answer)
    with session_lock(adjudication):
        reading = read(adjudication)
        if before := step_sent_before(reading, user, answer.op_id):
            done = StepResult(_same(before, answer), reading)
        elif answer.state is not None and _is_met(reading, user, answer, answer.state):
            done = store_step(reading, user, answer, None, is_refused=True)
        else:
            for decision in answer.decisions:
                _check_answer(reading.session, decision)
            done = _decided(reading, user, answer)
    if done.step is not None and done.step.is_refused:
        raise _met(reading, user, answer)
    return done


def _is_met(reading: Reading, user: User, answer: Answer, seen: SeenState) -> bool:
    """True if others did something about a question that the answer would replace unseen."""
    check_open(reading.adjudication.draft)
    _check_state(reading, seen)
    for decision in answer.decisions:
        _check_subject(reading.session, decision)
    differing = [
        decision.subject
        for decision in answer.decisions
        if (last := reading.last.get(decision.subject)) is None or decision_of(last) != decision
    ]
    return bool(changes_meanwhile(reading, user, differing, seen))


def _met(reading: Reading, user: User, answer: Answer) -> ConflictError:
    """Return the error that tells a person why their answer was rejected: what others did meanwhile."""
    seen = answer.state or reading.state
    found = changes_meanwhile(reading, user, [decision.subject for decision in answer.decisions], seen)
    sentences = [each.sentence(reading) for each in found[:NAMED]]
    if len(found) > NAMED:
        sentences.append(f"{counted(len(found) - NAMED, 'other question')} were also answered meanwhile.")
    if not found:  # sent again after the other person undid their answer
        sentences = ["Somebody else had answered differently, and has undone that answer since."]
    fix = "Your answer is not applied, but you both see both answers. Answer again if you still disagree."
    clashes = [{"revision": reading.state.revision, "by": each.by, "label": each.label, "gone": []} for each in found]
    return ConflictError("answered-meanwhile", " ".join(sentences), fix, reading.state.revision, [], clashes)


def _check_state(reading: Reading, seen: SeenState) -> None:
    now = reading.state
    if seen.revision > now.revision or seen.number > now.number:
        found = f"This adjudication is at {now}; it was never at {seen}."
        raise DraftError("unknown-state", found, "Load the adjudication again and send its state.")


def accept_proposals(adjudication: Adjudication, user: User, op_id: UUID) -> StepResult:
    """Answer every open question that more than half answer alike, as one step; raises like `decide`."""
    with session_lock(adjudication):
        reading = read(adjudication)
        if before := step_sent_before(reading, user, op_id):
            return StepResult(before, reading)
        decisions, operations = proposals(reading.session)
        if not decisions:
            raise DraftError("no-proposal", "No open question has a majority answer.", "")
        return _carried_out(reading, user, Answer(op_id, tuple(decisions)), operations)


def _decided(reading: Reading, user: User, answer: Answer) -> StepResult:
    operations, state = _operations(reading.session, answer.decisions)
    _check_names(reading.session, answer.decisions, state)
    return _carried_out(reading, user, answer, operations)


def _carried_out(reading: Reading, user: User, answer: Answer, operations: list[dict[str, Any]]) -> StepResult:
    """Apply the operations to the draft as one entry, and store the step."""
    draft = reading.adjudication.draft
    if operations:
        perform(draft, user, DraftRequest(answer.op_id, states.current(draft).revision, operations))
    else:
        check_open(draft)
    return store_step(reading, user, answer, draft.revision if operations else None)


@contextmanager
def session_lock(adjudication: Adjudication) -> Iterator[None]:
    """Allow one step at a time. The lock in memory is taken before the database lock, as in the drafts' services."""
    draft = adjudication.draft
    with states.alone(draft.pk), transaction.atomic():
        lock(draft)
        yield


def step_sent_before(reading: Reading, user: User, op_id: UUID) -> AdjudicationStep | None:
    """Return the step with this id; DraftError if it is somebody else's."""
    step = next((step for step in (*reading.steps, *reading.refused) if step.op_id == op_id), None)
    if step is not None and step.user_id != user.pk:
        raise DraftError("operation-id-used", f"The id {op_id} was already used by somebody else.", "Use a new id.")
    return step


def _same(step: AdjudicationStep, answer: Answer) -> AdjudicationStep:
    rows = step.decisions
    sent = [(decision, answer.reason, answer.note) for decision in answer.decisions]
    if [(decision_of(row), row.reason, row.note) for row in rows] != sent:
        sentence = f"The id {answer.op_id} was already used for another answer."
        raise DraftError("operation-id-used", sentence, "Use a new id for each answer.")
    return step


# --- What can be answered ---------------------------------------------------------------------------------------------


def _check_form(answer: Answer) -> None:
    problems = ProblemList()
    if answer.reason not in AdjudicationDecision.Reason.values:
        known = ", ".join(repr(value) for value in AdjudicationDecision.Reason.values)
        problems.error("unknown-reason", "reason", repr(answer.reason), f"one of {known}")
    if answer.reason == AdjudicationDecision.Reason.OTHER and not answer.note.strip():
        problems.error(
            "no-note", "note", "no note", "a note for the reason 'other'", "Explain the reason in a few words."
        )
    if len(answer.note) > NOTE_CHARS:
        problems.error("long-note", "note", f"{len(answer.note):,} characters", f"at most {NOTE_CHARS:,}")
    if not 1 <= len(answer.decisions) <= DECISIONS_AT_ONCE:
        found = f"{len(answer.decisions):,} answers"
        problems.error("number-of-answers", "answers", found, f"1 to {DECISIONS_AT_ONCE:,}")
    if len({decision.subject for decision in answer.decisions}) < len(answer.decisions):
        problems.error("same-question", "answers", "a repeated question", "one answer to each question")
    for decision in answer.decisions:
        if decision.choice == Choice.TYPED and not (decision.other and len(decision.other) <= NAME_CHARS):
            found = f"{len(decision.other):,} characters"
            problems.error("bad-name", decision.subject.address, found, f"a name of 1 to {NAME_CHARS} characters")
    problems.refuse_errors()


def _check_subject(session: AdjudicationSession, decision: Decision) -> Question:
    """Return the question that is answered; DraftError if there is none."""
    question = session.question(decision.subject)
    if question is None:
        sentence = f"There is nothing to decide about the {decision.subject.about} {quoted(decision.subject.key)}."
        raise DraftError("no-question", sentence, "Load the page again. Another decision may have settled it.")
    return question


def _check_answer(session: AdjudicationSession, decision: Decision) -> None:
    question = _check_subject(session, decision)
    name = quoted(decision.subject.key)
    if decision.choice not in question.choices:
        known = ", ".join(question.choices)
        raise DraftError(
            "no-such-answer", f"{decision.choice!s} is not an answer about {name}.", f"Possible answers are {known}."
        )
    free = session.free_for_same(question.symbol) if question.symbol is not None else []
    if decision.choice == Choice.SAME and decision.other not in map(session.topic_id, free):
        sentence = f"{quoted(decision.other)} is not a topic that it can be the same as."
        raise DraftError("no-such-topic", sentence, "Choose a topic of an earlier draft that has no counterpart.")


def _operations(session: AdjudicationSession, decisions: Sequence[Decision]) -> tuple[list[dict[str, Any]], DraftState]:
    """Return the operations of answers and the state after them; no operations if together they change nothing."""
    try:
        operations, _ = combined_operations(session, decisions)
        changes = compile_batch(session.state, operations) if operations else []
    except OperationError as error:
        if error.code == "no-effect":
            return [], session.state
        raise DraftError(error.code, error.message, error.fix) from error
    return (operations, apply(session.state, changes, 0)) if changes else ([], session.state)


def _check_names(session: AdjudicationSession, decisions: Sequence[Decision], state: DraftState) -> None:
    """Raise InputError if a typed name is also the name of a sibling topic, after all answers that are given
    together."""
    problems = ProblemList()
    for decision in decisions:
        if decision.subject.about == About.NAME and decision.choice == Choice.TYPED:
            topic = session.topic_id(session.symbol_of(decision.subject))
            if topic in state.topics and _is_taken(state, topic):
                expected = "a name that no sibling topic has"
                problems.error("duplicate-name", decision.subject.address, quoted(decision.other), expected)
    problems.refuse_errors()


def _is_taken(state: DraftState, topic: str) -> bool:
    own = state.topics[topic]
    beside = (state.topics[each] for each in state.children_of(own.parent) if each != topic)
    return any(name_key(each.name) == name_key(own.name) for each in beside)


# --- Storage of steps -------------------------------------------------------------------------------------------------


def store_step(
    reading: Reading,
    user: User,
    answer: Answer,
    revision: int | None,
    kept: Sequence[AdjudicationDecision] = (),
    *,
    is_refused: bool = False,
    **of: AdjudicationStep,
) -> StepResult:
    """Store a step, which has already been applied to the draft, with the number of questions it leaves open.

    Args:
        kept: decisions to store instead of the answer's, with their own reasons.
        is_refused: True to store the answer as rejected; it was not applied.
        of: the step it ``undoes`` or ``redoes``.

    Raises:
        ClashError: if another step took the same number at the same time; nothing is stored.
    """
    draft = reading.adjudication.draft
    step = AdjudicationStep(
        adjudication=reading.adjudication,
        op_id=answer.op_id,
        user=user,
        revision=revision,
        seen=draft.revision,
        number=reading.last_number + 1,
        is_refused=is_refused,
        **of,
    )
    rows = list(kept) or [row_of(decision, answer.reason, answer.note) for decision in answer.decisions]
    for row in rows:
        row.step = step
    after = replace(reading, refused=(*reading.refused, step)) if is_refused else reading.after(step, rows)
    step.n_open = len(after.open)
    try:
        with transaction.atomic():
            step.save(force_insert=True)
    except IntegrityError as error:
        fix = "Nothing was changed. Load the page and answer again."
        raise ConflictError("overtaken", "Somebody else answered at the same time.", fix, draft.revision, []) from error
    for row in rows:
        row.step = step
    AdjudicationDecision.objects.bulk_create(rows)
    return StepResult(step, after)


def row_of(
    decision: Decision, reason: str, note: str, repeats: AdjudicationDecision | None = None
) -> AdjudicationDecision:
    """Return a decision as a database row, without its step."""
    subject = decision.subject
    return AdjudicationDecision(
        about=subject.about,
        side=subject.side,
        key=subject.key,
        choice=decision.choice,
        other=decision.other,
        reason=reason,
        note=note,
        repeats=repeats,
    )


# --- Undo and redo ----------------------------------------------------------------------------------------------------
# The adjudication and the workspace share one undo stack. A person's work in the workspace since their last decision is
# undone first. If the entry of a decision was already undone in the workspace, the decision is only marked as undone.


def undo(adjudication: Adjudication, user: User, op_id: UUID) -> StepResult:
    """Undo this person's latest step, in the draft as well.

    Raises:
        DraftError: if there is none, later changes by others prevent it, or the draft is not open.
    """
    with session_lock(adjudication):
        reading = read(adjudication)
        if before := _done_before(reading, user, op_id):
            return before
        check_open(adjudication.draft)
        last = reading.undo_of(user)
        entry = states.current(adjudication.draft).undoing.undo(user.pk)
        if entry is not None and _is_later(reading, entry, last):
            return _in_the_workspace(reading, user, DraftRequest(op_id, entry.revision, undo=entry.revision), entry)
        if last is None:
            raise DraftError("nothing-to-undo", "You have no decision to undo.")
        revision = None
        if entry is not None and entry.revision == last.revision:
            asked = DraftRequest(op_id, states.current(adjudication.draft).revision, undo=entry.revision)
            revision = perform(adjudication.draft, user, asked).revision
        return store_step(reading, user, Answer(op_id, ()), revision, _counted_before(reading, user, last), undoes=last)


def redo(adjudication: Adjudication, user: User, op_id: UUID) -> StepResult:
    """Redo the step that this person undid last.

    Raises:
        DraftError: if there is none, the person has done something else since, or changes by others prevent it.
    """
    with session_lock(adjudication):
        reading = read(adjudication)
        if before := _done_before(reading, user, op_id):
            return before
        check_open(adjudication.draft)
        undone = reading.redo_of(user)
        entry = states.current(adjudication.draft).undoing.redo(user.pk)
        if entry is not None and _is_later(reading, entry, undone):
            return _in_the_workspace(reading, user, DraftRequest(op_id, entry.revision, redo=entry.revision), entry)
        if undone is None or (undone.revision is not None and (entry is None or entry.revision != undone.revision)):
            raise DraftError("nothing-to-redo", "You have nothing to redo.")
        revision = None
        if undone.revision is not None:
            asked = DraftRequest(op_id, states.current(adjudication.draft).revision, redo=undone.revision)
            revision = perform(adjudication.draft, user, asked).revision
        rows = reading.rows_of(undone.undoes) if undone.undoes else []
        again = _copies([row for row in rows if not _answered_since(reading, user, row)])
        if rows and not again:
            counts = reading.last[decision_of(rows[0]).subject]
            raise DraftError("nothing-to-redo", f"{counts.by} has answered since, so your answer cannot be redone.")
        return store_step(reading, user, Answer(op_id, ()), revision, again, redoes=undone)


def _done_before(reading: Reading, user: User, op_id: UUID) -> StepResult | None:
    """Return the earlier outcome of this id, in the session or in the draft."""
    if step := step_sent_before(reading, user, op_id):
        return StepResult(step, reading)
    entry = reading.adjudication.draft.entries.filter(op_id=op_id, user=user).first()
    return StepResult(None, reading, entry.label) if entry else None


def _is_later(reading: Reading, entry: Step, step: AdjudicationStep | None) -> bool:
    """True if an entry of the draft was made in the workspace, after a step of the session."""
    of_the_session = {each.revision for each in reading.steps}
    return entry.revision not in of_the_session and (step is None or entry.revision > step.seen)


def _in_the_workspace(reading: Reading, user: User, asked: DraftRequest, entry: Step) -> StepResult:
    draft = reading.adjudication.draft
    perform(draft, user, DraftRequest(asked.op_id, states.current(draft).revision, undo=asked.undo, redo=asked.redo))
    return StepResult(None, read(reading.adjudication), entry.label)


def _counted_before(reading: Reading, user: User, last: AdjudicationStep) -> list[AdjudicationDecision]:
    """Return what was in effect for each question before its step: an earlier decision, or that it was open.

    Questions that somebody else has answered since are omitted.
    """
    rows = []
    for row in reading.rows_of(last):
        if _answered_since(reading, user, row):
            continue
        subject = decision_of(row).subject
        earlier = [each for each in reading.decisions if decision_of(each).subject == subject and each.pk < row.pk]
        rows += _copies(earlier[-1:]) or [row_of(Decision(subject, Choice.REOPEN), "", "")]
    return rows


def _answered_since(reading: Reading, user: User, row: AdjudicationDecision) -> bool:
    """True if the answer in effect is a later one by somebody else."""
    counts = reading.last.get(decision_of(row).subject)
    return counts is not None and counts.pk > row.pk and counts.step.user_id != user.pk


def _copies(rows: Sequence[AdjudicationDecision]) -> list[AdjudicationDecision]:
    return [row_of(decision_of(row), row.reason, row.note, repeats=row.repeats or row) for row in rows]
