"""Merge topics into one, split one into several."""

from __future__ import annotations

from annotations.drafting.editing import Edit
from annotations.drafting.errors import OperationError
from annotations.drafting.operations.fields import Fields
from annotations.drafting.operations.registry import operation
from annotations.drafting.topics import Topic
from qc4.wording import listed, quoted


@operation("merge", "topics", "into")
def merge(edit: Edit, fields: Fields) -> None:
    """Move the pages, hints and children of topics into another one, which keeps its name and description.

    The pages leave the topics above those that are merged, unless these are above the target as well.
    """
    into = fields.topic("into")
    sources = [topic for topic in fields.topics() if topic != into]
    if not sources:
        raise OperationError("no-topics", "A topic cannot be merged into itself.", "Name another topic to merge.")
    inside = [topic for topic in sources if topic in edit.state.path(into)]
    if inside:
        target, source = quoted(edit.state.topics[into].name), quoted(edit.state.topics[inside[0]].name)
        raise OperationError("cycle", f"{target} lies inside {source}.", f"Merge {target} into {source} instead.")
    for source in sources:
        _absorb(edit, source, into)
    edit.altered(into)


def _absorb(edit: Edit, source: str, into: str) -> None:
    state = edit.state
    if not state.topics[source].suggested:
        edit.accept_path(into)
    for child in state.children_of(source):
        edit.place(child, into)
    members, hints = state.members_of(source), state.hints_of(source)
    edit.remove_topic(source, keep=state.path(into))
    edit.put(into, members)
    edit.hint(into, hints)


@operation("split", "topic", "into", "where")
def split(edit: Edit, fields: Fields) -> None:
    """Make several topics of one, below it or beside it. Beside it, their pages leave the old topic."""
    topic, beside = fields.topic(), fields.choice("where", ("children", "siblings")) == "siblings"
    parts = fields.items("into")
    if not parts:
        raise OperationError("no-topics", "A split needs parts.", "Name at least one new topic.")
    allowed = edit.state.pages_in(topic) | edit.state.hints_of(topic)
    parent, at = edit.state.place(topic)
    for number, part in enumerate(parts):
        part_fields = Fields(part, edit.state, ("topic", "name", "pages"), f"split, part {number + 1}")
        pages = part_fields.pages(may_be_empty=True)
        _refuse_strangers(edit, topic, pages - allowed)
        new = Topic(part_fields.new_topic(), part_fields.name(), parent=parent if beside else topic)
        edit.add_topic(new, at + 1 + number if beside else None)
        edit.put(new.id, pages)
        edit.take_hints(topic, pages)
    if beside:
        moved = frozenset().union(*(edit.state.members_of(part["topic"]) for part in parts))
        edit.take_out(topic, moved)
        edit.altered(topic)


def _refuse_strangers(edit: Edit, topic: str, pages: frozenset[str]) -> None:
    if pages:
        name = quoted(edit.state.topics[topic].name)
        raise OperationError(
            "not-in-topic",
            f"{listed(edit.state.ordered(pages), 5)}: not in {name}.",
            "Only a topic's own pages can be split off.",
        )
