"""The state machine of the workspace's scripts does what the one on the server does: same states, same errors."""

from __future__ import annotations

import json
import random
from typing import Any

from annotations.drafts.state_machine import (
    DraftState,
    News,
    OperationError,
    apply,
    compile_batch,
    fitted,
    invert,
    label_of,
    progress,
    to_json,
)
from tests.drafts.concurrent_editors import Client, Server
from tests.drafts.strategies import KINDS, PAGES, STARTS, Step, broken_promises, furnished, operation
from tests.scripts.node import run


def drawn(rng: random.Random) -> list[Step]:
    """A batch of one operation, sometimes of two or three, of any kind."""
    return [
        Step(
            rng.choice(KINDS),
            rng.randrange(30),
            rng.randrange(30),
            rng.randrange(5),
            tuple(rng.sample(PAGES, rng.randint(1, 6))),
        )
        for _ in range(rng.choice((1, 1, 1, 2, 3)))
    ]


def refusal(error: OperationError) -> dict[str, Any]:
    return {"code": error.code, "message": error.message, "fix": error.fix, "index": error.index}


def one_step(state: DraftState, revision: int, operations: list[dict[str, Any]]) -> tuple[DraftState, dict[str, Any]]:
    """What the server does with a batch, as JSON."""
    try:
        changes = compile_batch(state, operations)
    except OperationError as error:
        return state, {"operations": operations, "error": refusal(error)}
    after = apply(state, changes, revision)
    told = {
        "label": label_of(state, operations),
        "changes": changes,
        "state": to_json(after),
        "progress": progress(after).to_dict(),
    }
    return after, {"operations": operations, **told}


def unseen(rng: random.Random, state: DraftState, steps: list[dict[str, Any]]) -> list[Any]:
    """What becomes of pages that somebody puts into a topic of earlier merges without knowing of these; often none."""
    merges = [
        {"revision": 0, "by": "ben", "label": "", "operations": step["operations"], "changes": step["changes"]}
        for step in steps
        if "changes" in step and any(each["kind"] == "merge" for each in step["operations"])
    ]
    gone = [topic for merge in merges for each in merge["operations"] for topic in each.get("topics", ())]
    if not gone:
        return []
    mine = [{"kind": rng.choice(("assign", "only")), "pages": rng.sample(PAGES, 2)}]
    topic = rng.choice(gone)
    mine[0] |= {"topics": [topic]} if mine[0]["kind"] == "assign" else {"topic": topic}
    news = News(state, merges, "ana")
    try:
        return [] if news.conflicting_entries(mine) else [mine, news.compiled(mine)[1]]
    except OperationError:
        return []


def undoing(state: DraftState, changes: list[dict[str, Any]]) -> dict[str, Any]:
    """What is left to undo of an old entry."""
    return {"changes": fitted(state, invert(changes)).changes}


def played(seed: int, length: int) -> dict[str, Any]:
    """A random session on the server's state machine: every batch with its outcome, and every undo at the end."""
    rng = random.Random(seed)
    state = start = rng.choice(STARTS)
    steps = []
    for revision in range(1, length + 1):
        batch = [operation(state, step, f"t{revision}-{number}") for number, step in enumerate(drawn(rng))]
        state, step = one_step(state, len(steps) + 1, batch)
        steps.append(step)
        if found := unseen(rng, state, steps):
            state = apply(state, found[1], len(steps) + 1)
            steps.append({"operations": found[0], "changes": found[1], "unseen": True, "state": to_json(state)})
    log = [step["changes"] for step in steps if "changes" in step]
    undos = [{"of": changes, **undoing(state, changes)} for changes in log]
    return {"seed": seed, "start": to_json(start), "steps": steps, "undos": undos}


def compare(sessions: list[dict[str, Any]]) -> dict[str, int]:
    """Fails where the scripts do something else; of how many undos the exact inverse applies, and of how many not."""
    found = json.loads(run("twins.js", given=json.dumps({"pages": PAGES, "sessions": sessions})).stdout)
    assert found["count"] == 0, json.dumps(found, indent=1, ensure_ascii=False)
    exacts: dict[str, int] = found["exacts"]
    return exacts


def test_random_sessions_end_alike_in_scripts_and_on_the_server() -> None:
    sessions = [played(seed, 12) for seed in range(300)]
    meant = [
        change["held"]
        for session in sessions
        for step in session["steps"]
        for change in step.get("changes", ())
        if change["c"] == "meant+"
    ]
    assert min(meant.count(False), meant.count(True)) > 20, "pages were meant for topics that were merged away"
    kinds = {
        each["kind"]
        for session in sessions
        for step in session["steps"]
        if "label" in step
        for each in step["operations"]
    }
    assert kinds == set(KINDS), "every kind of operation has to be carried out somewhere"
    assert min(compare(sessions).values()) > 500, "undo is tried where the exact inverse applies, and where it does not"


