"""Where topics stand: move, promote, demote, reorder. Their pages come along, and ancestors follow."""

from __future__ import annotations

from annotations.drafting.editing import Edit
from annotations.drafting.errors import OperationError
from annotations.drafting.operations.fields import Fields
from annotations.drafting.operations.registry import operation
from qc4.wording import quoted


@operation("move", "topic", "parent", "at")
def move(edit: Edit, fields: Fields) -> None:
    """Put a topic below another parent, or at the top."""
    topic, parent = fields.topic(), fields.parent()
    if parent is not None and topic in edit.state.path(parent):
        name, target = (quoted(edit.state.topics[each].name) for each in (topic, parent))
        raise OperationError(
            "cycle", f"{target} lies inside {name}.", "Move it out first, or choose a parent outside of the topic."
        )
    edit.place(topic, parent, fields.index())


@operation("promote", "topic")
def promote(edit: Edit, fields: Fields) -> None:
    """One level up, right behind the topic that was the parent."""
    topic = fields.topic()
    parent = edit.state.topics[topic].parent
    if parent is None:
        name = quoted(edit.state.topics[topic].name)
        raise OperationError("at-top", f"{name} is on level 1 already.", "Only subtopics can be promoted.")
    above, at = edit.state.place(parent)
    edit.place(topic, above, at + 1)


@operation("demote", "topic")
def demote(edit: Edit, fields: Fields) -> None:
    """One level down: the last child of the sibling before it."""
    topic = fields.topic()
    parent, at = edit.state.place(topic)
    if at == 0:
        name = quoted(edit.state.topics[topic].name)
        raise OperationError(
            "no-sibling-above", f"{name} has no sibling above it.", "Move it below the topic it belongs to."
        )
    edit.place(topic, edit.state.children[parent][at - 1])


@operation("reorder", "topic", "at")
def reorder(edit: Edit, fields: Fields) -> None:
    """Another place among its siblings."""
    topic = fields.topic()
    edit.place(topic, edit.state.topics[topic].parent, fields.index(required=True))
