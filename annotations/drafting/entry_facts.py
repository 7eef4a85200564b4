"""What a log entry did, as facts that can get in the way of what others do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Entry = Mapping[str, Any]
"""A log entry as clients get it; ``revision``, ``by``, ``label``, ``operations`` and ``changes`` are looked at."""

Fact = tuple[str | None, str]
"""What was changed: (topic, what), as in `annotations.drafting.conflicts.Row`; "joined" and "left" speak of its
children, None being above level 1. A page's note is (page, "remark")."""


def changed_facts(entry: Entry) -> set[Fact]:
    """Everything an entry changed."""
    return {fact for change in entry["changes"] for fact in _facts(change)}


def _facts(change: Mapping[str, Any]) -> list[Fact]:
    topic: Any = change.get("topic")
    match change["c"]:
        case "set":
            return [(topic, change["field"])]
        case "place":
            return [(topic, "place"), (change["old"][0], "left"), (change["new"][0], "joined")]
        case "topic+":
            return [(topic["id"], "added"), (topic["parent"], "joined")]
        case "topic-":
            return [(topic["id"], "gone"), (topic["parent"], "left")]
        case "in+" | "hint+":
            return [(topic, "pages" if change["c"] == "in+" else "hints")]
        case "note":
            return [(change["page"], "remark")]
    return []


def merges(entry: Entry) -> Iterator[tuple[str, str]]:
    """Each topic an entry merged away, with the one it went into."""
    for operation in entry["operations"] or ():
        if operation["kind"] == "merge":
            yield from ((topic, operation["into"]) for topic in operation["topics"] if topic != operation["into"])
