"""The API finds ids and names in any Unicode form; the importer chooses how HTML entities are treated."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from evaluation.models import Run
from qc4.io import read_collection
from tests.fixtures.api import Api, error
from tests.page_text import flat

ONE, TWO = "caf\u00e9", "cafe\u0301"
GOLD = {
    "format": "qc4-gold/1",
    "query": {"id": ONE, "text": "Coffee"},
    "pages": [{"id": ONE, "title": "A &amp; B"}, {"id": "p2"}, {"id": "p3"}, {"id": "p4"}],
    "topics": [{"id": "t1", "name": "T1", "pages": [TWO, "p2"]}, {"id": "t2", "name": "T2", "pages": ["p3", "p4"]}],
}


@pytest.fixture
def coffee(owner: User, db: None) -> Collection:
    documents = read_collection(GOLD).documents
    return import_documents(documents=documents, user=owner, name="Coffee", public=True)


def test_query_is_found_by_either_unicode_form_of_its_key(api: Api, owner: User, coffee: Collection) -> None:
    for form in (ONE, TWO, f"{ONE}\u200b"):
        answer = api(owner).get(f"/api/v1/collections/{coffee.slug}/queries/{quote(form)}")
        assert answer.status_code == 200, form
        assert answer.json()["key"] == ONE
    assert api(owner).get(f"/api/v1/collections/{coffee.slug}/queries/cafe").status_code == 404


def test_submission_in_another_unicode_form_is_accepted_with_a_warning(
    api: Api, owner: User, coffee: Collection
) -> None:
    table = f"query,page,Lant\u00e9rn\n{TWO},{TWO},x\n{TWO},p2,x\n{TWO},p3,y\n{TWO},p4,y\n"
    answer = api(owner).post(
        f"/api/v1/collections/{coffee.slug}/submissions",
        {"file": SimpleUploadedFile("labels.csv", table.encode()), "published": "true"},
        format="multipart",
    )
    assert answer.status_code == 201, answer.content
    row = answer.json()["submission"]
    assert [clustering["query"] for clustering in row["clusterings"]] == [ONE]
    clustering = api(owner).get(f"/api/v1/submissions/{row['id']}/queries/{quote(TWO)}").json()
    assert clustering["clusters"][0]["pages"] == [ONE, "p2"]
    found = api(owner).get(
        f"/api/v1/collections/{coffee.slug}/submissions?algorithm={quote('Lante' + chr(0x301) + 'rn')}"
    )
    assert [one["id"] for one in found.json()["results"]] == [row["id"]]


def test_check_report_warns_about_unicode_forms(api: Api, owner: User, coffee: Collection) -> None:
    table = f"page,label\n{TWO},\u0645\u06cc\u200c\u0631\np2,x\n"
    answer = api(owner).post(
        f"/api/v1/collections/{coffee.slug}/submissions/check",
        {"file": SimpleUploadedFile("labels.csv", table.encode()), "algorithm": "A"},
        format="multipart",
    )
    assert answer.status_code == 200, answer.content
    codes = {problem["code"] for problem in answer.json()["problems"]}
    assert codes >= {"unicode-form", "invisible-character"}


def test_draft_accepts_page_ids_in_another_unicode_form(api: Api, owner: User, coffee: Collection) -> None:
    address = f"/api/v1/collections/{coffee.slug}/queries/{quote(ONE)}/drafts"
    draft = api(owner).post(address, {}, format="json").json()["id"]
    operations = [
        {"kind": "add_topic", "topic": "t", "name": ONE, "parent": None},
        {"kind": "assign", "pages": [TWO], "topics": ["t"]},
        {"kind": "add_topic", "topic": "u", "name": TWO, "parent": None},
    ]
    body = {"id": str(uuid.uuid4()), "base": 0, "operations": operations}
    answer = api(owner).post(f"/api/v1/drafts/{draft}/operations", body, format="json")
    assert answer.status_code == 200, answer.content
    state = api(owner).get(f"/api/v1/drafts/{draft}").json()
    assert state["state"]["members"]["t"] == [ONE]


@pytest.mark.parametrize(("how", "title"), [("", "A &amp; B"), ("keep", "A &amp; B"), ("once", "A & B")])
def test_import_decodes_entities_as_chosen(
    api: Api, owner: User, finish: Callable[..., None], how: str, title: str
) -> None:
    body = {"file": SimpleUploadedFile("gold.json", json.dumps(GOLD).encode()), "name": "Fresh"}
    answer = api(owner).post("/api/v1/collections", body | ({"html_entities": how} if how else {}), format="multipart")
    assert answer.status_code == 202, answer.content
    finish(Run.objects.get(pk=answer.json()["id"]))
    fresh = Collection.objects.get(name="Fresh")
    assert fresh.queries.get().pages.get(key=ONE).title == title
    assert any("HTML entities" in note for note in fresh.import_notes) == (how == "")


def test_import_rejects_unknown_choices(api: Api, owner: User) -> None:
    body = {"file": SimpleUploadedFile("gold.json", json.dumps(GOLD).encode()), "name": "Fresh", "html_entities": "no"}
    answer = api(owner).post("/api/v1/collections", body, format="multipart")
    assert "html_entities" in json.dumps(error(answer, 400))


def test_import_page_warns_about_entities(client: object, owner: User) -> None:
    client.force_login(owner)  # type: ignore[attr-defined]
    body = {
        "name": "Fresh",
        "completion": "strict",
        "files": SimpleUploadedFile("gold.json", json.dumps(GOLD).encode()),
    }
    answer = client.post(reverse("import"), body, follow=True)  # type: ignore[attr-defined]
    assert "HTML entities in 1 of the titles" in flat(answer.content.decode())


def test_gold_standard_in_another_unicode_form_is_published(api: Api, owner: User, coffee: Collection) -> None:
    pages = [{"id": TWO, "title": "A & B"}, {"id": "p2"}, {"id": "p3"}, {"id": "p4"}]
    topics = [{"id": "t1", "name": "T1", "pages": [TWO]}, {"id": "t2", "name": "T2", "pages": ["p2", "p3", "p4"]}]
    value = GOLD | {"query": {"id": TWO, "text": "Coffee"}, "pages": pages, "topics": topics}
    answer = api(owner).post(
        f"/api/v1/collections/{coffee.slug}/gold-versions",
        json.dumps(value).encode(),
        content_type="application/json",
    )
    assert answer.status_code == 201, answer.content
    gold = api(owner).get(f"/api/v1/collections/{coffee.slug}/gold-versions/2/queries/{quote(TWO)}").json()
    assert (gold["pages"][0]["id"], gold["topics"][0]["pages"]) == (ONE, [ONE])
