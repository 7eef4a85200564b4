"""Who may make an account: everybody, whoever was invited, or nobody; and every page says which."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.forms import SignUp
from accounts.models import SignUpLink, User
from accounts.services import registration
from accounts.services.administration import restore, suspend
from annotations.collections.services import hide, unhide
from annotations.models import Collection, Invitation, Role
from annotations.people.services import invitations
from tests.samples.documents import PASSWORD


@pytest.fixture
def by_invitation(settings: Settings, db: None) -> None:
    settings.SIGN_UP = "invitation"


def sign_up(name: str, address: str = "/sign-up/", **more: str) -> HttpResponse:
    return Client().post(address, {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more})


def operator_link(**chosen: int) -> str:
    return registration.create(**chosen)[1].removeprefix("http://127.0.0.1:8000")


@pytest.fixture
def invitation(collection: Collection, owner: User) -> Callable[..., str]:
    """The address of a new invitation to a collection."""

    def make(**chosen: int) -> str:
        secret = invitations.invite(collection=collection, user=owner, role=Role.CURATOR, **chosen)[1]
        return reverse("invitation", args=[secret])

    return make


def exists(name: str) -> bool:
    return User.objects.filter(username=name).exists()


# --- Closed -----------------------------------------------------------------------------------------------------------


def test_where_it_is_closed_the_operator_alone_makes_accounts(
    settings: Settings, invitation: Callable[..., str]
) -> None:
    link = operator_link()
    settings.SIGN_UP = "closed"
    for address, next_ in (("/sign-up/", ""), ("/sign-up/", invitation()), (link, "")):
        assert Client().get(address, {"next": next_}).status_code == 404
        assert sign_up("vera", address, next=next_).status_code == 404
    assert not exists("vera")
    page = Client().get("/sign-in/", {"next": invitation()}).content.decode()
    assert "Accounts are made by the operator" in " ".join(page.split())
    assert "ake an account" not in page
    with pytest.raises(CommandError, match="SIGN_UP=invitation"):
        call_command("sign_up_link")


def test_pages_that_lead_to_submitting_say_what_holds(
    settings: Settings, public_collection: Collection, owner: User
) -> None:
    Collection.objects.update(participation=Collection.Participation.ANYBODY)
    client, people = Client(), Client()
    people.force_login(owner)

    def pages() -> list[str]:
        take_part = client.get(reverse("take-part", args=[public_collection.slug]))
        team = people.get(reverse("people", args=[public_collection.slug]))
        found = (client.get("/"), client.get("/sign-in/"), take_part, team)
        return [" ".join(page.content.decode().lower().split()) for page in found]

    first, sign_in, take_part, team = pages()
    assert all("make an account" in page for page in (first, sign_in, take_part))
    assert "or who have no account yet" in team
    for mode, words in (("closed", "made by the operator"), ("invitation", "making an account takes an invitation")):
        settings.SIGN_UP = mode
        first, sign_in, take_part, team = pages()
        assert not any("make an account" in page for page in (first, sign_in, take_part)), mode
        assert words in sign_in
        assert words in take_part
    assert "can use the link to create one" in team


# --- By invitation ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("by_invitation")
def test_without_an_invitation_nobody_makes_an_account() -> None:
    wrong = ("", "/", "/account/", "/invitations/unknown/", "/sign-up/unknown/", "//[", "https://evil.example/")
    for next_ in wrong:
        page = Client().get("/sign-up/", {"next": next_})
        assert page.status_code == 403
        assert sign_up("vera", next=next_).status_code == 403
    assert "Making an account takes an invitation" in Client().get("/sign-up/").content.decode()
    assert Client().get("/sign-up/unknown/").status_code == 403
    assert sign_up("vera", "/sign-up/unknown/").status_code == 403
    assert not exists("vera")


@pytest.mark.usefixtures("by_invitation")
def test_an_invitation_to_a_collection_lets_somebody_in(invitation: Callable[..., str]) -> None:
    address = invitation()
    client = Client()
    assert "Make an account" in client.get(address, follow=True).content.decode()
    sent = {"username": "vera", "password1": PASSWORD, "password2": PASSWORD, "next": address}
    assert client.post("/sign-up/", sent)["Location"] == address
    client.post(address)
    assert User.objects.get(username="vera").memberships.get().role == Role.CURATOR


@pytest.mark.usefixtures("by_invitation")
def test_who_is_suspended_lets_nobody_in(
    invitation: Callable[..., str], owner: User, person: Callable[[str], User]
) -> None:
    address = invitation()
    suspend(owner, boss := person("boss"), "Spam.")
    assert sign_up("again", next=address).status_code == 403
    restore(owner, boss, "It was no spam.")
    assert sign_up("welcome", next=address).status_code == 302


@pytest.mark.usefixtures("by_invitation")
def test_a_hidden_collection_lets_nobody_in(
    invitation: Callable[..., str], collection: Collection, person: Callable[[str], User], client: Client
) -> None:
    address = invitation()
    hide(collection, boss := person("boss"), "Spam.")
    assert sign_up("again", next=address).status_code == 403
    client.force_login(person("ben"))
    assert client.post(address).status_code == 404
    unhide(collection, boss, "It was no spam.")
    assert client.post(address).status_code == 302
    assert collection.memberships.filter(user__username="ben").exists()


@pytest.mark.usefixtures("by_invitation")
def test_an_invitation_makes_no_more_accounts_than_it_invites(invitation: Callable[..., str]) -> None:
    """Also where nobody accepts it: one open link is no open door."""
    address = invitation(most_uses=2)
    answers = [sign_up(name, next=address).status_code for name in ("ana", "ben", "cleo")]
    assert answers == [302, 302, 403]
    assert not exists("cleo")
    assert "make an account" not in Client().get("/sign-in/", {"next": address}).content.decode().lower()


@pytest.mark.usefixtures("by_invitation")
@pytest.mark.parametrize("wrong", ["revoked_at", "expires_at"])
def test_an_invitation_that_works_no_more_lets_nobody_in(invitation: Callable[..., str], wrong: str) -> None:
    address = invitation()
    Invitation.objects.update(**{wrong: timezone.now() - timedelta(seconds=1)})
    page = Client().get("/sign-up/", {"next": address})
    assert page.status_code == 403
    assert "No account can be made by this link" in page.content.decode()
    assert sign_up("vera", next=address).status_code == 403


@pytest.mark.usefixtures("by_invitation")
def test_a_mistyped_form_uses_nothing_up(invitation: Callable[..., str]) -> None:
    for address, next_ in (("/sign-up/", invitation()), (operator_link(), "")):
        assert sign_up("", address, next=next_).status_code == 400
        assert sign_up(f"vera{len(address)}", address, next=next_).status_code == 302


@pytest.mark.usefixtures("by_invitation")
def test_the_operator_makes_links_to_sign_up(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("sign_up_link", "--for", "the seminar", "--uses", "2", "--days", "3")
    out, err = capsys.readouterr()
    assert "2 people make an account" in err
    link = out.strip().removeprefix("http://127.0.0.1:8000")
    assert [sign_up(name, link).status_code for name in ("ana", "ben", "cleo")] == [302, 302, 403]
    secret = link.rstrip("/").rpartition("/")[2]
    assert secret.isalnum(), "a beginning that --revoke would take for an option"
    assert not any(secret in str(value) for value in SignUpLink.objects.values().get().values())
    call_command("sign_up_link")
    call_command("sign_up_link", "--list")
    listed = capsys.readouterr().out.splitlines()[1:]
    assert len(listed) == 1, "the one that is used up works no more"
    call_command("sign_up_link", "--revoke", listed[0].partition("…")[0])
    call_command("sign_up_link", "--list")
    assert "…" not in capsys.readouterr().out
    for wrong in (["--uses", "0"], ["--days", "366"], ["--for", "x" * 201], ["--revoke", "nothing"]):
        with pytest.raises(CommandError):
            call_command("sign_up_link", *wrong)


@pytest.mark.parametrize("name", ["Vera", "vera"])
def test_a_taken_name_is_said_once_and_at_its_field(name: str, db: None) -> None:
    User.objects.create_user("Vera")
    answer = sign_up(name)
    assert answer.context["form"].errors == {"username": ["There is an account of this name."]}
    assert answer.content.decode().count("There is an account of this name.") == 1


def test_of_two_who_want_a_name_in_the_same_instant_one_is_told(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    """The name is free when the form is read, and somebody's when the account is written."""
    kept = SignUp.is_valid

    def taken_after(form: SignUp) -> bool:
        fine = kept(form)
        if not exists("Vera"):
            User.objects.create_user("Vera")
        return fine

    monkeypatch.setattr(SignUp, "is_valid", taken_after)
    answer = sign_up("vera")
    assert answer.status_code == 400
    assert "There is an account of this name." in answer.content.decode()
