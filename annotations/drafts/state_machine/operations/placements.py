"""Operations on pages: place them, flag them, suggest topics for them, and place the remaining ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from annotations.drafts.state_machine.editing import Edit, OperationError
from annotations.drafts.state_machine.operations.registry import Fields, operation
from annotations.drafts.state_machine.state import DraftState, Topic
from common.limits import KEY_CHARS
from qc4.text import name_key
from qc4.wording import quoted


@operation("assign", "pages", "topics")
def assign(edit: Edit, fields: Fields) -> None:
    """Put pages into topics, and therefore into their ancestors. They stay in other topics, but are no longer
    outliers."""
    pages = fields.pages()
    for topic in fields.topics():
        edit.put(topic, pages)


@operation("unassign", "pages", "topics")
def unassign(edit: Edit, fields: Fields) -> None:
    """Take pages out of topics and all their subtopics. They stay in the topics above."""
    pages = fields.pages()
    for topic in fields.topics():
        edit.take_out(topic, pages)


@operation("only", "pages", "topic")
def only(edit: Edit, fields: Fields) -> None:
    """Move pages into a topic, and out of every topic that is neither above nor below it."""
    pages, topic = fields.pages(), fields.topic()
    edit.put(topic, pages)
    stays = {*edit.state.path(topic), *edit.state.subtree(topic)}
    for other in list(edit.state.tree()):
        if other not in stays:
            edit.take(other, pages)


@operation("outlier", "pages")
def outlier(edit: Edit, fields: Fields) -> None:
    """Take pages out of every topic and make them outliers."""
    edit.make_outliers(fields.pages())


@operation("clear_outlier", "pages")
def clear_outlier(edit: Edit, fields: Fields) -> None:
    edit.clear_outliers(fields.pages())


@operation("flag", "pages")
def flag(edit: Edit, fields: Fields) -> None:
    edit.flag(fields.pages())


@operation("unflag", "pages")
def unflag(edit: Edit, fields: Fields) -> None:
    edit.unflag(fields.pages())


@operation("note", "page", "text")
def note(edit: Edit, fields: Fields) -> None:
    edit.note(fields.page(), fields.text())


@operation("seen", "pages")
def seen(edit: Edit, fields: Fields) -> None:
    """Confirm that a person has looked at pages and finds them well placed."""
    edit.seen(fields.pages())


# --- Suggestions ------------------------------------------------------------------------------------------------------


@operation("suggest", "source", "topics", "hints")
def suggest(edit: Edit, fields: Fields) -> None:
    """Suggest topics, parents first, and pages for topics. Suggestions have no effect until they are accepted."""
    fields.name("source")
    for number, topic in enumerate(fields.items("topics", required=False)):
        part = Fields(topic, edit.state, ("topic", "name", "parent"), f"suggest, topic {number + 1}")
        edit.add_topic(Topic(part.new_topic(), part.name(), parent=part.parent(), suggested=True))
    for topic, pages in fields.topic_pages("hints"):
        edit.hint(fields.known_topic(topic, "hints"), pages)


@operation("accept", "hints", "topics")
def accept(edit: Edit, fields: Fields) -> None:
    """Accept hints as members, and topics with their ancestors and all their own hints."""
    topics, hints = _named(fields)
    for topic in topics:
        edit.accept_path(topic)
        edit.put(topic, edit.state.hints_of(topic))
    for topic, pages in hints:
        edit.put(topic, pages & edit.state.hints_of(topic))


@operation("reject", "hints", "topics")
def reject(edit: Edit, fields: Fields) -> None:
    """Remove hints, and suggested topics with their descendants. For accepted topics, remove all their hints."""
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


# --- Completion -------------------------------------------------------------------------------------------------------
# The rule is defined in `qc4.model.structure`.

_SUFFIX = "/other"


@operation("fill_other", "topic")
def fill_other(edit: Edit, fields: Fields) -> None:
    """Put a topic's pages that are in none of its children into its child "<name> (other)", which is added if
    missing."""
    topic = fields.topic()
    state = edit.state
    children = [child for child in state.children_of(topic) if not state.topics[child].suggested]
    if not children:
        name = quoted(state.topics[topic].name)
        raise OperationError("no-children", f"{name} has no subtopics.", "Only topics with subtopics can be completed.")
    rest = state.pages_in(topic).difference(*(state.pages_in(child) for child in children))
    if rest:
        edit.put(_other(edit, topic), rest)


def _other(edit: Edit, topic: str) -> str:
    """Return the child for the remaining pages: the one from an earlier completion, or a new one."""
    state = edit.state
    wanted = _other_id(topic)
    if wanted in state.topics and state.topics[wanted].parent == topic and not state.children_of(wanted):
        return wanted
    new = _free(wanted, lambda taken: taken in state.topics)
    edit.add_topic(Topic(new, _other_name(state, topic), parent=topic))
    return new


def _other_id(topic: str) -> str:
    """ "<id>/other", shortened if the result with a number would be longer than an id may be."""
    room = KEY_CHARS - len(_SUFFIX) - 8
    return topic[:room] + _SUFFIX


def _other_name(state: DraftState, topic: str) -> str:
    names = {name_key(state.topics[child].name) for child in state.children_of(topic)}
    return _free(f"{state.topics[topic].name} (other)", lambda wanted: name_key(wanted) in names)


def _free(wanted: str, taken: Callable[[str], bool]) -> str:
    name, number = wanted, 2
    while taken(name):
        name, number = f"{wanted} {number}", number + 1
    return name


@operation("rest_outliers")
def rest_outliers(edit: Edit, fields: Fields) -> None:
    """Make all pages without a topic outliers."""
    edit.make_outliers(frozenset(edit.state.pages) - edit.state.placed() - edit.state.outliers)
