"""What the site holds of somebody, to take along: all of theirs, and nothing of others."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import tokens
from annotations.draft_access import reach_draft
from annotations.models import Collection, Draft, Membership, Role
from annotations.services import comments, drafts
from annotations.services.people import add_role
from evaluation.models import Run, Submission
from evaluation.services.uploads import store
from tests.samples import PASSWORD

Submit = Callable[..., tuple[Submission, Run | None]]
LARGE = bytes(range(256)) * 4_000


@pytest.fixture
def busy(curator: User, owner: User, collection: Collection, submit: Submit) -> User:
    add_role(collection=collection, user=curator, role=Role.SUBMITTER)
    query = collection.queries.get(key="mercury")
    for user in (curator, owner):
        draft = drafts.from_nothing(query=query, user=user, kind=Draft.Kind.OWN)
        words = f"words of {user.get_username()}"
        comments.start(reach_draft(user, draft.pk), uuid4(), words, about="page", key="p1", to_lead=True)
        submission, _ = submit(user, f"Algorithm of {user.get_username()}", published=False)
        submission.upload = store(io.BytesIO(LARGE), f"../{user.get_username()}.bin", user)
        submission.save(update_fields=["upload"])
        tokens.create(user, f"token of {user.get_username()}")
    return curator


def opened(content: bytes) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    return archive


def test_all_of_ones_own_and_nothing_of_others(busy: User, collection: Collection) -> None:
    client = Client()
    client.force_login(busy)
    assert reverse("account-export") in client.get(reverse("account")).content.decode()
    answer = client.get(reverse("account-export"))
    assert answer.streaming
    assert "no-store" in answer.headers["Cache-Control"]
    archive = opened(answer.getvalue())
    text = archive.read("account.json").decode()
    facts = json.loads(text)
    assert facts["account"]["username"] == "curator"
    assert {role["role"] for role in facts["roles"]} == {"curator", "submitter"}
    assert [one["text"] for one in facts["comments"]] == ["words of curator"]
    assert [one["name"] for one in facts["algorithms"]] == ["Algorithm of curator"]
    assert [(one["name"], one["scopes"]) for one in facts["tokens"]] == [
        ("token of curator", "read submit curate manage")
    ]
    assert all(one["expires_at"] for one in facts["tokens"])
    assert len(facts["submissions"]) == len(facts["drafts"]) == len(facts["uploads"]) == 1
    assert "of owner" not in text
    assert busy.password not in text
    names = archive.namelist()
    (upload,) = [name for name in names if name.startswith("uploads/")]
    assert archive.read(upload) == LARGE
    assert upload.endswith("curator.bin")
    assert ".." not in upload
    (draft,) = [name for name in names if name.startswith("drafts/")]
    assert json.loads(archive.read(draft))["format"] == "qc4-gold/1"
    assert not any("owner" in name for name in names)


def test_who_left_a_collection_takes_no_pages_of_it_along(busy: User) -> None:
    Membership.objects.filter(user=busy).delete()
    client = Client()
    client.force_login(busy)
    archive = opened(client.get(reverse("account-export")).getvalue())
    assert not [name for name in archive.namelist() if name.startswith("drafts/")]
    assert len(json.loads(archive.read("account.json"))["drafts"]) == 1


def test_the_log_of_the_account_comes_along_without_where_others_are(
    busy: User, owner: User, collection: Collection
) -> None:
    here = Client(REMOTE_ADDR="198.51.100.7")
    here.force_login(owner)
    here.post(reverse("people", args=[collection.slug]), {"username": "curator", "role": "reader"})
    there = Client(REMOTE_ADDR="203.0.113.9")
    there.post(reverse("sign-in"), {"username": "curator", "password": PASSWORD})
    text = opened(there.get(reverse("account-export")).getvalue()).read("account.json").decode()
    lines = [(line["kind"], line["actor_name"], line["address"]) for line in json.loads(text)["log"]]
    assert lines[:2] == [("signed-in", "curator", "203.0.113.9"), ("role-given", "owner", "")]
    assert "198.51.100.7" not in text


def test_the_operator_writes_the_same(busy: User, tmp_path: Path) -> None:
    call_command("export_account", "Curator", "--output", str(tmp_path / "out.zip"))
    client = Client()
    client.force_login(busy)
    archive = opened((tmp_path / "out.zip").read_bytes())
    assert archive.namelist() == opened(client.get(reverse("account-export")).getvalue()).namelist()
