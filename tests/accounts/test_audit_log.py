"""The audit log: what is told, to whom, and that it can be relied on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import audit
from accounts.audit import Kind
from accounts.models import AuditEntry, User
from accounts.services import tokens
from accounts.services.account import confirm
from annotations.models import Collection, Role
from annotations.people.services import invitations, offers, roles
from evaluation.deletion.services import delete_submission
from evaluation.models import Run, Submission
from evaluation.runs.source import tidy
from tests.rate_limits import set_rates
from tests.samples.documents import PASSWORD

HERE = "198.51.100.7"


def told(**which: object) -> list[tuple[str, str, str, str]]:
    """Kind, who, whose account and from where of every line, the first first."""
    rows = AuditEntry.objects.filter(**which).order_by("pk")
    return list(rows.values_list("kind", "actor_name", "account_name", "address"))


@pytest.fixture
def browser() -> Client:
    return Client(REMOTE_ADDR=HERE)


def sign_in(browser: Client, password: str = PASSWORD, name: str = "owner") -> int:
    return browser.post(reverse("sign-in"), {"username": name, "password": password}).status_code


def test_signing_in_and_out_is_told(owner: User, browser: Client) -> None:
    sign_in(browser, "wrong")
    sign_in(browser)
    browser.post(reverse("sign-out"))
    assert told() == [
        ("wrong-password", "", "owner", HERE),
        ("signed-in", "owner", "owner", HERE),
        ("signed-out", "owner", "owner", HERE),
    ]


def test_a_locked_door_is_told_once(owner: User, browser: Client, settings: Settings) -> None:
    set_rates(settings, name="2/15min")
    assert [sign_in(browser, "wrong") for _ in range(5)] == [200, 200, 429, 429, 429]
    assert [kind for kind, *_ in told()] == ["wrong-password", "wrong-password", "locked"]


def test_what_somebody_typed_for_a_name_is_not_kept(owner: User, browser: Client) -> None:
    sign_in(browser, "owner", "hunter2-my-password")
    (entry,) = AuditEntry.objects.all()
    assert (entry.account, entry.account_name, entry.about) == (None, "", "for a name that nobody has")


def test_tokens_and_addresses_are_told_and_no_secret_is(owner: User, browser: Client) -> None:
    sign_in(browser)
    page = browser.post(reverse("token-create"), {"name": "nightly", "scopes": ["submit"]}).content.decode()
    secret = page.partition('id="new-token">')[2].partition("<")[0]
    browser.post(reverse("token-revoke", args=[owner.api_tokens.get().pk]))
    browser.post(reverse("email-change"), {"email": "ada@example.org", "password": PASSWORD})
    assert [kind for kind, *_ in told()][1:] == ["token-made", "token-revoked", "address-changed"]
    kept = " ".join(AuditEntry.objects.values_list("about", flat=True))
    assert "read submit, nightly" in kept
    assert secret not in kept
    assert "example.org" not in kept


def test_roles_and_invitations_are_told(owner: User, outsider: User, collection: Collection) -> None:
    AuditEntry.objects.all().delete()
    roles.add_role(collection=collection, user=outsider, role=Role.READER, by=owner)
    roles.add_role(collection=collection, user=outsider, role=Role.READER, by=owner)
    roles.remove_role(collection=collection, user=outsider, role=Role.READER)
    link, _ = invitations.invite(collection=collection, role=Role.CURATOR, user=owner)
    invitations.accept(link, outsider)
    invitations.revoke(link)
    invitations.revoke(link)
    assert [(kind, by, whose) for kind, by, whose, _ in told(collection=collection.pk)] == [
        ("role-given", "owner", "outsider"),
        ("role-taken", "", "outsider"),
        ("invited", "owner", ""),
        ("invitation-accepted", "outsider", ""),
        ("role-given", "", "outsider"),
        ("invitation-revoked", "", ""),
    ]


def test_offers_and_their_answers_are_told(owner: User, outsider: User, collection: Collection) -> None:
    AuditEntry.objects.all().delete()
    for role, answer in ((Role.READER, offers.withdraw), (Role.READER, offers.accept), (Role.CURATOR, offers.decline)):
        collection.memberships.filter(user=outsider).delete()
        made = offers.offer(collection=collection, user=outsider, role=role, by=owner)
        assert answer(made)
        assert not answer(made)
    assert [(kind, by) for kind, by, *_ in told(collection=collection.pk, account=outsider.pk)] == [
        ("role-offered", "owner"),
        ("offer-withdrawn", ""),
        ("role-offered", "owner"),
        ("offer-accepted", "outsider"),
        ("role-given", ""),
        ("role-offered", "owner"),
        ("offer-declined", "outsider"),
    ]


def test_whatever_opens_or_ends_an_account_is_told(owner: User, capsys: pytest.CaptureFixture[str]) -> None:
    owner.email = "owner@example.org"
    owner.save()
    confirm(owner)
    call_command("password_link", "owner")
    call_command("sign_out", "owner")
    capsys.readouterr()
    assert [kind for kind, *_ in told(account=owner.pk)] == ["address-confirmed", "password-link", "all-ended"]


def test_publications_and_deletions_are_told(
    owner: User, collection: Collection, submit: Callable[..., tuple[Submission, Run | None]], browser: Client
) -> None:
    submission, _ = submit(owner, published=False)
    browser.force_login(owner)
    for way in ("publish", "publish", "unpublish"):
        browser.post(reverse(f"submission-{way}", args=[submission.pk]))
    delete_submission(submission)
    browser.post(reverse("collection-delete", args=[collection.slug]), {"typed": collection.name})
    assert told(collection=collection.pk) == [
        ("gold-published", "owner", "", ""),
        ("submission-published", "owner", "", HERE),
        ("submission-unpublished", "owner", "", HERE),
        ("deleted", "", "", ""),
        ("deleted", "owner", "", HERE),
    ]


def test_who_does_it_by_a_token_is_known_too(owner: User, collection: Collection) -> None:
    secret = tokens.create(owner, "script")[1]
    program = Client(REMOTE_ADDR=HERE, headers={"authorization": f"Bearer {secret}"})
    program.post(f"/api/v1/collections/{collection.slug}/invitations", {"role": "reader"}, "application/json")
    assert told(kind=Kind.INVITED) == [("invited", "owner", "", HERE)]


def test_nobody_is_told_where_others_are(owner: User, outsider: User, collection: Collection, browser: Client) -> None:
    """Neither the other person nor an owner; of what nobody signed in did to one's account one is told from where."""
    sign_in(browser)
    roles.add_role(collection=collection, user=outsider, role=Role.READER, by=owner)
    guest = Client(REMOTE_ADDR="203.0.113.9")
    sign_in(guest, "wrong", "outsider")
    sign_in(guest, PASSWORD, "outsider")
    page = guest.get(reverse("account-log")).content.decode()
    assert "gave a role" in page
    assert "gave a wrong password" in page
    assert page.count("203.0.113.9") == 2
    assert HERE not in page
    rows = guest.get("/api/v1/log").json()["results"]
    assert [row["address"] for row in rows] == ["203.0.113.9", "203.0.113.9", ""]
    seen = browser.get(reverse("people-log", args=[collection.slug])).content.decode()
    assert "outsider" in seen
    assert HERE not in seen
    assert "address" not in browser.get(f"/api/v1/collections/{collection.slug}/log").json()["results"][0]


