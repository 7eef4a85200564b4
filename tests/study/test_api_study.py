"""The behaviour study in the API."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from qc4.version import ENGINE_VERSION
from studies.behaviour import GROUPS

pytestmark = pytest.mark.django_db


def test_study_is_complete_and_public(client: Client) -> None:
    answer = client.get("/api/v1/study")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    found = json.loads(answer.content)
    assert found["engine"] == ENGINE_VERSION
    assert [group["key"] for group in found["groups"]] == [group.key for group in GROUPS]
    assert len(found["cells"]) == len(found["groups"]) * len(found["columns"])
    assert sum(column["paper"] for column in found["columns"]) == 13
    assert found["agreement"]["compared"] == 8 * 13


def test_page_serves_the_same_file(client: Client) -> None:
    assert client.get("/api/v1/study").content == client.get("/study/study.json").content
