"""What is too large to be explained in a request: a worker does it once, and everybody reads it in parts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection
from annotations.services.imports import import_documents
from evaluation.jobs.here import run_here
from evaluation.models import Explanation, Run, Submission
from evaluation.selectors import stored_explanations, why_size
from qc4.gold.document import GoldDocument
from tests.handing_in import hand_in
from tests.pages.conftest import Visit
from tests.pages.words import flat
from tests.samples import GOOD_ANSWER, submission_document


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is too large, and a part holds two rows."""
    monkeypatch.setattr(why_size, "MOST", (2, 100, 100))
    monkeypatch.setattr(stored_explanations, "ROWS", ROWS)
    for user in ("evaluation.services.explanations.ROWS", "evaluation.views.why.ROWS"):
        monkeypatch.setattr(user, ROWS)


ROWS = {"clusters": 2, "topics": 2, "page_coverage": 2}


def api(submission: Submission) -> str:
    return f"/api/v1/submissions/{submission.pk}/queries/mercury/explain"


def explanations() -> Any:
    return Run.objects.filter(kind=Run.Kind.EXPLANATION)


def test_asked_by_many_it_is_worked_out_once_and_equals_what_a_request_would_say(
    visit: Visit, owner: User, scored: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as roomy:
        roomy.setattr(why_size, "MOST", (100, 100, 100))
        at_once = visit(owner).get(api(scored)).json()
    client, page = visit(owner), reverse("why", args=[scored.pk, "mercury"])
    told = client.get(api(scored))
    assert (told.status_code, told["Retry-After"]) == (202, "5")
    run = explanations().get()
    assert told["Location"].endswith(f"/api/v1/runs/{run.pk}")
    assert told.json()["kind"] == "explanation"
    assert client.get(api(scored)).status_code == 202
    assert "hx-trigger" in client.get(page).content.decode(), "the page asks again by itself"
    assert explanations().count() == 1, "who asks again waits for the same run"

    run_here(run)
    answer = client.get(api(scored))
    assert json.loads(answer.getvalue()) == at_once
    shown = flat(client.get(page).content.decode())
    assert "hx-trigger" not in shown
    assert "1–2 of 3" in shown
    assert ("QC4-F" in shown, "qc4_f" in shown) == (True, False), "measures by their titles"
    listed = client.get(reverse("submission", args=[scored.pk])).content.decode()
    assert "explanation, gold v1" in flat(listed)
    assert "3–3 of 3" in flat(client.get(f"{page}?page=2").content.decode())
    assert explanations().count() == 1


def test_who_is_not_signed_in_queues_nothing_and_reads_what_is_there(
    owner: User, scored: Submission, visit: Visit
) -> None:
    Collection.objects.update(visibility=Collection.Visibility.PUBLIC)
    Submission.objects.update(published=True)
    stranger, page = Client(), reverse("why", args=[scored.pk, "mercury"])
    assert stranger.get(api(scored)).status_code == 401
    assert "to have it done" in flat(stranger.get(page).content.decode())
    assert not explanations().exists()
    visit(owner).get(api(scored))
    run_here(explanations().get())
    assert stranger.get(api(scored)).status_code == 200
    assert "explained by a worker" in flat(stranger.get(page).content.decode())


def test_other_policies_are_another_question(visit: Visit, owner: User, scored: Submission) -> None:
    visit(owner).get(api(scored))
    visit(owner).get(f"{api(scored)}?overlap=first")
    assert explanations().count() == 2


def test_a_run_that_failed_says_why_and_is_not_queued_again_by_looking(
    visit: Visit, owner: User, scored: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = visit(owner)
    client.get(api(scored))

    def fail(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("evaluation.jobs.explanations.score", fail)
    run_here(explanations().get())
    assert client.get(api(scored)).json()["error"]["code"] == "out-of-memory"
    page = flat(client.get(reverse("why", args=[scored.pk, "mercury"])).content.decode())
    assert "The worker ran out of memory." in page
    assert explanations().count() == 1
    assert not Explanation.objects.exists()
    monkeypatch.undo()
    assert client.post(reverse("run-rerun", args=[explanations().get().pk])).status_code == 302
    again = explanations().order_by("-pk").first()
    run_here(again)
    assert Explanation.objects.count() == 1


def test_the_run_of_another_collection_with_the_same_content_is_nobodys_here(
    visit: Visit, owner: User, outsider: User, scored: Submission, gold_documents: tuple[GoldDocument, ...]
) -> None:
    """What is there is found by content; whose run is at it, how far it is and how it failed is not."""
    visit(owner).get(api(scored))
    theirs = explanations().get()
    error = {"code": "x", "sentence": "In secret.", "where": "run", "fix": ""}
    Run.objects.filter(pk=theirs.pk).update(state=Run.State.FAILED, finished_at=Now(), error=error)
    own = import_documents(name="A copy", documents=gold_documents, user=outsider)
    copy, _ = hand_in(own, submission_document(GOOD_ANSWER, "Lingo"), outsider)
    assert copy.sha256 == scored.sha256
    told = visit(outsider).get(api(copy))
    assert (told.status_code, told.json()["submission"]) == (202, copy.pk)
    assert "In secret" not in visit(outsider).get(reverse("why", args=[copy.pk, "mercury"])).content.decode()
    run_here(explanations().exclude(pk=theirs.pk).get())
    assert visit(owner).get(api(scored)).status_code == 200


def test_it_is_no_evaluation_of_the_submission(visit: Visit, owner: User, scored: Submission) -> None:
    before = visit(owner).get(f"/api/v1/submissions/{scored.pk}").json()
    visit(owner).get(api(scored))
    assert visit(owner).get(f"/api/v1/submissions/{scored.pk}").json() == before
