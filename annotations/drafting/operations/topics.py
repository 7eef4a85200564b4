"""Topics one by one: add, rename, describe, step."""

from __future__ import annotations

from annotations.drafting.editing import Edit
from annotations.drafting.operations.fields import Fields
from annotations.drafting.operations.registry import operation
from annotations.drafting.topics import Topic


@operation("add_topic", "topic", "name", "parent", "at", "description", "pages")
def add_topic(edit: Edit, fields: Fields) -> None:
    """Add a topic below a parent or at the top, with its first pages."""
    description = fields.text("description") if fields.has("description") else ""
    topic = Topic(fields.new_topic(), fields.name(), description, parent=fields.parent())
    pages = fields.pages(may_be_empty=True)
    edit.add_topic(topic, fields.index())
    edit.put(topic.id, pages)


@operation("rename", "topic", "name")
def rename(edit: Edit, fields: Fields) -> None:
    edit.set(fields.topic(), "name", fields.name())


@operation("describe", "topic", "text")
def describe(edit: Edit, fields: Fields) -> None:
    """What belongs into a topic; its pages are stale until somebody confirms them."""
    edit.set(fields.topic(), "description", fields.text())


@operation("topic_note", "topic", "text")
def topic_note(edit: Edit, fields: Fields) -> None:
    edit.set(fields.topic(), "note", fields.text())


@operation("step", "topic", "step")
def step(edit: Edit, fields: Fields) -> None:
    """How many levels below a topic its children start."""
    edit.set(fields.topic(), "step", fields.step())
