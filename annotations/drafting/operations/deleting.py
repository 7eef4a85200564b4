"""Delete a topic, and say where its children and pages go."""

from __future__ import annotations

from annotations.drafting.editing import Edit
from annotations.drafting.errors import OperationError
from annotations.drafting.operations.fields import Fields
from annotations.drafting.operations.registry import operation
from qc4.wording import quoted

_PAGES = ("parent", "unplace", "outliers")


@operation("delete_topic", "topic", "children", "pages")
def delete_topic(edit: Edit, fields: Fields) -> None:
    """Delete a topic alone, its children moving up into its place, or with everything below it.

    Its pages (with ``lift``, those in none of its children, which take theirs along) stay in the parent, go to another
    topic, or leave the topics above as well (``unplace``). As ``outliers`` they leave these, too, and become outliers
    where they are in no other topic.
    """
    topic, lift = fields.topic(), fields.choice("children", ("lift", "delete")) == "lift"
    doomed = [topic] if lift else list(edit.state.subtree(topic))
    pages = frozenset().union(*(edit.state.members_of(each) for each in doomed))
    target = _target(edit, fields, topic, doomed, pages)
    parent, at = edit.state.place(topic)
    if lift:
        for number, child in enumerate(edit.state.children_of(topic)):
            edit.place(child, parent, at + number)
    keep = edit.state.path(target) if target is not None else []
    for each in reversed(doomed):
        edit.remove_topic(each, keep)
    if target is not None:
        edit.put(target, pages)
    elif fields.raw("pages") == "outliers":
        edit.make_outliers(pages - edit.state.placed())


def _target(edit: Edit, fields: Fields, topic: str, doomed: list[str], pages: frozenset[str]) -> str | None:
    """The topic the pages go to, if they go to one."""
    wanted = fields.raw("pages")
    if isinstance(wanted, dict):
        target = Fields(wanted, edit.state, ("topic",), "delete_topic, pages").topic()
        if target in doomed:
            name = quoted(edit.state.topics[target].name)
            raise OperationError("target-deleted", f"{name} is deleted as well.", "Choose a topic that stays.")
        return target
    if fields.choice("pages", _PAGES) != "parent":
        return None
    parent = edit.state.topics[topic].parent
    if parent is None and pages:
        name = quoted(edit.state.topics[topic].name)
        raise OperationError("no-parent", f"{name} has no parent.", "Choose another topic, outliers, or unplace.")
    return parent
