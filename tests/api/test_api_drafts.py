"""Drafts over the API: start, work, undo, what clashes, what stays blind."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from tests.api.answers import Api

Operation = dict[str, Any]


@pytest.fixture
def place(address: str) -> str:
    """Where the drafts of query ``mercury`` are started and listed."""
    return f"{address}/queries/mercury/drafts"


def started(client: APIClient, place: str, **given: Any) -> int:
    """The number of a new draft."""
    answer = client.post(place, given, format="json")
    assert answer.status_code == 201, answer.content
    number: int = answer.json()["id"]
    assert answer["Location"].endswith(f"/api/v1/drafts/{number}")
    return number


def send(client: APIClient, draft: int, base: int, *operations: Operation, **more: Any) -> Any:
    """The response to operations (or ``undo=``, ``redo=``) with an id of their own."""
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


def test_from_nothing_to_a_hierarchy(api: Api, curator: User, place: str) -> None:
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
