"""The administration: who gets in, that it only shows, and what its deeds do and log."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.admin_site import ReadMostly
from accounts.models import AuditEntry, Identity, User
from accounts.services import second_factor, tokens
from annotations.collections.services import change_settings, hide
from annotations.collections.storage import storage_of_collection, storage_of_person
from annotations.models import Collection, Quota
from evaluation.models import Run, Submission
from qc4.problems import InputError
from tests.accounts.mailbox import received
from tests.accounts.test_passwords import is_signed_in
from tests.accounts.test_second_factor import code_of
from tests.fixtures.site import Commit
from tests.samples.documents import PASSWORD

Browser = Callable[[User], Client]
WHY = "It sells watches."
INDEX = "/administration/"


@pytest.fixture
def boss(person: Callable[[str], User]) -> User:
    call_command("administrator", "boss" if person("boss") else "")
    return User.objects.get(username="boss")


@pytest.fixture
def desk(boss: User, browser: Browser) -> Client:
    """Where the administrator sits."""
    return browser(boss)


def do(desk: Client, deed: str, row: User | Collection | Run, reason: str = WHY, **more: str) -> HttpResponse:
    return desk.post(reverse(f"admin:{deed}", args=[row.pk]), {"reason": reason, **more}, follow=True)


def told(kind: str) -> tuple[str, str, str]:
    entry = AuditEntry.objects.get(kind=kind)
    return entry.actor_name, entry.account_name, entry.about


# --- Who gets in ------------------------------------------------------------------------------------------------------


def test_it_takes_the_permission_and_no_flag_of_staff(ada: User, desk: Client, browser: Browser) -> None:
    assert desk.get(INDEX).status_code == 200
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    assert browser(ada).get(INDEX).status_code == 404
    assert Client().get(INDEX).headers["Location"] == f"{reverse('sign-in')}?next={INDEX}"
    call_command("administrator", "boss", "--remove")
    assert desk.get(INDEX).status_code == 404
    kinds = AuditEntry.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["administrator-appointed", "administrator-dismissed"]


def test_it_takes_a_second_factor_where_that_is_set(boss: User, browser: Browser, settings: Settings) -> None:
    settings.ADMIN_SECOND_FACTOR = True
    here = browser(boss)
    for address in (INDEX, reverse("admin:accounts_user_suspend", args=[boss.pk])):
        assert here.get(address).headers["Location"] == reverse("second-factor")
    secret = second_factor.new_secret()
    second_factor.turn_on(boss, secret, code_of(secret))
    boss.refresh_from_db()
    assert browser(boss).get(INDEX).status_code == 200


def test_no_token_gets_in(boss: User) -> None:
    _, secret = tokens.create(boss, "script")
    assert Client(headers={"Authorization": f"Bearer {secret}"}).get(INDEX).status_code == 302


# --- What it shows ----------------------------------------------------------------------------------------------------


def test_everything_is_shown_and_nothing_is_changed(
    desk: Client, owner: User, collection: Collection, submit: Callable[..., tuple[Submission, Run]]
) -> None:
    """No page has a form that writes, nor script or style of its own."""
    submit(owner, "Lingo")
    AuditEntry.objects.create(kind="signed-in")
    Identity.objects.create(user=owner, issuer="https://id.example.org", subject="1")
    pages = [INDEX, reverse("admin:app_list", args=["accounts"])]
    for model, shown in admin.site._registry.items():
        assert isinstance(shown, ReadMostly)
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model._default_manager.first()
        assert row is not None, model
        change = reverse(f"{name}_change", args=[row.pk])
        pages += [reverse(f"{name}_changelist"), reverse(f"{name}_changelist") + "?q=a", change]
        for address in (change, reverse(f"{name}_changelist")):
            assert desk.post(address, {"_save": "x", "action": "delete_selected"}).status_code in {403, 200, 302}
    before = [list(model._default_manager.values()) for model in admin.site._registry]
    for address in pages:
        answer = desk.get(address)
        assert answer.status_code == 200, address
        text = answer.content.decode()
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\son[a-z]+=", text), address
        assert 'name="_save"' not in text, address
        assert "md5$" not in text
    assert [list(model._default_manager.values()) for model in admin.site._registry] == before
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("column", ["password__startswith", "endings", "api_tokens__prefix", "second_factor__sealed"])
def test_what_is_not_shown_is_not_guessed_by_filtering(ada: User, desk: Client, column: str) -> None:
    listed = reverse("admin:accounts_user_changelist")
    assert desk.get(listed, {"is_active__exact": "1"}).status_code == 200
    assert desk.get(listed, {column: "m"}).status_code == 400


# --- People -----------------------------------------------------------------------------------------------------------


def test_who_is_suspended_is_out_at_once_and_told_why(
    ada: User, desk: Client, browser: Browser, commit: Commit
) -> None:
    here, (_, secret) = browser(ada), tokens.create(ada, "script")
    with commit():
        assert do(desk, "accounts_user_suspend", ada).status_code == 200
    assert not is_signed_in(here)
    assert Client().get("/api/v1/runs", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    assert WHY in "".join(str(message.body) for message in received(2))
    assert told("suspended") == ("boss", "ada", WHY)
    page = sign_in("ada", PASSWORD).content.decode()
    assert "This account is suspended" in page
    assert WHY in page
    assert "suspended" not in sign_in("ada", "wrong").content.decode()
    do(desk, "accounts_user_restore", ada)
    assert told("restored") == ("boss", "ada", WHY)
    assert sign_in("ada", PASSWORD).status_code == 302


def sign_in(name: str, password: str) -> HttpResponse:
    return Client().post(reverse("sign-in"), {"username": name, "password": password})


def test_administrators_are_not_suspended_here_and_a_reason_is_given(boss: User, ada: User, desk: Client) -> None:
    assert do(desk, "accounts_user_suspend", boss).status_code == 400
    assert do(desk, "accounts_user_suspend", ada, "").status_code == 400
    assert do(desk, "accounts_user_restore", ada).status_code == 404
    assert User.objects.filter(is_active=True).count() == 2


# --- Collections and runs ---------------------------------------------------------------------------------------------


def test_a_hidden_collection_stays_hidden_until_the_administration_says_otherwise(
    public_collection: Collection, owner: User, desk: Client, browser: Browser
) -> None:
    address, settings = (reverse(name, args=[public_collection.slug]) for name in ("collection", "collection-settings"))
    wanted = {"name": public_collection.name, "description": "", "visibility": "public", "participation": "members"}
    do(desk, "annotations_collection_hide", public_collection)
    assert Client().get(address).status_code == 404
    refused = browser(owner).post(settings, {**wanted, "timing": "on"})
    assert WHY in refused.content.decode()
    assert Client().get(address).status_code == 404
    assert told("collection-hidden") == ("boss", "", WHY)
    do(desk, "annotations_collection_unhide", public_collection)
    assert Client().get(address).status_code == 404
    browser(owner).post(settings, {**wanted, "timing": "on"})
    assert Client().get(address).status_code == 200


def test_one_that_is_hidden_while_its_settings_are_changed_stays_hidden(
    public_collection: Collection, boss: User
) -> None:
    hide(Collection.objects.get(), boss, WHY)
    with pytest.raises(InputError, match=WHY):
        change_settings(public_collection, name="New", description="", visibility="public")
    assert Collection.objects.get().visibility == "private"


def test_a_purge_takes_everything_once_its_name_is_typed(
    collection: Collection, owner: User, desk: Client, submit: Callable[..., tuple[Submission, Run]]
) -> None:
    submit(owner, "Lingo")
    assert do(desk, "annotations_collection_purge", collection, typed="no").status_code == 400
    assert Collection.objects.exists()
    assert do(desk, "annotations_collection_purge", collection, typed=collection.slug).status_code == 200
    assert not Collection.objects.exists()
    assert not Submission.objects.exists()
    assert told("collection-purged") == ("boss", "", WHY)


def test_no_owner_is_told_of_a_purge_that_fails(
    collection: Collection, desk: Client, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.filter(username="owner").update(email="owner@example.org")

    def busy(*_: object) -> None:
        raise OperationalError

    with monkeypatch.context() as failing, commit() as sent:
        failing.setattr("evaluation.deletion.services._tidy", busy)
        assert do(desk, "annotations_collection_purge", collection, typed=collection.slug).status_code == 503
    assert not sent
    assert Collection.objects.exists()
    assert not AuditEntry.objects.filter(kind__in=["deleted", "collection-purged"]).exists()
    with commit():
        do(desk, "annotations_collection_purge", collection, typed=collection.slug)
    assert "was deleted, with everything in it" in str(received(1)[0].body)


def test_a_quota_is_set_and_taken_back(collection: Collection, ada: User, desk: Client) -> None:
    do(desk, "accounts_user_quota", ada, gigabytes="0.5", rows="1000")
    assert (storage_of_person(ada).bytes_quota, storage_of_person(ada).rows_quota) == (2**29, 1000)
    assert told("quota-set") == ("boss", "ada", f"bytes 512.0 MB, rows 1,000: {WHY}")
    assert do(desk, "annotations_collection_quota", collection, rows="-1").status_code == 400
    do(desk, "annotations_collection_quota", collection, rows="0")
    assert storage_of_collection(collection).rows_quota is None
    do(desk, "accounts_user_quota", ada)
    assert list(Quota.objects.values_list("collection", flat=True)) == [collection.pk]


def test_a_run_is_cancelled(
    collection: Collection, owner: User, desk: Client, submit: Callable[..., tuple[Submission, Run]]
) -> None:
    _, run = submit(owner, "Lingo")
    do(desk, "evaluation_run_cancel", run)
    run.refresh_from_db()
    assert run.state == Run.State.CANCELLED
    assert told("run-cancelled") == ("boss", "", f"run {run.pk}: {WHY}")
    assert do(desk, "evaluation_run_cancel", run).status_code == 404
