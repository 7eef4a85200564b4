"""Importing in the browser: all problems at once, or a run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import ClassVar

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Run, Upload
from qc4.io import write_gold
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.samples.documents import mercury, saturn

GOLD = write_gold(mercury())
BROKEN = GOLD.replace(b'"p8"', b'"zz"').replace(b'"boats"', b'"space"', 1)


def test_examples_on_the_page_are_valid(visit: Visit, owner: User) -> None:
    page = visit(owner).get(reverse("import")).content.decode()
    examples = [unescape(text) for text in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.S)]
    assert len(examples) == 2
    for example in examples:
        answer = send(visit, owner, files(example.encode()), name=f"{len(example)} letters")
        assert answer.status_code == 302


def files(*contents: bytes) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(f"gold-{number}.json", content) for number, content in enumerate(contents)]


def send(visit: Visit, user: User, uploads: list[SimpleUploadedFile], **more: str) -> object:
    return visit(user).post(reverse("import"), {"name": "Fresh", "completion": "strict", "files": uploads, **more})


def test_valid_file_queues_a_run_that_creates_a_collection(
    visit: Visit, owner: User, finish: Callable[..., None]
) -> None:
    answer = send(visit, owner, files(GOLD), public="on")
    run = Run.objects.get(kind="import")
    assert answer.headers["Location"] == reverse("run", args=[run.pk])
    finish(run)
    collection = Collection.objects.get(name="Fresh")
    assert (collection.is_public, collection.participation) == (True, "members"), "a form from before the setting"
    page = visit(owner).get(reverse("run", args=[run.pk])).content.decode()
    assert "Open the collection" in page


def test_several_files_form_one_collection(visit: Visit, owner: User, finish: Callable[..., None]) -> None:
    send(visit, owner, files(GOLD, write_gold(saturn())))
    finish(Run.objects.get(kind="import"))
    assert Collection.objects.get(name="Fresh").queries.count() == 2


def test_invalid_file_is_rejected_with_every_problem(visit: Visit, owner: User) -> None:
    answer = send(visit, owner, files(BROKEN))
    assert answer.status_code == 400
    assert "Not imported" in answer.content.decode()
    assert not Collection.objects.exists()
    assert not Upload.objects.exists()
    assert not Run.objects.exists()


def test_taken_name_is_reported_with_the_other_problems(visit: Visit, owner: User, collection: Collection) -> None:
    page = send(visit, owner, files(b"{"), name=collection.name).content.decode()
    assert "a new name" in page
    assert "2 problems" in flat(page)


def test_empty_file_is_reported_like_other_problems(visit: Visit, owner: User) -> None:
    assert "Not imported" in send(visit, owner, files(b"")).content.decode()


def test_form_without_a_file_is_rejected_with_a_message(visit: Visit, owner: User, collection: Collection) -> None:
    for address in (reverse("import"), reverse("gold-publish", args=[collection.slug])):
        answer = visit(owner).post(address, {"name": "Fresh", "completion": "strict", "participation": "members"})
        assert answer.status_code == 400
        assert "This field is required." in answer.content.decode()


def test_visitors_are_asked_to_sign_in(visit: Visit) -> None:
    assert reverse("sign-in") in visit(None).get(reverse("import")).headers["Location"]


def test_file_is_not_stored_if_the_queue_is_full(visit: Visit, owner: User, settings: object) -> None:
    settings.JOB_LIMIT_PER_USER = 0
    file = SimpleUploadedFile("mercury.json", write_gold(mercury()))
    answer = visit(owner).post(reverse("import"), {"name": "Full", "completion": "strict", "files": file})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert not Upload.objects.exists()


class TestCompleteInstead:
    """A file rejected only for pages in no topic can be imported with one click."""

    UNPLACED = write_gold(replace(mercury(), outliers=()))
    CHOSEN: ClassVar[dict[str, str]] = {
        "public": "on",
        "participation": "request",
        "description": "What it is",
        "licence": "CC-BY-4.0",
        "contact": "me@example.org",
        "language": "en",
    }

    def ticket(self, answer: HttpResponse) -> str:
        page = answer.content.decode()
        found = re.search(r'name="ticket" value="([^"]+)"', page)
        assert found, page
        return unescape(found[1])

    def test_completion_button_keeps_files_name_and_options(
        self, visit: Visit, owner: User, finish: Callable[..., None]
    ) -> None:
        answer = send(visit, owner, files(self.UNPLACED, write_gold(saturn())), **self.CHOSEN)
        assert answer.status_code == 400
        taken = visit(owner).post(reverse("import"), {"ticket": self.ticket(answer)})
        run = Run.objects.get(kind="import")
        assert taken.headers["Location"] == reverse("run", args=[run.pk])
        finish(run)
        collection = Collection.objects.get(name="Fresh")
        assert collection.is_public
        kept = {name: getattr(collection, name) for name in self.CHOSEN if name != "public"}
        assert kept == {name: text for name, text in self.CHOSEN.items() if name != "public"}
        assert collection.queries.count() == 2
        assert "complete" in " ".join(collection.import_notes)

    def test_completion_is_not_offered_with_other_problems(self, visit: Visit, owner: User) -> None:
        assert b'name="ticket"' not in send(visit, owner, files(BROKEN)).content
        assert b'name="ticket"' not in send(visit, owner, files(self.UNPLACED, b"nothing")).content

    def test_ticket_is_valid_for_its_user_only(self, visit: Visit, owner: User, outsider: User) -> None:
        ticket = self.ticket(send(visit, owner, files(self.UNPLACED)))
        for person, signed in ((outsider, ticket), (owner, ticket + "x"), (owner, "")):
            answer = visit(person).post(reverse("import"), {"ticket": signed})
            assert answer.headers["Location"] == reverse("import")
        assert not Run.objects.exists()
