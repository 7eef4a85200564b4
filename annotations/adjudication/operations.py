"""The operations that apply decisions to the draft, and the rules that a decision would break."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from annotations.adjudication.session import AdjudicationSession, Decision, Operation, SessionState, Subject
from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics.alignment import SIDES, SideName, Symbol
from annotations.agreement.statistics.placements import Placement
from annotations.drafts.state_machine import DraftState, OperationError, apply, compile_batch
from annotations.drafts.state_machine.issues import Issue, issues
from qc4.wording import counted, quoted

_UNTOLD = (Choice.SKIP, Choice.REOPEN)


def operations(session: AdjudicationSession, decision: Decision) -> list[Operation]:
    """Return the operations that apply an answer to the draft; an empty list if nothing has to change.

    Raises:
        OperationError: if the draft does not allow it, for example because a topic would be moved below itself.
    """
    if decision.choice in _UNTOLD:
        return []
    if decision.subject.about == About.PAGE:
        return placement_operations(session, {decision.subject.key: chosen_placement(session, decision)})
    change = restructuring(session, decision)
    if decision.subject.about == About.NAME:
        return change  # a name moves no page
    after = session.after([decision], state_after(session.state, change))
    return change + placement_operations(after, _newly_agreed(after, session))


def combined_operations(
    session: AdjudicationSession, decisions: Iterable[Decision]
) -> tuple[list[Operation], AdjudicationSession]:
    """Return the operations of several answers, one after the other, and the session after them; raises like
    `operations`."""
    found: list[Operation] = []
    for about_pages, some in groupby(decisions, lambda decision: decision.subject.about == About.PAGE):
        # Answers about pages change no topics, so consecutive ones are computed for the same session.
        for part in [list(some)] if about_pages else [[decision] for decision in some]:
            done = _pages(session, part) if about_pages else operations(session, part[0])
            found += done
            session = session.after(part, state_after(session.state, done))
    return found, session


def _pages(session: AdjudicationSession, decisions: Sequence[Decision]) -> list[Operation]:
    told = [decision for decision in decisions if decision.choice not in _UNTOLD]
    return placement_operations(
        session, {decision.subject.key: chosen_placement(session, decision) for decision in told}
    )


def proposals(session: AdjudicationSession) -> tuple[list[Decision], list[Operation]]:
    """Return the answers to all open questions that have a proposal, and their operations.

    Topics come first, because they raise questions about names, places and pages. Proposals that the draft does not
    allow are left to a person.
    """
    found: list[Decision] = []
    change: list[Operation] = []
    refused: set[Subject] = set()
    while (decision := _proposed(session, refused)) is not None:
        try:
            done, session = combined_operations(session, [decision])
        except OperationError:
            refused.add(decision.subject)
        else:
            found.append(decision)
            change += done
    questions = [question for question in session.questions if question.page is not None and question.is_open]
    pages = [Decision(question.subject, question.proposal) for question in questions if question.proposal]
    return found + pages, change + _pages(session, pages)


def _proposed(session: AdjudicationSession, refused: set[Subject]) -> Decision | None:
    """Return the answer to the first open question about topics that has a proposal."""
    for question in session.structural:
        if question.is_open and question.proposal and question.subject not in refused:
            return Decision(question.subject, question.proposal)
    return None


def state_after(state: DraftState, change: list[Operation]) -> DraftState:
    """Return the state after operations; the same state if there are none."""
    return apply(state, compile_batch(state, change), 0) if change else state


def _newly_agreed(after: AdjudicationSession, before: AdjudicationSession) -> dict[str, Placement]:
    """Return the pages that all drafts now place alike and did not before, unless somebody has decided about them."""
    settled = zip(after.comparisons, before.comparisons, strict=True)
    pages = [page for page, earlier in settled if after.is_settled(page) and not before.is_settled(earlier)]
    named = {after.first.document.pages[page.page].id: page.first for page in pages}
    undecided = (None, Choice.SKIP)
    return {page: to for page, to in named.items() if after.decided(Subject(About.PAGE, page)) in undecided}


# --- Topics -----------------------------------------------------------------------------------------------------------


def restructuring(session: SessionState, decision: Decision) -> list[Operation]:
    """Return the operations for an answer about a topic, its name or its place."""
    about, symbol = decision.subject.about, session.symbol_of(decision.subject)
    if about == About.NAME:
        return _rename(session, symbol, decision)
    if about == About.PARENT:
        return _move(session, symbol, decision.choice)
    if decision.choice == Choice.SAME:
        other = session.symbol_called(decision.other)
        return _unite(session, symbol, other) if other else []
    has_it = decision.choice.value in session.aligned_as[symbol].topics
    return _take(session, symbol) if has_it else _leave_out(session, symbol)


def _rename(session: SessionState, symbol: Symbol, decision: Decision) -> list[Operation]:
    name, topic_id = chosen_name(session, symbol, decision), session.topic_id(symbol)
    if topic_id not in session.state.topics or session.state.topics[topic_id].name == name:
        return []
    return [{"kind": "rename", "topic": topic_id, "name": name}]


def chosen_name(session: SessionState, symbol: Symbol, decision: Decision) -> str:
    """Return the name that an answer gives a topic: a draft's name, or the one that was typed."""
    if decision.choice == Choice.TYPED:
        return decision.other
    name = as_side(decision.choice)
    return session.side(name).topic_names[session.aligned_as[symbol].topics[name]]


