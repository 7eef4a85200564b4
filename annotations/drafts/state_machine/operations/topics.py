"""Operations on topics: add, rename, move, merge, split and delete them."""

from __future__ import annotations

from annotations.drafts.state_machine.editing import Edit, OperationError
from annotations.drafts.state_machine.operations.registry import Fields, operation
from annotations.drafts.state_machine.state import Topic
from qc4.wording import listed, quoted


@operation("add_topic", "topic", "name", "parent", "at", "description", "pages")
def add_topic(edit: Edit, fields: Fields) -> None:
    """Add a topic below a parent or on level 1, with its first pages."""
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
    """Describe which pages belong in a topic. Its pages are stale until somebody confirms them."""
    edit.set(fields.topic(), "description", fields.text())


@operation("topic_note", "topic", "text")
def topic_note(edit: Edit, fields: Fields) -> None:
    edit.set(fields.topic(), "note", fields.text())


@operation("step", "topic", "step")
def step(edit: Edit, fields: Fields) -> None:
    """Set how many levels below a topic its children start."""
    edit.set(fields.topic(), "step", fields.step())


# --- Hierarchy --------------------------------------------------------------------------------------------------------
# A topic takes its pages along, and its ancestors then hold them too.


@operation("move", "topic", "parent", "at")
def move(edit: Edit, fields: Fields) -> None:
    """Move a topic below another parent, or to level 1."""
    topic, parent = fields.topic(), fields.parent()
    if parent is not None and topic in edit.state.path(parent):
        name, target = (quoted(edit.state.topics[each].name) for each in (topic, parent))
        raise OperationError(
            "cycle", f"{target} lies inside {name}.", "Move it out first, or choose a parent outside of the topic."
        )
    edit.place(topic, parent, fields.index())


@operation("promote", "topic")
def promote(edit: Edit, fields: Fields) -> None:
    """Move a topic one level up, directly after its former parent."""
    topic = fields.topic()
    parent = edit.state.topics[topic].parent
    if parent is None:
        name = quoted(edit.state.topics[topic].name)
        raise OperationError("at-top", f"{name} is on level 1 already.", "Only subtopics can be promoted.")
    above, at = edit.state.place(parent)
    edit.place(topic, above, at + 1)


@operation("demote", "topic")
def demote(edit: Edit, fields: Fields) -> None:
    """Move a topic one level down, as the last child of the sibling before it."""
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
    """Move a topic to another place among its siblings."""
    topic = fields.topic()
    edit.place(topic, edit.state.topics[topic].parent, fields.index(required=True))


# --- Deletion ---------------------------------------------------------------------------------------------------------

_PAGES = ("parent", "unplace", "outliers")


@operation("delete_topic", "topic", "children", "pages")
def delete_topic(edit: Edit, fields: Fields) -> None:
    """Delete a topic with all its descendants, or (``lift``) alone, so that its children move up into its place.

    The pages of the deleted topics stay in the parent, go to another topic, or leave the ancestors as well
    (``unplace``, ``outliers``). With ``outliers``, pages that are then in no topic become outliers. With ``lift``, the
    children keep their own pages.
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
    """Return the topic that receives the pages, or None."""
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


# --- Merging and splitting --------------------------------------------------------------------------------------------


@operation("merge", "topics", "into")
def merge(edit: Edit, fields: Fields) -> None:
    """Move the pages, hints and children of topics into another one, which keeps its name and description.

    The pages leave the ancestors of the merged topics, except those that are also ancestors of the target.
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
    """Split a topic into several, below it or next to it. If they are next to it, their pages leave the old topic."""
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
