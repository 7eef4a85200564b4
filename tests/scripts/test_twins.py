"""The state machine of the workspace's scripts gives the same states and errors as the one on the server."""

from __future__ import annotations

import json
import random
from typing import Any

from annotations.drafts.state_machine import (
    DraftState,
    OperationError,
    UnseenEntries,
    apply,
    compile_batch,
    invert,
    label_of,
    progress,
    rebase_changes,
    to_json,
)
from tests.drafts.concurrent_editors import Client, Server
from tests.drafts.strategies import KINDS, PAGES, STARTS, Step, broken_promises, furnished, operation
from tests.scripts.node import run


def random_batch(rng: random.Random) -> list[Step]:
    """Draw a batch of one operation, sometimes two or three, of any kind."""
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


def error_json(error: OperationError) -> dict[str, Any]:
    return {"code": error.code, "message": error.message, "fix": error.fix, "index": error.index}


def apply_batch(
    state: DraftState, revision: int, operations: list[dict[str, Any]]
) -> tuple[DraftState, dict[str, Any]]:
    """Apply a batch on the server. Return the new state and the outcome as JSON."""
    try:
        changes = compile_batch(state, operations)
    except OperationError as error:
        return state, {"operations": operations, "error": error_json(error)}
    after = apply(state, changes, revision)
    outcome = {
        "label": label_of(state, operations),
        "changes": changes,
        "state": to_json(after),
        "progress": progress(after).to_dict(),
    }
    return after, {"operations": operations, **outcome}


def unseen_placement(rng: random.Random, state: DraftState, steps: list[dict[str, Any]]) -> list[Any]:
    """Draw an operation on a topic that was merged away unseen, with its changes; often there is none."""
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
    news = UnseenEntries(state, merges, "ana")
    try:
        return [] if news.conflicting_entries(mine) else [mine, news.compiled(mine)[1]]
    except OperationError:
        return []


def undo_changes(state: DraftState, changes: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the changes that undo an old entry in the current state."""
    return {"changes": rebase_changes(state, invert(changes)).changes}


def random_session(seed: int, length: int) -> dict[str, Any]:
    """Play a random session on the server's state machine. Return every batch with its outcome, and all undos."""
    rng = random.Random(seed)
    state = start = rng.choice(STARTS)
    steps = []
    for revision in range(1, length + 1):
        batch = [operation(state, step, f"t{revision}-{number}") for number, step in enumerate(random_batch(rng))]
        state, step = apply_batch(state, len(steps) + 1, batch)
        steps.append(step)
        if found := unseen_placement(rng, state, steps):
            state = apply(state, found[1], len(steps) + 1)
            steps.append({"operations": found[0], "changes": found[1], "unseen": True, "state": to_json(state)})
    log = [step["changes"] for step in steps if "changes" in step]
    undos = [{"of": changes, **undo_changes(state, changes)} for changes in log]
    return {"seed": seed, "start": to_json(start), "steps": steps, "undos": undos}


def compare_with_scripts(sessions: list[dict[str, Any]]) -> dict[str, int]:
    """Check that the scripts give the same results. Count the undos with and without an exact inverse."""
    found = json.loads(run("twins.js", given=json.dumps({"pages": PAGES, "sessions": sessions})).stdout)
    assert found["count"] == 0, json.dumps(found, indent=1, ensure_ascii=False)
    exacts: dict[str, int] = found["exacts"]
    return exacts


def test_random_sessions_give_the_same_states_in_scripts_and_on_the_server() -> None:
    sessions = [random_session(seed, 12) for seed in range(300)]
    meant = [
        change["held"]
        for session in sessions
        for step in session["steps"]
        for change in step.get("changes", ())
        if change["c"] == "meant+"
    ]
    assert min(meant.count(False), meant.count(True)) > 20, "pages must be sent to topics that were merged away"
    kinds = {
        each["kind"]
        for session in sessions
        for step in session["steps"]
        if "label" in step
        for each in step["operations"]
    }
    assert kinds == set(KINDS), "every kind of operation must occur"
    assert min(compare_with_scripts(sessions).values()) > 500, "undo must be tried with and without an exact inverse"


def two_editors(seed: int) -> dict[str, Any]:
    """Let two people edit one draft, mostly offline. Return its log as a session, with the undo of each entry."""
    rng = random.Random(seed)
    start = rng.choice(STARTS)
    server, clients = Server(start), [Client("ana", start), Client("ben", start)]
    for number in range(30):
        client = rng.choice(clients)
        if rng.random() < 0.2:
            client.turn(rng.choice(("undo", "undo", "redo")))
        else:
            client.work(random_batch(rng)[:1], number)
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
    undos = [{"of": entry["changes"], **undo_changes(state, entry["changes"])} for entry in server.log]
    return {"seed": seed, "start": to_json(start), "steps": steps, "undos": undos}


def test_log_of_two_editors_gives_the_same_state_in_scripts_and_on_the_server() -> None:
    sessions = [two_editors(seed) for seed in range(150)]
    kinds = {change["c"] for session in sessions for step in session["steps"] for change in step["changes"]}
    assert kinds >= {"in+", "in-", "rest+", "rest-", "meant+", "meant-"}
    assert min(compare_with_scripts(sessions).values()) > 100


def test_reused_topic_marks_are_the_same_in_scripts_and_on_the_server() -> None:
    def added(first: int, last: int) -> list[dict[str, Any]]:
        return [{"kind": "add_topic", "topic": f"t{at}", "name": f"T{at}"} for at in range(first, last)]

    def gone(topic: str) -> dict[str, Any]:
        return {"kind": "delete_topic", "topic": topic, "children": "delete", "pages": "unplace"}

    state = start = STARTS[0]
    steps = []
    for revision, batch in enumerate((added(0, 30), [gone("t4"), gone("t9")], added(30, 40), added(4, 5)), 1):
        state, step = apply_batch(state, revision, batch)
        steps.append(step)
    assert state.marks["t32"] == 4, "all marks are in use, so the mark of a deleted topic is used again"
    assert len(set(state.marks.values())) == len(state.marks)
    compare_with_scripts([{"seed": 0, "start": to_json(start), "steps": steps, "undos": []}])


REJECTED: list[Any] = [
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
"""Batches that people could cause on the page, and similar ones. The server rejects most of them."""


def test_rejected_batches_have_the_same_error_messages() -> None:
    sessions = []
    for number, operations in enumerate(REJECTED):
        _, step = apply_batch(furnished(), 1, operations)
        sessions.append({"seed": number, "start": to_json(furnished()), "steps": [step], "undos": []})
    compare_with_scripts(sessions)
