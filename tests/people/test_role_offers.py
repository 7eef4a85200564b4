"""Role offers to users by name. People join a collection only after they accept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from accounts.services import tokens
from annotations.models import Collection, Role, RoleOffer
from annotations.people.services import offers
from annotations.people.services import roles as people
from qc4.problems import InputError
from tests.fixtures.pages import Visit
from tests.waiting import wait_for


def roles(collection: Collection, user: User) -> set[str]:
    return set(collection.memberships.filter(user=user).values_list("role", flat=True))


@pytest.fixture
def offered(collection: Collection, owner: User, outsider: User) -> RoleOffer:
    return offers.offer(collection=collection, user=outsider, role=Role.CURATOR, by=owner)


def test_owner_offers_role_and_person_accepts(
    visit: Visit, owner: User, outsider: User, collection: Collection
) -> None:
    address = reverse("people", args=[collection.slug])
    said = visit(owner).post(address, {"username": "Outsider", "role": "curator"}, follow=True).content.decode()
    assert "can now accept or decline" in said
    assert "Withdraw" in said
    assert roles(collection, outsider) == set()
    for page in ("collections", "account"):
        shown = visit(outsider).get(reverse(page)).content.decode()
        assert all(words in shown for words in ("owner</bdi> offers you the role curator", "Space and cars", "Accept"))
        assert collection.slug not in shown, "only the name of a private collection is visible"
    assert visit(outsider).get(reverse("collection", args=[collection.slug])).status_code == 404
    answer = reverse("offer-answer", args=[RoleOffer.objects.get().pk])
    page = visit(outsider).post(answer, {"answer": "accept"}, follow=True).content.decode()
    assert "You now have the role curator in Space and cars" in page
    assert roles(collection, outsider) == {"curator"}
    assert "offers you" not in visit(outsider).get(reverse("account")).content.decode()


def test_declined_role_cannot_be_offered_again_soon(
    visit: Visit, offered: RoleOffer, owner: User, collection: Collection
) -> None:
    answer = reverse("offer-answer", args=[offered.pk])
    visit(offered.user).post(answer, {"answer": "decline"})
    assert "already declined" in visit(offered.user).post(answer, {"answer": "accept"}, follow=True).content.decode()
    assert roles(collection, offered.user) == set()
    sent = {"username": "outsider", "role": "reader"}
    again = visit(owner).post(reverse("people", args=[collection.slug]), sent)
    assert again.status_code == 400
    assert "7 days after they declined" in again.content.decode()
    RoleOffer.objects.update(ended_at=timezone.now() - timedelta(days=8))
    assert visit(owner).post(reverse("people", args=[collection.slug]), sent).status_code == 302


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_only_the_offered_person_can_answer(visit: Visit, offered: RoleOffer, reader: User, answer: str) -> None:
    address = reverse("offer-answer", args=[offered.pk])
    assert visit(reader).post(address, {"answer": answer}).status_code == 404
    assert RoleOffer.objects.get().state == "open"


def test_withdrawn_offer_gives_no_role(
    visit: Visit, offered: RoleOffer, owner: User, collection: Collection, public_collection: Collection
) -> None:
    elsewhere = reverse("offer-withdraw", args=[public_collection.slug, offered.pk])
    assert visit(owner).post(elsewhere).status_code == 404
    visit(owner).post(reverse("offer-withdraw", args=[collection.slug, offered.pk]))
    visit(offered.user).post(reverse("offer-answer", args=[offered.pk]), {"answer": "accept"})
    assert roles(collection, offered.user) == set()


def test_offers_of_former_owner_are_withdrawn(
    offered: RoleOffer, owner: User, reader: User, collection: Collection
) -> None:
    people.add_role(collection=collection, user=reader, role=Role.OWNER)
    people.remove_role(collection=collection, user=owner, role=Role.OWNER)
    assert not offers.accept(offered)
    assert roles(collection, offered.user) == set()


def test_member_or_requester_gets_offered_role_immediately(
    visit: Visit, owner: User, reader: User, outsider: User, collection: Collection
) -> None:
    collection.participation_requests.create(user=outsider)
    address = reverse("people", args=[collection.slug])
    visit(owner).post(address, {"username": "reader", "role": "curator"})
    assert roles(collection, reader) == {"reader", "curator"}
    visit(owner).post(address, {"username": "outsider", "role": "owner"})
    assert roles(collection, outsider) == set(), "they asked for another role"
    visit(owner).post(address, {"username": "outsider", "role": "submitter"})
    assert roles(collection, outsider) == {"submitter"}


def test_number_of_offers_per_day_is_limited(
    owner: User, person: Callable[[str], User], collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offers, "MOST_OFFERS", 2)
    for name in ("ana", "ben"):
        offers.offer(collection=collection, user=person(name), role=Role.READER, by=owner)
    with pytest.raises(InputError, match="2 offers from you"):
        offers.offer(collection=collection, user=person("cleo"), role=Role.READER, by=owner)


def test_offer_is_sent_by_email_without_giving_rights(
    owner: User,
    outsider: User,
    collection: Collection,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    outsider.email = "out@example.org"
    outsider.save()
    with django_capture_on_commit_callbacks(execute=True):
        offers.offer(collection=collection, user=outsider, role=Role.CURATOR, by=owner)
    (message,) = wait_for(lambda: mail.outbox, "an e-mail")
    assert "owner offers you a role in Space and cars" in message.subject
    assert "/account/#offers" in str(message.body)
    assert collection.slug not in str(message.body)


def test_offers_are_made_and_answered_through_the_api(
    visit: Visit, owner: User, outsider: User, collection: Collection
) -> None:
    def call(user: User, method: str, path: str, data: dict[str, str] | None = None) -> tuple[int, dict]:
        headers = {"Authorization": f"Bearer {tokens.create(user, 'x')[1]}"}
        client = visit(None)
        answer = client.generic(
            method, f"/api/v1/{path}", json.dumps(data) if data else "", "application/json", headers=headers
        )
        return answer.status_code, answer.json() if answer.content else {}

    of = f"collections/{collection.slug}/offers"
    assert call(owner, "POST", of, {"username": "nobody", "role": "reader"})[0] == 400
    status, made = call(owner, "POST", of, {"username": "outsider", "role": "reader"})
    assert (status, made["state"]) == (201, "open")
    assert call(owner, "GET", of)[1]["results"] == [made]
    assert call(owner, "POST", of, {"username": "outsider", "role": "reader"})[0] == 400
    (mine,) = call(outsider, "GET", "offers")[1]["results"]
    assert (mine["collection"], mine["role"], mine["offered_by"]) == ("Space and cars", "reader", "owner")
    assert collection.slug not in str(mine)
    assert call(outsider, "POST", f"offers/{mine['id']}", {"answer": "accept"})[1]["state"] == "accepted"
    assert roles(collection, outsider) == {"reader"}
    assert call(outsider, "POST", f"offers/{mine['id']}", {"answer": "decline"})[0] == 400
    assert call(owner, "DELETE", f"{of}/{mine['id']}")[0] == 400


def test_offers_are_paginated(visit: Visit, owner: User, outsider: User) -> None:
    names = [f"Collection number {number}" for number in range(23)]
    for number, name in enumerate(names):
        collection = Collection.objects.create(slug=f"of-{number}", name=name)
        RoleOffer.objects.create(collection=collection, user=outsider, role=Role.READER, offered_by=owner)
    for address in (reverse("collections"), reverse("account")):
        seen, link = [], ""
        while True:
            page = visit(outsider).get(address + link).content.decode()
            seen += re.findall(r"<bdi>(Collection number \d+)</bdi>\.</strong>", page)
            found = re.search(r'href="(\?offers=[^"#]*)[^"]*"\s+rel="next"', page)
            if found is None:
                break
            link = unescape(found[1])
        assert seen == names
