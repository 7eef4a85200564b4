"""Accounts, tokens, people, settings."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, User
from annotations.models import Collection, Role
from tests.fixtures.pages import Visit
from tests.rate_limits import set_rates
from tests.samples.documents import PASSWORD


def test_signing_up_in_and_out(visit: Visit) -> None:
    client = visit(None)
    secret = "a long and unusual phrase 77"
    client.post(reverse("sign-up"), {"username": "newcomer", "password1": secret, "password2": secret})
    assert "newcomer" in client.get("/").content.decode()
    client.post(reverse("sign-out"))
    assert "newcomer" not in client.get("/").content.decode()
    answer = client.post(f"{reverse('sign-in')}?next=/measures/", {"username": "newcomer", "password": secret})
    assert answer.headers["Location"] == "/measures/"


def test_a_name_may_be_written_in_any_case(visit: Visit, owner: User, outsider: User, collection: Collection) -> None:
    client = visit(None)
    client.post(reverse("sign-in"), {"username": "OWNER", "password": PASSWORD})
    assert "<bdi>owner</bdi>" in client.get("/").content.decode()
    client.post(reverse("people", args=[collection.slug]), {"username": "Outsider", "role": "reader"})
    assert collection.role_offers.filter(user=outsider, role="reader").exists()


@pytest.mark.parametrize(
    "wanted", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_signing_in_or_up_never_leads_to_another_site(visit: Visit, owner: User, wanted: str) -> None:
    sent = {"username": "owner", "password": PASSWORD, "next": wanted}
    assert visit(None).post(reverse("sign-in"), sent).headers["Location"] == "/"
    sent = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD, "next": wanted}
    assert visit(None).post(reverse("sign-up"), sent).headers["Location"] == "/"
    assert wanted not in visit(None).get(reverse("sign-up"), {"next": wanted}).content.decode()


def test_an_email_address_is_kept_and_taken_once(visit: Visit) -> None:
    secret = "a long and unusual phrase 77"
    sent = {"username": "ada", "email": "Ada@example.org", "password1": secret, "password2": secret}
    visit(None).post(reverse("sign-up"), sent)
    assert User.objects.get(username="ada").email == "Ada@example.org"
    page = visit(None).post(reverse("sign-up"), {**sent, "username": "another", "email": "ada@example.org"})
    assert "There is an account with this e-mail address already." in page.content.decode()
    page = visit(None).post(reverse("sign-up"), {**sent, "username": "another", "email": "no address"})
    assert 'id="id_email_error' in page.content.decode()
    assert not User.objects.filter(username="another").exists()


def test_signing_out_needs_a_post(visit: Visit, owner: User) -> None:
    assert visit(owner).get(reverse("sign-out")).status_code == 405


def test_many_wrong_passwords_lock_the_door(visit: Visit, owner: User, settings: object) -> None:
    set_rates(settings, name="2/15min")
    client = visit(None)
    for name in ("owner", "Owner", "OWNER"):
        answer = client.post(reverse("sign-in"), {"username": name, "password": "wrong"})
    assert answer.status_code == 429
    assert "Too many wrong passwords" in answer.content.decode()
    assert "Wait 15 minutes" in answer.content.decode()
    refused = visit(None).post(reverse("sign-in"), {"username": "x", "password": "y"})
    assert "may be case-sensitive" not in refused.content.decode()
    assert client.post(reverse("sign-in"), {"username": "owner", "password": PASSWORD}).status_code == 429


def sign_in(client: Client, password: str = PASSWORD) -> int:
    return client.post(reverse("sign-in"), {"username": "owner", "password": password}).status_code


def test_strangers_lock_nobody_out_of_a_browser_that_was_theirs(visit: Visit, owner: User, settings: object) -> None:
    """Somebody behind the same address who knows the name; and who tries many names."""
    set_rates(settings, login="4/min", name="2/15min")
    mine, stranger = visit(None), visit(None)
    assert sign_in(mine) == 302
    mine.post(reverse("sign-out"))
    assert [sign_in(stranger, "wrong") for _ in range(3)] == [200, 200, 429]
    assert [sign_in(stranger), sign_in(mine)] == [429, 302]
    for name in ("ann", "bob", "eve"):
        stranger.post(reverse("sign-in"), {"username": name, "password": "wrong"})
    mine.post(reverse("sign-out"))
    assert [sign_in(visit(None)), sign_in(mine)] == [429, 302]
    answer = visit(None).post(reverse("sign-in"), {"username": "zoe", "password": PASSWORD})
    assert "Wait 1 minute and" in answer.content.decode()
    assert 0 < int(answer["Retry-After"]) <= 60


def test_a_known_browser_guesses_no_more_than_a_stranger(visit: Visit, owner: User, settings: object) -> None:
    set_rates(settings, device="2/hour", name="1/15min")
    known = visit(None)
    sign_in(known)
    known.post(reverse("sign-out"))
    assert [sign_in(known, "wrong") for _ in range(5)] == [200, 200, 200, 429, 429]
    assert sign_in(known) == 429


def test_a_browser_is_known_no_more_once_the_password_is_another(visit: Visit, owner: User, settings: object) -> None:
    set_rates(settings, name="1/15min")
    known = visit(None)
    sign_in(known)
    known.post(reverse("sign-out"))
    owner.set_password("another, longer phrase")
    owner.save()
    assert [sign_in(known), sign_in(known, "another, longer phrase")] == [200, 429]


def test_a_form_from_elsewhere_is_refused(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    answer = client.post(reverse("token-create"), {"name": "stolen"})
    assert answer.status_code == 403
    assert "fresh page" in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_a_token_is_shown_once(visit: Visit, owner: User) -> None:
    client = visit(owner)
    page = client.post(reverse("token-create"), {"name": "nightly"}).content.decode()
    found = re.search(r'id="new-token">([^<]+)<', page)
    assert found
    assert found[1] not in client.get(reverse("account")).content.decode()
    assert "nightly" in client.get(reverse("account")).content.decode()


def test_a_token_may_what_was_ticked_until_it_ends(visit: Visit, owner: User) -> None:
    client = visit(owner)
    page = client.post(reverse("token-create"), {"name": "nightly", "scopes": ["submit"], "days": "30"})
    row = ApiToken.objects.get()
    assert (row.scopes, row.days_left in {29, 30}) == ("read submit", True)
    assert "read, submit" in page.content.decode()
    shown = client.get(reverse("account")).content.decode()
    assert f">{row.days_left} days left<" in " ".join(shown.split())
    ApiToken.objects.update(expires_at=timezone.now())
    assert ">expired<" in client.get(reverse("account")).content.decode()
    client.post(reverse("token-create"), {"name": "reader"})
    assert ApiToken.objects.get(name="reader").scopes == "read"
    assert client.post(reverse("token-create"), {"name": "x", "scopes": ["all"]}).status_code == 400


def test_only_ones_own_tokens_can_be_revoked(visit: Visit, owner: User, outsider: User) -> None:
    visit(owner).post(reverse("token-create"), {"name": "nightly"})
    address = reverse("token-revoke", args=[ApiToken.objects.get().pk])
    assert visit(outsider).post(address).status_code == 404
    visit(owner).post(address)
    assert not ApiToken.objects.exists()


def test_owners_give_and_take_roles(visit: Visit, owner: User, reader: User, collection: Collection) -> None:
    client, address = visit(owner), reverse("people", args=[collection.slug])
    assert client.post(address, {"username": "nobody", "role": "reader"}).status_code == 400
    client.post(address, {"username": "reader", "role": "submitter"})
    assert collection.memberships.filter(user=reader, role=Role.SUBMITTER).exists()
    client.post(reverse("person-remove", args=[collection.slug]), {"username": "reader", "role": "submitter"})
    assert not collection.memberships.filter(user=reader, role=Role.SUBMITTER).exists()


def test_the_last_owner_stays(visit: Visit, owner: User, collection: Collection) -> None:
    address = reverse("person-remove", args=[collection.slug])
    page = visit(owner).post(address, {"username": "owner", "role": "owner"}, follow=True).content.decode()
    assert "Make another user an owner first." in page
    assert collection.memberships.filter(user=owner, role=Role.OWNER).exists()


def test_only_owners_manage_people_and_settings(
    visit: Visit, curator: User, outsider: User, collection: Collection
) -> None:
    for name in ("people", "collection-settings"):
        address = reverse(name, args=[collection.slug])
        assert visit(curator).get(address).status_code == 403
        assert visit(outsider).get(address).status_code == 404


def test_settings_change_the_name_and_keep_the_address(visit: Visit, owner: User, collection: Collection) -> None:
    address = reverse("collection-settings", args=[collection.slug])
    visit(owner).post(address, {"name": "Renamed", "description": "d", "visibility": "public"})
    assert "Renamed" in visit(None).get(reverse("collection", args=[collection.slug])).content.decode()


def test_deleting_asks_for_the_name(visit: Visit, owner: User, collection: Collection) -> None:
    address = reverse("collection-delete", args=[collection.slug])
    assert visit(owner).get(address).status_code == 405
    assert visit(owner).post(address, {"typed": "something else"}).status_code == 400
    assert Collection.objects.filter(pk=collection.pk).exists()
    visit(owner).post(address, {"typed": collection.name})
    assert not Collection.objects.filter(pk=collection.pk).exists()


def test_no_character_of_a_form_is_our_fault(visit: Visit, owner: User, collection: Collection) -> None:
    """PostgreSQL stores no NUL, and says so loudly."""
    wrong = {"username": "a\0b", "role": "own\0er"}
    people = reverse("people", args=[collection.slug])
    assert visit(owner).post(people, wrong).status_code == 400
    assert visit(owner).post(reverse("person-remove", args=[collection.slug]), wrong).status_code == 302


def test_nobody_becomes_countless_people(visit: Visit, settings: object) -> None:
    set_rates(settings, sign_up="2/hour")

    def sign_up(name: str) -> HttpResponse:
        form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
        return visit(None).post(reverse("sign-up"), form)

    assert [sign_up(name).status_code for name in ("one", "two")] == [302, 302]
    refused = sign_up("three")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    assert not User.objects.filter(username="three").exists()
