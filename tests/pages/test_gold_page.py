"""Publishing a gold version in the browser."""

from __future__ import annotations

from dataclasses import replace

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Run, Submission
from qc4.formats import write_gold
from qc4.gold.document import Topic
from tests.pages.conftest import Visit
from tests.samples import saturn

CHANGED = replace(saturn(), topics=(Topic("all", "Everything", pages=("p1", "p2", "p3")),), outliers=("p4",))


def send(visit: Visit, user: User, collection: Collection, content: bytes) -> object:
    sent = {"files": SimpleUploadedFile("gold.json", content), "completion": "strict", "note": "merged"}
    return visit(user).post(reverse("gold-publish", args=[collection.slug]), sent)


def test_a_new_version_scores_everything_again(visit: Visit, owner: User, scored: Submission) -> None:
    send(visit, owner, scored.collection, write_gold(CHANGED))
    version = scored.collection.gold_versions.get(number=2)
    assert version.note == "merged"
    assert Run.objects.filter(submission=scored, gold_version=version, state="queued").exists()
    board = visit(owner).get(reverse("leaderboard", args=[scored.collection.slug]), {"gold": "1"}).content.decode()
    assert "the latest is" in board


def test_a_broken_file_publishes_nothing(visit: Visit, owner: User, collection: Collection) -> None:
    broken = write_gold(CHANGED).replace(b'"p4"', b'"zz"')
    answer = send(visit, owner, collection, broken)
    assert answer.status_code == 400
    assert "Not published" in answer.content.decode()
    assert collection.gold_versions.count() == 1


def test_a_page_list_gets_its_first_gold_standard(visit: Visit, owner: User, page_list_collection: Collection) -> None:
    send(visit, owner, page_list_collection, write_gold(saturn()))
    assert page_list_collection.gold_versions.get().number == 1
