"""Every API operation that accepts queries takes their keys and their texts.

The tables below list these operations; the first test compares them with the schema.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from annotations.models import Assignment, Challenge, VectorSet
from evaluation.models import Submission
from qc4.io import write_gold, write_submission
from tests.fixtures.api import Api, error
from tests.qc4site.test_api_schema import SCHEMA
from tests.samples.documents import saturn, submission_document

# The text of `saturn` is "saturn car".
NAMES = ("saturn", "SATURN", "Saturn  car")
READ = {
    "compare": "compare?draws=200",
    "gold_ranks": "gold-versions/2/ranks?draws=200",
    "heat_map": "heat-map?",
    "leaderboard": "leaderboard?draws=200",
    "measures_compared": "measures?draws=200",
    "model_selection": "model-selection?",
    "robustness": "robustness?draws=200",
    "scores": "scores?measure=ari",
    "topic_coverage": "topics?",
    "trade_off": "trade-off?draws=200",
}
WRITTEN = {"assign", "change_assignments", "save_challenge"}


def test_every_operation_that_accepts_queries_is_tested() -> None:
    shapes = SCHEMA["components"]["schemas"]
    found = set()
    for operation in (one for path in SCHEMA["paths"].values() for one in path.values() if "operationId" in one):
        taken = {given["name"] for given in operation.get("parameters", ()) if given["in"] == "query"}
        for body in operation.get("requestBody", {}).get("content", {}).values():
            taken |= set(shapes.get(body["schema"].get("$ref", "").rpartition("/")[2], {}).get("properties", ()))
        if taken & {"query", "queries", "shown"}:
            found.add(operation["operationId"])
    assert found == {*READ, *WRITTEN}


def test_reading_some_queries(
    api: Api,
    owner: User,
    collection_url: str,
    scored: Submission,
    submit: Callable[..., Any],
    finish: Callable[..., None],
) -> None:
    submit(owner, "STC", {"mercury": (("p1", "p2"),), "saturn": (("p1", "p3"), ("p2", "p4"))})
    client = api(owner)
    renamed = json.loads(write_gold(saturn()))
    renamed["topics"][0]["name"] = "The rings"
    renamed["query"] = {"id": "Saturn Car"}
    pushed = client.post(
        f"{collection_url}/gold-versions", json.dumps(renamed).encode(), content_type="application/json"
    )
    assert pushed.status_code == 201, pushed.content
    finish()
    for name, place in READ.items():
        answers = [client.get(f"{collection_url}/{place}&query={query}") for query in NAMES]
        assert {answer.status_code for answer in answers} <= {200, 202}, (name, answers[0].content)
        assert answers[0].json() == answers[1].json() == answers[2].json(), name
        assert answers[0].json() != client.get(f"{collection_url}/{place}&query=mercury").json(), name
        refused = error(client.get(f"{collection_url}/{place}&query=pluto"), 400)
        assert [problem["code"] for problem in refused["problems"]] == ["unknown-query"], name
        assert "'saturn' (“saturn car”)" in refused["problems"][0]["expected"], name


@pytest.mark.parametrize("name", NAMES)
def test_assignments(api: Api, owner: User, curator: User, collection_url: str, name: str) -> None:
    sent = {"queries": [name], "curators": ["Curator"]}
    answer = api(owner).post(f"{collection_url}/assignments", sent, format="json")
    assert [(row["query"], row["curator"]) for row in answer.json()] == [("saturn", "curator")]
    api(owner).post(f"{collection_url}/assignments", sent | {"take_back": True}, format="json")
    assert not Assignment.objects.exists()


def test_the_same_query_under_two_names_is_assigned_once(
    api: Api, owner: User, curator: User, collection_url: str
) -> None:
    sent = {"queries": list(NAMES), "curators": ["curator"]}
    assert len(api(owner).post(f"{collection_url}/assignments", sent, format="json").json()) == 1


@pytest.mark.parametrize("name", NAMES)
def test_challenges(api: Api, owner: User, collection_url: str, name: str) -> None:
    answer = api(owner).put(f"{collection_url}/challenge", {"hides": "some", "shown": [name]}, format="json")
    assert answer.status_code == 200, answer.content
    assert [query.key for query in Challenge.objects.get().shown.all()] == ["saturn"]


@pytest.mark.parametrize("name", NAMES)
def test_files(api: Api, owner: User, collection_url: str, name: str, finish: Callable[..., None]) -> None:
    client = api(owner)
    sent = write_submission(submission_document({name: (("p1", "p2"), ("p3", "p4"))}, "Lingo"))
    pushed = client.post(f"{collection_url}/submissions", sent, content_type="application/json")
    assert [row["query"] for row in pushed.json()["submission"]["clusterings"]] == ["saturn"]
    document = json.loads(write_gold(saturn())) | {"query": {"id": name}}
    started = client.post(
        f"{collection_url}/queries/saturn/drafts", {"start": {"from": "document", "document": document}}, format="json"
    )
    assert started.status_code == 201, started.content
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{name}.csv", "1,2\n2,3\n3,1\n4,2\n")
    client.post(f"{collection_url}/vectors", packed.getvalue(), content_type="application/zip")
    finish()
    assert VectorSet.objects.get().query.key == "saturn"