def as_side(choice: Choice) -> SideName:
    """Return the draft whose answer a choice is."""
    return next(name for name in SIDES if name == choice)


def _move(session: SessionState, symbol: Symbol, choice: Choice) -> list[Operation]:
    name = as_side(choice)
    above = session.symbols.above(name, session.aligned_as[symbol].topics[name])
    parent, topic_id = above and session.topic_id(above), session.topic_id(symbol)
    if session.state.topics[topic_id].parent == parent:
        return []
    return [{"kind": "move", "topic": topic_id, "parent": parent}]


def _take(session: SessionState, symbol: Symbol) -> list[Operation]:
    """Add a topic where its draft has it, and move into it the topics beside it that its draft has below it."""
    if session.is_in_draft(symbol):
        return []
    side, topic_id = session.symbols.side(symbol.side), session.topic_id(symbol)
    topic, above = side.document.topics[symbol.topic], session.symbols.above(symbol.side, symbol.topic)
    parent = session.topic_id(above) if above else None
    add: Operation = {"kind": "add_topic", "topic": topic_id, "name": topic.name, "parent": parent}
    if isinstance(topic.extra.get("description"), str) and topic.extra["description"]:
        add["description"] = topic.extra["description"]
    inside = [child for child in _inside(session, symbol) if session.state.topics[child].parent == parent]
    return [add, *({"kind": "move", "topic": child, "parent": topic_id} for child in inside)]


def _inside(session: SessionState, symbol: Symbol) -> list[str]:
    """Return the topics of the outcome that belong directly below a topic of one draft."""
    side = session.symbols.side(symbol.side)
    found = []
    for topic in range(side.n_topics):
        own = session.symbols.of(symbol.side, topic)
        steps = side.trail(topic)[:-1]
        between = steps[steps.index(symbol.topic) + 1 :] if symbol.topic in steps else None
        if between is None or own in session.symbols.skipped:
            continue
        if all(session.symbols.of(symbol.side, step) in session.symbols.skipped for step in between):
            found.append(session.topic_id(own))
    return found


def _leave_out(session: SessionState, symbol: Symbol) -> list[Operation]:
    """Delete a topic that was taken; its subtopics and pages go to its parent."""
    if not session.is_in_draft(symbol):
        return []
    topic_id = session.topic_id(symbol)
    pages = "unplace" if session.state.topics[topic_id].parent is None else "parent"
    return [{"kind": "delete_topic", "topic": topic_id, "children": "lift", "pages": pages}]


def _unite(session: SessionState, second: Symbol, first: Symbol) -> list[Operation]:
    """Unite two equal topics: take the one of the earlier draft, with the contents of the other."""
    taken = _take(session, first)
    if not session.is_in_draft(second):
        return taken
    return [*taken, {"kind": "merge", "topics": [session.topic_id(second)], "into": session.topic_id(first)}]


# --- Pages ------------------------------------------------------------------------------------------------------------


