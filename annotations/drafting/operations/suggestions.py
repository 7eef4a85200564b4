"""What programs propose, and what people make of it."""

from __future__ import annotations

from collections.abc import Iterable

from annotations.drafting.editing import Edit
from annotations.drafting.errors import OperationError
from annotations.drafting.operations.fields import Fields
from annotations.drafting.operations.registry import operation
from annotations.drafting.topics import Topic


@operation("suggest", "source", "topics", "hints")
def suggest(edit: Edit, fields: Fields) -> None:
    """Propose topics, parents first, and pages for topics. Nothing counts until it is accepted."""
    fields.name("source")
    for number, topic in enumerate(fields.items("topics", required=False)):
        part = Fields(topic, edit.state, ("topic", "name", "parent"), f"suggest, topic {number + 1}")
        edit.add_topic(Topic(part.new_topic(), part.name(), parent=part.parent(), suggested=True))
    for topic, pages in fields.topic_pages("hints"):
        edit.hint(fields.known_topic(topic, "hints"), pages)


@operation("accept", "hints", "topics")
def accept(edit: Edit, fields: Fields) -> None:
    """Hints become members, and topics accepted, with all their hints; what is above an accepted topic is accepted."""
    topics, hints = _named(fields)
    for topic in topics:
        edit.accept_path(topic)
        edit.put(topic, edit.state.hints_of(topic))
    for topic, pages in hints:
        edit.put(topic, pages & edit.state.hints_of(topic))


@operation("reject", "hints", "topics")
def reject(edit: Edit, fields: Fields) -> None:
    """Hints go, and suggested topics with what is below them; of other topics, all their hints."""
    topics, hints = _named(fields)
    for topic, pages in hints:
        edit.take_hints(topic, pages)
    _reject(edit, topics)


@operation("accept_all")
def accept_all(edit: Edit, fields: Fields) -> None:
    for topic in list(edit.state.tree()):
        edit.accept_path(topic)
        edit.put(topic, edit.state.hints_of(topic))


@operation("reject_all")
def reject_all(edit: Edit, fields: Fields) -> None:
    _reject(edit, list(edit.state.tree()))


def _named(fields: Fields) -> tuple[list[str], list[tuple[str, frozenset[str]]]]:
    topics = [fields.known_topic(topic, "topics") for topic in fields.items("topics", required=False)]
    hints = [(fields.known_topic(topic, "hints"), pages) for topic, pages in fields.topic_pages("hints")]
    if not topics and not hints:
        raise OperationError("no-topics", f"{fields.where} names neither topics nor hints.", "Name at least one.")
    return topics, hints


def _reject(edit: Edit, topics: Iterable[str]) -> None:
    for topic in topics:
        if topic not in edit.state.topics:
            continue
        if not edit.state.topics[topic].suggested:
            edit.take_hints(topic, edit.state.hints_of(topic))
            continue
        for below in reversed(list(edit.state.subtree(topic))):
            edit.remove_topic(below)