def two_editors(seed: int) -> dict[str, Any]:
    """Two people edit one draft, mostly offline; its log as a session, with what undoing each entry would do."""
    rng = random.Random(seed)
    start = rng.choice(STARTS)
    server, clients = Server(start), [Client("ana", start), Client("ben", start)]
    for number in range(30):
        client = rng.choice(clients)
        if rng.random() < 0.2:
            client.turn(rng.choice(("undo", "undo", "redo")))
        else:
            client.work(drawn(rng)[:1], number)
        if rng.random() < 0.25:
            client.sync(server)
    for client in (*clients, *clients):
        client.sync(server)
    assert clients[0].confirmed == clients[1].confirmed == server.state
    steps, state = [], start
    for entry in server.log:
        state = apply(state, entry["changes"], entry["revision"])
        assert broken_promises(state) == []
        steps.append({"operations": [], "changes": entry["changes"], "unseen": True, "state": to_json(state)})
    undos = [{"of": entry["changes"], **undoing(state, entry["changes"])} for entry in server.log]
    return {"seed": seed, "start": to_json(start), "steps": steps, "undos": undos}


def test_the_log_of_two_editors_leads_to_the_same_state_in_scripts_and_on_the_server() -> None:
    sessions = [two_editors(seed) for seed in range(150)]
    kinds = {change["c"] for session in sessions for step in session["steps"] for change in step["changes"]}
    assert kinds >= {"in+", "in-", "rest+", "rest-", "meant+", "meant-"}
    assert min(compare(sessions).values()) > 100


def test_more_topics_than_there_are_marks_have_the_same_marks_on_both() -> None:
    def added(first: int, last: int) -> list[dict[str, Any]]:
        return [{"kind": "add_topic", "topic": f"t{at}", "name": f"T{at}"} for at in range(first, last)]

    def gone(topic: str) -> dict[str, Any]:
        return {"kind": "delete_topic", "topic": topic, "children": "delete", "pages": "unplace"}

    state = start = STARTS[0]
    steps = []
    for revision, batch in enumerate((added(0, 30), [gone("t4"), gone("t9")], added(30, 40), added(4, 5)), 1):
        state, step = one_step(state, revision, batch)
        steps.append(step)
    assert state.marks["t32"] == 4, "all looks have been given: that of a topic that is gone is free"
    assert len(set(state.marks.values())) == len(state.marks)
    compare([{"seed": 0, "start": to_json(start), "steps": steps, "undos": []}])


REFUSED: list[Any] = [
    [{"kind": "assign", "pages": ["1"], "topics": ["ca'rs"]}],
    [{"kind": "assign", "pages": ["1"], "topics": ["cars"]}],
    [{"kind": "flag", "pages": ["1"]}, {"kind": "rename", "topic": "nobody", "name": "x"}],
    [{"kind": "add_topic", "topic": "cars", "name": "Again"}],
    [{"kind": "add_topic", "topic": "😀" * 200, "name": "🚗" * 200, "at": 0}],
    [{"kind": "add_topic", "topic": "__proto__", "name": "constructor"}],
    [{"kind": "rename", "topic": "cars", "name": "\u2003 \ufeffCars\u00a0"}],
    [{"kind": "rename", "topic": "cars", "name": "\u200bCars\u0085"}],
    [
        {"kind": "rename", "topic": "cars", "name": "Stra\u00dfe\u0301"},
        {"kind": "rename", "topic": "animals", "name": "STRASS\u00c9\u200b"},
    ],
    [{"kind": "rename", "topic": "cars", "name": "two\nlines"}],
    [{"kind": "rename", "topic": "cars", "name": '\u202e<b>"it\'s"'}],
    [{"kind": "rename", "topic": "cars", "name": ""}],
    [{"kind": "rename", "topic": "cars", "name": "n" * 201}],
    [{"kind": "describe", "topic": "cars", "text": "a\x00b"}],
    [{"kind": "describe", "topic": "cars", "text": "  two\nlines "}],
    [{"kind": "topic_note", "topic": "cars", "text": "x" * 10_001}],
    [{"kind": "step", "topic": "cars", "step": 0}],
    [{"kind": "step", "topic": "cars", "step": 1.5}],
    [{"kind": "step", "topic": "cars", "step": 99}],
    [{"kind": "step", "topic": "cars", "step": 99}, {"kind": "step", "topic": "dealers", "step": 2}],
    [{"kind": "step", "topic": "cars", "step": 99}, {"kind": "move", "topic": "zoo", "parent": "dealers"}],
    [{"kind": "move", "topic": "cars", "parent": "dealers"}],
    [{"kind": "merge", "topics": ["cars"], "into": "cars"}],
    [{"kind": "merge", "topics": ["cars"], "into": "racing"}],
    [{"kind": "split", "topic": "dealers", "into": [{"topic": "a", "name": "A", "pages": ["4"]}], "where": "children"}],
    [{"kind": "delete_topic", "topic": "cars", "children": "lift", "pages": "parent"}],
    [{"kind": "delete_topic", "topic": "cars", "children": "delete", "pages": {"topic": "racing"}}],
    [{"kind": "delete_topic", "topic": "cars", "children": "lift", "pages": {"topic": ""}}],
    [{"kind": "fill_other", "topic": "dealers"}],
]
"""What people can bring about at the screen, and what looks like it; some of it is carried out."""


def test_what_is_refused_is_refused_with_the_same_words() -> None:
    sessions = []
    for number, operations in enumerate(REFUSED):
        _, step = one_step(furnished(), 1, operations)
        sessions.append({"seed": number, "start": to_json(furnished()), "steps": [step], "undos": []})
    compare(sessions)
