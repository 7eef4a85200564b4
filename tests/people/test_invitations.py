"""Invitation links: shown once, limited in uses and time, and accepted or rejected with a reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotations.guidelines import services as guidelines
from annotations.models import Collection, Invitation, Membership, Role
from annotations.people.services import invitations
from annotations.people.services.roles import remove_role
from tests.fixtures.pages import Visit
from tests.samples.documents import PASSWORD

Link = Callable[..., str]


@pytest.fixture
def link(collection: Collection, owner: User) -> Link:
    """``link(role="curator", days=14, most_uses=1, note="")`` returns the URL of a new invitation."""

    def make(**chosen: object) -> str:
        _, secret = invitations.invite(collection=collection, user=owner, **({"role": Role.CURATOR} | chosen))
        return reverse("invitation", args=[secret])

    return make


def roles(collection: Collection, user: User) -> set[str]:
    return set(Membership.objects.filter(collection=collection, user=user).values_list("role", flat=True))


def test_owner_makes_link_and_person_accepts(visit: Visit, owner: User, outsider: User, collection: Collection) -> None:
    sent = {"role": "curator", "note": "Vera <vera@example.org>", "most_uses": "1", "days": "7"}
    page = visit(owner).post(reverse("invitation-create", args=[collection.slug]), sent).content.decode()
    address = re.search(r"http://testserver(/invitations/[\w-]{40,}/)", page)
    assert address is not None
    assert "No e-mail is sent" in page
    seen = visit(outsider).get(address[1]).content.decode()
    assert all(words in seen for words in ("Space and cars", "curator", "owner"))
    assert roles(collection, outsider) == set()
    answer = visit(outsider).post(address[1], follow=True)
    assert "You now have the role curator in Space and cars" in answer.content.decode()
    assert roles(collection, outsider) == {"curator"}
    assert "outsider" in visit(owner).get(reverse("people", args=[collection.slug])).content.decode()


def test_link_is_shown_once_and_stored_as_hash(visit: Visit, owner: User, collection: Collection) -> None:
    sent = {"role": "curator", "most_uses": "1", "days": "7"}
    page = visit(owner).post(reverse("invitation-create", args=[collection.slug]), sent).content.decode()
    secret = re.search(r"/invitations/([\w-]{40,})/", page)
    assert secret is not None
    assert not any(secret[1] in str(value) for value in Invitation.objects.values().get().values())
    again = visit(owner).get(reverse("people", args=[collection.slug])).content.decode()
    assert secret[1] not in again
    assert Invitation.objects.get().prefix in again


@pytest.mark.parametrize(
    "wrong", [{"days": "0"}, {"days": "366"}, {"most_uses": "0"}, {"most_uses": "1001"}, {"role": "king"}, {"days": ""}]
)
def test_invalid_links_are_rejected(visit: Visit, owner: User, collection: Collection, wrong: dict[str, str]) -> None:
    sent = {"role": "curator", "most_uses": "1", "days": "7"} | wrong
    assert visit(owner).post(reverse("invitation-create", args=[collection.slug]), sent).status_code == 400
    assert not Invitation.objects.exists()


def test_new_user_returns_to_invitation_after_signing_up(client: Client, link: Link) -> None:
    address = link()
    to_sign_in = client.get(address, follow=True)
    page = to_sign_in.content.decode()
    sign_up = re.search(r'href="(/sign-up/\?next=[^"]+)"', page)
    assert sign_up is not None
    assert "Space and cars" not in page
    form = client.get(sign_up[1]).content.decode()
    assert f'name="next" value="{address}"' in form
    sent = {"username": "vera", "password1": PASSWORD, "password2": PASSWORD, "next": address}
    answer = client.post("/sign-up/", sent)
    assert answer.status_code == 302
    assert answer["Location"] == address
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("page", ["/sign-in/", "/sign-up/"])
@pytest.mark.django_db
def test_sign_in_pages_mention_invitation_but_not_its_collection(client: Client, link: Link, page: str) -> None:
    shown = client.get(page, {"next": link()}).content.decode()
    assert "An invitation waits for you" in shown
    assert "Space and cars" not in shown
    for other in ("/", "/account/", "//[", "https://evil.example/invitations/x/"):
        assert "An invitation waits" not in client.get(page, {"next": other}).content.decode()


def test_form_error_keeps_invitation(client: Client, link: Link) -> None:
    for page in ("/sign-in/", "/sign-up/"):
        shown = client.post(page, {"username": "", "next": (address := link())}).content.decode()
        assert "An invitation waits for you" in shown
        assert f'name="next" value="{address}"' in shown


@pytest.mark.parametrize(
    ("role", "page"), [("curator", "curate"), ("adjudicator", "curate"), ("submitter", "collection")]
)
def test_accepting_redirects_to_first_page_of_role(
    visit: Visit, link: Link, collection: Collection, owner: User, outsider: User, role: str, page: str
) -> None:
    guidelines.save_guidelines(collection=collection, text="Cut fine.", user=owner, base=0)
    address = link(role=role, most_uses=2)
    answer = visit(outsider).post(address, follow=True)
    work = reverse(page, args=[collection.slug])
    assert answer.redirect_chain == [(work, 302)]
    assert ("Read the guidelines first" in answer.content.decode()) == (page == "curate")
    assert reverse("guidelines", args=[collection.slug]) in answer.content.decode()
    assert f'href="{work}"' in visit(outsider).get(address).content.decode(), "the used link leads there too"


def test_user_returns_to_invitation_after_signing_in(client: Client, link: Link, outsider: User) -> None:
    address = link()
    sent = {"username": "outsider", "password": PASSWORD, "next": address}
    assert client.post("/sign-in/", sent)["Location"] == address


def _expire() -> None:
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def _revoke() -> None:
    invitations.revoke(Invitation.objects.get())


def _use_up() -> None:
    Invitation.objects.update(used=F("most_uses"))


@pytest.mark.parametrize(
    ("spoil", "said"), [(_expire, "expired on"), (_revoke, "was revoked"), (_use_up, "is used up")]
)
def test_invalid_link_says_why(
    visit: Visit, link: Link, collection: Collection, outsider: User, spoil: Callable[[], None], said: str
) -> None:
    address = link()
    spoil()
    for answer in (visit(outsider).get(address), visit(outsider).post(address)):
        assert answer.status_code == 410
        assert said in answer.content.decode()
        assert "Ask <bdi>owner</bdi> for a new link" in answer.content.decode()
    assert roles(collection, outsider) == set()


def test_owner_revokes_link(visit: Visit, link: Link, collection: Collection, owner: User) -> None:
    link()
    address = reverse("invitation-revoke", args=[collection.slug, Invitation.objects.get().pk])
    assert "no longer works" in visit(owner).post(address, follow=True).content.decode()
    assert Invitation.objects.get().revoked_at is not None


def test_link_of_another_collection_is_not_found(
    visit: Visit, link: Link, public_collection: Collection, owner: User
) -> None:
    link()
    address = reverse("invitation-revoke", args=[public_collection.slug, Invitation.objects.get().pk])
    assert visit(owner).post(address).status_code == 404
    assert Invitation.objects.get().revoked_at is None


def test_link_for_two_people_works_twice(
    visit: Visit, link: Link, collection: Collection, person: Callable[[str], User]
) -> None:
    address = link(most_uses=2)
    first, second, third = (person(name) for name in ("ana", "ben", "cleo"))
    assert [visit(user).post(address).status_code for user in (first, second, third)] == [302, 302, 410]
    assert [roles(collection, user) for user in (first, second, third)] == [{"curator"}, {"curator"}, set()]


def test_person_with_the_role_does_not_use_up_link(visit: Visit, link: Link, curator: User, owner: User) -> None:
    address = link()
    assert "You already have the role curator in this collection" in visit(curator).get(address).content.decode()
    assert "not used up" in visit(curator).post(address, follow=True).content.decode()
    assert Invitation.objects.get().used == 0


def test_removed_person_cannot_reuse_link(visit: Visit, link: Link, collection: Collection, outsider: User) -> None:
    address = link(most_uses=5)
    visit(outsider).post(address)
    remove_role(collection=collection, user=outsider, role=Role.CURATOR)
    for answer in (visit(outsider).get(address), visit(outsider).post(address)):
        assert answer.status_code == 410
        assert "You have used this invitation before" in answer.content.decode()
    assert roles(collection, outsider) == set()
    assert Invitation.objects.get().used == 1


@pytest.mark.parametrize("secret", ["x", "%00", "a" * 300, "é", "~"])
def test_unknown_link_is_not_found(visit: Visit, outsider: User, secret: str) -> None:
    assert visit(outsider).get(f"/invitations/{secret}/").status_code == 404


def test_database_rejects_more_uses_than_allowed(link: Link) -> None:
    link()
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.update(used=2)
