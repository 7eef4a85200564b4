"""Drafts through the API: starting, editing, undo, conflicts and blindness."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any
from unittest import mock
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.selectors import states
from annotations.limits import UNSEEN_SPANS
from annotations.models import Adjudication, Collection, CommentThread, Draft, DraftEntry, DraftPresence, Page
from evaluation.models import Submission
from tests.fixtures.api import Api, changed_gold, error
from tests.rate_limits import set_rates
from tests.trigger_bypass import unguarded

Operation = dict[str, Any]


@pytest.fixture
def place(collection_url: str) -> str:
    """The URL at which drafts of query ``mercury`` are started and listed."""
    return f"{collection_url}/queries/mercury/drafts"


def started(client: APIClient, place: str, **given: Any) -> int:
    """Start a draft and return its id."""
    answer = client.post(place, given, format="json")
    assert answer.status_code == 201, answer.content
    number: int = answer.json()["id"]
    assert answer["Location"].endswith(f"/api/v1/drafts/{number}")
    return number


def send(client: APIClient, draft: int, base: int, *operations: Operation, **more: Any) -> Any:
    """Send operations (or ``undo=``, ``redo=``) with a new id and return the response."""
    body: dict[str, Any] = {"id": str(uuid.uuid4()), "base": base} | more
    if operations:
        body["operations"] = list(operations)
    return client.post(f"/api/v1/drafts/{draft}/operations", body, format="json")


def done(client: APIClient, draft: int, base: int, *operations: Operation, **more: Any) -> dict[str, Any]:
    answer = send(client, draft, base, *operations, **more)
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def state(client: APIClient, draft: int) -> dict[str, Any]:
    answer = client.get(f"/api/v1/drafts/{draft}")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()["state"]
    return found


def add(topic: str, name: str, parent: str | None = None) -> Operation:
    return {"kind": "add_topic", "topic": topic, "name": name, "parent": parent}


def assign(topic: str, *pages: str) -> Operation:
    return {"kind": "assign", "pages": list(pages), "topics": [topic]}


def test_build_hierarchy_from_empty_draft(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place)
    first = done(client, draft, 0, add("cars", "Cars"), add("racing", "Racing", "cars"), assign("racing", "p1", "p2"))
    assert (first["revision"], first["entries"][-1]["by"]) == (1, "curator")
    assert first["undo"] == {"revision": 1, "label": first["entries"][0]["label"]}
    assert state(client, draft)["members"] == {"racing": ["p1", "p2"]}
    document = json.loads(client.get(f"/api/v1/drafts/{draft}/document").content)
    assert [(topic["id"], topic["parent"], topic["level"], topic["pages"]) for topic in document["topics"]] == [
        ("cars", None, 1, []),
        ("racing", "cars", 2, ["p1", "p2"]),
    ]


# --- Starting ---------------------------------------------------------------------------------------------------------


def test_draft_from_gold_exports_the_same_bytes(api: Api, curator: User, place: str, gold_file: bytes) -> None:
    client = api(curator)
    draft = started(client, place, start={"from": "gold", "version": 1}, name="Second look")
    answer = client.get(f"/api/v1/drafts/{draft}/document")
    assert json.loads(answer.content)["topics"][0]["name"] == "Planet"
    again = started(client, place, start={"from": "document", "document": json.loads(answer.content)})
    assert client.get(f"/api/v1/drafts/{again}/document").content == answer.content
    assert client.get(f"/api/v1/drafts/{draft}").json()["draft"]["name"] == "Second look"


def test_start_from_another_draft(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    first = started(client, place, kind="shared")
    done(client, first, 0, add("cars", "Cars"), assign("cars", "p1"))
    second = started(client, place, start={"from": "draft", "draft": first})
    assert state(client, second)["members"] == {"cars": ["p1"]}
    words = client.get(f"/api/v1/drafts/{second}").json()["draft"]["started_from"]["words"]
    assert words == "the draft 'shared' at r1"


def test_start_from_clusters_as_suggestions(api: Api, curator: User, place: str, scored: Submission) -> None:
    client = api(curator)
    draft = client.post(f"{place}/from-clustering", {"submission": scored.pk}, format="json").json()["id"]
    found = state(client, draft)
    assert [topic["suggested"] for topic in found["topics"]] == [True, True, True]
    assert sorted(map(len, found["hints"].values())) == [2, 3, 3]
    assert found["members"] == {}
    document = json.loads(client.get(f"/api/v1/drafts/{draft}/document").content)
    assert document["topics"] == [], "suggestions are not in the document"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"start": {"from": "gold", "version": 9}}, "unknown-gold-version"),
        ({"start": {"from": "gold"}}, "required"),
        ({"start": {"from": "draft", "draft": 99}}, "unknown-draft"),
        ({"start": {"from": "moon"}}, "invalid-choice"),
        ({"start": {"from": "document", "document": {"format": "qc4-gold/1"}}}, None),
        ({"kind": "adjudication"}, "invalid-choice"),
        ({"nmae": "x"}, "unknown-option"),
        ({"name": "x" * 201}, "max-length"),
        ({"name": "two\nlines"}, "bad-name"),
        ({"name": "x\0"}, None),
    ],
)
def test_invalid_start_returns_reason(
    api: Api, curator: User, place: str, body: dict[str, Any], code: str | None
) -> None:
    told = error(api(curator).post(place, body, format="json"), 400)
    assert code is None or code in {problem["code"] for problem in told["problems"]}
    assert not Draft.objects.exists()


def test_document_with_other_pages_is_rejected(api: Api, curator: User, place: str) -> None:
    document = json.loads(changed_gold())
    document["pages"].append({"id": "p99"})
    told = error(api(curator).post(place, {"start": {"from": "document", "document": document}}, format="json"), 400)
    assert {problem["code"] for problem in told["problems"]} == {"unknown-page"}


# --- Undo, redo, repetition -------------------------------------------------------------------------------------------


def test_batch_is_undone_and_redone_as_one(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place, start={"from": "gold", "version": 1})
    before = state(client, draft)
    merged = done(client, draft, 0, {"kind": "merge", "topics": ["outboard"], "into": "space"}, assign("space", "p8"))
    after = state(client, draft)
    undone = done(client, draft, 1, undo=1)
    assert undone["entries"][-1]["undoes"] == 1
    assert undone["undo"] is None
    assert undone["redo"]["revision"] == 2
    back = state(client, draft)
    assert {**back, "touched": {}, "changed": {}, "marks": {}} == {**before, "touched": {}, "changed": {}, "marks": {}}
    redone = done(client, draft, 2, redo=2)
    assert redone["undo"]["label"].removeprefix("Redo: ") == merged["undo"]["label"]
    assert {**state(client, draft), "touched": {}, "changed": {}, "marks": {}} == {
        **after,
        "touched": {},
        "changed": {},
        "marks": {},
    }
    undone_again = done(client, draft, 3, undo=3)
    assert undone_again["redo"]["revision"] == 4


def test_new_work_clears_redo(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place)
    done(client, draft, 0, add("cars", "Cars"))
    done(client, draft, 1, undo=1)
    assert done(client, draft, 2, add("boats", "Boats"))["redo"] is None
    assert error(send(client, draft, 3, redo=2), 422)["code"] == "not-the-latest-redo"


def test_each_person_undoes_only_their_own_steps(api: Api, curator: User, owner: User, place: str) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("cars", "Cars"))
    done(second, draft, 1, add("boats", "Boats"))
    assert error(send(first, draft, 2, undo=2), 422)["code"] == "not-the-latest-undo"
    done(first, draft, 2, undo=1)
    assert [topic["id"] for topic in state(first, draft)["topics"]] == ["boats"]


def test_impossible_undo_is_skipped_once_and_names_the_person_responsible(
    api: Api, curator: User, owner: User, place: str
) -> None:
    """Pages are put into two topics, one of which is then deleted, and then only into a topic that others use."""
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("oat", "Oat"), add("rye", "Rye"))
    done(first, draft, 1, {"kind": "assign", "pages": ["p1", "p2"], "topics": ["oat", "rye"]})
    done(first, draft, 2, assign("oat", "p3"))
    done(second, draft, 3, assign("rye", "p4"))
    done(second, draft, 4, {"kind": "delete_topic", "topic": "oat", "children": "lift", "pages": "unplace"})
    gone = {"message": "'Oat' no longer exists (owner: Delete Oat).", "by": "owner", "revision": 5}

    answer = done(first, draft, 5, undo=3)
    assert [(each["label"], each["changes"], each["skipped"]) for each in answer["entries"]] == [
        ("Could not undo: Put 1 page into Oat", [], [gone])
    ]
    assert (answer["undo"]["revision"], answer["redo"]) == (2, None), "skipped, with nothing to redo"
    [entry] = done(first, draft, 6, undo=2)["entries"]
    assert entry["changes"] == [{"c": "in-", "topic": "rye", "pages": ["p1", "p2"]}]
    assert (entry["label"], entry["skipped"]) == ("Undo: Put 2 pages into Oat and Rye", [gone])
    answer = done(first, draft, 7, undo=1)
    used = "'Rye' stays because it now holds pages or subtopics (owner: Put 1 page into Rye)."
    assert [each["message"] for each in answer["entries"][-1]["skipped"]] == [used, gone["message"]]
    assert (answer["undo"], answer["redo"]["revision"]) == (None, 7)
    assert state(first, draft)["members"] == {"rye": ["p4"]}

    # Redo also applies the part that is still possible, and then nothing.
    done(second, draft, 8, {"kind": "delete_topic", "topic": "rye", "children": "lift", "pages": "unplace"})
    answer = done(first, draft, 9, redo=7)
    assert (answer["entries"][-1]["changes"], answer["undo"], answer["redo"]) == ([], None, None)
    assert answer["entries"][-1]["label"] == "Could not redo: Put 2 pages into Oat and Rye"
    told = first.get(f"/api/v1/drafts/{draft}/history").json()["results"]
    assert told[0]["skipped"][0]["message"] == "'Rye' no longer exists (owner: Delete Rye)."
    with mock.patch.object(states, "_MEMORY", states._Memory()):
        after_restart = first.get(f"/api/v1/drafts/{draft}").json()
    assert (after_restart["undo"], after_restart["redo"]) == (None, None)


def test_undoing_a_change_that_others_undid_reports_it(api: Api, curator: User, owner: User, place: str) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("oat", "Oat"))
    done(first, draft, 1, assign("oat", "p1"))
    done(second, draft, 2, {"kind": "unassign", "pages": ["p1"], "topics": ["oat"]})
    [entry] = done(first, draft, 3, undo=2)["entries"]
    assert entry["changes"] == []
    message = "This is already the case (owner: Take 1 page out of Oat)."
    assert entry["skipped"] == [{"message": message, "by": "owner", "revision": 3}]


def test_pages_put_into_merged_topic_return_when_merge_is_undone(
    api: Api, curator: User, owner: User, place: str
) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("oat", "Oat"), add("rye", "Rye"), add("corn", "Corn", "rye"))
    done(first, draft, 1, assign("oat", "p1"), assign("rye", "p2"))
    done(second, draft, 2, {"kind": "merge", "topics": ["oat"], "into": "rye"})

    [_, entry] = done(first, draft, 2, assign("oat", "p3", "p4"))["entries"]
    meant = {"c": "meant+", "topic": "oat", "name": "Oat", "into": "rye"}
    assert entry["label"] == "Put 2 pages into Rye"
    assert entry["changes"] == [
        {"c": "in+", "topic": "rye", "pages": ["p3", "p4"]},
        meant | {"held": False, "pages": ["p3", "p4"]},
    ]
    [*_, entry] = done(first, draft, 2, assign("oat", "p2"), unseen=[])["entries"]
    assert entry["changes"] == [meant | {"held": True, "pages": ["p2"]}], (
        "Rye already held it, and Oat must hold it too"
    )
    assert state(second, draft)["members"] == {"rye": ["p1", "p2", "p3", "p4"]}
    done(second, draft, 5, assign("corn", "p4"))
    done(second, draft, 6, undo=6)

    [entry] = done(second, draft, 7, undo=3)["entries"]
    assert entry["skipped"] == []
    assert state(first, draft)["members"] == {"oat": ["p1", "p2", "p3", "p4"], "rye": ["p2"]}
    assert state(first, draft)["meant"] == {}
    done(second, draft, 8, {"kind": "delete_topic", "topic": "oat", "children": "lift", "pages": "unplace"})
    [loss] = first.get(f"/api/v1/drafts/{draft}/losses").json()["results"]
    assert loss["pages"] == ["p1", "p3", "p4"], "the pages that she put there or intended for it"


def test_all_pages_of_deleted_topic_are_reported_as_lost(api: Api, curator: User, owner: User, place: str) -> None:
    """Another subtopic holds p2, so the log removes p1 and p2 from the topic in two changes of one entry."""
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("grain", "Grain"), add("oat", "Oat", "grain"), add("rye", "Rye", "grain"))
    done(first, draft, 1, assign("oat", "p1", "p2"))
    done(second, draft, 2, assign("rye", "p2"))
    [entry] = done(second, draft, 3, {"kind": "delete_topic", "topic": "oat", "children": "lift", "pages": "unplace"})[
        "entries"
    ]
    assert [change["pages"] for change in entry["changes"] if change["c"] == "in-"] in (
        [["p1"], ["p2"]],
        [["p2"], ["p1"]],
    )
    [loss] = first.get(f"/api/v1/drafts/{draft}/losses").json()["results"]
    assert sorted(loss["pages"]) == ["p1", "p2"]


def test_pages_taken_out_of_subtopic_stay_in_parent(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place, kind="shared")
    done(client, draft, 0, add("grain", "Grain"), add("oat", "Oat", "grain"), add("corn", "Corn"))
    done(client, draft, 1, assign("grain", "p1"))
    done(client, draft, 2, assign("oat", "p1", "p2"))
    assert state(client, draft)["members"] == {"oat": ["p1", "p2"]}
    done(client, draft, 3, {"kind": "unassign", "pages": ["p1", "p2"], "topics": ["oat"]})
    assert state(client, draft)["members"] == {"grain": ["p1", "p2"]}
    assert error(send(client, draft, 4, {"kind": "assign", "pages": ["p1"], "topics": ["grain"]}), 422)["code"] == (
        "no-effect"
    )
    done(client, draft, 4, {"kind": "only", "pages": ["p1"], "topic": "corn"})
    assert state(client, draft)["members"] == {"grain": ["p2"], "corn": ["p1"]}


def test_lost_placements_are_reported_and_restored_in_one_step(
    api: Api, curator: User, owner: User, place: str
) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("grain", "Grain"), add("oat", "Oat", "grain"))
    done(first, draft, 1, assign("oat", "p1", "p2"))
    done(second, draft, 2, assign("oat", "p3"))
    deleted = {"kind": "delete_topic", "topic": "grain", "children": "delete", "pages": "unplace"}
    done(second, draft, 3, deleted)
    address = f"/api/v1/drafts/{draft}/losses"
    [loss] = first.get(address).json()["results"]
    del loss["at"]
    assert loss == {
        "revision": 4,
        "by": "owner",
        "label": "Delete Grain and its subtopics",
        "topic": "oat",
        "name": "Oat",
        "pages": ["p1", "p2"],
    }
    assert second.get(address).json()["results"] == [], "the person who deleted it is not notified"
    assert first.get(f"/api/v1/drafts/{draft}").json()["losses"][0]["name"] == "Oat"

    answer = done(first, draft, 4, restore=4)
    assert (answer["entries"][-1]["label"], answer["undo"]["revision"]) == (
        "Restore: Delete Grain and its subtopics",
        5,
    )
    assert answer["entries"][-1]["restores"] == 4
    assert state(first, draft)["members"] == {"oat": ["p1", "p2", "p3"]}
    assert first.get(address).json()["results"] == []
    assert error(send(first, draft, 5, restore=4), 422)["code"] == "no-effect"
    assert error(send(first, draft, 5, restore=2), 422)["code"] == "nothing-to-restore"
    assert error(send(first, draft, 5, restore=99), 422)["code"] == "nothing-to-restore"
    # The restored placements still count as hers, and she can settle the loss.
    done(second, draft, 5, deleted)
    assert [each["pages"] for each in first.get(address).json()["results"]] == [["p1", "p2"]]
    assert first.post(address, {"revisions": [6]}, format="json").status_code == 204
    assert first.get(address).json()["results"] == []


def test_topic_with_unseen_pages_is_not_deleted_moved_or_merged(
    api: Api, curator: User, owner: User, place: str
) -> None:
    """A topic seemed empty offline while others put pages into it or a subtopic."""
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("grain", "Grain"), add("oat", "Oat", "grain"), add("corn", "Corn"))
    done(second, draft, 1, assign("oat", "p1", "p2"))
    for operation in (
        {"kind": "delete_topic", "topic": "oat", "children": "lift", "pages": "unplace"},
        {"kind": "delete_topic", "topic": "grain", "children": "delete", "pages": "unplace"},
        {"kind": "merge", "topics": ["oat"], "into": "corn"},
        {"kind": "merge", "topics": ["grain"], "into": "corn"},
        {"kind": "move", "topic": "grain", "parent": "corn"},
        {"kind": "promote", "topic": "oat"},
    ):
        told = error(send(first, draft, 1, operation), 409)
        assert told["code"] == "clash", operation
        blamed = {"revision": 2, "by": "owner", "label": "Put 2 pages into Oat", "gone": [], "also": 0}
        assert told["clashes"] == [blamed], operation
    done(second, draft, 2, assign("oat", "p4"))
    told = error(send(first, draft, 1, {"kind": "merge", "topics": ["oat"], "into": "corn"}), 409)
    assert [clash["also"] for clash in told["clashes"]] == [2], "the latest of three placements is named"
    assert told["sentence"] == "Meanwhile owner: Put 1 page into Oat, and 2 pages more before (r3)."
    done(second, draft, 3, undo=3)
    assert error(send(first, draft, 4, operation, unseen=[[2, 4]]), 409)["code"] == "clash", "sent with a delay"
    assert state(first, draft)["members"] == {"oat": ["p1", "p2"]}
    [*_, entry] = done(first, draft, 1, {"kind": "outlier", "pages": ["p2", "p3"]})["entries"]
    assert [each["message"] for each in entry["skipped"]] == [
        "1 page stayed where owner had put it meanwhile (Put 2 pages into Oat)."
    ]
    assert state(first, draft)["outliers"] == ["p3"]


def test_page_history_and_losses_do_not_read_the_log(api: Api, curator: User, owner: User, place: str) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("oat", "Oat"))
    done(first, draft, 1, assign("oat", "p1"))
    for revision in range(2, 2 * states.SNAPSHOT_EVERY + 10):
        kind = "unflag" if revision % 2 else "flag"
        done(first, draft, revision, {"kind": kind, "pages": ["p2"]})
    done(first, draft, revision + 1, {"kind": "note", "page": "p1", "text": "odd"})
    with CaptureQueriesContext(connection) as asked:
        page = first.get(f"/api/v1/drafts/{draft}/page", {"key": "p1"}).json()
    assert [each["label"] for each in page["history"]] == ["Note on page p1", "Put 1 page into Oat"]
    logs = [each["sql"] for each in asked if "draftentry" in each["sql"] and '"changes"' in each["sql"]]
    assert len(logs) == 1
    assert f'"revision" > {2 * states.SNAPSHOT_EVERY}' in logs[0], "only entries that are not indexed yet"
    deleted = {"kind": "delete_topic", "topic": "oat", "children": "lift", "pages": "unplace"}
    with CaptureQueriesContext(connection) as asked:
        done(second, draft, revision + 2, deleted)
    logs = [each["sql"] for each in asked if '"changes"' in each["sql"] and each["sql"].startswith("SELECT")]
    assert all(f'"revision" > {2 * states.SNAPSHOT_EVERY}' in sql for sql in logs)
    [loss] = first.get(f"/api/v1/drafts/{draft}/losses").json()["results"]
    assert loss["pages"] == ["p1"]


def test_repeated_batch_is_applied_once(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place)
    body = {"id": str(uuid.uuid4()), "base": 0, "operations": [add("cars", "Cars")]}
    address = f"/api/v1/drafts/{draft}/operations"
    first = client.post(address, body, format="json")
    done(client, draft, 1, add("boats", "Boats"))
    second = client.post(address, body, format="json")
    assert (second.status_code, second.json()["entries"]) == (200, first.json()["entries"])
    third = client.post(address, {**body, "base": 2}, format="json")
    assert (third.status_code, third.json()["revision"]) == (200, 1)
    assert DraftEntry.objects.count() == 2
    told = error(client.post(address, {**body, "operations": [add("cars", "Trains")]}, format="json"), 422)
    assert told["code"] == "operation-id-used"


def test_batch_id_of_another_person_is_rejected(api: Api, curator: User, owner: User, place: str) -> None:
    draft = started(api(curator), place, kind="shared")
    body = {"id": str(uuid.uuid4()), "base": 0, "operations": [add("cars", "Cars")]}
    assert api(curator).post(f"/api/v1/drafts/{draft}/operations", body, format="json").status_code == 200
    told = error(api(owner).post(f"/api/v1/drafts/{draft}/operations", body, format="json"), 422)
    assert told["code"] == "operation-id-used"


# --- Together ---------------------------------------------------------------------------------------------------------


def test_concurrent_placements_are_merged(api: Api, curator: User, owner: User, place: str) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("cars", "Cars"))
    done(second, draft, 1, assign("cars", "p1"))
    late = done(first, draft, 1, assign("cars", "p2"))
    assert [(entry["revision"], entry["by"]) for entry in late["entries"]] == [(2, "owner"), (3, "curator")]
    assert state(second, draft)["members"] == {"cars": ["p1", "p2"]}


def test_conflict_lists_missed_entries(api: Api, curator: User, owner: User, place: str) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("cars", "Cars"))
    done(second, draft, 1, {"kind": "rename", "topic": "cars", "name": "Automobiles"})
    told = error(send(first, draft, 1, {"kind": "rename", "topic": "cars", "name": "Motor cars"}), 409)
    assert (told["code"], told["revision"], [entry["by"] for entry in told["missed"]]) == ("clash", 2, ["owner"])
    assert state(first, draft)["topics"][0]["name"] == "Automobiles"
    done(first, draft, 2, {"kind": "rename", "topic": "cars", "name": "Motor cars"})


def test_unseen_spans_of_delayed_work_count_as_missed(api: Api, curator: User, owner: User, place: str) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("cars", "Cars"))
    done(second, draft, 1, {"kind": "rename", "topic": "cars", "name": "Automobiles"})
    done(first, draft, 2, {"kind": "flag", "pages": ["p1"]})
    rename = {"kind": "rename", "topic": "cars", "name": "Motor cars"}
    told = error(send(first, draft, 3, rename, unseen=[[2, 2]]), 409)
    assert "Meanwhile owner: Rename Cars to Automobiles (r2)." in told["sentence"]
    assert told["missed"] == [], "they have it already"
    late = done(first, draft, 3, {"kind": "describe", "topic": "cars", "text": "On roads"}, unseen=[[2, 2]])
    assert [entry["revision"] for entry in late["entries"]] == [4]
    done(first, draft, 4, rename, unseen=[[1, 1], [3, 4]])


def test_others_see_changes_and_presence(api: Api, curator: User, owner: User, place: str) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    assert second.post(f"/api/v1/drafts/{draft}/presence", {"page": "p3"}, format="json").status_code == 204
    done(second, draft, 0, add("cars", "Cars"))
    seen = first.get(f"/api/v1/drafts/{draft}/changes?since=0").json()
    assert [entry["label"] for entry in seen["entries"]] == ["Add Cars"]
    assert [(person["name"], person["page"]) for person in seen["people"]] == [("owner", "p3")]
    assert seen["undo"] is None, "people undo only their own steps"
    again = second.get(f"/api/v1/drafts/{draft}/changes?since=1").json()
    assert (again["entries"], again["people"], again["undo"]["revision"]) == ([], [], 1)


def test_polling_for_changes_takes_few_queries(
    api: Api, curator: User, place: str, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    client = api(curator)
    draft = started(client, place)
    done(client, draft, 0, add("cars", "Cars"))
    with django_assert_max_num_queries(4):  # token, draft, rights, presence
        assert client.get(f"/api/v1/drafts/{draft}/changes?since=0").json()["revision"] == 1


def test_placing_a_page_takes_few_queries(
    api: Api, curator: User, place: str, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    client = api(curator)
    draft = started(client, place)
    done(client, draft, 0, add("cars", "Cars"), add("racing", "Racing", "cars"))
    # Token, draft, rights, update and insert, plus start and end of a savepoint because the test is a transaction.
    with django_assert_max_num_queries(7):
        done(client, draft, 1, {"kind": "assign", "pages": ["p1"], "topics": ["cars", "racing"]})


# --- Invalid requests -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"operations": [assign("nowhere", "p1")]}, 422, "unknown-topic"),
        ({"operations": [assign("cars", "p99")]}, 422, "unknown-page"),
        ({"operations": [{"kind": "explode"}]}, 422, "unknown-operation"),
        ({"operations": [{"kind": "flag", "pages": ["p1"], "colour": "red"}]}, 422, "unknown-field"),
        ({"operations": []}, 422, "no-operations"),
        ({"operations": [{"kind": "unflag", "pages": ["p1"]}]}, 422, "no-effect"),
        ({"operations": [add("x", "a\ud800")]}, 400, "invalid-input"),
        ({"operations": "all"}, 400, "invalid-input"),
        ({"operations": [5]}, 400, "invalid-input"),
        ({"operations": [[]], "undo": 1}, 400, "invalid-input"),
        ({}, 400, "invalid-input"),
        ({"undo": 0}, 400, "invalid-input"),
        ({"undo": 7}, 422, "not-the-latest-undo"),
        ({"base": 9, "operations": [add("x", "X")]}, 422, "unknown-base"),
        ({"base": -1, "operations": [add("x", "X")]}, 400, "invalid-input"),
        *[
            ({"operations": [add("x", "X")], "unseen": spans}, 400, "invalid-input")
            for spans in ("all", [1], [[1]], [[0, 1]], [[1, 0]], [[1, 2]], [["a", 1]], [[1, 1]] * (UNSEEN_SPANS + 1))
        ],
        ({"id": "no uuid", "operations": [add("x", "X")]}, 400, "invalid-input"),
        ({"operations": [add("x", "X")], "bases": 1}, 400, "invalid-input"),
    ],
)
def test_invalid_operations_return_reason(
    api: Api, curator: User, place: str, body: dict[str, Any], status: int, code: str
) -> None:
    client = api(curator)
    draft = started(client, place)
    done(client, draft, 0, add("cars", "Cars"))
    sent = json.dumps({"id": str(uuid.uuid4()), "base": 1} | body)
    answer = client.post(f"/api/v1/drafts/{draft}/operations", sent, content_type="application/json")
    assert error(answer, status)["code"] == code
    assert DraftEntry.objects.count() == 1


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        ({"kind": ["rename"]}, "unknown-operation"),
        ({"kind": {"move": 1}, "topic": "cars"}, "unknown-operation"),
        ({"kind": "move", "topic": "cars", "parent": ["cars"]}, "unknown-topic"),
        ({"kind": "move", "topic": "cars", "parent": {"topic": "cars"}}, "unknown-topic"),
        ({"kind": "merge", "topics": [[[]], {"parent": {}}], "into": []}, "unknown-topic"),
        ({"kind": "delete_topic", "topic": [], "children": {}, "pages": {"topic": []}}, "unknown-topic"),
    ],
)
def test_malformed_operations_are_rejected_for_outdated_senders(
    api: Api, curator: User, owner: User, place: str, operation: Operation, code: str
) -> None:
    client = api(curator)
    draft = started(client, place, kind="shared")
    done(client, draft, 0, add("cars", "Cars"))
    done(api(owner), draft, 1, {"kind": "flag", "pages": ["p1"]})
    assert error(send(client, draft, 1, operation), 422)["code"] == code
    assert DraftEntry.objects.count() == 2


@pytest.mark.parametrize("odd", [[], {}, None, 3])
@pytest.mark.parametrize("kind", ["assign", "only", "add_topic", "clear_outlier", "unassign", "outlier"])
def test_unknown_pages_are_rejected_for_outdated_senders(
    api: Api, curator: User, owner: User, place: str, kind: str, odd: object
) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("oat", "Oat"))
    done(second, draft, 1, {"kind": "outlier", "pages": ["p1"]})
    named = {"assign": {"topics": ["oat"]}, "only": {"topic": "oat"}, "add_topic": {"topic": "n", "name": "N"}}
    fields = (named | {"unassign": {"topics": ["oat"]}}).get(kind, {})
    answer = send(first, draft, 1, {"kind": kind, "pages": ["p1", odd], **fields})
    assert answer.status_code in {400, 422}, answer.content


def test_restore_keeps_placements_that_others_made_unseen(api: Api, curator: User, owner: User, place: str) -> None:
    first, second = api(curator), api(owner)
    draft = started(first, place, kind="shared")
    done(first, draft, 0, add("oat", "Oat"), add("corn", "Corn"), assign("oat", "p1", "p2"))
    done(first, draft, 1, {"kind": "merge", "topics": ["oat"], "into": "corn"})
    done(second, draft, 2, {"kind": "unassign", "pages": ["p1"], "topics": ["corn"]})
    done(second, draft, 3, assign("corn", "p1"))
    answer = done(first, draft, 2, restore=2)
    members = first.get(f"/api/v1/drafts/{draft}").json()["state"]["members"]
    assert members["corn"] == ["p1"]
    assert "p2" in members["oat"]
    assert "1 page stays in" in str(answer["entries"][-1]["skipped"])


@pytest.mark.parametrize("body", [b"[]", b"null", b"{", b"[" * 100_000, b'{"a": 1, "a": 2}', b"\xff", b'{"a": NaN}'])
def test_body_that_is_not_an_object_is_rejected(api: Api, curator: User, place: str, body: bytes) -> None:
    client = api(curator)
    draft = started(client, place)
    error(client.post(f"/api/v1/drafts/{draft}/operations", body, content_type="application/json"), 400)


def test_impossible_revisions_are_rejected(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft, beyond = started(client, place), 2**70
    told = error(client.post(f"/api/v1/drafts/{draft}/losses", {"revisions": [1, beyond]}, format="json"), 400)
    assert "2147483647" in told["problems"][0]["expected"]
    for sent in ({"base": beyond, "undo": 1}, {"base": 0, "redo": beyond}, {"base": 0, "restore": beyond}):
        error(send(client, draft, **sent), 400)


def test_oversized_body_is_not_read(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place)
    body = b'{"id": "' + b"x" * (4 * 1024 * 1024) + b'"}'
    error(client.post(f"/api/v1/drafts/{draft}/operations", body, content_type="application/json"), 413)


def test_short_request_cannot_cause_excessive_changes(
    api: Api, curator: User, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotations.drafts.state_machine.operations.BATCH_PAGES", 9)
    client = api(curator)
    draft = started(client, place)
    done(client, draft, 0, *(add(f"t{number}", "T") for number in range(3)))
    pages = [f"p{number}" for number in range(1, 6)]
    assert error(send(client, draft, 1, assign("t0", *pages), assign("t1", *pages)), 422)["code"] == "too-many-pages"
    assert state(client, draft)["members"] == {}
    done(client, draft, 1, assign("t0", *pages))
    done(client, draft, 2, assign("t1", *pages[:4]))
    # Undo has no size limit.
    monkeypatch.setattr("annotations.drafts.state_machine.operations.BATCH_PAGES", 1)
    done(client, draft, 3, undo=3)
    monkeypatch.setattr("annotations.drafts.state_machine.operations.BATCH_PAGES", 9)
    monkeypatch.setattr("annotations.drafts.state_machine.operations.DRAFT_PLACEMENTS", 6)
    assert error(send(client, draft, 4, assign("t2", "p1", "p2")), 422)["code"] == "too-many-pages"
    assert done(client, draft, 4, assign("t2", "p1"))["revision"] == 5


def test_draft_over_the_limit_can_be_reduced(
    api: Api, curator: User, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = api(curator)
    draft = started(client, place)
    done(client, draft, 0, *(add(f"t{number}", "T") for number in range(2)), assign("t0", "p1", "p2", "p3"))
    monkeypatch.setattr("annotations.drafts.state_machine.operations.DRAFT_PLACEMENTS", 2)
    assert error(send(client, draft, 1, assign("t1", "p1")), 422)["code"] == "too-many-pages"
    done(client, draft, 1, {"kind": "only", "pages": ["p1"], "topic": "t1"})
    assert state(client, draft)["members"] == {"t0": ["p2", "p3"], "t1": ["p1"]}
    done(client, draft, 2, {"kind": "merge", "topics": ["t0"], "into": "t1"})


def test_large_steps_are_not_all_cached_but_still_returned(
    api: Api, curator: User, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotations.drafts.selectors.states.CACHED_WEIGHT", 5)
    client = api(curator)
    draft = started(client, place)
    done(client, draft, 0, add("cars", "Cars"))
    for revision, page in enumerate(("p1", "p2", "p3"), 1):
        done(client, draft, revision, {"kind": "note", "page": page, "text": "long words"})
    told = client.get(f"/api/v1/drafts/{draft}/changes?since=1").json()["entries"]
    assert [(entry["revision"], entry["changes"][0]["page"]) for entry in told] == [(2, "p1"), (3, "p2"), (4, "p3")]
    assert [entry["revision"] for entry in done(client, draft, 0, add("x", "X"))["entries"]] == [1, 2, 3, 4, 5]


# --- Submitting and archiving -----------------------------------------------------------------------------------------


def test_submitted_or_archived_draft_cannot_be_changed(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place)
    assert client.post(f"/api/v1/drafts/{draft}/submit").json()["status"] == "submitted"
    assert error(send(client, draft, 0, add("cars", "Cars")), 422)["code"] == "draft-closed"
    assert client.post(f"/api/v1/drafts/{draft}/reopen").json()["may_edit"] is True
    done(client, draft, 0, add("cars", "Cars"))
    assert client.delete(f"/api/v1/drafts/{draft}").json()["archived"] is True
    assert error(send(client, draft, 1, add("boats", "Boats")), 422)["code"] == "draft-closed"
    assert client.get(place).json()["results"] == []
    client.post(f"/api/v1/drafts/{draft}/restore")
    done(client, draft, 1, add("boats", "Boats"))
    assert client.patch(f"/api/v1/drafts/{draft}", {"name": "Mine"}, format="json").json()["name"] == "Mine"


def test_check_names_missing_parts_of_draft(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place)
    done(client, draft, 0, add("cars", "Cars"), {"kind": "outlier", "pages": ["p1"]})
    checked = client.get(f"/api/v1/drafts/{draft}/check").json()
    assert checked["publishable"] is False
    assert {"page-without-topic", "empty-topic"} <= {problem["code"] for problem in checked["problems"]}
    rows = client.get(place).json()["results"]
    assert rows[0]["summary"]["levels"] == [{"level": 1, "placed": 1, "total": 8}]
    done(client, draft, 1, {"kind": "delete_topic", "topic": "cars", "children": "lift", "pages": "unplace"})
    done(client, draft, 2, add("all", "All"), assign("all", *(f"p{n}" for n in range(2, 9))))
    assert client.get(f"/api/v1/drafts/{draft}/check").json()["publishable"] is True


# --- One page, history, suggestions -----------------------------------------------------------------------------------


def test_page_detail_has_similar_pages_and_history(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place)
    done(client, draft, 0, add("cars", "Cars"), assign("cars", "p1"))
    done(client, draft, 1, assign("cars", "p2"))
    done(client, draft, 2, {"kind": "note", "page": "p1", "text": "unclear"})
    found = client.get(f"/api/v1/drafts/{draft}/page?key=p1").json()
    assert [row["revision"] for row in found["history"]] == [3, 1]
    assert "p1" not in [row["page"] for row in found["similar"]]
    assert found["similar"][0]["score"] > 0
    assert [row["revision"] for row in client.get(f"/api/v1/drafts/{draft}/history?before=3").json()["results"]] == [
        2,
        1,
    ]
    error(client.get(f"/api/v1/drafts/{draft}/page?key=p99"), 404)


def test_suggestions_are_one_step_without_effect_on_progress(api: Api, curator: User, place: str) -> None:
    client = api(curator)
    draft = started(client, place)
    answer = client.post(f"/api/v1/drafts/{draft}/suggestions", {"topics": 2}, format="json")
    assert answer.status_code == 200, answer.content
    found = state(client, draft)
    assert all(topic["suggested"] for topic in found["topics"])
    assert sorted(page for pages in found["hints"].values() for page in pages) == [f"p{n}" for n in range(1, 9)]
    assert error(client.post(f"/api/v1/drafts/{draft}/suggestions", {}, format="json"), 400)["problems"][0]["code"] == (
        "too-few-pages"
    ), "all pages have suggestions already"
    done(client, draft, 1, undo=1)
    assert state(client, draft)["topics"] == []


def test_predictions_depend_only_on_this_draft(api: Api, curator: User, owner: User, place: str) -> None:
    client = api(curator)
    draft, other = started(client, place, kind="shared"), started(api(owner), place, kind="shared")
    done(
        api(owner), other, 0, add("theirs", "Theirs"), assign("theirs", "p1"), add("more", "More"), assign("more", "p2")
    )
    found = client.get(f"/api/v1/drafts/{draft}/predictions").json()
    assert (found["revision"], found["predictions"]) == (0, [])
    assert [(one["topic"], len(one["pages"])) for one in found["teaching"]] == [(None, 8)]
    done(client, draft, 0, add("cars", "Cars"), assign("cars", "p1", "p2", "p3"))
    groups = client.get(f"/api/v1/drafts/{draft}/groups?topic=cars").json()["groups"]
    assert sorted(page for group in groups for page in group["pages"]) == ["p1", "p2", "p3"]
    refused = error(client.get(f"/api/v1/drafts/{draft}/groups?topic=nowhere"), 400)
    assert refused["problems"][0]["code"] == "unknown-topic"


# --- Blind ------------------------------------------------------------------------------------------------------------

READS = ("", "/changes", "/document", "/history", "/check", "/page?key=p1", "/predictions", "/groups")


def sees(client: APIClient, draft: int) -> set[int]:
    return {client.get(f"/api/v1/drafts/{draft}{read}").status_code for read in READS}


def test_own_drafts_are_blind_until_both_are_submitted(
    api: Api, curator: User, adjudicator: User, owner: User, place: str
) -> None:
    first, second, third = api(curator), api(adjudicator), api(owner)
    mine, theirs = started(first, place), started(second, place)
    assert sees(second, mine) == sees(first, theirs) == sees(third, mine) == {404}
    rows = {row["curator"]: row for row in third.get(place).json()["results"]}
    assert (rows["curator"]["blind"], rows["curator"]["id"]) == (True, None)
    assert rows["curator"]["summary"]["pages"] == 8, "their progress is shown"
    first.post(f"/api/v1/drafts/{mine}/submit")
    assert sees(third, mine) == {200}, "this person has no open draft of the query"
    assert sees(second, mine) == {404}, "this person's own draft is still open"
    error(second.post(place, {"start": {"from": "draft", "draft": mine}}, format="json"), 400)
    second.post(f"/api/v1/drafts/{theirs}/submit")
    assert sees(second, mine) == sees(first, theirs) == {200}
    assert error(send(second, mine, 0, add("x", "X")), 403)["code"] == "forbidden"


def test_adjudication_is_blind_for_independent_annotators(api: Api, curator: User, owner: User, place: str) -> None:
    client = api(curator)
    mine = started(client, place)
    query = Draft.objects.get(pk=mine).query
    adjudication = drafts.from_nothing(query=query, user=owner, kind="adjudication").pk
    assert sees(client, adjudication) == {404}
    assert sees(api(owner), adjudication) == {200}
    client.post(f"/api/v1/drafts/{mine}/submit")
    assert sees(client, adjudication) == {200}


def test_readers_do_not_see_drafts(api: Api, reader: User, outsider: User, curator: User, place: str) -> None:
    draft = started(api(curator), place, kind="shared")
    for person in (reader, outsider, None):
        assert sees(api(person), draft) == {404}


def test_own_draft_can_be_reopened_until_it_is_adjudicated(
    api: Api, curator: User, adjudicator: User, place: str
) -> None:
    client = api(curator)
    draft = started(client, place)
    client.post(f"/api/v1/drafts/{draft}/submit")
    row = Draft.objects.get(pk=draft)
    outcome = Draft.objects.create(query=row.query, name="Outcome", kind="adjudication")
    judged = Adjudication.objects.create(draft=outcome, minimum=0.5, n_agreed=0)
    judged.compared.create(draft=row, position=0, name=row.name, document=b"")
    assert client.get(f"/api/v1/drafts/{draft}").json()["draft"]["may_submit"] is False
    error(client.post(f"/api/v1/drafts/{draft}/reopen"), 403)
    assert api(adjudicator).post(f"/api/v1/drafts/{draft}/reopen").json()["status"] == "open"


def test_curator_who_saw_submitted_drafts_cannot_reopen_own_draft(
    api: Api, curator: User, adjudicator: User, place: str
) -> None:
    client, other = api(curator), api(adjudicator)
    mine, theirs = started(client, place), started(other, place)
    client.post(f"/api/v1/drafts/{mine}/submit")
    assert client.post(f"/api/v1/drafts/{mine}/reopen").json()["status"] == "open", (
        "others had not submitted anything yet"
    )
    client.post(f"/api/v1/drafts/{mine}/submit")
    other.post(f"/api/v1/drafts/{theirs}/submit")
    assert sees(client, theirs) == {200}
    error(client.post(f"/api/v1/drafts/{mine}/reopen"), 403)
    assert client.get(f"/api/v1/drafts/{mine}").json()["draft"]["may_submit"] is False
    assert other.post(f"/api/v1/drafts/{mine}/reopen").json()["status"] == "open", "people who may publish can reopen"


def test_draft_archived_before_seeing_others_is_restored_as_submitted(
    api: Api, curator: User, adjudicator: User, place: str
) -> None:
    client, other = api(curator), api(adjudicator)
    mine, theirs = started(client, place), started(other, place)
    client.delete(f"/api/v1/drafts/{mine}")
    assert client.post(f"/api/v1/drafts/{mine}/restore").json()["status"] == "open", (
        "others had not submitted anything yet"
    )
    client.delete(f"/api/v1/drafts/{mine}")
    other.post(f"/api/v1/drafts/{theirs}/submit")
    assert sees(client, theirs) == {200}
    again = {"kind": "own", "start": {"from": "draft", "draft": mine}}
    assert error(client.post(place, again, format="json"), 400)["problems"][0]["code"] == "seen-others"
    assert client.post(f"/api/v1/drafts/{mine}/restore").json()["status"] == "submitted"
    error(client.post(f"/api/v1/drafts/{mine}/reopen"), 403)


def test_hostile_titles_and_names_stay_text(api: Api, curator: User, place: str, collection: Collection) -> None:
    attack = "</script><img src=x onerror=alert(1)>"
    with unguarded(Page):
        collection.queries.get(key="mercury").pages.filter(key="p1").update(title=attack, url="javascript:alert(1)")
    client = api(curator)
    draft = started(client, place, name=attack)
    done(client, draft, 0, add("x", attack))
    client.force_login(curator, "django.contrib.auth.backends.ModelBackend")
    html = client.get(f"/drafts/{draft}/").content.decode()
    assert attack not in html
    assert "\\u003C/script\\u003E" in html


def test_inhumanly_many_requests_are_throttled(api: Api, curator: User, place: str, settings: Any) -> None:
    client = api(curator)
    draft = started(client, place)
    set_rates(settings, drafts="3/day")
    statuses = [client.get(f"/api/v1/drafts/{draft}/changes").status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert 0 < int(client.get(f"/api/v1/drafts/{draft}/changes")["Retry-After"]) <= 86_400


def signed_in(user: User, meant: str | None = None) -> APIClient:
    """Return a browser of this person, in a tab that names the expected user."""
    client = APIClient(raise_request_exception=False)
    client.force_login(user)
    client.credentials(**({} if meant is None else {"HTTP_X_QC4_PERSON": quote(meant)}))
    return client


def test_request_from_tab_of_another_user_is_rejected(api: Api, owner: User, curator: User, place: str) -> None:
    draft = started(api(owner), place, kind="shared", name="Ours")
    done(signed_in(curator), draft, 0, add("cars", "Cars"))
    asked = f"/api/v1/drafts/{draft}"
    tab = signed_in(owner, "curator")
    for answer in (
        send(tab, draft, 1, assign("cars", "p1")),
        send(tab, draft, 1, undo=1),
        send(tab, draft, 1, redo=1),
        tab.post(f"{asked}/threads", {"id": str(uuid.uuid4()), "about": "draft", "key": "", "text": "Mine"}),
        tab.post(f"{asked}/presence", {"page": "p1"}),
        tab.post(f"{asked}/submit", {}),
        tab.get(f"{asked}/changes?since=0"),
    ):
        found = error(answer, 401)
        assert found["code"] == "other-person"
        assert found["sentence"] == "You are signed in as owner; this was sent as curator, and nothing was done."
        assert found["fix"] == "Sign in as curator again, or load the page anew."
    assert [entry.user for entry in DraftEntry.objects.filter(draft=draft)] == [curator]
    assert not CommentThread.objects.exists()
    assert not DraftPresence.objects.filter(user=owner).exists()


def test_request_from_tab_of_same_user_works(api: Api, owner: User, place: str) -> None:
    User.objects.filter(pk=owner.pk).update(username="Zoë Ö 中")
    owner.refresh_from_db()
    draft = started(api(owner), place, kind="shared", name="Ours")
    done(signed_in(owner, owner.username), draft, 0, add("cars", "Cars"))
    done(signed_in(owner), draft, 1, assign("cars", "p1"))
    with_token = api(owner)
    with_token.defaults["HTTP_X_QC4_PERSON"] = "curator"
    done(with_token, draft, 2, assign("cars", "p2"))
