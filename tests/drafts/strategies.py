"""Random work on a draft. A script is drawn without knowing the state, and converted into operations when it is played.

The same script can therefore be played by two clients with different states, and hypothesis can shorten it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from annotations.drafts.state_machine import DraftState, OperationError, apply, compile_batch
from qc4.model.gold_document import GoldDocument, Page

PAGES = tuple("12345678")
PAGE_LIST = GoldDocument("q", "a query", tuple(Page(page, rank) for rank, page in enumerate(PAGES, 1)))
NAMES = ("Cars", "CARS", "Animals", "Straße", "STRASSE")


@dataclass(frozen=True)
class Step:
    """One action of a person; the numbers select among the existing topics and pages."""

    kind: str
    a: int
    b: int
    at: int
    pages: tuple[str, ...]


@dataclass
class Played:
    """One entry of the log, with the states before and after it."""

    before: DraftState
    operations: list[dict[str, Any]]
    changes: list[dict[str, Any]]
    after: DraftState


def _topic(state: DraftState, number: int) -> str:
    """Return a topic of the draft, or an id that it does not have if it has no topics."""
    topics = list(state.tree())
    return topics[number % len(topics)] if topics else "nobody"


def _parent(state: DraftState, number: int) -> str | None:
    choices = [None, *state.tree()]
    return choices[number % len(choices)]


def _split(state: DraftState, step: Step, new: str) -> dict[str, Any]:
    topic = _topic(state, step.a)
    own = [page for page in step.pages if topic in state.topics and page in state.pages_in(topic)]
    parts = [
        {"topic": f"{new}{letter}", "name": f"Part {letter}", "pages": own[half::2]} for half, letter in enumerate("ab")
    ]
    return {"topic": topic, "into": parts, "where": ("children", "siblings")[step.b % 2]}


def _delete(state: DraftState, step: Step, _new: str) -> dict[str, Any]:
    where = ("parent", "unplace", "outliers", {"topic": _topic(state, step.b)})[step.at % 4]
    return {"topic": _topic(state, step.a), "children": ("lift", "delete")[step.b % 2], "pages": where}


def _suggest(state: DraftState, step: Step, new: str) -> dict[str, Any]:
    topics = [
        {"topic": new, "name": "Proposed", "parent": _parent(state, step.a)},
        {"topic": f"{new}x", "name": "Proposed below", "parent": new},
    ]
    hints = [[new, list(step.pages)], [f"{new}x", list(step.pages[:1])]]
    if state.topics:
        hints.append([_topic(state, step.b), list(step.pages)])
    return {"source": "clusters", "topics": topics, "hints": hints}


_MAKERS: dict[str, Callable[[DraftState, Step, str], dict[str, Any]]] = {
    "add_topic": lambda state, step, new: {
        "topic": new,
        "name": NAMES[step.b % len(NAMES)],
        "parent": _parent(state, step.a),
        "at": step.at,
        "pages": list(step.pages),
    },
    "rename": lambda state, step, _: {"topic": _topic(state, step.a), "name": NAMES[step.b % len(NAMES)]},
    "describe": lambda state, step, _: {"topic": _topic(state, step.a), "text": ("", "About it", "More")[step.b % 3]},
    "topic_note": lambda state, step, _: {"topic": _topic(state, step.a), "text": ("", "Ask Ana")[step.b % 2]},
    "move": lambda state, step, _: {
        "topic": _topic(state, step.a),
        "parent": _parent(state, step.b),
        "at": step.at,
    },
    "promote": lambda state, step, _: {"topic": _topic(state, step.a)},
    "demote": lambda state, step, _: {"topic": _topic(state, step.a)},
    "reorder": lambda state, step, _: {"topic": _topic(state, step.a), "at": step.at},
    "merge": lambda state, step, _: {
        "topics": [_topic(state, step.a), _topic(state, step.a + step.at)],
        "into": _topic(state, step.b),
    },
    "split": _split,
    "delete_topic": _delete,
    "step": lambda state, step, _: {"topic": _topic(state, step.a), "step": 1 + step.b % 3},
    "assign": lambda state, step, _: {
        "pages": list(step.pages),
        "topics": [_topic(state, step.a), _topic(state, step.b)],
    },
    "unassign": lambda state, step, _: {"pages": list(step.pages), "topics": [_topic(state, step.a)]},
    "only": lambda state, step, _: {"pages": list(step.pages), "topic": _topic(state, step.a)},
    "outlier": lambda state, step, _: {"pages": list(step.pages)},
    "clear_outlier": lambda state, step, _: {"pages": list(step.pages)},
    "flag": lambda state, step, _: {"pages": list(step.pages)},
    "unflag": lambda state, step, _: {"pages": list(step.pages)},
    "note": lambda state, step, _: {"page": step.pages[0], "text": ("", "odd", "very odd")[step.a % 3]},
    "seen": lambda state, step, _: {"pages": list(step.pages)},
    "suggest": _suggest,
    "accept": lambda state, step, _: (
        {"hints": [[_topic(state, step.a), list(step.pages)]]}
        | ({"topics": [_topic(state, step.b)]} if step.at % 2 else {})
    ),
    "reject": lambda state, step, _: (
        {"hints": [[_topic(state, step.a), list(step.pages)]]}
        | ({"topics": [_topic(state, step.b)]} if step.at % 2 else {})
    ),
    "accept_all": lambda state, step, _: {},
    "reject_all": lambda state, step, _: {},
    "fill_other": lambda state, step, _: {"topic": _topic(state, step.a)},
    "rest_outliers": lambda state, step, _: {},
}
KINDS = tuple(_MAKERS)


def operation(state: DraftState, step: Step, new: str) -> dict[str, Any]:
    """Return the operation that a step represents for a state; ``new`` is the id of a topic it adds."""
    return {"kind": step.kind, **_MAKERS[step.kind](state, step, new)}


def steps(kinds: Iterable[str] = KINDS, pages: Iterable[str] = PAGES) -> st.SearchStrategy[Step]:
    numbers = st.integers(0, 30)
    some = st.lists(st.sampled_from(tuple(pages)), min_size=1, max_size=6, unique=True).map(tuple)
    kind = st.sampled_from(tuple(kinds))
    return st.builds(Step, kind, numbers, numbers, st.integers(0, 4), some)


def scripts(size: int = 12) -> st.SearchStrategy[list[list[Step]]]:
    """Return batches, most of which have a single operation."""
    batches = st.one_of(st.lists(steps(), min_size=1, max_size=1), st.lists(steps(), min_size=2, max_size=3))
    return st.lists(batches, min_size=size // 3, max_size=size)


def attempt(
    state: DraftState, batch: list[Step], revision: int, prefix: str = "t"
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]] | None:
    """Return the operations and changes of a batch; None if this state does not allow it."""
    operations: list[dict[str, Any]] = []
    working = state
    try:
        for number, step in enumerate(batch):
            operations.append(operation(working, step, f"{prefix}{revision}-{number}"))
            if number + 1 < len(batch):
                working = apply(working, compile_batch(working, operations[-1:]), revision)
        return operations, compile_batch(state, operations)
    except OperationError:
        return None


def play(script: list[list[Step]], state: DraftState) -> list[Played]:
    """Apply a script, skipping batches that are rejected."""
    log: list[Played] = []
    for batch in script:
        done = attempt(state, batch, len(log) + 1)
        if done is not None:
            after = apply(state, done[1], len(log) + 1)
            log.append(Played(state, *done, after))
            state = after
    return log


def furnished() -> DraftState:
    """Return a draft of two levels with an overlap, hints, a suggested topic and subtopic, an outlier and a gap."""
    operations = [
        {"kind": "add_topic", "topic": "cars", "name": "Cars", "parent": None, "pages": ["1"]},
        {"kind": "add_topic", "topic": "dealers", "name": "Dealers", "parent": "cars", "pages": ["2", "3"]},
        {"kind": "add_topic", "topic": "racing", "name": "Racing", "parent": "cars", "pages": ["3"]},
        {"kind": "add_topic", "topic": "animals", "name": "Animals", "parent": None, "pages": ["4", "5"]},
        {"kind": "step", "topic": "cars", "step": 2},
        {"kind": "outlier", "pages": ["8"]},
        {"kind": "flag", "pages": ["2", "5"]},
        {
            "kind": "suggest",
            "source": "clusters",
            "topics": [
                {"topic": "zoo", "name": "Zoo", "parent": "animals"},
                {"topic": "cage", "name": "Cages", "parent": "zoo"},
            ],
            "hints": [["zoo", ["4", "6"]], ["cage", ["6"]], ["racing", ["1", "7"]]],
        },
    ]
    return apply(DraftState(PAGES), compile_batch(DraftState(PAGES), operations), 0)


STARTS = (DraftState(PAGES), furnished())


def logs(size: int = 12) -> st.SearchStrategy[list[Played]]:
    """Return logs of at least one entry, for an empty or a furnished draft."""
    return st.builds(play, scripts(size), st.sampled_from(STARTS)).filter(bool)


def states(size: int = 12) -> st.SearchStrategy[DraftState]:
    return logs(size).map(lambda log: log[-1].after) | st.sampled_from(STARTS)


def broken_promises(state: DraftState) -> list[str]:
    """Return the invariants that a state violates."""
    placed = {page for pages in state.members.values() for page in pages}
    hinted = {page for pages in state.hints.values() for page in pages}
    found = [f"{page} is an outlier in a topic" for page in state.outliers & (placed | hinted)]
    found += [f"{topic} is not in the tree once" for topic in set(state.topics) ^ set(state.tree())]
    found += ["a topic is in the tree twice"] * (len(list(state.tree())) != len(state.topics))
    for topic, below in ((key, child) for key, children in state.children.items() for child in children):
        found += [f"{below} does not know its parent"] * (state.topics[below].parent != topic)
    for topic in state.topics.values():
        above = state.topics.get(topic.parent or "")
        found += [f"{topic.id} counts below a suggestion"] * bool(above and above.suggested and not topic.suggested)
        found += [f"{topic.id} is a suggestion with members"] * (topic.suggested and topic.id in state.members)
        found += [f"{topic.id} suggests what it holds"] * bool(state.hints_of(topic.id) & state.pages_in(topic.id))
    found += ["empty entries"] * (not all([*state.children.values(), *state.members.values(), *state.hints.values()]))
    below = {topic: frozenset().union(*map(state.pages_in, state.children_of(topic))) for topic in state.topics}
    found += [
        f"{topic} stores pages that its subtopics hold" for topic in below if below[topic] & state.members_of(topic)
    ]
    found += ["entries without a topic"] * (not {*state.members, *state.hints, *state.changed} <= set(state.topics))
    return found
