"""What answers do to the draft."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from annotations.agreement.desk.desk import Desk
from annotations.agreement.desk.places import placing, wanted
from annotations.agreement.desk.questions import Decision, Subject
from annotations.agreement.desk.structure import restructuring
from annotations.agreement.desk.table import Operation
from annotations.agreement.placements import Placement
from annotations.answers import About, Choice
from annotations.drafting import DraftState, OperationError, apply, compile_batch

_UNTOLD = (Choice.SKIP, Choice.REOPEN)


def operations(desk: Desk, decision: Decision) -> list[Operation]:
    """What an answer does to the draft; nothing where the draft is like that already.

    Raises:
        OperationError: the draft does not allow it, as when a topic would be moved below itself.
    """
    if decision.choice in _UNTOLD:
        return []
    if decision.subject.about == About.PAGE:
        return placing(desk, {decision.subject.key: wanted(desk, decision)})
    change = restructuring(desk, decision)
    if decision.subject.about == About.NAME:
        return change  # which moves no page
    after = desk.after([decision], carried_out(desk.state, change))
    return change + placing(after, _newly_agreed(after, desk))


def together(desk: Desk, decisions: Iterable[Decision]) -> tuple[list[Operation], Desk]:
    """What several answers do, one after the other, and the desk after them; raises as `operations`."""
    found: list[Operation] = []
    for about_pages, some in groupby(decisions, lambda decision: decision.subject.about == About.PAGE):
        # Answers about pages change no topic, so all that follow one another are worked out on the same desk.
        for part in [list(some)] if about_pages else [[decision] for decision in some]:
            done = _pages(desk, part) if about_pages else operations(desk, part[0])
            found += done
            desk = desk.after(part, carried_out(desk.state, done))
    return found, desk


def _pages(desk: Desk, decisions: Sequence[Decision]) -> list[Operation]:
    told = [decision for decision in decisions if decision.choice not in _UNTOLD]
    return placing(desk, {decision.subject.key: wanted(desk, decision) for decision in told})


def proposals(desk: Desk) -> tuple[list[Decision], list[Operation]]:
    """What is decided when every open question with a proposal is answered with it, and what that does: topics first,
    because what they bring asks about names, places and pages. A proposal the draft does not allow is left to a person.
    """
    found: list[Decision] = []
    change: list[Operation] = []
    refused: set[Subject] = set()
    while (decision := _proposed(desk, refused)) is not None:
        try:
            done, desk = together(desk, [decision])
        except OperationError:
            refused.add(decision.subject)
        else:
            found.append(decision)
            change += done
    questions = [question for question in desk.questions if question.page is not None and question.is_open]
    pages = [Decision(question.subject, question.proposal) for question in questions if question.proposal]
    return found + pages, change + _pages(desk, pages)


def _proposed(desk: Desk, refused: set[Subject]) -> Decision | None:
    """The first open question about topics that has a proposal."""
    for question in desk.structural:
        if question.is_open and question.proposal and question.subject not in refused:
            return Decision(question.subject, question.proposal)
    return None


def carried_out(state: DraftState, change: list[Operation]) -> DraftState:
    """The state after operations; the same where they change nothing."""
    return apply(state, compile_batch(state, change), 0) if change else state


def _newly_agreed(after: Desk, before: Desk) -> dict[str, Placement]:
    """The pages all sides now place alike, and did not before, unless somebody decided about them."""
    settled = zip(after.comparisons, before.comparisons, strict=True)
    pages = [page for page, earlier in settled if after.is_settled(page) and not before.is_settled(earlier)]
    named = {after.first.document.pages[page.page].id: page.first for page in pages}
    undecided = (None, Choice.SKIP)
    return {page: to for page, to in named.items() if after.decided(Subject(About.PAGE, page)) in undecided}
