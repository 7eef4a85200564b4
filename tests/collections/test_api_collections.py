"""Collections, queries and gold versions through the API."""

from __future__ import annotations

import hashlib
import json
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from annotations.gold.selectors import document_bytes
from annotations.models import Collection
from evaluation.models import Run, Submission, Upload
from tests.fixtures.api import Api, changed_gold, error

COLLECTIONS = "/api/v1/collections"


def test_visitors_can_read_only_public_collections(
    client: Client, collection: Collection, public_collection: Collection
) -> None:
    found = client.get(COLLECTIONS).json()
    assert [row["slug"] for row in found["results"]] == [public_collection.slug]


def test_collection_lists_the_permissions_of_the_user(api: Api, reader: User, owner: User, collection_url: str) -> None:
    found = api(reader).get(collection_url).json()
    assert (found["queries"], found["pages"], found["latest_gold_version"]) == (2, 12, 1)
    assert found["you_may"] == ["view"]
    assert "manage" in api(owner).get(collection_url).json()["you_may"]


def test_queries_and_their_pages(api: Api, reader: User, collection_url: str) -> None:
    rows = api(reader).get(f"{collection_url}/queries").json()
    assert [(row["key"], row["pages"]) for row in rows["results"]] == [("mercury", 8), ("saturn", 4)]
    query = api(reader).get(f"{collection_url}/queries/mercury").json()
    assert [page["id"] for page in query["pages"]] == [f"p{n}" for n in range(1, 9)]
    assert query["pages"][0]["url"] == "https://p1.example/"


def test_long_lists_are_paginated(api: Api, reader: User, collection_url: str) -> None:
    client = api(reader)
    first = client.get(f"{collection_url}/queries?page_size=1").json()
    second = client.get(first["next"]).json()
    assert (second["results"][0]["key"], second["next"]) == ("saturn", None)
    assert client.get(second["previous"]).json() == first
    (problem,) = error(client.get(f"{collection_url}/queries?cursor=x"), 400)["problems"]
    assert (problem["code"], problem["where"]) == ("no-such-page", "cursor")
    assert client.get(f"{collection_url}/queries?page_size=100000").json()["next"] is None
    error(client.get(f"{collection_url}/queries?page_size=0"), 400)


def test_gold_standard_is_served_byte_for_byte_with_its_hash(
    api: Api, reader: User, collection_url: str, collection: Collection
) -> None:
    entry = collection.gold_versions.get().entries.get(query__key="mercury")
    response = api(reader).get(f"{collection_url}/gold-versions/1/queries/mercury")
    assert response.content == document_bytes(entry.gold)
    assert response["ETag"] == f'"{hashlib.sha256(response.content).hexdigest()}"'
    again = api(reader).get(
        f"{collection_url}/gold-versions/1/queries/mercury", headers={"if-none-match": response["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_gold_version_lists_its_gold_standards(api: Api, reader: User, collection_url: str) -> None:
    found = api(reader).get(f"{collection_url}/gold-versions/1").json()
    assert [(entry["query"], entry["levels"], entry["outliers"]) for entry in found["queries"]] == [
        ("mercury", 2, 1),
        ("saturn", 1, 0),
    ]
    error(api(reader).get(f"{collection_url}/gold-versions/2"), 404)
    error(api(reader).get(f"{collection_url}/gold-versions/1/queries/pluto"), 404)


def test_uploading_gold_creates_a_version_and_scores_the_latest_submissions(
    api: Api, adjudicator: User, collection_url: str, scored: Submission
) -> None:
    response = api(adjudicator).post(
        f"{collection_url}/gold-versions?note=Renamed", changed_gold(), content_type="application/json"
    )
    assert response.status_code == 201, response.content
    found = response.json()
    assert found["gold_version"]["number"] == 2
    assert (found["gold_version"]["note"], found["gold_version"]["published_by"]) == ("Renamed", "adjudicator")
    assert [Run.objects.get(pk=pk).submission_id for pk in found["runs"]] == [scored.pk]
    assert response["Location"].endswith(f"{collection_url}/gold-versions/2")


def test_uploading_the_same_gold_again_changes_nothing(
    api: Api, adjudicator: User, collection_url: str, gold_file: bytes
) -> None:
    response = api(adjudicator).post(f"{collection_url}/gold-versions", gold_file, content_type="application/json")
    assert (response.status_code, response.json()["gold_version"]["number"]) == (200, 1)


def test_invalid_gold_is_rejected_and_nothing_is_published(
    api: Api, adjudicator: User, collection_url: str, collection: Collection
) -> None:
    bad = changed_gold(pages=["p1"])
    found = error(api(adjudicator).post(f"{collection_url}/gold-versions", bad, content_type="application/json"), 400)
    assert "p2" in json.dumps(found["problems"])
    assert collection.gold_versions.count() == 1


def test_publishing_gold_requires_permission(api: Api, curator: User, collection_url: str, gold_file: bytes) -> None:
    error(api(curator).post(f"{collection_url}/gold-versions", gold_file, content_type="application/json"), 403)


@pytest.mark.parametrize("as_form", [True, False])
def test_a_collection_is_imported_from_a_file(
    api: Api, outsider: User, gold_file: bytes, as_form: bool, finish: object
) -> None:
    client = api(outsider)
    said = {"participation": "anybody", "licence": "CC-BY-4.0", "language": "pt-BR"}
    if as_form:
        body = {"file": SimpleUploadedFile("mercury.json", gold_file), "name": "Mine", "public": "true", **said}
        response = client.post(COLLECTIONS, body, format="multipart")
    else:
        response = client.post(
            f"{COLLECTIONS}?name=Mine&public=true&{urlencode(said)}", gold_file, content_type="application/json"
        )
    assert response.status_code == 202, response.content
    run = response.json()
    assert (run["kind"], run["state"], run["queue_position"], run["collection"]) == ("import", "queued", 1, None)
    finish(Run.objects.get(pk=run["id"]))
    run = client.get(response["Location"]).json()
    assert (run["state"], run["collection"]) == ("done", "mine")
    found = client.get(f"{COLLECTIONS}/mine").json()
    assert (found["visibility"], found["created_by"], "manage" in found["you_may"]) == ("public", "outsider", True)
    assert {name: found[name] for name in said} == said


def test_rejected_import_leaves_no_file(api: Api, outsider: User, gold_file: bytes) -> None:
    client = api(outsider)
    error(client.post(COLLECTIONS, gold_file, content_type="application/json"), 400)
    error(client.post(f"{COLLECTIONS}?name=Mine", b"", content_type="application/json"), 400)
    error(client.post(f"{COLLECTIONS}?name=Mine&completion=x", gold_file, content_type="application/json"), 400)
    assert not Upload.objects.exists()


def test_invalid_file_fails_its_run_with_every_problem(api: Api, outsider: User, finish: object) -> None:
    client = api(outsider)
    response = client.post(f"{COLLECTIONS}?name=Mine", b'{"format": "qc4-gold/1"}', content_type="application/json")
    finish(Run.objects.get(pk=response.json()["id"]))
    run = client.get(response["Location"]).json()
    assert run["state"] == "failed"
    assert run["error"]["problems"]
    assert not Collection.objects.filter(name="Mine").exists()


@pytest.mark.django_db
def test_importing_requires_an_account(client: Client, gold_file: bytes) -> None:
    error(client.post(f"{COLLECTIONS}?name=Mine", gold_file, content_type="application/json"), 401)
