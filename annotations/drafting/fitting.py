"""Whether changes of the past still fit a state that has moved on: undo and redo when others worked in between.

What others did meanwhile is never overwritten. Pages that are already as wanted, or that somebody has since decided
otherwise about, are passed over; a topic that is gone, renamed, moved or in use again refuses the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from annotations.drafting.changes import Change
from annotations.drafting.editing import Edit
from annotations.drafting.errors import OperationError
from annotations.drafting.operations import refuse_too_deep
from annotations.drafting.state import DraftState, Topic
from qc4.problems.wording import quoted


class MisfitError(OperationError):
    """Changes that do not fit any more; ``topic`` or ``page`` says what somebody has changed since."""

    def __init__(self, message: str, *, topic: str | None = None, page: str | None = None) -> None:
        super().__init__("undo-blocked", message, "Make the change by hand, or undo the later one first.")
        self.topic = topic
        self.page = page


def fitted(state: DraftState, changes: Iterable[Mapping[str, Any]]) -> list[Change]:
    """The part of changes still to be made on a state, exact for that state; to undo an entry, those of `invert`.

    If nothing came between, they are the given changes. Empty if all is as wanted already.

    Raises:
        MisfitError: a topic is gone, in use, or differs in what the changes start from; or there would be more levels
            than a document may have.
    """
    edit = Edit(state)
    for change in changes:
        _FIT[change["c"]](edit, change)
    try:
        refuse_too_deep(edit.state)
    except OperationError as error:
        raise MisfitError(error.message) from None
    return edit.changes


def _topic(edit: Edit, topic_id: str) -> Topic:
    topic = edit.state.topics.get(topic_id)
    if topic is None:
        raise MisfitError(f"The topic {quoted(topic_id)} is not there any more.", topic=topic_id)
    return topic


def _add_topic(edit: Edit, change: Mapping[str, Any]) -> None:
    topic = Topic(**change["topic"])
    if topic.id in edit.state.topics:
        raise MisfitError(f"The topic {quoted(topic.name)} is there again.", topic=topic.id)
    if topic.parent is not None:
        _topic(edit, topic.parent)
    edit.add_topic(topic, change["at"])


def _remove_topic(edit: Edit, change: Mapping[str, Any]) -> None:
    then = Topic(**change["topic"])
    now, state = _topic(edit, then.id), edit.state
    if state.children_of(now.id) or state.members_of(now.id) or state.hints_of(now.id):
        raise MisfitError(f"{quoted(now.name)} is in use: it holds pages or subtopics by now.", topic=now.id)
    if now != then:
        raise MisfitError(f"{quoted(now.name)} has been changed since.", topic=now.id)
    edit.remove_topic(now.id)


def _set(edit: Edit, change: Mapping[str, Any]) -> None:
    topic, field = _topic(edit, change["topic"]), change["field"]
    if field == "suggested":
        _set_suggested(edit, topic, change["new"])
    elif getattr(topic, field) != change["old"]:
        raise MisfitError(f"The {field} of {quoted(topic.name)} has been changed since.", topic=topic.id)
    else:
        edit.set(topic.id, field, change["new"])


def _set_suggested(edit: Edit, topic: Topic, suggested: bool) -> None:
    """Accept with what is above; make it a suggestion again only where nobody uses it as a topic by now."""
    if not suggested:
        edit.accept_path(topic.id)
    elif not edit.state.members_of(topic.id) and all(
        edit.state.topics[child].suggested for child in edit.state.children_of(topic.id)
    ):
        edit.set(topic.id, "suggested", True)


def _place(edit: Edit, change: Mapping[str, Any]) -> None:
    topic = _topic(edit, change["topic"])
    parent, at = change["new"]
    if topic.parent != change["old"][0]:
        raise MisfitError(f"{quoted(topic.name)} has been moved since.", topic=topic.id)
    if parent is not None:
        _topic(edit, parent)
        if topic.id in edit.state.path(parent):
            raise MisfitError(f"What was above {quoted(topic.name)} lies below it by now.", topic=parent)
    edit.place(topic.id, parent, at)


def _altered(edit: Edit, change: Mapping[str, Any]) -> None:
    edit.altered(_topic(edit, change["topic"]).id)


def _note(edit: Edit, change: Mapping[str, Any]) -> None:
    if edit.state.notes.get(change["page"], "") != change["old"]:
        raise MisfitError(f"The note on page {quoted(change['page'])} has been changed since.", page=change["page"])
    edit.note(change["page"], change["new"])


def _put(edit: Edit, change: Mapping[str, Any]) -> None:
    """Back into the topic, except pages somebody has made outliers."""
    topic = _topic(edit, change["topic"]).id
    edit.put(topic, frozenset(change["pages"]) - edit.state.outliers - edit.state.members_of(topic))


def _make_outliers(edit: Edit, change: Mapping[str, Any]) -> None:
    """Outliers again, except pages somebody has placed."""
    edit.make_outliers(frozenset(change["pages"]) - edit.state.placed())


_FIT: dict[str, Callable[[Edit, Mapping[str, Any]], None]] = {
    "topic+": _add_topic,
    "topic-": _remove_topic,
    "set": _set,
    "place": _place,
    "altered": _altered,
    "in+": _put,
    "in-": lambda edit, change: edit.take(_topic(edit, change["topic"]).id, change["pages"]),
    "hint+": lambda edit, change: edit.hint(_topic(edit, change["topic"]).id, change["pages"]),
    "hint-": lambda edit, change: edit.take_hints(_topic(edit, change["topic"]).id, change["pages"]),
    "out+": _make_outliers,
    "out-": lambda edit, change: edit.clear_outliers(change["pages"]),
    "flag+": lambda edit, change: edit.flag(change["pages"]),
    "flag-": lambda edit, change: edit.unflag(change["pages"]),
    "note": _note,
    "seen": lambda edit, change: edit.seen(change["pages"]),
}
