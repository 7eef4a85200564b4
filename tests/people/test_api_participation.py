"""The API of requests to submit, owners' answers, and e-mail settings."""

from __future__ import annotations

import pytest

from accounts.models import User
from accounts.notices import KINDS
from annotations.models import Collection
from annotations.people.services.participation import set_participation
from tests.fixtures.api import Api, error


@pytest.fixture
def on_request(public_collection: Collection) -> Collection:
    set_participation(public_collection, Collection.Participation.REQUEST, None)
    public_collection.save()
    return public_collection


def test_accepted_requester_can_submit(
    api: Api, on_request: Collection, owner: User, outsider: User, submission_file: bytes
) -> None:
    address = f"/api/v1/collections/{on_request.slug}"
    theirs, mine = api(owner), api(outsider)
    found = mine.get(address).json()
    assert (found["participation"], found["to_submit"], found["owners"]) == ("request", "ask", ["owner"])
    told = error(mine.post(f"{address}/submissions", submission_file, content_type="application/json"), 403)
    assert "an owner's permission" in told["sentence"]
    assert "owner" in told["sentence"]
    asked = mine.post(f"{address}/requests", {"message": "Please."}, format="json")
    assert (asked.status_code, asked.json()["state"]) == (201, "open")
    error(mine.post(f"{address}/requests", {}, format="json"), 400)
    assert mine.get(address).json()["to_submit"] == "wait"
    waiting = theirs.get(f"{address}/requests?state=open").json()["results"]
    assert [(row["user"], row["message"]) for row in waiting] == [("outsider", "Please.")]
    answer = f"{address}/requests/{waiting[0]['id']}"
    error(theirs.post(answer, {"answer": "perhaps"}, format="json"), 400)
    assert theirs.post(answer, {"answer": "accept"}, format="json").json()["answered_by"] == "owner"
    assert "accepted by owner" in error(theirs.post(answer, {"answer": "decline"}, format="json"), 400)["sentence"]
    assert mine.post(f"{address}/submissions", submission_file, content_type="application/json").status_code == 201
    assert [row["state"] for row in mine.get("/api/v1/requests").json()["results"]] == ["accepted"]


def test_requester_withdraws_request(api: Api, on_request: Collection, outsider: User) -> None:
    mine = api(outsider)
    number = mine.post(f"/api/v1/collections/{on_request.slug}/requests", {}, format="json").json()["id"]
    on_request.visibility = Collection.Visibility.PRIVATE
    on_request.save()
    assert mine.get("/api/v1/requests").json()["results"][0]["collection"] is None, "it is private now"
    assert mine.delete(f"/api/v1/requests/{number}").status_code == 204
    error(mine.delete(f"/api/v1/requests/{number}"), 400)


def test_submission_by_outsider_belongs_to_them(
    api: Api, on_request: Collection, owner: User, outsider: User, reader: User, submission_file: bytes
) -> None:
    set_participation(on_request, Collection.Participation.ANYBODY, owner)
    on_request.save()
    mine = api(outsider)
    address = f"/api/v1/collections/{on_request.slug}/submissions"
    number = mine.post(address, submission_file, content_type="application/json").json()["submission"]["id"]
    one = f"/api/v1/submissions/{number}"
    assert [client.get(one).status_code for client in (mine, api(owner), api(reader), api(None))] == [
        200,
        200,
        404,
        404,
    ]
    error(api(reader).post(f"{one}/publish"), 404)
    assert mine.post(f"{one}/publish").json()["published"] is True
    error(api(reader).post(f"{one}/unpublish"), 403)
    assert mine.post(f"{one}/unpublish").json()["published"] is False


def test_user_chooses_kinds_of_emails(api: Api, outsider: User) -> None:
    mine = api(outsider)
    found = mine.get("/api/v1/notices").json()
    assert [row["kind"] for row in found["notices"] if row["wanted"]] == list(KINDS)
    changed = mine.patch("/api/v1/notices", {"failed-runs": False}, format="json").json()
    assert [row["kind"] for row in changed["notices"] if not row["wanted"]] == ["failed-runs"]
    error(mine.patch("/api/v1/notices", {"faild-runs": False}, format="json"), 400)
