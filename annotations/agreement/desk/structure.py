"""What answers about topics do to the draft: take, leave out, unite, rename and move them."""

from __future__ import annotations

from annotations.agreement.desk.questions import About, Choice, Decision
from annotations.agreement.desk.table import Operation, Table
from annotations.agreement.placements import Symbol


def restructuring(table: Table, decision: Decision) -> list[Operation]:
    """The operations an answer about a topic, its name or its place stands for."""
    about, side = decision.subject.about, decision.subject.side
    own = table.first if side == "first" else table.second
    topic = own.topic_ids.index(decision.subject.key)
    if about == About.NAME:
        return _rename(table, topic, decision.choice)
    if about == About.PARENT:
        return _move(table, topic, decision.choice)
    symbol = Symbol(side, topic)
    if decision.choice == Choice.SAME:
        return _unite(table, symbol, Symbol("first", table.first.topic_ids.index(decision.other)))
    return _take(table, symbol) if decision.choice.value == side else _leave_out(table, symbol)


def _rename(table: Table, topic: int, choice: Choice) -> list[Operation]:
    names = table.first.topic_names[topic], table.second.topic_names[table.aligned.second_of[topic]]
    name, topic_id = names[choice == Choice.SECOND], table.first.topic_ids[topic]
    if topic_id not in table.state.topics or table.state.topics[topic_id].name == name:
        return []
    return [{"kind": "rename", "topic": topic_id, "name": name}]


def _move(table: Table, topic: int, choice: Choice) -> list[Operation]:
    second = table.aligned.second_of[topic]
    above = table.symbols.above("first", topic) if choice == Choice.FIRST else table.symbols.above("second", second)
    parent, topic_id = above and table.topic_id(above), table.first.topic_ids[topic]
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
    """Two topics without a partner are the same: the first side's is taken, and holds what the other held."""
    taken = _take(table, first)
    if not table.is_in_draft(second):
        return taken
    return [*taken, {"kind": "merge", "topics": [table.topic_id(second)], "into": table.topic_id(first)}]
