"""The pages of a challenge from start to end, with three accounts."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO, StringIO

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from annotations.models import Challenge, Collection, Membership, Role
from annotations.templatetags.site import score
from evaluation.challenges import services as challenges
from evaluation.models import Run, Submission
from qc4.io import write_submission
from tests.samples.documents import GOOD_ANSWER, Answers, submission_document

WORSE: Answers = {"mercury": (("p1", "p4"), ("p2", "p5", "p8")), "saturn": (("p1", "p3"), ("p2",))}


@pytest.fixture
def enter() -> Callable[[str], Client]:
    def call(name: str) -> Client:
        client = Client()
        client.force_login(User.objects.get(username=name), "django.contrib.auth.backends.ModelBackend")
        return client

    return call


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return answer.content.decode()


def csv_of(client: Client, slug: str) -> list[dict[str, str]]:
    """Return the rows of the final results as a spreadsheet reads them."""
    return list(csv.DictReader(StringIO(page(client, f"/c/{slug}/challenge/results.csv"))))


def send(client: Client, collection: Collection, algorithm: str, answers: Answers, *, published: bool = True) -> str:
    """Upload and confirm a file; return the text of the next page."""
    file = BytesIO(write_submission(submission_document(answers)))
    file.name = "answers.json"
    form = {"file": file, "algorithm": algorithm} | ({"published": "on"} if published else {})
    checked = client.post(f"/c/{collection.slug}/submit/", form)
    if checked.status_code != 200:
        return checked.content.decode()
    ticket = {"ticket": checked.context["ticket"]}
    return client.post(f"/c/{collection.slug}/submit/confirm/", ticket, follow=True).content.decode()


def test_home_page_shows_the_state_of_each_challenge(public_collection: Collection) -> None:
    assert "challenge," not in page(Client(), "/")
    closes = timezone.now() + timedelta(days=1)
    challenges.save(public_collection, user=None, hides=Challenge.Hides.ALL, closes_at=closes)
    assert "challenge, open</span>" in page(Client(), "/")
    Challenge.objects.update(closes_at=timezone.now())
    assert "challenge, closed</span>" in page(Client(), "/")


def test_challenge_from_start_to_end(
    public_collection: Collection,
    owner: User,
    person: Callable[[str], User],
    enter: Callable[[str], Client],
    finish: Callable[..., None],
) -> None:
    slug = public_collection.slug
    for name in ("ann", "bob"):
        Membership.objects.create(collection=public_collection, user=person(name), role=Role.SUBMITTER)
    organiser, ann, bob = enter("owner"), enter("ann"), enter("bob")
    page(ann, f"/c/{slug}/challenge/", 404)

    # The owner makes the collection a challenge, and views it as a participant.
    assert "Make it a challenge" in page(organiser, f"/c/{slug}/settings/challenge/")
    closes = timezone.now() + timedelta(hours=2)
    form = {
        "hides": "some",
        "shown": "saturn",
        "closes_at": f"{closes:%Y-%m-%dT%H:%M}",
        "per_day": "1",
        "measure": "qc4_f",
    }
    saved = organiser.post(f"/c/{slug}/settings/challenge/", form, follow=True).content.decode()
    assert "This is the view of a person without a role" in saved
    assert "1 submission a day (of UTC)" in saved

    # Both submit once; the second submission on the same day is rejected.
    assert "You have 1 today left." in page(ann, f"/c/{slug}/")
    assert "was received." in send(ann, public_collection, "=Ann's", GOOD_ANSWER)
    assert "was received." in send(bob, public_collection, "Bob's", WORSE)
    assert "at most 1 a day per person" in send(ann, public_collection, "=Ann's", WORSE)
    assert "No submissions left" in page(ann, f"/c/{slug}/")
    assert "Submit a clustering" in page(organiser, f"/c/{slug}/")
    finish()

    # The hidden part is hidden from bob everywhere, and from the owner nowhere.
    mine = Submission.objects.get(algorithm__name="Bob's")
    for address in (f"/c/{slug}/q/mercury/", f"/c/{slug}/", f"/c/{slug}/gold/1/", f"/submissions/{mine.pk}/"):
        assert "Spare parts" not in page(bob, address)
    assert "hidden" in page(bob, f"/c/{slug}/q/mercury/")
    assert "Spare parts" in page(organiser, f"/c/{slug}/q/mercury/")
    page(bob, f"/submissions/{mine.pk}/why/mercury/", 403)
    page(bob, f"/submissions/{mine.pk}/why/saturn/")
    board = bob.get(f"/c/{slug}/leaderboard.json").json()
    assert board["queries"] == ["saturn"]
    assert organiser.get(f"/c/{slug}/leaderboard.json").json()["queries"] == ["mercury", "saturn"]

    page(bob, f"/c/{slug}/challenge/results.csv", 404)

    # The challenge closes: late submissions are rejected with the time, and the results are there without an action.
    Challenge.objects.update(closes_at=timezone.now())
    assert "Challenge closed" in page(bob, f"/c/{slug}/")
    assert "after the challenge closed on" in send(bob, public_collection, "Late", GOOD_ANSWER)
    results = page(bob, f"/c/{slug}/challenge/")
    assert results.index("=Ann&#x27;s") < results.index("Bob&#x27;s")
    assert "Frozen on" in results
    assert "Spare parts" not in page(bob, f"/c/{slug}/q/mercury/")
    answer = bob.get(f"/api/v1/collections/{slug}/challenge").json()
    assert (answer["state"], [row["by"] for row in answer["results"]["rows"]]) == ("final", ["ann", "bob"])
    file = csv_of(bob, slug)
    assert [(row["rank"], row["algorithm"], row["submitted_by"]) for row in file] == [
        ("1", "'=Ann's", "ann"),
        ("2", "Bob's", "bob"),
    ]
    for row, frozen in zip(file, answer["results"]["rows"], strict=True):
        assert float(row["qc4_f"]) == frozen["means"]["qc4_f"]["value"]
        assert f">{score(float(row['qc4_f']))}<" in results, "the page has the same digits, rounded"
        assert score(float(row["public qc4_f"])) in results
        assert (row["part"], row["queries"], row["gold_version"], row["organiser"]) == ("hidden", "1", "1", "false")
    bob.post(f"/submissions/{mine.pk}/delete/")
    assert bob.get(f"/api/v1/collections/{slug}/challenge").json()["results"] == answer["results"]

    assert csv_of(bob, slug) == file

    # Finally, the owner reveals the gold standards.
    revealed = {**form, "closes_at": "", "reveals": "on"}
    assert organiser.post(f"/c/{slug}/settings/challenge/", revealed).status_code == 400
    Challenge.objects.update(reveals=True)
    assert "Spare parts" in page(bob, f"/c/{slug}/q/mercury/")


def test_private_submission_is_in_the_results_and_otherwise_private(
    public_collection: Collection,
    person: Callable[[str], User],
    enter: Callable[[str], Client],
    finish: Callable[..., None],
) -> None:
    slug = public_collection.slug
    for name in ("ann", "bob"):
        Membership.objects.create(collection=public_collection, user=person(name), role=Role.SUBMITTER)
    ann, bob = enter("ann"), enter("bob")
    closes = timezone.now() + timedelta(days=1)
    challenges.save(public_collection, user=None, hides=Challenge.Hides.ALL, closes_at=closes)

    said = "takes part in the challenge whether or not you publish it"
    assert said in page(ann, f"/c/{slug}/submit/")
    assert said in ann.get(f"/api/v1/collections/{slug}/challenge").json()["taking_part"]
    assert "only if you publish it" in page(enter("owner"), f"/c/{slug}/submit/")
    send(ann, public_collection, "Secret", GOOD_ANSWER, published=False)
    send(bob, public_collection, "Open", WORSE)
    finish()
    mine = Submission.objects.get(algorithm__name="Secret")
    assert "This submission takes part in the challenge although it is private" in page(ann, f"/submissions/{mine.pk}/")
    assert ann.get(f"/api/v1/submissions/{mine.pk}").json()["challenge"].startswith("This submission takes part")

    Challenge.objects.update(closes_at=timezone.now())
    assert "Secret" in page(bob, f"/c/{slug}/challenge/")
    assert [(row["algorithm"], row["submitted_by"]) for row in csv_of(Client(), slug)] == [
        ("Secret", "ann"),
        ("Open", "bob"),
    ]
    addresses = (
        f"/submissions/{mine.pk}/",
        f"/submissions/{mine.pk}/download/",
        f"/submissions/{mine.pk}/scores.csv",
        f"/algorithms/{mine.algorithm_id}/",
        f"/api/v1/submissions/{mine.pk}",
        f"/runs/{mine.runs.get().pk}/",
    )
    for address in addresses:
        assert ann.get(address).status_code == 200, address
        assert bob.get(address).status_code == 404, address
    assert "Secret" not in page(bob, f"/c/{slug}/leaderboard/")
    assert "Secret" not in page(bob, f"/c/{slug}/")


def test_hidden_leaderboard_shows_only_your_submissions_until_the_close(
    collection: Collection, submitter: User, reader: User, scored: Submission, enter: Callable[[str], Client]
) -> None:
    """`scored` belongs to the owner: while the leaderboard is hidden, neither it nor its run is visible."""
    Challenge.objects.create(collection=collection, hides=Challenge.Hides.NOTHING, board_hidden=True)
    client, run = enter("submitter"), Run.objects.get()
    page(client, f"/submissions/{scored.pk}/", 404)
    page(client, f"/runs/{run.pk}/", 404)
    for address in ("leaderboard/", "", "compare/", "heat-map/", "challenge/"):
        assert "Lingo" not in page(client, f"/c/{collection.slug}/{address}")
    Challenge.objects.update(closes_at=timezone.now())
    assert "Lingo" in page(client, f"/c/{collection.slug}/leaderboard/")


def test_pages_open_while_all_gold_standards_are_hidden(
    collection: Collection, reader: User, scored: Submission, enter: Callable[[str], Client]
) -> None:
    Challenge.objects.create(collection=collection, hides=Challenge.Hides.ALL)
    client = enter("reader")
    for address in ("leaderboard", "compare", "heat-map", "measures", "trade-off", "robustness", "topics"):
        page(client, f"/c/{collection.slug}/{address}/")
        page(client, f"/c/{collection.slug}/{address}.json")
    for address in ("challenge/", "model-selection/", "gold/1/changes/", "gold/1/ranks/", "leaderboard.csv", ""):
        page(client, f"/c/{collection.slug}/{address}")
    page(client, f"/submissions/{scored.pk}/")
    page(client, "/")
