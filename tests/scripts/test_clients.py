"""Several people edit at once: the stores of their browsers against the real server. They clash, and they converge."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.services import tokens
from annotations.drafts.selectors import states
from annotations.drafts.services import start
from annotations.drafts.state_machine import to_json
from annotations.models import Collection, Draft, DraftEntry, DraftLoss, Query
from qc4.model.gold_document import GoldDocument
from tests.drafts.conflict_cases import CASES
from tests.drafts.strategies import PAGE_LIST, broken_promises, furnished
from tests.profiles import is_whole, thorough
from tests.scripts.node import run

pytestmark = pytest.mark.django_db(transaction=True)

PLAYED = [case for case in CASES if case.mine["kind"] != "suggest"]
"""The cases without suggestions, which programs send and browsers do not."""

Play = Callable[..., dict[str, Any]]


@pytest.fixture
def gold_documents() -> tuple[GoldDocument, ...]:
    """The gold standard of the collection's one query, with the pages of `furnished`."""
    return (PAGE_LIST,)


@pytest.fixture
def query(collection: Collection) -> Query:
    return collection.queries.get()


@pytest.fixture
def play(live_server: LiveServer, owner: User, curator: User, adjudicator: User) -> Play:
    """A function that runs ``cases`` and ``sessions`` in `clients.js`. Ana is `curator`, Bob is `owner`."""
    people = (("ana", curator), ("bob", owner), ("cyd", adjudicator))
    secrets = {name: tokens.create(user, "a test")[1] for name, user in people}

    def call(**given: list[dict[str, Any]]) -> dict[str, Any]:
        payload = {"url": live_server.url, "tokens": secrets, "cases": [], "sessions": [], **given}
        played: dict[str, Any] = json.loads(run("clients.js", given=json.dumps(payload)).stdout)
        return played

    return call


def start_draft(query: Query, user: User, name: str) -> Draft:
    return start(query=query, user=user, kind=Draft.Kind.SHARED, state=furnished(), started_from={}, name=name)


def current_state(draft: Draft) -> dict[str, Any]:
    """Return the state that results from replaying the log, as browsers show it."""
    draft.refresh_from_db()
    state = states.replayed(draft, start=0).state
    assert broken_promises(state) == []
    return {key: value for key, value in to_json(state).items() if key not in {"touched", "changed"}}


@thorough("the table of conflicts, played by two browsers")
def test_browsers_resolve_every_case_of_the_conflict_table(play: Play, query: Query, owner: User) -> None:
    rows = [(case, start_draft(query, owner, f"Row {number}")) for number, case in enumerate(PLAYED)]
    given = [{"draft": draft.pk, "theirs": case.theirs, "mine": case.mine} for case, draft in rows]
    for (case, draft), (ana, bob) in zip(rows, play(cases=given)["cases"], strict=True):
        assert ana["state"] == bob["state"] == current_state(draft), case
        assert ana["revision"] == bob["revision"] == draft.revision == 2 - case.clashes, case
        label = DraftEntry.objects.get(draft=draft, revision=1).label
        reasons = [conflict["reason"] for conflict in ana["conflicts"]]
        expected = f"Meanwhile owner: {label} (r1). Check what changed, then try again."
        assert reasons == [expected] * case.clashes, case


def test_random_sessions_of_several_browsers_converge_and_lose_nothing(play: Play, query: Query, owner: User) -> None:
    """Two people edit a draft, one of them in two tabs."""
    rows = [start_draft(query, owner, f"Session {seed}") for seed in range(6 if is_whole() else 2)]
    people = ["ana", "bob", "ana"]
    given = [{"draft": draft.pk, "seed": seed, "turns": 60, "people": people} for seed, draft in enumerate(rows)]
    clashes = 0
    for draft, session in zip(rows, play(sessions=given)["sessions"], strict=True):
        clashes += assert_converged(draft, session["clients"])
    assert clashes >= len(rows)


