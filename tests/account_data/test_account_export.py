"""The export of an account contains all data of the person and nothing of others."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import tokens
from annotations.discussion import services as comments
from annotations.drafts import services as drafts
from annotations.drafts.access import reach_draft
from annotations.models import (
    Adjudication,
    Collection,
    Draft,
    DraftTime,
    GoldVersion,
    GuidelinesReader,
    GuidelinesVersion,
    Membership,
    Role,
)
from annotations.people.services.roles import add_role
from evaluation.account_data.selectors import (
    OMITTED,
    OMITTED_TABLES,
    OTHERWISE,
    PARTLY,
    SECTIONS,
    STEPS,
    exported_columns,
    facts,
)
from evaluation.models import Run, Submission
from evaluation.uploads.services import store
from tests.samples.documents import PASSWORD

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


def test_export_contains_only_the_users_own_data(busy: User, collection: Collection) -> None:
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
    assert [(one["algorithm_name"], one["repeat"]) for one in facts["submissions"]] == [("Algorithm of curator", "")]
    assert [one["collection"] for one in facts["drafts"]] == [collection.slug]
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


def test_export_omits_pages_of_collections_the_user_left(busy: User) -> None:
    Membership.objects.filter(user=busy).delete()
    client = Client()
    client.force_login(busy)
    archive = opened(client.get(reverse("account-export")).getvalue())
    assert not [name for name in archive.namelist() if name.startswith("drafts/")]
    assert len(json.loads(archive.read("account.json"))["drafts"]) == 1


def test_export_contains_the_log_without_addresses_of_others(busy: User, owner: User, collection: Collection) -> None:
    here = Client(REMOTE_ADDR="198.51.100.7")
    here.force_login(owner)
    here.post(reverse("people", args=[collection.slug]), {"username": "curator", "role": "reader"})
    there = Client(REMOTE_ADDR="203.0.113.9")
    there.post(reverse("sign-in"), {"username": "curator", "password": PASSWORD})
    text = opened(there.get(reverse("account-export")).getvalue()).read("account.json").decode()
    lines = [(line["kind"], line["actor_name"], line["address"]) for line in json.loads(text)["log"]]
    assert lines[:2] == [("signed-in", "curator", "203.0.113.9"), ("role-given", "owner", "")]
    assert "198.51.100.7" not in text


def test_command_writes_the_same_archive(busy: User, tmp_path: Path) -> None:
    call_command("export_account", "Curator", "--output", str(tmp_path / "out.zip"))
    client = Client()
    client.force_login(busy)
    archive = opened((tmp_path / "out.zip").read_bytes())
    assert archive.namelist() == opened(client.get(reverse("account-export")).getvalue()).namelist()


def tables_of_people() -> set[type[models.Model]]:
    """Return every table with a foreign key to an account, directly or indirectly."""
    tables = apps.get_models(include_auto_created=True)
    found: set[type[models.Model]] = {User}
    while more := {table for table in tables if table not in found and found & keys_of(table)}:
        found |= more
    return found - {User}


def keys_of(table: type[models.Model]) -> set[type[models.Model]]:
    columns = [*table._meta.concrete_fields, *table._meta.many_to_many]
    return {column.related_model for column in columns if column.is_relation}


def own_keys(table: type[models.Model]) -> set[tuple[str, str]]:
    columns = [*table._meta.concrete_fields, *table._meta.many_to_many]
    return {(table._meta.label, column.name) for column in columns if column.related_model is User}


def test_every_table_of_a_person_is_exported_or_omitted_with_a_reason() -> None:
    exported = {section.table for section in (*SECTIONS, STEPS)}
    known = exported | set(OMITTED_TABLES) | set(OTHERWISE)
    assert {table._meta.label for table in tables_of_people()} == known
    assert not exported & (set(OMITTED_TABLES) | set(OTHERWISE))
    assert all(OMITTED_TABLES.values())


def test_every_foreign_key_to_a_person_is_exported() -> None:
    followed = {(section.table, section.key) for section in (*SECTIONS, STEPS)}
    other = set(OMITTED_TABLES) | set(OTHERWISE)
    keys = set().union(*(own_keys(table) for table in tables_of_people() if table._meta.label not in other))
    assert keys <= followed


def test_every_column_is_exported_or_omitted_with_a_reason() -> None:
    """One section exports the whole table; the others export the person's actions on rows of other people."""
    whole = {section.table: section for section in (*SECTIONS, STEPS) if not section.columns}
    for table, section in whole.items():
        columns = [*section.model._meta.concrete_fields, *section.model._meta.many_to_many]
        names = {column.name for column in columns}
        omitted = OMITTED.get(table, {})
        assert set(omitted) <= names, f"{table} has no such column"
        assert all(omitted.values()), table
        assert names - set(section.paths) == {*omitted, *(name for label, name in own_keys(section.model))}, table
    assert set(OMITTED) <= {*whole, "accounts.User"}
    assert {section.table for section in (*SECTIONS, STEPS)} == {*whole, *PARTLY}
    account = {column.name for column in (*User._meta.concrete_fields, *User._meta.many_to_many)}
    assert {*exported_columns(User), *OMITTED["accounts.User"]} == account


def test_no_secret_is_exported() -> None:
    for section in (*SECTIONS, STEPS):
        secret = {"sealed", "password", "last_step"} | ({"sha256"} if section.table.startswith("accounts.") else set())
        assert not secret & set(section.paths), section.name


def test_export_contains_collections_guidelines_notes_times_and_read_marks(
    owner: User, curator: User, collection: Collection, gold_version: GoldVersion, submit: Submit
) -> None:
    GuidelinesVersion.objects.create(collection=collection, number=1, text="Look twice.", created_by=owner)
    GuidelinesReader.objects.create(collection=collection, user=owner, number=1)
    draft = drafts.from_nothing(query=collection.queries.get(key="mercury"), user=owner, kind=Draft.Kind.OWN)
    DraftTime.objects.create(draft=draft, user=owner, revision=0, last_at=timezone.now(), seconds=61)
    comments.start(reach_draft(owner, draft.pk), uuid4(), "why?", about="page", key="p1", to_lead=False)
    adjudication = Adjudication.objects.create(draft=draft, created_by=owner, minimum=0.5, n_agreed=0)
    step = adjudication.steps.create(user=owner, op_id=uuid4(), number=1, revision=0, seen=0, n_open=0)
    step.rows.create(about="page", side="first", key="p1", choice="first", reason="guideline", note="Rule 3 says so.")
    submit(owner, "Mine")
    found = json.loads(json.dumps(facts(owner), cls=DjangoJSONEncoder))
    assert [one["slug"] for one in found["collections"]] == [collection.slug]
    assert [one["text"] for one in found["guidelines"]] == ["Look twice."]
    assert [one["number"] for one in found["guidelines_read"]] == [1]
    assert [one["note"] for one in found["gold_versions"]] == [gold_version.note]
    assert [one["seconds"] for one in found["draft_time"]] == [61]
    assert len(found["threads_read"]) == 1
    assert [(one["reason"], one["note"]) for one in found["adjudication_decisions"]] == [
        ("guideline", "Rule 3 says so.")
    ]
    assert [one["repeat"] for one in found["submissions"]] == [""]
    assert facts(curator)["collections"] == []
