"""Deleting an account removes the person, keeps others' work complete, and reserves the name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import models
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from accounts.names import check_new
from accounts.services import tokens
from annotations.discussion import services as comments
from annotations.drafts import services as drafts
from annotations.drafts.access import reach_draft
from annotations.models import Collection, Comment, Draft, Invitation, Membership, Role
from annotations.people.services import invitations, roles
from evaluation.account_data.services import delete_account
from evaluation.deletion import services as deletion
from evaluation.models import Run, RunEvent, Submission
from evaluation.runs import services as runs
from qc4.problems import InputError
from tests.samples.documents import PASSWORD
from tests.waiting import wait_for

GOES = {
    *(
        "Announced",
        "ApiToken",
        "Assignment",
        "Comment_named",
        "DraftLoss",
        "DraftPresence",
        "DraftTime",
        "GuidelinesReader",
    ),
    *("InvitationUse", "Membership", "MutedNotice", "OthersSeen", "ParticipationRequest", "RoleOffer", "ThreadReader"),
    *("Identity", "LogEntry", "Quota", "RecoveryCode", "SecondFactor"),
    *("User_groups", "User_user_permissions"),
}
"""Models that record what a person has or has seen."""
Submit = Callable[..., tuple[Submission, Run | None]]


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def leave(user: User) -> None:
    """Delete the account as its page does."""
    answer = browser(user).post(reverse("account-delete"), {"password": PASSWORD}, follow=True)
    assert "Your account was deleted." in answer.content.decode()


def every_text() -> str:
    """Return all data in the database, except signatures and hashes."""
    found = []
    for model in apps.get_models():
        names = [field.attname for field in model._meta.concrete_fields if not isinstance(field, models.BinaryField)]
        found += [repr(row) for row in model._default_manager.values_list(*names)]
    return "\n".join(found)


@pytest.fixture
def busy(curator: User, collection: Collection, owner: User, submit: Submit, finish: Callable[..., None]) -> User:
    """A curator with data of every kind: a draft, comments, submissions, a cancelled run, links, tokens."""
    curator.email, curator.username = "vera@example.org", "vera-7"
    curator.save()
    roles.add_role(collection=collection, user=curator, role=Role.SUBMITTER)
    query = collection.queries.get(key="mercury")
    draft = drafts.from_nothing(query=query, user=curator, kind=Draft.Kind.OWN)
    comments.start(reach_draft(curator, draft.pk), uuid4(), "What is this?", about="page", key="p1", to_lead=True)
    _, run = submit(curator, "Published")
    finish(run)
    _, waiting = submit(curator, "Secret", published=False)
    assert waiting is not None
    runs.cancel(runs.rerun(run, curator), curator)
    tokens.create(curator, "nightly")
    drafts.from_draft(query=query, user=owner, kind=Draft.Kind.SHARED, source=draft)
    return curator


def test_deletion_removes_the_person_and_keeps_the_work(busy: User, owner: User, collection: Collection) -> None:
    page = browser(busy).get(reverse("account-delete")).content.decode()
    assert "1 submission that you did not publish" in page
    neutral = f"deleted account {busy.pk}"
    assert neutral in page
    leave(busy)
    left = User.objects.get(pk=busy.pk)
    assert (left.get_username(), left.email, left.is_active) == (neutral, "", False)
    assert not left.has_usable_password()
    text = every_text()
    assert "vera-7" not in text
    assert "vera@example.org" not in text
    assert Submission.objects.get(published=True).created_by == left
    assert not Submission.objects.filter(published=False).exists()
    assert neutral in browser(owner).get(reverse("collection", args=[collection.slug])).content.decode()
    assert Draft.objects.filter(curator=left, name=neutral).exists()
    assert Comment.objects.get().user == left
    assert RunEvent.objects.filter(why=f"Cancelled by {neutral}.", actor=neutral).exists()
    assert not Membership.objects.filter(user=left).exists()
    assert not left.api_tokens.exists()


def test_deleted_account_and_its_name_cannot_be_used(busy: User) -> None:
    elsewhere, (_, secret) = browser(busy), tokens.create(busy, "x")
    leave(busy)
    assert elsewhere.get(reverse("account")).status_code == 302
    assert Client().get("/api/v1/runs", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    for name in ("vera-7", f"deleted account {busy.pk}"):
        assert Client().post(reverse("sign-in"), {"username": name, "password": PASSWORD}).status_code == 200
    for name in ("vera-7", "Vera-7", f"deleted account {busy.pk}"):
        sent = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
        assert Client().post(reverse("sign-up"), sent).status_code == 400
    with pytest.raises(CommandError, match="nobody gets it again"):
        call_command("ensure_user", "Vera-7")
    assert not User.objects.filter(username__iexact="vera-7").exists()


def test_deletion_requires_the_password(curator: User) -> None:
    client = browser(curator)
    for wrong in ({}, {"password": "wrong"}):
        assert client.post(reverse("account-delete"), wrong).status_code == 400
    assert User.objects.get(pk=curator.pk).is_active


def test_shared_collection_must_be_handed_over_first(owner: User, curator: User, collection: Collection) -> None:
    client = browser(owner)
    page = client.get(reverse("account-delete")).content.decode()
    assert reverse("people", args=[collection.slug]) in page
    assert "Delete my account" not in page
    assert client.post(reverse("account-delete"), {"password": PASSWORD}).status_code == 400
    assert User.objects.get(pk=owner.pk).is_active
    roles.add_role(collection=collection, user=curator, role=Role.OWNER)
    leave(owner)
    assert list(collection.memberships.filter(role=Role.OWNER).values_list("user", flat=True)) == [curator.pk]
    assert collection.gold_versions.get().published_by_id == owner.pk


def test_sole_private_collections_are_deleted_and_public_ones_stay(
    owner: User, collection: Collection, public_collection: Collection
) -> None:
    page = browser(owner).get(reverse("account-delete")).content.decode()
    assert re.search(r"private collections[^<]*<b><bdi>Space and cars", page)
    leave(owner)
    assert list(Collection.objects.all()) == [public_collection]
    assert Client().get(reverse("collection", args=[public_collection.slug])).status_code == 200


def test_invitations_of_a_deleted_account_are_void(owner: User, curator: User, collection: Collection) -> None:
    roles.add_role(collection=collection, user=curator, role=Role.OWNER)
    invitations.invite(collection=collection, user=owner, role=Role.CURATOR)
    delete_account(owner)
    assert Invitation.objects.get().revoked_at is not None


def test_deleted_account_gets_a_last_email(
    busy: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(busy)
    told = wait_for(lambda: [one for one in mail.outbox if "deleted" in one.subject], "the last e-mail")
    assert told[0].to == ["vera@example.org"]
    assert "Hello vera-7," in str(told[0].body)


def test_command_reports_effects_before_deleting(busy: User, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="--yes"):
        call_command("delete_account", "VERA-7")
    assert "Unpublished submissions, deleted: 1." in capsys.readouterr().out
    assert User.objects.get(pk=busy.pk).is_active
    call_command("delete_account", "vera-7", "--yes")
    assert not User.objects.get(pk=busy.pk).is_active
    with pytest.raises(CommandError):
        call_command("delete_account", "vera-7", "--yes")


def test_failed_deletion_changes_nothing(owner: User, curator: User, collection: Collection) -> None:
    with pytest.raises(InputError):
        delete_account(owner)
    assert User.objects.get(pk=owner.pk).get_username() == "owner"
    assert collection.memberships.filter(user=owner).exists()


def test_collection_survives_if_someone_joins_during_deletion(
    owner: User, curator: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner was the only member when the page was loaded."""
    Membership.objects.exclude(user=owner).delete()
    late = deletion.delete_collection

    def joined_first(one: Collection, **more: Callable[[], None]) -> None:
        roles.add_role(collection=one, user=curator, role=Role.CURATOR)
        late(one, **more)

    monkeypatch.setattr("evaluation.account_data.services.delete_collection", joined_first)
    with pytest.raises(InputError, match="other members"):
        delete_account(owner)
    assert Collection.objects.filter(pk=collection.pk).exists()
    assert User.objects.get(pk=owner.pk).is_active


