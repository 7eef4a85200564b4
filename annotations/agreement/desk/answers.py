"""What an answer does to the draft."""

from __future__ import annotations

from annotations.agreement.desk.desk import Desk
from annotations.agreement.desk.places import placing, wanted
from annotations.agreement.desk.questions import About, Choice, Decision, Subject
from annotations.agreement.desk.structure import restructuring
from annotations.agreement.desk.table import Operation
from annotations.agreement.placements import Placement
from annotations.drafting import apply, compile_batch


def operations(desk: Desk, decision: Decision) -> list[Operation]:
    """What an answer does to the draft; nothing where the draft is like that already.

    Raises:
        OperationError: the draft does not allow it, as when a topic would be moved below itself.
    """
    if decision.choice in (Choice.SKIP, Choice.REOPEN):
        return []
    if decision.subject.about == About.PAGE:
        return placing(desk, {decision.subject.key: wanted(desk, decision)})
    change = restructuring(desk, decision)
    state = apply(desk.state, compile_batch(desk.state, change), 0) if change else desk.state
    after = desk.after(decision, state)
    return change + placing(after, _newly_agreed(after, desk))


def _newly_agreed(after: Desk, before: Desk) -> dict[str, Placement]:
    """The pages both sides now place alike, and did not before, unless somebody decided about them."""
    settled = zip(after.comparisons, before.comparisons, strict=True)
    pages = [page for page, earlier in settled if after.is_settled(page) and not before.is_settled(earlier)]
    named = {after.first.document.pages[page.page].id: page.first for page in pages}
    undecided = (None, Choice.SKIP)
    return {page: to for page, to in named.items() if after.decided(Subject(About.PAGE, page)) in undecided}
