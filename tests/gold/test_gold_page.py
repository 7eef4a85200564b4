"""Publishing a gold version in the browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from annotations.gold.selectors import load_gold_document
from annotations.models import Collection
from evaluation.models import Run, Submission
from qc4.io import write_gold
from qc4.model.gold_document import Topic
from tests.fixtures.pages import Visit
from tests.samples.documents import saturn

CHANGED = replace(saturn(), topics=(Topic("all", "Everything", pages=("p1", "p2", "p3")),), outliers=("p4",))


def send(visit: Visit, user: User, collection: Collection, content: bytes) -> object:
    sent = {"files": SimpleUploadedFile("gold.json", content), "completion": "strict", "note": "merged"}
    return visit(user).post(reverse("gold-publish", args=[collection.slug]), sent)


def test_new_version_starts_scoring_of_all_submissions(visit: Visit, owner: User, scored: Submission) -> None:
    send(visit, owner, scored.collection, write_gold(CHANGED))
    version = scored.collection.gold_versions.get(number=2)
    assert version.note == "merged"
    assert Run.objects.filter(submission=scored, gold_version=version, state="queued").exists()
    board = visit(owner).get(reverse("leaderboard", args=[scored.collection.slug]), {"gold": "1"}).content.decode()
    assert "The latest version is" in board


def test_invalid_file_publishes_nothing(visit: Visit, owner: User, collection: Collection) -> None:
    broken = write_gold(CHANGED).replace(b'"p4"', b'"zz"')
    answer = send(visit, owner, collection, broken)
    assert answer.status_code == 400
    assert "Not published" in answer.content.decode()
    assert collection.gold_versions.count() == 1


UNPLACED = write_gold(replace(CHANGED, outliers=()))


def ticket(answer: object) -> str:
    """Return the ticket of the button that publishes the rejected files with the rule ``complete``."""
    found = re.search(r'name="ticket" value="([^"]+)"', answer.content.decode())  # type: ignore[attr-defined]  # it answers a page
    assert found
    return unescape(found[1])


def test_one_click_applies_completion_rule_and_publishes(
    visit: Visit, owner: User, scored: Submission, finish: Callable[..., None]
) -> None:
    collection, client = scored.collection, visit(owner)
    refused = send(visit, owner, collection, UNPLACED)
    page = refused.content.decode()
    assert refused.status_code == 400
    assert page.index("Not published") < page.index("Publish with the rule “complete”")
    assert collection.gold_versions.count() == 1
    sent = {"ticket": ticket(refused)}
    done = client.post(reverse("gold-publish", args=[collection.slug]), sent, follow=True).content.decode()
    assert "Gold v2 is now the latest; 1 run queued." in done
    version = collection.gold_versions.get(number=2)
    gold = version.entries.get(query__key="saturn").gold
    assert (version.note, gold.completion, load_gold_document(gold).outliers) == ("merged", "complete", ("p4",))
    finish()
    board = client.get(f"/api/v1/collections/{collection.slug}/leaderboard").json()
    assert (board["gold_version"], [row["algorithm"] for row in board["rows"]]) == (2, ["Lingo"])
    changes = client.get(reverse("gold-changes", args=[collection.slug, 2])).content.decode()
    assert "saturn car" in changes


def test_completion_is_not_offered_if_other_rules_are_broken(visit: Visit, owner: User, collection: Collection) -> None:
    for content in (UNPLACED.replace(b'"p4"', b'"zz"'), b"nothing"):
        assert b'name="ticket"' not in send(visit, owner, collection, content).content


def test_completion_button_works_only_for_its_user_and_collection(
    visit: Visit, owner: User, adjudicator: User, collection: Collection, page_list_collection: Collection
) -> None:
    signed = ticket(send(visit, owner, collection, UNPLACED))
    wrong = (
        (adjudicator, collection, signed),
        (owner, page_list_collection, signed),
        (owner, collection, signed + "x"),
    )
    for person, at, sent in wrong:
        address = reverse("gold-publish", args=[at.slug])
        answer = visit(person).post(address, {"ticket": sent}, follow=True)
        assert "Send the file again" in answer.content.decode()
    assert collection.gold_versions.count() == 1
    assert not page_list_collection.gold_versions.exists()


def test_page_list_gets_first_gold_standard(visit: Visit, owner: User, page_list_collection: Collection) -> None:
    send(visit, owner, page_list_collection, write_gold(saturn()))
    assert page_list_collection.gold_versions.get().number == 1
