"""Pages about how to submit, the owners' inbox, and files to start from."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection, Role
from annotations.people.services.participation import ask, set_participation
from annotations.people.services.roles import add_role
from evaluation.submissions.services import check
from tests.fixtures.pages import Visit

Setting = Collection.Participation


@pytest.fixture
def to(public_collection: Collection) -> Collection:
    set_participation(public_collection, Setting.REQUEST, None)
    public_collection.save()
    return public_collection


def opened(collection: Collection, setting: str) -> None:
    set_participation(collection, setting, None)
    collection.save()


@pytest.mark.parametrize(
    ("setting", "words", "leads_to"),
    [
        (Setting.MEMBERS, "How to submit", "take-part"),
        (Setting.REQUEST, "Ask to submit", "take-part"),
        (Setting.ANYBODY, "Submit a clustering", "submit"),
    ],
)
def test_pages_show_button_to_submit(
    visit: Visit, to: Collection, outsider: User, setting: str, words: str, leads_to: str
) -> None:
    opened(to, setting)
    way = f'href="{reverse(leads_to, args=[to.slug])}"'
    for user in (None, outsider):
        page = visit(user).get(reverse("collection", args=[to.slug])).content.decode()
        assert f"{way}>{words}</a>" in page
        assert way in visit(user).get(reverse("leaderboard", args=[to.slug])).content.decode(), "an empty leaderboard"


def test_forbidden_submission_form_shows_next_step(visit: Visit, to: Collection, outsider: User) -> None:
    client = visit(outsider)
    answer = client.get(reverse("submit", args=[to.slug]))
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "You need permission to submit." in page
    assert "<bdi>owner</bdi>" in page, "the page names the owners"
    client.post(reverse("take-part", args=[to.slug]), {"message": "Hello"})
    assert "You asked on" in client.get(reverse("submit", args=[to.slug])).content.decode()
    assert "waiting for an answer" in client.get(reverse("account")).content.decode()


def test_new_user_returns_to_submission_form(visit: Visit, to: Collection) -> None:
    opened(to, Setting.ANYBODY)
    client, form = visit(None), reverse("submit", args=[to.slug])
    asked = client.get(form).headers["Location"]
    page = client.get(asked).content.decode()
    assert "Submitting takes an account." in page
    assert f'href="{reverse("sign-up")}?next={form}"' in page
    secret = "a long and unusual phrase 77"
    sent = {"username": "new", "password1": secret, "password2": secret, "next": form}
    answer = client.post(reverse("sign-up"), sent, follow=True)
    assert answer.redirect_chain == [(form, 302)]
    assert answer.status_code == 200


def test_second_owner_sees_answer_of_first(visit: Visit, to: Collection, owner: User, outsider: User) -> None:
    second = User.objects.create_user("second")
    add_role(collection=to, user=second, role=Role.OWNER)
    request = ask(collection=to, user=outsider)
    answer = reverse("request-answer", args=[to.slug, request.pk])
    visit(owner).post(answer, {"answer": "accept"})
    page = visit(second).post(answer, {"answer": "decline", "reason": "No"}, follow=True).content.decode()
    assert "was already accepted by owner. Nothing changed." in page
    assert to.memberships.filter(user=outsider, role=Role.SUBMITTER).exists()


def test_requester_does_not_see_name_of_private_collection(visit: Visit, to: Collection, outsider: User) -> None:
    request = ask(collection=to, user=outsider)
    Collection.objects.filter(pk=to.pk).update(visibility="private", name="Secret plans")
    page = visit(outsider).get(reverse("account")).content.decode()
    assert "Secret plans" not in page
    assert "a collection that you can no longer see" in page
    visit(outsider).post(reverse("request-withdraw", args=[request.pk]))
    request.refresh_from_db()
    assert request.state == "withdrawn"


def test_settings_store_who_may_submit(visit: Visit, to: Collection, owner: User) -> None:
    client, page = visit(owner), reverse("collection-settings", args=[to.slug])
    sent = {"name": to.name, "visibility": "public"}
    client.post(page, sent)
    to.refresh_from_db()
    assert to.participation == Setting.REQUEST, "a form without the setting leaves it unchanged"
    client.post(page, {**sent, "participation": "anybody"})
    to.refresh_from_db()
    assert to.participation == Setting.ANYBODY
    assert client.post(page, {**sent, "participation": "nobody"}).status_code == 400


def test_page_lists_and_example_clustering_are_downloadable(visit: Visit, to: Collection, outsider: User) -> None:
    rows = list(csv.DictReader(io.StringIO(visit(None).get(reverse("pages-csv", args=[to.slug])).content.decode())))
    assert {(row["query"], row["id"]) for row in rows} == set(to.queries.values_list("key", "pages__key"))
    example = visit(outsider).get(reverse("example-submission", args=[to.slug])).content
    report = check(to, example, filename="example.jsonl", user=outsider)
    assert report.document is not None
    assert report.document.algorithm == "Example of outsider", "the example is named after the user"
    assert not report.missing
    assert not report.problems