def test_lines_never_change(owner: User) -> None:
    audit.log(Kind.SIGNED_IN, actor=owner)
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        AuditEntry.objects.update(actor_name="somebody else")


def test_reading_writes_no_line(owner: User, collection: Collection, browser: Client) -> None:
    browser.force_login(owner)
    with CaptureQueriesContext(connection) as found:
        for address in ("/", reverse("account"), reverse("account-log"), reverse("people-log", args=[collection.slug])):
            assert browser.get(address).status_code == 200
    assert not [query["sql"] for query in found if "INSERT" in query["sql"] and "audit" in query["sql"]]


def test_what_is_older_than_a_year_is_forgotten(owner: User) -> None:
    for days in (1, 300, 400):
        AuditEntry.objects.create(kind=Kind.SIGNED_IN, at=timezone.now() - timedelta(days=days))
    tidy()
    assert AuditEntry.objects.count() == 2
    call_command("audit_log", "--forget-before", f"{timezone.now() - timedelta(days=30):%Y-%m-%d}")
    assert AuditEntry.objects.count() == 1


def test_the_operator_sees_all_and_chooses(
    owner: User, outsider: User, collection: Collection, browser: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    sign_in(browser, "wrong", "outsider")
    sign_in(browser)

    def lines(*options: str) -> list[str]:
        call_command("audit_log", *options)
        return capsys.readouterr().out.splitlines()

    assert [HERE in line for line in lines()] == [True, True, False]
    assert [line.split()[4] for line in lines("--user", "outsider")] == ["wrong-password"]
    assert [line.split()[4] for line in lines("--collection", collection.slug)] == ["gold-published"]
    assert len(lines("--kind", "signed-in", "--address", HERE)) == 1
    assert lines("--since", "2100-01-01") == []
    assert len(lines("--most", "1")) == 1
