"""What repairs a draft in one go: the rest of a topic, the rest of the pages; by the rule of `qc4.model.structure`."""

from __future__ import annotations

from collections.abc import Callable

from annotations.drafting.editing import Edit
from annotations.drafting.errors import OperationError
from annotations.drafting.operations.fields import Fields
from annotations.drafting.operations.registry import operation
from annotations.drafting.state import DraftState
from annotations.drafting.topics import Topic
from common.limits import KEY_CHARS
from qc4.text import name_key
from qc4.wording import quoted

_SUFFIX = "/other"


@operation("fill_other", "topic")
def fill_other(edit: Edit, fields: Fields) -> None:
    """Pages of a topic in none of its children go to its child "<name> (other)", which is added where there is none."""
    topic = fields.topic()
    state = edit.state
    children = [child for child in state.children_of(topic) if not state.topics[child].suggested]
    if not children:
        name = quoted(state.topics[topic].name)
        raise OperationError("no-children", f"{name} has no subtopics.", "Only topics that split have a rest.")
    rest = state.pages_in(topic).difference(*(state.pages_in(child) for child in children))
    if rest:
        edit.put(_other(edit, topic), rest)


def _other(edit: Edit, topic: str) -> str:
    """The child for the rest: the one an earlier completion left, or a new one."""
    state = edit.state
    wanted = _other_id(topic)
    if wanted in state.topics and state.topics[wanted].parent == topic and not state.children_of(wanted):
        return wanted
    new = _free(wanted, lambda taken: taken in state.topics)
    edit.add_topic(Topic(new, _other_name(state, topic), parent=topic))
    return new


def _other_id(topic: str) -> str:
    """ "<id>/other", shortened where the result, with a number, would be longer than an id may be."""
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
    """Pages in no topic become outliers."""
    edit.make_outliers(frozenset(edit.state.pages) - edit.state.placed() - edit.state.outliers)
