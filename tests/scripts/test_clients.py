"""Several people at once: the stores of their browsers against the real server. Who clashes, and all come together."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.services import tokens
from annotations.drafting import to_json
from annotations.models import Collection, Draft, DraftEntry, Query
from annotations.selectors.drafts import states
from annotations.services.drafts import start
from qc4.gold.document import GoldDocument
from tests.annotations.drafting.conflict_cases import CASES
from tests.annotations.drafting.strategies import PAGE_LIST, broken_promises, furnished
from tests.scripts.node import run

pytestmark = pytest.mark.django_db(transaction=True)

PLAYED = [case for case in CASES if case.mine["kind"] != "suggest"]
"""Programs suggest; browsers ask the site to."""

Play = Callable[..., dict[str, Any]]


@pytest.fixture
def gold_documents() -> tuple[GoldDocument, ...]:
    """The collection's one query has the pages of `furnished`."""
    return (PAGE_LIST,)


@pytest.fixture
def query(collection: Collection) -> Query:
    return collection.queries.get()


@pytest.fixture
def play(live_server: LiveServer, owner: User, curator: User) -> Play:
    """``play(cases=.., sessions=..)``: what `clients.js` makes of them, Ana being `curator` and Bob `owner`."""
    secrets = {name: tokens.create(user, "a test")[1] for name, user in (("ana", curator), ("bob", owner))}

    def call(**given: list[dict[str, Any]]) -> dict[str, Any]:
        told = {"url": live_server.url, "tokens": secrets, "cases": [], "sessions": [], **given}
        played: dict[str, Any] = json.loads(run("clients.js", given=json.dumps(told)).stdout)
        return played

    return call


def begun(query: Query, user: User, name: str) -> Draft:
    return start(query=query, user=user, kind=Draft.Kind.SHARED, state=furnished(), started_from={}, name=name)


def shown(draft: Draft) -> dict[str, Any]:
    """The state that replaying the log gives, as browsers show it."""
    draft.refresh_from_db()
    state = states.replayed(draft, start=0).state
    assert broken_promises(state) == []
    return {key: value for key, value in to_json(state).items() if key not in {"touched", "changed"}}


def test_browsers_show_what_the_table_says_row_by_row(play: Play, query: Query, owner: User) -> None:
    rows = [(case, begun(query, owner, f"Row {number}")) for number, case in enumerate(PLAYED)]
    given = [{"draft": draft.pk, "theirs": case.theirs, "mine": case.mine} for case, draft in rows]
    for (case, draft), (ana, bob) in zip(rows, play(cases=given)["cases"], strict=True):
        assert ana["state"] == bob["state"] == shown(draft), case
        assert ana["revision"] == bob["revision"] == draft.revision == 2 - case.clashes, case
        label = DraftEntry.objects.get(draft=draft, revision=1).label
        reasons = [conflict["reason"] for conflict in ana["conflicts"]]
        expected = f"Meanwhile owner: {label} (r1). Look at what was changed, and do it again."
        assert reasons == [expected] * case.clashes, case


def test_random_sessions_of_several_browsers_come_together_and_lose_nothing(
    play: Play, query: Query, owner: User
) -> None:
    rows = [begun(query, owner, f"Session {seed}") for seed in range(12)]
    given = [{"draft": draft.pk, "seed": seed, "turns": 60} for seed, draft in enumerate(rows)]
    clashes = 0
    for draft, clients in zip(rows, play(sessions=given)["sessions"], strict=True):
        expected = shown(draft)
        ids = {str(entry.op_id) for entry in DraftEntry.objects.filter(draft=draft)}
        for client in clients:
            assert (client["state"], client["revision"]) == (expected, draft.revision), draft.name
            kept = {conflict["id"] for conflict in client["conflicts"]}
            assert set(client["done"]) <= ids | kept, draft.name
            assert not ids & kept, draft.name
            clashes += sum("Meanwhile" in conflict["reason"] for conflict in client["conflicts"])
        assert draft.revision > 10
    assert clashes > 10
