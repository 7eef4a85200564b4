"""Conversion of drafts from and to gold documents, and of states from and to JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from annotations.drafts.state_machine.changes import topic_to_json
from annotations.drafts.state_machine.state import DraftState, Topic, finest_members, marks_in_order
from annotations.drafts.state_machine.state import Topic as DraftTopic
from qc4.model.gold_document import GoldDocument
from qc4.model.gold_document import Topic as GoldTopic
from qc4.model.rules import CheckedDocument
from qc4.problems import InputError

# Rules that an unfinished hierarchy may break. Other errors mean that it cannot be a draft.
_ALLOWED = {"page-without-topic", "page-without-subtopic", "empty-topic", "duplicate-name", "no-gold"}
_TEXTS = ("description", "note")


def from_document(document: GoldDocument) -> DraftState:
    """Return the draft that starts from a document. A page that a subtopic holds is stored only there.

    A topic's ``description`` and ``note`` are taken from its extra fields if they are text.

    Raises:
        InputError: for a document without pages, unknown or repeated ids, parents or levels that break R5, or outliers
            in a topic (R2).
    """
    checked = CheckedDocument(document)
    refused = [problem for problem in checked.errors if problem.code not in _ALLOWED]
    if refused:
        raise InputError(refused)
    levels = checked.hierarchy.first.tolist()
    first = {topic.id: level for topic, level in zip(document.topics, levels, strict=True)}
    state = DraftState(tuple(page.id for page in document.pages), extra=dict(document.extra))
    state.outliers = frozenset(document.outliers)
    children: dict[str | None, list[str]] = {}
    for topic in document.topics:
        state.topics[topic.id] = _draft_topic(topic)
        children.setdefault(topic.parent, []).append(topic.id)
    state.children = {parent: tuple(below) for parent, below in children.items()}
    state.marks = marks_in_order(state.children_of(None))
    for topic in document.topics:
        if topic.parent is not None:
            step = first[topic.id] - first[topic.parent]
            state.topics[topic.parent] = replace(state.topics[topic.parent], step=step)
    members = {topic.id: frozenset(topic.pages) for topic in document.topics if topic.pages}
    held = replace(state, members=members).all_pages_in()
    state.members = finest_members(members, held, state.children)
    return state


def to_document(state: DraftState, page_list: GoldDocument) -> GoldDocument:
    """Return the canonical document of a draft: the same hierarchy always gives the same bytes.

    Topics are in tree order, each with its level. Pages are in the order of the page list, and listed only if no
    subtopic holds them. Suggestions, page notes and flags are not in the document.

    Args:
        page_list: the query and its pages, which are those of the draft; its topics are ignored.
    """
    first = state.outline.starts
    topics = tuple(
        _document_topic(state, state.topics[topic], level)
        for topic, level in first.items()
        if not state.topics[topic].suggested
    )
    return replace(page_list, topics=topics, outliers=tuple(state.ordered(state.outliers)), extra=dict(state.extra))


def as_published(state: DraftState) -> DraftState:
    """Return the part of a draft that its document contains.

    ``from_document(to_document(state)) == as_published(state)``: suggestions, notes, flags, and the steps of topics
    without children are omitted.
    """
    topics = {topic: state.topics[topic] for topic in state.tree() if not state.topics[topic].suggested}
    children = {
        parent: kept
        for parent, below in state.children.items()
        if (kept := tuple(topic for topic in below if topic in topics))
    }
    return DraftState(
        pages=state.pages,
        topics={key: topic if key in children else replace(topic, step=1) for key, topic in topics.items()},
        children=children,
        members=state.members,
        outliers=state.outliers,
        extra=state.extra,
    )


def _draft_topic(topic: GoldTopic) -> DraftTopic:
    texts = {name: topic.extra[name] for name in _TEXTS if isinstance(topic.extra.get(name), str) and topic.extra[name]}
    extra = {name: value for name, value in topic.extra.items() if name not in texts}
    return DraftTopic(topic.id, topic.name, parent=topic.parent, extra=extra, **texts)


def _document_topic(state: DraftState, topic: DraftTopic, level: int) -> GoldTopic:
    texts = {name: text for name in _TEXTS if (text := getattr(topic, name))}
    pages = tuple(state.ordered(state.members_of(topic.id)))
    return GoldTopic(topic.id, topic.name, topic.parent, level, pages, {**topic.extra, **texts})


# --- JSON for snapshots and the workspace -----------------------------------------------------------------------------


def to_json(state: DraftState) -> dict[str, Any]:
    """Return the state without its page list: topics in tree order, pages in the order of the page list.

    Topics without members or hints are missing there.
    """
    return {
        "topics": [topic_to_json(state.topics[topic]) for topic in state.tree()],
        "members": {topic: state.ordered(state.members[topic]) for topic in state.tree() if topic in state.members},
        "hints": {topic: state.ordered(state.hints[topic]) for topic in state.tree() if topic in state.hints},
        "outliers": state.ordered(state.outliers),
        "flags": state.ordered(state.flags),
        "notes": {page: state.notes[page] for page in state.ordered(state.notes)},
        "touched": dict(state.touched),
        "changed": dict(state.changed),
        "meant": {topic: {page: list(to) for page, to in pages.items()} for topic, pages in state.meant.items()},
        "marks": dict(state.marks),
        "extra": dict(state.extra),
    }


def from_json(value: Mapping[str, Any], pages: Iterable[str]) -> DraftState:
    """Return the state that `to_json` wrote. ``pages`` are the ids of the page list. The trusted value is not
    checked."""
    children: dict[str | None, list[str]] = {}
    topics = {fields["id"]: Topic(**fields) for fields in value["topics"]}
    for topic in topics.values():
        children.setdefault(topic.parent, []).append(topic.id)
    return DraftState(
        pages=tuple(pages),
        topics=topics,
        children={parent: tuple(below) for parent, below in children.items()},
        members={topic: frozenset(held) for topic, held in value["members"].items()},
        hints={topic: frozenset(held) for topic, held in value["hints"].items()},
        outliers=frozenset(value["outliers"]),
        flags=frozenset(value["flags"]),
        notes=dict(value["notes"]),
        extra=value["extra"],
        touched=dict(value["touched"]),
        changed=dict(value["changed"]),
        meant={topic: _meant(pages) for topic, pages in value["meant"].items()},
        marks=dict(value["marks"]) if "marks" in value else marks_in_order(children.get(None, ())),
    )


def _meant(pages: Mapping[str, Any]) -> dict[str, tuple[str, bool]]:
    return {page: (into, held) for page, (into, held) in pages.items()}
