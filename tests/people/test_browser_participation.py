"""Outsiders in a browser: one submits and sees their rank, and another asks first and an owner answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from annotations.models import Collection, ParticipationRequest
from annotations.people.services.participation import decline, set_participation
from evaluation.collections import demo
from evaluation.models import Run, Submission
from evaluation.runs.execution import run_here
from evaluation.scoring.columns import SINGLE_SUBMISSION_MEASURES
from qc4.measures.registry import REGISTRY
from tests.browser.page_layout import open_all
from tests.fixtures.browser import ATTACK, LONG, Browse
from tests.profiles import thorough
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.samples.submissions import hand_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("strangers in a browser")]

SECRET = "a long and unusual phrase 77"


@pytest.fixture
def collection_with_leader(public_collection: Collection, owner: User) -> Collection:
    """A public collection to which any user may submit, with an algorithm that leads the leaderboard."""
    set_participation(public_collection, Collection.Participation.ANYBODY, owner)
    public_collection.save()
    _, run = hand_in(public_collection, submission_document(GOOD_ANSWER), owner, "Lantern")
    assert run is not None
    run_here(run)
    return public_collection


def sign_up(page: Page, name: str) -> None:
    """Sign up from a page that asks for an account, and return to that page."""
    page.get_by_role("link", name="Make an account").click()
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill(SECRET)
    page.get_by_label("Password confirmation").fill(SECRET)
    page.get_by_role("button", name="Make the account").click()


@pytest.fixture
def shipped(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Collection:
    """The demo of a new site, limited to the measures that its pages show."""
    monkeypatch.setattr(REGISTRY, "all", lambda: REGISTRY.select(SINGLE_SUBMISSION_MEASURES))
    call_command("load_demo")
    return Collection.objects.get(slug=demo.SLUG)


def test_outsider_submits_to_demo_and_is_compared_with_leader(
    browse: Browse, shipped: Collection, tmp_path: Path
) -> None:
    """Test this on a desktop and on a phone, following only links and buttons of the pages."""
    for name, width in (("stranger", 1280), ("passer-by", 390)):
        page = browse(None, width)
        page.goto("/")
        page.locator("main").get_by_role("link", name="Submit a clustering").click()
        expect(page.get_by_text("Submitting takes an account.")).to_be_visible()
        sign_up(page, name)
        submit_the_example(page, tmp_path / name)
        run_here(Run.objects.get(state="queued"))

        page.get_by_role("link", name="See the scores").click()
        row = page.get_by_role("row").filter(has_text="mercury").first
        expect(row).to_contain_text(re.compile(r"\.\d{3}"))
        shows_first(page, "QC4-F")
        page.get_by_role("link", name="Compare with the leader").click()
        expect(
            page.get_by_text(re.compile(rf"^Lantern is better than Example of {name} by \.\d{{3}}")).first
        ).to_be_visible()
        submission = Submission.objects.get(algorithm__name=f"Example of {name}")
        assert (submission.created_by.username, submission.published) == (name, False)


def submit_the_example(page: Page, file: Path) -> None:
    """Submit the example in the form and follow to the page of the run."""
    expect(page.get_by_role("heading", name="Submit a clustering")).to_be_visible()
    with page.expect_download() as example:
        page.get_by_role("link", name="an example file").click()
    file = file.with_suffix(".jsonl")
    example.value.save_as(file)
    page.get_by_label("Drop a file here").set_input_files(file)
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_role("heading", name="The file is valid")).to_be_visible()
    page.get_by_role("button", name="Submit privately").click()
    expect(page.get_by_text("Next in the queue")).to_be_visible()


def shows_first(page: Page, measure: str) -> None:
    """Assert that the measure's column is visible without scrolling."""
    head = page.get_by_role("columnheader", name=measure).first.bounding_box()
    assert head is not None
    assert head["x"] + head["width"] <= page.evaluate("innerWidth")


def test_outsider_asks_and_owner_accepts(browse: Browse, collection_with_leader: Collection, owner: User) -> None:
    set_participation(collection_with_leader, Collection.Participation.REQUEST, owner)
    collection_with_leader.save()
    page = browse()
    page.goto(f"/c/{collection_with_leader.slug}/")
    page.get_by_role("link", name="Ask to submit").click()
    sign_up(page, "stranger")
    page.get_by_label("Message to the owners").fill("I have an algorithm.")
    page.get_by_role("button", name="Ask to submit").click()
    expect(page.get_by_text(re.compile("You asked on"))).to_be_visible()

    theirs = browse(owner)
    theirs.goto("/")
    theirs.get_by_role("link", name="1 request").click()
    expect(theirs.get_by_text("I have an algorithm.")).to_be_visible()
    theirs.get_by_role("button", name="Accept stranger").click()
    expect(theirs.get_by_text("stranger can submit now.")).to_be_visible()

    page.goto(f"/c/{collection_with_leader.slug}/")
    page.get_by_role("link", name="Submit a clustering").click()
    expect(page.get_by_role("heading", name="Submit a clustering")).to_be_visible()


def test_participation_pages_fit_the_screen(
    browse: Browse, owner: User, outsider: User, hostile_submission: Submission
) -> None:
    collection = hostile_submission.collection
    Collection.objects.update(participation=Collection.Participation.REQUEST)
    User.objects.filter(pk=outsider.pk).update(username="x" * 150)
    way, account = reverse("take-part", args=[collection.slug]), reverse("account")
    stranger = browse(User.objects.get(pk=outsider.pk))
    open_all(stranger, [way, reverse("submit", args=[collection.slug])])
    facts = {"collection": collection, "user": outsider, "message": f"{ATTACK} {LONG}"}
    asked = ParticipationRequest.objects.create(**facts)
    open_all(
        browse(owner), [reverse("people", args=[collection.slug]), "/", reverse("collection", args=[collection.slug])]
    )
    open_all(stranger, [way, account])
    decline(asked, owner, ATTACK)
    open_all(stranger, [way, account])
    open_all(browse(owner), [reverse("people", args=[collection.slug])])
    Collection.objects.update(participation=Collection.Participation.MEMBERS)
    open_all(browse(), [way, reverse("sign-in") + f"?next={way}"])