def chosen_placement(session: SessionState, decision: Decision) -> Placement:
    """Return where an answer puts a page."""
    if decision.choice == Choice.OUTLIER:
        return Placement(outlier=True)
    number, symbols = session.page_numbers[decision.subject.key], session.symbols
    placements = [symbols.placement(name, number) for name in session.names]
    if decision.choice == Choice.ALL:
        return Placement(symbols.deepest({symbol for placement in placements for symbol in placement.topics}))
    if decision.choice == Choice.MAJORITY:
        return symbols.majority(placements)
    return placements[SIDES.index(decision.choice.value)]


def placement_operations(session: SessionState, wanted: Mapping[str, Placement]) -> list[Operation]:
    """Return the operations that put pages exactly there; pages with the same moves share operations."""
    alike: dict[tuple[tuple[str, ...], tuple[str, ...], bool], list[str]] = defaultdict(list)
    for page, placement in wanted.items():
        finest = set(session.state.finest_topics(page))
        target = {session.topic_id(symbol) for symbol in placement.topics}
        if finest != target or placement.outlier != (page in session.state.outliers):
            leave = _highest_left(session.state, finest, target)
            alike[tuple(leave), tuple(sorted(target)), placement.outlier].append(page)
    return [operation for moved, pages in alike.items() for operation in _moves(*moved, pages)]


def _highest_left(state: DraftState, now: Iterable[str], target: Iterable[str]) -> list[str]:
    """Return the topics that a page has to leave: only the highest of nested ones, which removes it from all."""
    stays = {step for topic in target for step in state.path(topic)}
    paths = ([step for step in state.path(topic) if step not in stays] for topic in now)
    return sorted({path[0] for path in paths if path})


def _moves(leave: tuple[str, ...], enter: tuple[str, ...], outlier: bool, pages: Iterable[str]) -> Iterator[Operation]:
    """Yield operations that take pages out of topics and their subtopics, then put them into all their target
    topics."""
    together = list(pages)
    if outlier:
        yield {"kind": "outlier", "pages": together}
        return
    if leave:
        yield {"kind": "unassign", "pages": together, "topics": list(leave)}
    if enter:
        yield {"kind": "assign", "pages": together, "topics": list(enter)}
    elif not leave:
        yield {"kind": "clear_outlier", "pages": together}


# --- Rules that an answer would break ---------------------------------------------------------------------------------


def broken_rules(session: AdjudicationSession, decision: Decision) -> list[str]:
    """Return the rules that an answer would newly break, in words, or the reason why it cannot be applied."""
    try:
        after = state_after(session.state, operations(session, decision))
    except OperationError as error:
        return [f"cannot be applied: {error.message}"]
    if after is session.state:
        return []
    before = {(issue.code, issue.topic, issue.level): frozenset(issue.pages) for issue in _errors(session.state)}
    found = []
    for issue in _errors(after):
        known = before.get((issue.code, issue.topic, issue.level))
        pages = [page for page in issue.pages if known is None or page not in known]
        if known is None or pages:
            found.append(_words(session, after, issue, pages))
    return [words for words in found if words]


def _errors(state: DraftState) -> list[Issue]:
    return [issue for issue in issues(state) if issue.severity == "error"]


def _words(session: AdjudicationSession, after: DraftState, issue: Issue, pages: list[str]) -> str:
    name = quoted(after.topics[issue.topic].name) if issue.topic in after.topics else ""
    if issue.code == "empty-topic":
        # A topic that is taken is empty until its pages are decided, which are asked next.
        return f"leaves {name} with no page: {issue.rule}" if issue.topic in session.state.topics else ""
    if issue.code == "duplicate-name":
        return f"two sibling topics would be named {name}: {issue.rule}"
    if issue.code in ("page-without-topic", "page-without-subtopic"):
        where = f"in {name} but in none of its subtopics" if name else "in no topic and not an outlier"
        return f"{_named(session, pages)} would be {where}: {issue.rule}"
    return issue.message


def _named(session: AdjudicationSession, pages: list[str]) -> str:
    if len(pages) > 1:
        return counted(len(pages), "page")
    page = session.first.document.pages[session.page_numbers[pages[0]]]
    return quoted(page.title or page.id)
