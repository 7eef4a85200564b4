"""Labels of log entries, shown in histories and on the undo button."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from annotations.drafts.state_machine.state import DraftState
from annotations.limits import LABEL_CHARS
from qc4.wording import clipped, counted

_NAME = 40
_NAMED = 3
"""Maximum number of operations in a label, and of topics of one operation."""

Names = Mapping[str, str]
Operation = Mapping[str, Any]


def label_of(state: DraftState, operations: Sequence[Operation]) -> str:
    """Return a short sentence for a batch; ``state`` is the state before it, for which the batch can be compiled."""
    names = {topic.id: _short(topic.name) for topic in state.topics.values()}
    for operation in operations:
        names |= _new_names(operation)
    first, *others = (_LABELS[each["kind"]](each, names) for each in operations[:_NAMED])
    left = len(operations) - _NAMED
    more = f" and {counted(left, 'more change')}" if left > 0 else ""
    told = ", then ".join([first, *(f"{other[:1].lower()}{other[1:]}" for other in others)])
    return clipped(told, LABEL_CHARS - len(more)) + more


def _short(name: str) -> str:
    return clipped(name, _NAME)


def _new_names(operation: Operation) -> dict[str, str]:
    """Return the names of the topics that an operation adds."""
    added = {"add_topic": [operation], "split": operation.get("into"), "suggest": operation.get("topics")}
    return {topic["topic"]: _short(topic["name"]) for topic in added.get(operation["kind"]) or ()}


def _pages(operation: Operation) -> str:
    return counted(len(set(operation["pages"])), "page")


def _several(topics: Sequence[str], names: Names) -> str:
    unique = list(dict.fromkeys(topics))
    left = len(unique) - _NAMED
    parts = [*(names[topic] for topic in unique[:_NAMED]), *([f"{left} more"] if left > 0 else [])]
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def _add_topic(operation: Operation, names: Names) -> str:
    below = f" to {names[operation['parent']]}" if operation.get("parent") is not None else ""
    return f"Add {names[operation['topic']]}{below}"


def _move(operation: Operation, names: Names) -> str:
    parent = operation.get("parent")
    return f"Move {names[operation['topic']]} {'to level 1' if parent is None else f'into {names[parent]}'}"


def _merge(operation: Operation, names: Names) -> str:
    sources = [topic for topic in operation["topics"] if topic != operation["into"]]
    return f"Merge {_several(sources, names)} into {names[operation['into']]}"


def _split(operation: Operation, names: Names) -> str:
    parts = ", ".join(names[part["topic"]] for part in operation["into"][:3])
    more = len(operation["into"]) - 3
    return f"Split {names[operation['topic']]} into {parts}{f' and {more} more' if more > 0 else ''}"


def _delete_topic(operation: Operation, names: Names) -> str:
    below = " and its subtopics" if operation["children"] == "delete" else ""
    return f"Delete {names[operation['topic']]}{below}"


def _step(operation: Operation, names: Names) -> str:
    levels = counted(operation["step"], "level")
    return f"Start the subtopics of {names[operation['topic']]} {levels} below"


def _outlier(operation: Operation, _names: Names) -> str:
    return f"Make {_pages(operation)} {'an outlier' if len(set(operation['pages'])) == 1 else 'outliers'}"


def _decided(verb: str) -> Callable[[Operation, Names], str]:
    def label(operation: Operation, names: Names) -> str:
        topics, hints = operation.get("topics") or (), operation.get("hints") or ()
        if topics:
            return f"{verb} suggested {_several(topics, names)}"
        number = sum(len(pages) for _, pages in hints)
        return f"{verb} {counted(number, 'suggestion')} for {_several([topic for topic, _ in hints], names)}"

    return label


_LABELS: dict[str, Callable[[Operation, Names], str]] = {
    "add_topic": _add_topic,
    "rename": lambda each, names: f"Rename {names[each['topic']]} to {_short(each['name'].strip())}",
    "describe": lambda each, names: f"Describe {names[each['topic']]}",
    "topic_note": lambda each, names: f"Note on {names[each['topic']]}",
    "move": _move,
    "promote": lambda each, names: f"Promote {names[each['topic']]}",
    "demote": lambda each, names: f"Demote {names[each['topic']]}",
    "reorder": lambda each, names: f"Reorder {names[each['topic']]}",
    "merge": _merge,
    "split": _split,
    "delete_topic": _delete_topic,
    "step": _step,
    "assign": lambda each, names: f"Put {_pages(each)} into {_several(each['topics'], names)}",
    "unassign": lambda each, names: f"Take {_pages(each)} out of {_several(each['topics'], names)}",
    "only": lambda each, names: f"Put {_pages(each)} only into {names[each['topic']]}",
    "outlier": _outlier,
    "clear_outlier": lambda each, names: f"Clear the outlier mark of {_pages(each)}",
    "flag": lambda each, names: f"Flag {_pages(each)}",
    "unflag": lambda each, names: f"Clear the flag of {_pages(each)}",
    "note": lambda each, names: f"Note on page {_short(each['page'])}",
    "seen": lambda each, names: f"Confirm {_pages(each)}",
    "suggest": lambda each, names: f"Suggestions from {_short(each['source'].strip())}",
    "accept": _decided("Accept"),
    "reject": _decided("Reject"),
    "accept_all": lambda each, names: "Accept all suggestions",
    "reject_all": lambda each, names: "Reject all suggestions",
    "fill_other": lambda each, names: f"Put the rest of {names[each['topic']]} into its topic for others",
    "rest_outliers": lambda each, names: "Make all pages without a topic outliers",
}