def test_collection_is_kept_for_a_deactivated_member(owner: User, curator: User, collection: Collection) -> None:
    Membership.objects.exclude(user=owner).delete()
    roles.add_role(collection=collection, user=curator, role=Role.OWNER)
    User.objects.filter(pk=curator.pk).update(is_active=False)
    with pytest.raises(InputError, match="other members"):
        delete_account(owner)


def test_deleted_account_cannot_get_a_role(owner: User, curator: User, collection: Collection) -> None:
    delete_account(curator)
    with pytest.raises(InputError, match="account is closed"):
        roles.add_role(collection=collection, user=curator, role=Role.CURATOR)


def test_deleted_name_stays_reserved_with_a_new_secret_key(curator: User, settings: Any) -> None:
    name = curator.get_username()
    delete_account(curator)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another-" * 8, [settings.SECRET_KEY]
    with pytest.raises(ValidationError, match="nobody gets it again"):
        check_new(name)


def test_every_foreign_key_to_an_account_has_a_deletion_rule() -> None:
    """Keys to the author of an action are protected; a person's own data is deleted. No key is set to NULL silently."""
    keys = [one for one in User._meta.get_fields(include_hidden=True) if isinstance(one, models.ManyToOneRel)]
    held = {one.related_model.__name__ for one in keys if one.on_delete is models.CASCADE}
    assert {one.on_delete for one in keys} <= {models.PROTECT, models.CASCADE}
    assert held == GOES, "what is this row? Its services/leaving.py or services/deletion.py must delete it"