def assert_converged(draft: Draft, clients: list[dict[str, Any]]) -> int:
    """Check that all clients show the same and that every action is in the log or a conflict. Count the clashes."""
    expected = current_state(draft)
    ids = {str(entry.op_id) for entry in DraftEntry.objects.filter(draft=draft)}
    for client in clients:
        assert (client["state"], client["revision"]) == (expected, draft.revision), draft.name
        kept = {conflict["id"] for conflict in client["conflicts"]}
        assert set(client["done"]) <= ids | kept, draft.name
        assert not ids & kept, draft.name
    assert draft.revision > 10
    return sum("Meanwhile" in conflict["reason"] for client in clients for conflict in client["conflicts"])


@thorough("random sessions of three people")
def test_random_sessions_of_three_people_with_deletes_merges_and_undo(
    play: Play, query: Query, owner: User, curator: User, adjudicator: User
) -> None:
    """The clients converge, nobody loses a placement without being notified, and undoing never gets stuck."""
    rows = [start_draft(query, owner, f"Rough {seed}") for seed in range(12)]
    facts = {"turns": 70, "people": ["ana", "bob", "cyd"], "rough": True}
    given = [{"draft": draft.pk, "seed": 100 + seed, **facts} for seed, draft in enumerate(rows)]
    names = {"ana": curator.pk, "bob": owner.pk, "cyd": adjudicator.pk}
    clashes, passed, losses = 0, 0, 0
    for draft, session in zip(rows, play(sessions=given)["sessions"], strict=True):
        end = session["clients"][0]["revision"]
        log = list(DraftEntry.objects.filter(draft=draft).order_by("revision"))
        clashes += sum(len(client["conflicts"]) for client in session["clients"])
        assert len({json.dumps(client["state"]) for client in session["clients"]}) == 1
        assert {client["revision"] for client in session["clients"]} == {end}
        knew = {id: revision for client in session["clients"] for id, revision in client["knew"].items()}
        assert_nothing_removed_unseen(log[:end], knew)
        lost = expected_losses(log)
        found = DraftLoss.objects.filter(draft=draft).values_list("user", "revision", "topic", "pages")
        assert {(user, at, topic): sorted(pages) for user, at, topic, pages in found} == lost, draft.name
        losses += len(lost)
        for client in session["presses"]:
            own = sum(entry.user_id == names[client["name"]] for entry in log[:end])
            assert (client["left"], client["presses"] <= own) == (None, True), client
            assert all(client["told"])
            passed += len(client["told"])
        current_state(draft)
    assert min(clashes, passed, losses) > 2, (clashes, passed, losses)


def assert_nothing_removed_unseen(log: list[DraftEntry], knew: dict[str, int]) -> None:
    """Check that people removed other people's placements (including outliers) only if they had seen them."""
    placed: dict[tuple[str | None, str], DraftEntry] = {}
    for entry in log:
        for change in entry.changes:
            for page in change.get("pages", ()):
                where = (change.get("topic"), page)
                if change["c"] in {"in-", "out-"} and (by := placed.pop(where, None)) and by.user_id != entry.user_id:
                    assert by.revision <= knew[str(entry.op_id)], (str(by), str(entry), where)
                elif change["c"] in {"in+", "out+"}:
                    placed[where] = entry


def expected_losses(log: list[DraftEntry]) -> dict[tuple[int, int, str], list[str]]:
    """Return (user, revision, topic) -> pages of the user in topics that others deleted, from the whole log."""
    placed: dict[tuple[str, str], int] = {}
    found: dict[tuple[int, int, str], list[str]] = {}
    for entry in log:
        merged = {t for each in entry.operations or () if each["kind"] == "merge" for t in each["topics"]}
        deleted = {change["topic"]["id"] for change in entry.changes if change["c"] == "topic-"} - merged
        came = {page for change in entry.changes if change["c"] == "in+" for page in change["pages"]}
        for change in entry.changes:
            if change["c"] == "in-" and change["topic"] in deleted:
                for page in change["pages"]:
                    user = placed.get((page, change["topic"]))
                    if user not in (None, entry.user_id) and (entry.operations is not None or page not in came):
                        found.setdefault((user, entry.revision, change["topic"]), []).append(page)
        if entry.operations is not None:
            placed |= {
                (page, change["topic"]): entry.user_id
                for change in entry.changes
                if change["c"] == "in+" or (change["c"] == "meant+" and not change["held"])
                for page in change["pages"]
            }
    return {key: sorted(pages) for key, pages in found.items()}
