"""What answers about topics do to the draft: take, leave out, unite, rename and move them."""

from __future__ import annotations

from annotations.agreement.concepts import SIDES, SideName, Symbol
from annotations.agreement.desk.questions import Decision
from annotations.agreement.desk.table import Operation, Table
from annotations.answers import About, Choice


def restructuring(table: Table, decision: Decision) -> list[Operation]:
    """The operations an answer about a topic, its name or its place stands for."""
    about, symbol = decision.subject.about, table.symbol_of(decision.subject)
    if about == About.NAME:
        return _rename(table, symbol, decision)
    if about == About.PARENT:
        return _move(table, symbol, decision.choice)
    if decision.choice == Choice.SAME:
        other = table.symbol_called(decision.other)
        return _unite(table, symbol, other) if other else []
    has_it = decision.choice.value in table.aligned_as[symbol].topics
    return _take(table, symbol) if has_it else _leave_out(table, symbol)


def _rename(table: Table, symbol: Symbol, decision: Decision) -> list[Operation]:
    name, topic_id = named(table, symbol, decision), table.topic_id(symbol)
    if topic_id not in table.state.topics or table.state.topics[topic_id].name == name:
        return []
    return [{"kind": "rename", "topic": topic_id, "name": name}]


def named(table: Table, symbol: Symbol, decision: Decision) -> str:
    """The name an answer gives a topic: a side's, or the one that was typed."""
    if decision.choice == Choice.TYPED:
        return decision.other
    name = as_side(decision.choice)
    return table.side(name).topic_names[table.aligned_as[symbol].topics[name]]


def as_side(choice: Choice) -> SideName:
    """The side whose answer a choice is."""
    return next(name for name in SIDES if name == choice)


def _move(table: Table, symbol: Symbol, choice: Choice) -> list[Operation]:
    name = as_side(choice)
    above = table.symbols.above(name, table.aligned_as[symbol].topics[name])
    parent, topic_id = above and table.topic_id(above), table.topic_id(symbol)
    if table.state.topics[topic_id].parent == parent:
        return []
    return [{"kind": "move", "topic": topic_id, "parent": parent}]


def _take(table: Table, symbol: Symbol) -> list[Operation]:
    """Add a topic where its side has it, and move what its side has in it from beside it into it."""
    if table.is_in_draft(symbol):
        return []
    side, topic_id = table.symbols.side(symbol.side), table.topic_id(symbol)
    topic, above = side.document.topics[symbol.topic], table.symbols.above(symbol.side, symbol.topic)
    parent = table.topic_id(above) if above else None
    add: Operation = {"kind": "add_topic", "topic": topic_id, "name": topic.name, "parent": parent}
    if isinstance(topic.extra.get("description"), str) and topic.extra["description"]:
        add["description"] = topic.extra["description"]
    inside = [child for child in _inside(table, symbol) if table.state.topics[child].parent == parent]
    return [add, *({"kind": "move", "topic": child, "parent": topic_id} for child in inside)]


def _inside(table: Table, symbol: Symbol) -> list[str]:
    """The draft's topics that would lie right below a topic of one side if it were there."""
    side = table.symbols.side(symbol.side)
    found = []
    for topic in range(side.n_topics):
        own = table.symbols.of(symbol.side, topic)
        steps = side.trail(topic)[:-1]
        between = steps[steps.index(symbol.topic) + 1 :] if symbol.topic in steps else None
        if between is None or own in table.symbols.skipped:
            continue
        if all(table.symbols.of(symbol.side, step) in table.symbols.skipped for step in between):
            found.append(table.topic_id(own))
    return found


def _leave_out(table: Table, symbol: Symbol) -> list[Operation]:
    """Delete a topic that was taken; its subtopics and pages go to what it lies in."""
    if not table.is_in_draft(symbol):
        return []
    topic_id = table.topic_id(symbol)
    pages = "unplace" if table.state.topics[topic_id].parent is None else "parent"
    return [{"kind": "delete_topic", "topic": topic_id, "children": "lift", "pages": pages}]


def _unite(table: Table, second: Symbol, first: Symbol) -> list[Operation]:
    """Two topics are the same: the earlier side's is taken, and holds what the other held."""
    taken = _take(table, first)
    if not table.is_in_draft(second):
        return taken
    return [*taken, {"kind": "merge", "topics": [table.topic_id(second)], "into": table.topic_id(first)}]
