"""Take back what was decided and do it again, as in a draft: each act is one undo, whenever it was.

The desk and the workspace have one undo between them. What a person did in the workspace since their last answer is
taken back first; an answer whose entry was taken back there counts no more, and only has to be told so.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from accounts.models import User
from annotations.agreement.desk.questions import Decision
from annotations.answers import Choice
from annotations.models import Adjudication, AdjudicationDecision, AdjudicationStep
from annotations.selectors.adjudication.decisions import decision_of
from annotations.selectors.adjudication.reading import Reading, read
from annotations.selectors.drafts import states
from annotations.selectors.drafts.stacks import Step
from annotations.services.adjudication.deciding import Answer, Done, at_work, keep, row_of, sent_before
from annotations.services.drafts.errors import DraftError
from annotations.services.drafts.performing import check_open, perform
from annotations.services.drafts.planning import Asked


def take_back(adjudication: Adjudication, user: User, op_id: UUID) -> Done:
    """Undo this person's latest step that is not undone; the draft goes back as well.

    Raises:
        DraftError: there is none; later changes of others keep it from being undone; the draft is not open.
    """
    with at_work(adjudication):
        reading = read(adjudication)
        if before := _done_before(reading, user, op_id):
            return before
        check_open(adjudication.draft)
        last = reading.undo_of(user)
        entry = states.current(adjudication.draft).undoing.undo(user.pk)
        if entry is not None and _is_later(reading, entry, last):
            return _in_the_workspace(reading, user, Asked(op_id, entry.revision, undo=entry.revision), entry)
        if last is None:
            raise DraftError("nothing-to-undo", "There is no decision of yours to take back.")
        revision = None
        if entry is not None and entry.revision == last.revision:
            asked = Asked(op_id, states.current(adjudication.draft).revision, undo=entry.revision)
            revision = perform(adjudication.draft, user, asked).revision
        return keep(reading, user, Answer(op_id, ()), revision, _counted_before(reading, user, last), undoes=last)


def do_again(adjudication: Adjudication, user: User, op_id: UUID) -> Done:
    """Redo what this person took back last.

    Raises:
        DraftError: there is nothing, or the person has gone on since; others' changes get in the way.
    """
    with at_work(adjudication):
        reading = read(adjudication)
        if before := _done_before(reading, user, op_id):
            return before
        check_open(adjudication.draft)
        undone = reading.redo_of(user)
        entry = states.current(adjudication.draft).undoing.redo(user.pk)
        if entry is not None and _is_later(reading, entry, undone):
            return _in_the_workspace(reading, user, Asked(op_id, entry.revision, redo=entry.revision), entry)
        if undone is None or (undone.revision is not None and (entry is None or entry.revision != undone.revision)):
            raise DraftError("nothing-to-redo", "There is nothing of yours to do again.")
        revision = None
        if undone.revision is not None:
            asked = Asked(op_id, states.current(adjudication.draft).revision, redo=undone.revision)
            revision = perform(adjudication.draft, user, asked).revision
        rows = reading.rows_of(undone.undoes) if undone.undoes else []
        again = _copies([row for row in rows if not _answered_since(reading, user, row)])
        if rows and not again:
            counts = reading.last[decision_of(rows[0]).subject]
            raise DraftError("nothing-to-redo", f"{counts.by} has answered since; your answer is not done again.")
        return keep(reading, user, Answer(op_id, ()), revision, again, redoes=undone)


def _done_before(reading: Reading, user: User, op_id: UUID) -> Done | None:
    """What this id did, at the desk or in the draft."""
    if step := sent_before(reading, user, op_id):
        return Done(step, reading)
    entry = reading.adjudication.draft.entries.filter(op_id=op_id, user=user).first()
    return Done(None, reading, entry.label) if entry else None


def _is_later(reading: Reading, entry: Step, step: AdjudicationStep | None) -> bool:
    """Whether an entry of the draft was made in the workspace, after a step of the desk."""
    of_the_desk = {each.revision for each in reading.steps}
    return entry.revision not in of_the_desk and (step is None or entry.revision > step.seen)


def _in_the_workspace(reading: Reading, user: User, asked: Asked, entry: Step) -> Done:
    draft = reading.adjudication.draft
    perform(draft, user, Asked(asked.op_id, states.current(draft).revision, undo=asked.undo, redo=asked.redo))
    return Done(None, read(reading.adjudication), entry.label)


def _counted_before(reading: Reading, user: User, last: AdjudicationStep) -> list[AdjudicationDecision]:
    """What counted about each question before its step: an earlier decision, or that it is open.

    An answer that somebody else has given since stays.
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
    """True if the answer that counts is a later one of somebody else."""
    counts = reading.last.get(decision_of(row).subject)
    return counts is not None and counts.pk > row.pk and counts.step.user_id != user.pk


def _copies(rows: Sequence[AdjudicationDecision]) -> list[AdjudicationDecision]:
    return [row_of(decision_of(row), row.reason, row.note, repeats=row.repeats or row) for row in rows]
