"""How files of labels are read, on the confirmation page and by the command."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from evaluation.models import Submission
from qc4.io import read_gold_document
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.samples.label_files import FROM_ONE, FROM_ZERO, GOLD, SEVERAL, table


@pytest.fixture
def apples(owner: User) -> Collection:
    return import_documents(name="Apples", slug="apples", documents=[read_gold_document(GOLD)], user=owner)


def send(client: Client, content: str, name: str = "apfel.csv", **more: str) -> Any:
    body = {"file": SimpleUploadedFile(name, content.encode()), "algorithm": "Mine", **more}
    return client.post(reverse("submit", args=["apples"]), body)


def reread(client: Client, page: Any, **reading: str) -> Any:
    return client.post(reverse("submit-reread", args=["apples"]), {"ticket": page.context["ticket"], **reading})


def confirm(client: Client, page: Any) -> Submission:
    client.post(reverse("submit-confirm", args=["apples"]), {"ticket": page.context["ticket"]})
    return Submission.objects.get()


@pytest.mark.parametrize("labels", [FROM_ZERO, FROM_ONE])
def test_perfect_clustering_scores_one_for_any_first_label(
    visit: Visit, owner: User, apples: Collection, finish: Callable[..., None], labels: str
) -> None:
    client = visit(owner)
    page = send(client, labels, "apfel.txt")
    [line] = page.context["report"].queries
    assert line.sentence == "8 pages; 3 clusters; every page in a cluster; no page in several clusters; no nesting"
    submission = confirm(client, page)
    finish()
    scores = client.get(reverse("submission-scores-csv", args=[submission.pk]))
    header, row = b"".join(scores).decode().splitlines()[:2]
    assert dict(zip(header.split(","), row.split(","), strict=True))["qc4_f"] == "1.0"


def test_page_shows_noise_labels_and_offers_the_other_reading(visit: Visit, owner: User, apples: Collection) -> None:
    client = visit(owner)
    page = send(client, table(["None", "None", "-1", "1", "1", "-1"]))
    text = flat(page.content.decode())
    assert "the label &#x27;None&#x27; on 2 pages and the label &#x27;-1&#x27; on 2 pages" in text
    assert "Read &#x27;None&#x27; as a cluster" in text
    [warning] = [each for each in page.context["report"].warnings if each.choice]
    again = reread(client, page, noise=warning.choice.value)
    [line] = again.context["report"].queries
    assert (line.clusters, [each.label for each in line.noise]) == (2, ["-1"])
    report = confirm(client, again).report.content
    assert (report["queries"][0]["clusters"], report["noise"]) == (2, ["-1"])


def test_label_can_be_split_into_several_labels(visit: Visit, owner: User, apples: Collection) -> None:
    client = visit(owner)
    page = send(client, SEVERAL)
    assert "Read such labels as several" in page.content.decode()
    again = reread(client, page, label_separator="#")
    assert "Read such labels as several" not in again.content.decode()
    [line] = again.context["report"].queries
    assert (line.clusters, line.overlapping) == (2, 1)
    submission = confirm(client, again)
    [stored] = submission.clusterings.all()
    assert (stored.n_clusters, stored.n_memberships) == (2, 7)
    assert submission.report.content["label_separator"] == "#"


def test_form_accepts_noise_and_separator_together(visit: Visit, owner: User, apples: Collection) -> None:
    page = send(visit(owner), "page,label\np1,a|b\np2,none\np3,-1\n", noise="-1", label_separator="|")
    [line] = page.context["report"].queries
    assert (line.clusters, line.covered, [each.label for each in line.noise]) == (3, 2, ["-1"])


def test_invalid_choices_are_reported_at_their_fields(visit: Visit, owner: User, apples: Collection) -> None:
    client = visit(owner)
    page = send(client, SEVERAL)
    wrong = reread(client, page, noise="[1, {}]")
    assert wrong.status_code == 400
    assert "expected a list of labels" in flat(wrong.content.decode())
    assert send(client, SEVERAL, noise="[").status_code == 400
    assert not Submission.objects.exists()


def test_run_and_submission_show_how_labels_were_read(
    visit: Visit, owner: User, apples: Collection, finish: Callable[..., None]
) -> None:
    client = visit(owner)
    page = send(client, SEVERAL, repeat="second", seed="7", noise="[]", label_separator="#")
    submission = confirm(client, page)
    finish()
    run = submission.runs.get()
    command = unescape(client.get(reverse("run", args=[run.pk])).content.decode())
    options = "--algorithm Mine --repeat second --seed 7 --noise '[]' --label-separator '#' --user owner"
    assert f"manage.py submit apples apfel.csv {options}\n" in command
    facts = flat(client.get(reverse("submission", args=[submission.pk])).content.decode())
    assert "none: every label is a cluster" in facts
    assert "<dt>separator of several labels</dt><dd><bdi>#</bdi></dd>" in facts


def test_reading_a_file_differently_creates_another_submission(visit: Visit, owner: User, apples: Collection) -> None:
    """Happens after the browser's Back button; the first submission keeps its clusters."""
    client = visit(owner)
    page = send(client, SEVERAL)
    first = confirm(client, page)
    again = reread(client, page, label_separator="#")
    for _ in range(2):  # the second click finds the submission of the first
        client.post(reverse("submit-confirm", args=["apples"]), {"ticket": again.context["ticket"]})
    second = Submission.objects.exclude(pk=first.pk).get()
    assert [one.clusterings.get().n_clusters for one in (first, second)] == [3, 2]


def test_only_the_sender_can_read_a_file_again(visit: Visit, owner: User, reader: User, apples: Collection) -> None:
    page = send(visit(owner), SEVERAL)
    assert reread(visit(reader), page).status_code == 404
    old = visit(owner).post(reverse("submit-reread", args=["apples"]), {"ticket": "x"})
    assert old.headers["Location"] == reverse("submit", args=["apples"])


def test_command_accepts_noise_and_separator(
    owner: User, apples: Collection, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "apfel.csv"
    path.write_text("page,label\np1,a#b\np2,a\np3,b\np4,none\np5,-1\n")
    call_command("submit", "apples", str(path), "--algorithm", "A")
    written = capsys.readouterr()
    assert "--label-separator" in written.err
    assert "the label 'none' on 1 page and the label '-1' on 1 page" in written.out
    call_command("submit", "apples", str(path), "--algorithm", "B", "--label-separator", "#", "--noise", "-1")
    counts = [each.n_clusters for each in Submission.objects.get(algorithm__name="B").clusterings.all()]
    assert counts == [3]
