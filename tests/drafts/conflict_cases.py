"""Cases for each row of the conflict table: an entry that somebody missed, and the operation they then send.

Tested with the server's rules alone (`test_draft_conflicts.py`) and with the stores of two browsers
(`tests/scripts/test_clients.py`). All cases start from `strategies.furnished`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Operation = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """``theirs`` is in the log when ``mine`` arrives, which was made before. ``becomes``: resulting fields."""

    theirs: Operation
    mine: Operation
    clashes: bool
    becomes: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.mine['kind']}-{'clashes' if self.clashes else 'passes'}-{self.theirs['kind']}"


def op(kind: str, **fields: Any) -> Operation:
    return {"kind": kind, **fields}


def delete(topic: str, children: str = "lift", pages: Any = "unplace") -> Operation:
    return op("delete_topic", topic=topic, children=children, pages=pages)


def split(topic: str) -> Operation:
    return op("split", topic=topic, into=[{"topic": "x", "name": "X", "pages": []}], where="children")


RENAME = op("rename", topic="dealers", name="Shops")
DESCRIBE = op("describe", topic="dealers", text="Who sells")
NOTE = op("topic_note", topic="dealers", text="Ask Ana")
STEP = op("step", topic="dealers", step=2)
MOVE = op("move", topic="dealers", parent="animals")
MERGE = op("merge", topics=["dealers"], into="racing")
DELETE = delete("dealers", pages="parent")
ASSIGN = op("assign", pages=["7"], topics=["dealers"])
TAKE_OUT = op("unassign", pages=["2"], topics=["dealers"])
ADD_BELOW = op("add_topic", topic="vans", name="Vans", parent="dealers")
ADD_BESIDE = op("add_topic", topic="vans", name="Vans", parent="cars", at=0)


def clash(theirs: Operation, mine: Operation) -> Case:
    return Case(theirs, mine, clashes=True)


def passes(theirs: Operation, mine: Operation, **becomes: Any) -> Case:
    return Case(theirs, mine, clashes=False, becomes=becomes)


CASES = [
    clash(DELETE, op("add_topic", topic="new", name="New", parent="dealers")),
    passes(RENAME, op("add_topic", topic="new", name="New", parent="dealers")),
    passes(MERGE, op("add_topic", topic="new", name="New", parent="dealers"), parent="racing"),
    clash(RENAME, op("rename", topic="dealers", name="Sellers")),
    clash(MERGE, op("rename", topic="dealers", name="Sellers")),
    passes(DESCRIBE, op("rename", topic="dealers", name="Sellers")),
    clash(DESCRIBE, op("describe", topic="dealers", text="Garages")),
    passes(RENAME, op("describe", topic="dealers", text="Garages")),
    clash(NOTE, op("topic_note", topic="dealers", text="Ask Bob")),
    passes(DESCRIBE, op("topic_note", topic="dealers", text="Ask Bob")),
    clash(STEP, op("step", topic="dealers", step=3)),
    passes(RENAME, op("step", topic="dealers", step=3)),
    clash(MOVE, op("move", topic="dealers", parent=None)),
    clash(DELETE, op("move", topic="animals", parent="dealers")),
    passes(RENAME, op("move", topic="dealers", parent="animals")),
    passes(MERGE, op("move", topic="animals", parent="dealers"), parent="racing"),
    clash(op("reorder", topic="dealers", at=1), op("promote", topic="dealers")),
    passes(ADD_BESIDE, op("promote", topic="dealers")),
    clash(ADD_BESIDE, op("demote", topic="racing")),
    passes(op("add_topic", topic="vans", name="Vans", parent=None), op("demote", topic="racing")),
    clash(MOVE, op("reorder", topic="dealers", at=1)),
    passes(ADD_BESIDE, op("reorder", topic="racing", at=0)),
    clash(RENAME, op("merge", topics=["dealers"], into="animals")),
    clash(MERGE, op("merge", topics=["dealers"], into="animals")),
    clash(delete("racing"), op("merge", topics=["dealers"], into="racing")),
    passes(op("rename", topic="animals", name="Beasts"), op("merge", topics=["dealers"], into="animals")),
    clash(ASSIGN, op("merge", topics=["dealers"], into="animals")),
    clash(ASSIGN, op("merge", topics=["cars"], into="animals")),
    passes(ASSIGN, op("merge", topics=["animals"], into="dealers")),
    clash(ASSIGN, op("move", topic="cars", parent="animals")),
    passes(ASSIGN, op("reorder", topic="dealers", at=1)),
    clash(ASSIGN, op("promote", topic="dealers")),
    clash(op("assign", pages=["7"], topics=["racing"]), op("demote", topic="racing")),
    clash(op("merge", topics=["animals"], into="dealers"), delete("dealers")),
    clash(op("accept", hints=[["racing", ["7"]]]), delete("cars", "delete")),
    clash(op("accept", hints=[["racing", ["7"]]]), op("outlier", pages=["7"])),
    clash(op("assign", pages=["1"], topics=["racing"]), op("unassign", pages=["1"], topics=["cars"])),
    clash(ASSIGN, op("only", pages=["7"], topic="racing")),
    passes(ASSIGN, op("only", pages=["7", "6"], topic="racing"), pages=["6"]),
    passes(ASSIGN, op("outlier", pages=["7", "6"]), pages=["6"]),
    passes(MERGE, op("merge", topics=["animals"], into="dealers"), into="racing"),
    passes(MERGE, op("merge", topics=["dealers", "animals"], into="racing"), topics=["animals"]),
    clash(DESCRIBE, split("dealers")),
    clash(ASSIGN, split("dealers")),
    passes(TAKE_OUT, split("dealers")),
    clash(RENAME, delete("dealers")),
    clash(ASSIGN, delete("dealers")),
    clash(ASSIGN, delete("cars", "delete")),
    clash(ADD_BELOW, delete("cars", "delete")),
    clash(delete("racing"), delete("dealers", pages={"topic": "racing"})),
    clash(ASSIGN, delete("cars")),
    passes(TAKE_OUT, delete("cars")),
    passes(TAKE_OUT, delete("dealers")),
    passes(MERGE, delete("animals", pages={"topic": "dealers"}), pages={"topic": "racing"}),
    clash(DELETE, ASSIGN),
    passes(RENAME, ASSIGN),
    passes(MERGE, ASSIGN, topics=["racing"]),
    clash(MERGE, op("unassign", pages=["3"], topics=["dealers"])),
    passes(ASSIGN, op("unassign", pages=["3"], topics=["dealers"])),
    clash(DELETE, op("only", pages=["7"], topic="dealers")),
    passes(MERGE, op("only", pages=["7"], topic="dealers"), topic="racing"),
    clash(delete("racing"), op("suggest", source="s", hints=[["racing", ["4"]]])),
    passes(MERGE, op("suggest", source="s", hints=[["dealers", ["4"]]]), hints=[["racing", ["4"]]]),
    clash(delete("racing"), op("accept", hints=[["racing", ["1"]]])),
    passes(
        op("merge", topics=["racing"], into="dealers"),
        op("accept", hints=[["racing", ["1"]]]),
        hints=[["dealers", ["1"]]],
    ),
    passes(op("merge", topics=["zoo"], into="racing"), op("accept", topics=["zoo"]), topics=["racing"]),
    clash(delete("zoo"), op("reject", topics=["zoo"])),
    clash(delete("zoo"), op("reject", hints=[["zoo", ["4"]]])),
    clash(op("rename", topic="zoo", name="Parks"), op("reject", topics=["zoo"])),
    passes(op("rename", topic="zoo", name="Parks"), op("reject", hints=[["zoo", ["4"]]])),
    clash(op("describe", topic="zoo", text="Parks"), op("reject_all")),
    passes(RENAME, op("reject_all")),
    clash(op("note", page="3", text="Theirs"), op("note", page="3", text="Mine")),
    passes(op("note", page="3", text="Theirs"), op("note", page="4", text="Mine")),
    clash(op("merge", topics=["cars"], into="animals"), op("fill_other", topic="cars")),
    passes(op("rename", topic="cars", name="Vehicles"), op("fill_other", topic="cars")),
]
