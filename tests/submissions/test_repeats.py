"""Submissions of repeats by form, API and command."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.limits import REPEAT_CHARS
from evaluation.models import Submission
from qc4.io import write_clustering
from tests.fixtures.pages import Visit
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.trigger_bypass import unguarded

CONTENT = b"".join(
    b" ".join(write_clustering(one).split()) + b"\n" for one in submission_document(GOOD_ANSWER).clusterings
)


def test_form_and_confirmation_show_the_repeat(visit: Visit, owner: User, collection: Collection) -> None:
    client = visit(owner)
    file = SimpleUploadedFile("answer.jsonl", CONTENT)
    sent = {"algorithm": "Lingo", "file": file, "repeat": "seed 7"}
    report = client.post(reverse("submit", args=[collection.slug]), sent)
    assert "<bdi>seed 7</bdi>" in report.content.decode()
    client.post(reverse("submit-confirm", args=[collection.slug]), {"ticket": report.context["ticket"]})
    submission = Submission.objects.get()
    assert submission.repeat == "seed 7"
    assert "<bdi>seed 7</bdi>" in client.get(reverse("submission", args=[submission.pk])).content.decode()


def test_api_accepts_and_returns_the_repeat(visit: Visit, owner: User, collection: Collection) -> None:
    file = SimpleUploadedFile("answer.jsonl", CONTENT)
    sent = {"algorithm": "Lingo", "file": file, "repeat": "seed 7"}
    answer = visit(owner).post(reverse("api:submissions", args=[collection.slug]), sent)
    assert answer.status_code == 201
    assert answer.json()["submission"]["repeat"] == "seed 7"


def test_command_accepts_the_repeat(owner: User, collection: Collection, tmp_path: Path) -> None:
    path = tmp_path / "answer.jsonl"
    path.write_bytes(CONTENT)

    def submit(repeat: str) -> None:
        options = {"algorithm": "Lingo", "user": owner.username, "stdout": io.StringIO(), "stderr": io.StringIO()}
        call_command("submit", collection.slug, str(path), repeat=repeat, **options)

    submit("a")
    submit("b")
    assert list(Submission.objects.order_by("pk").values_list("repeat", flat=True)) == ["a", "b"]
    with pytest.raises(CommandError, match=f"the limit is {REPEAT_CHARS}"):
        submit("x" * (REPEAT_CHARS + 1))


def test_repeats_form_one_row_of_the_leaderboard(
    visit: Visit, owner: User, collection: Collection, submit: Callable[..., object], finish: Callable[..., None]
) -> None:
    submit(owner, "Lingo")
    submit(owner, "Lingo", {"mercury": GOOD_ANSWER["mercury"]})
    for number, submission in enumerate(Submission.objects.all()):
        with unguarded(Submission):
            Submission.objects.filter(pk=submission.pk).update(repeat=f"run {number}")
    finish()
    address = reverse("leaderboard-json", args=[collection.slug])
    rows = visit(owner).get(address).json()["rows"]
    assert [sorted(row["repeats"]) for row in rows] == [["run 0", "run 1"]]
    mean = rows[0]["scores"]["quality"]
    assert mean["runs"] == 2
    assert mean["value"] == pytest.approx((mean["runs_low"] + mean["runs_high"]) / 2)
