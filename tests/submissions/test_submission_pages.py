"""Submitting in the browser: check, confirm, run, publish and download."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Run, Submission, Upload
from qc4.io import write_submission
from qc4.io.catalogue import FORMATS
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.samples.documents import GOOD_ANSWER, submission_document

GOOD = write_submission(submission_document(GOOD_ANSWER, "Lingo"))
BAD = write_submission(submission_document({"mercury": (("p1", "zz1"), ("zz2",)), "pluto": (("p1",),)}, "Lingo"))


def send(client: Client, collection: Collection, content: bytes, **more: str) -> object:
    address = reverse("submit", args=[collection.slug])
    return client.post(address, {"file": SimpleUploadedFile("answer.json", content), **more})


def test_example_on_the_page_is_valid(visit: Visit, owner: User, collection: Collection) -> None:
    browser = visit(owner)
    example = browser.get(reverse("submit", args=[collection.slug])).context["example"]
    answer = send(browser, collection, example.encode())
    assert ticket_of(answer)


def test_form_names_every_accepted_format(visit: Visit, owner: User, collection: Collection) -> None:
    page = unescape(visit(owner).get(reverse("submit", args=[collection.slug])).content.decode())
    assert [form.name for form in FORMATS if form.submissions and form.name not in page] == []


def ticket_of(answer: object) -> str:
    return answer.context["ticket"]


def test_valid_file_is_stored_only_after_confirmation(visit: Visit, submitter: User, collection: Collection) -> None:
    client = visit(submitter)
    answer = send(client, collection, GOOD)
    assert answer.status_code == 200
    assert "The file is valid" in answer.content.decode()
    assert not Submission.objects.exists()
    confirmed = client.post(reverse("submit-confirm", args=[collection.slug]), {"ticket": ticket_of(answer)})
    submission, run = Submission.objects.get(), Run.objects.get(kind="evaluation")
    assert confirmed.headers["Location"] == reverse("run", args=[run.pk])
    assert (submission.algorithm.name, submission.origin, submission.published) == ("Lingo", "browser", False)
    assert submission.upload is not None
    assert submission.upload.name == "answer.json"


def test_report_explains_overlapping_clusters(visit: Visit, submitter: User, collection: Collection) -> None:
    overlapping = write_submission(submission_document({"mercury": (("p1", "p2"), ("p2", "p3"))}, "STC"))
    said = "Measures of partitions, such as Adjusted Rand, then have no value"
    assert said in flat(send(visit(submitter), collection, overlapping).content.decode())
    assert said not in flat(send(visit(submitter), collection, GOOD).content.decode())


def test_invalid_file_is_rejected_with_all_problems(visit: Visit, submitter: User, collection: Collection) -> None:
    answer = send(visit(submitter), collection, BAD)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert all(name in page for name in ("zz1", "zz2", "pluto"))
    assert not Submission.objects.exists()
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe\x00", b"[]", b"PK\x03\x04broken", b'{"format": "qc4-gold/1"}']
)
def test_arbitrary_content_does_not_break_the_page(
    visit: Visit, submitter: User, collection: Collection, content: bytes
) -> None:
    answer = send(visit(submitter), collection, content)
    assert answer.status_code == 400
    assert "error" in answer.content.decode()


def test_form_sets_name_and_visibility(visit: Visit, submitter: User, collection: Collection) -> None:
    client = visit(submitter)
    answer = send(client, collection, GOOD, algorithm="Mine", published="on")
    client.post(reverse("submit-confirm", args=[collection.slug]), {"ticket": ticket_of(answer)})
    submission = Submission.objects.get()
    assert (submission.algorithm.name, submission.published) == ("Mine", True)


def test_ticket_is_valid_for_one_person_and_one_collection(
    visit: Visit, submitter: User, owner: User, collection: Collection, public_collection: Collection
) -> None:
    ticket = ticket_of(send(visit(submitter), collection, GOOD))
    for user, slug in ((owner, collection.slug), (owner, public_collection.slug)):
        visit(user).post(reverse("submit-confirm", args=[slug]), {"ticket": ticket})
    visit(submitter).post(reverse("submit-confirm", args=[collection.slug]), {"ticket": f"{ticket}x"})
    assert not Submission.objects.exists()


def test_readers_cannot_submit(visit: Visit, reader: User, collection: Collection) -> None:
    assert visit(reader).get(reverse("submit", args=[collection.slug])).status_code == 403
    assert send(visit(reader), collection, GOOD).status_code == 403


def test_publishing_and_unpublishing(
    visit: Visit, submitter: User, reader: User, submit: Callable[..., tuple[Submission, Run]]
) -> None:
    submission, _ = submit(submitter, "Lingo", published=False)
    address = reverse("submission", args=[submission.pk])
    assert visit(reader).get(address).status_code == 404
    visit(submitter).post(reverse("submission-publish", args=[submission.pk]))
    assert visit(reader).get(address).status_code == 200
    assert visit(reader).post(reverse("submission-unpublish", args=[submission.pk])).status_code == 403
    visit(submitter).post(reverse("submission-unpublish", args=[submission.pk]))
    assert visit(reader).get(address).status_code == 404


def test_changes_require_post(visit: Visit, owner: User, scored: Submission) -> None:
    for name in ("submission-publish", "submission-unpublish"):
        assert visit(owner).get(reverse(name, args=[scored.pk])).status_code == 405


def test_the_download_can_be_submitted_again(visit: Visit, owner: User, scored: Submission) -> None:
    answer = visit(owner).get(reverse("submission-download", args=[scored.pk]))
    assert "attachment" in answer.headers["Content-Disposition"]
    assert [json.loads(line)["query"] for line in answer.content.splitlines()] == ["mercury", "saturn"]
    again = send(visit(owner), scored.collection, answer.content, algorithm="Lingo")
    assert again.status_code == 200
    assert "The file is valid" in again.content.decode()


def test_page_shows_the_scores_of_every_query(visit: Visit, owner: User, scored: Submission) -> None:
    page = visit(owner).get(reverse("submission", args=[scored.pk])).content.decode()
    assert reverse("why", args=[scored.pk, "saturn"]) in page
    assert scored.sha256[:16] in page
    assert "Report" in page


def test_queries_are_paginated_and_the_mean_covers_all(
    visit: Visit, owner: User, scored: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, client = reverse("submission", args=[scored.pk]), visit(owner)
    for module in ("evaluation.submissions.selectors", "evaluation.submissions.views"):
        monkeypatch.setattr(f"{module}.SUBMISSION_QUERIES", 1)
    first = client.get(address + "?measures=qc4_f").content.decode()
    links = dict(re.findall(r'href="(\?(scores|report)=[^"#]*)[^"]*"\s+rel="next"', first))
    assert set(links.values()) == {"scores", "report"}
    pages = [first, client.get(address + unescape(next(iter(links)))).content.decode()]
    assert "measures=qc4_f" in unescape(next(iter(links)))
    shown = [re.findall(r'href="/submissions/\d+/why/([^/"]+)', page) for page in pages]
    assert shown == [["mercury"], ["saturn"]]
    feet = [re.search(r"<tfoot>.*?</tfoot>", page, re.DOTALL)[0] for page in pages]  # type: ignore[index]  # there is one
    assert len(set(feet)) == 1


def test_page_links_to_the_leaderboard_with_it_as_baseline(visit: Visit, owner: User, scored: Submission) -> None:
    page = visit(owner).get(reverse("submission", args=[scored.pk])).content.decode()
    board = f"{reverse('leaderboard', args=[scored.collection.slug])}?baseline={scored.algorithm_id}"
    assert f'href="{board}"' in page
    answer = visit(owner).get(board)
    assert answer.status_code == 200
    assert "does not exist" not in answer.content.decode()


def test_submission_is_deleted_with_its_runs_and_scores(visit: Visit, owner: User, scored: Submission) -> None:
    page = visit(owner).get(reverse("submission", args=[scored.pk])).content.decode()
    assert "2 clusterings, 1 run" in flat(page)
    visit(owner).post(reverse("submission-delete", args=[scored.pk]))
    assert not Submission.objects.exists()
    assert not Run.objects.exists()


def test_suggested_names_come_from_visible_submissions(
    visit: Visit, owner: User, submitter: User, collection: Collection, submit: Callable[..., tuple[Submission, Run]]
) -> None:
    submit(owner, algorithm="Hidden", published=False)
    submit(owner, algorithm="Shown", published=True)
    page = visit(submitter).get(reverse("submit", args=[collection.slug])).content.decode()
    assert "Shown" in page
    assert "Hidden" not in page


def test_second_click_does_not_submit_twice(visit: Visit, submitter: User, collection: Collection) -> None:
    client = visit(submitter)
    ticket = {"ticket": ticket_of(send(client, collection, GOOD))}
    first, second = (client.post(reverse("submit-confirm", args=[collection.slug]), ticket) for _ in range(2))
    submission = Submission.objects.get()
    assert first.status_code == 302
    assert second.headers["Location"] == reverse("submission", args=[submission.pk])
