"""Explanations that are too slow for a request: workers compute them once, and the page and the API say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from evaluation.explanations.clusters import EXPLANATION
from evaluation.models import Run, Submission
from qc4.model.gold_document import GoldDocument
from tests.fixtures.pages import Visit
from tests.page_text import flat
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.samples.submissions import hand_in
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers
from work.answers import delete_answers
from work.models import StoredAnswer

Submit = Callable[..., tuple[Submission, object]]
API = ("explain", "explain?measures=ap,ari", "what-if", "what-if?drop=c3", "chance?draws=20", "matrix")


@pytest.fixture
def page(scored: Submission) -> str:
    return reverse("why", args=[scored.pk, "mercury"])


def api(submission: Submission) -> str:
    return f"/api/v1/submissions/{submission.pk}/queries/mercury"


def begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delete all stored answers, and let workers compute everything."""
    StoredAnswer.objects.all().delete()
    leave_all_to_workers(monkeypatch)


def in_words(client: Client, address: str, **options: Any) -> str:
    """Return the text of a page without the parts that differ on every request."""
    content = client.get(address, options).content.decode()
    return flat(content.split("<main")[1].split("</main>")[0])


@pytest.mark.parametrize(
    "options", [{}, {"drop": "c3"}, {"topic": "", "cluster": "c3"}, {"foreign": "1", "cluster": "c3"}]
)
def test_page_is_the_same_if_a_worker_computes_it(
    visit: Visit, owner: User, page: str, monkeypatch: pytest.MonkeyPatch, options: dict[str, str]
) -> None:
    """Compare a page computed in the request with one computed by a worker and read in parts of a few rows."""
    client = visit(owner)
    at_once = in_words(client, page, **options)
    begin_anew(monkeypatch)
    monkeypatch.setattr(EXPLANATION, "parts", {"clusters": 2, "removed": 1, "topics": 2, "unclustered": 1})
    waiting = client.get(page, options)
    assert (waiting.status_code, waiting["Retry-After"]) == (202, "2")
    assert compute_waiting_answers()
    assert in_words(client, page, **options) == at_once


def test_all_parts_are_queued_at_once_and_only_once(
    visit: Visit, owner: User, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_anew(monkeypatch)
    for _ in range(2):
        assert visit(owner).get(page).status_code == 202
    begun = set(StoredAnswer.objects.values_list("name", flat=True))
    assert begun == {"explanation", "chance", "one-at-a-time", "classic-terms", "matrix"}
    assert StoredAnswer.objects.count() == len(begun)
    assert not Run.objects.filter(state=Run.State.QUEUED).exists(), "answers do not create runs"


def test_pending_parts_are_loaded_when_they_are_ready(
    visit: Visit, owner: User, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_anew(monkeypatch)
    visit(owner).get(page)
    compute_waiting_answers()
    StoredAnswer.objects.filter(name__in=("chance", "matrix")).delete()
    waiting = flat(visit(owner).get(page).content.decode())
    assert 'hx-target="#working"' in waiting
    assert 'hx-select-oob="#chance-this,#matrix"' in waiting
    assert "This is still being computed." in waiting.split('id="chance-this"')[1].split("</section>")[0]
    assert "From 1 down to the quality" in waiting
    compute_waiting_answers()
    assert 'hx-select-oob="#chance' not in flat(visit(owner).get(page).content.decode())


def test_effect_of_a_tick_does_not_wait_for_other_parts(
    visit: Visit, owner: User, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_anew(monkeypatch)
    visit(owner).get(page)
    compute_waiting_answers()
    asked = flat(visit(owner).get(page, {"drop": "c3"}).content.decode())
    assert 'hx-select-oob="#answer,#what-if-said"' in asked
    assert "This is still being computed." in asked.split('id="what-if-said"')[1].split("</p>")[0]
    compute_waiting_answers()
    assert "One cluster dropped: QC4-F" in flat(visit(owner).get(page, {"drop": "c3"}).content.decode())


def test_changes_to_unknown_clusters_are_rejected_before_queueing(
    visit: Visit, owner: User, scored: Submission, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_anew(monkeypatch)
    for change in ("drop", "merge", "complete", "clean"):
        refused = visit(owner).get(f"{api(scored)}/what-if?{change}=nobody")
        assert (refused.status_code, refused.json()["error"]["problems"][0]["code"]) == (400, "no-such-cluster")
    assert not StoredAnswer.objects.exists()
    visit(owner).get(page, {"drop": "nobody"})
    assert not StoredAnswer.objects.filter(name="what-if").exists()


def test_impossible_change_is_reported_after_a_worker_tried_it(
    visit: Visit, owner: User, submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission, _ = submit(owner, "Junk", {"mercury": (("p8",), ("p1",))})
    begin_anew(monkeypatch)
    address = reverse("why", args=[submission.pk, "mercury"])
    visit(owner).get(address, {"complete": "c1"})
    compute_waiting_answers()
    response = visit(owner).get(address, {"complete": "c1"})
    assert response.status_code == 400
    assert "which QC4 excludes" in flat(response.content.decode())


@pytest.mark.parametrize("what", API)
def test_api_response_is_the_same_if_a_worker_computes_it(
    visit: Visit, owner: User, scored: Submission, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    client, address = visit(owner), f"{api(scored)}/{what}"
    at_once = client.get(address).json()
    begin_anew(monkeypatch)
    for _ in range(2):  # what-if without a change needs two answers
        response = client.get(address)
        assert (response.status_code, response["Retry-After"]) == (202, "2")
        assert response.json()["pending"]["address"] == address
        assert compute_waiting_answers()
        if client.get(address).status_code == 200:
            break
    assert client.get(address).json() == at_once


def test_similarity_is_the_same_if_a_worker_computes_it(
    visit: Visit, owner: User, scored: Submission, submit: Submit, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, _ = submit(owner, "Another one", {"mercury": (("p1", "p2", "p3"), ("p4",))})
    client, address = visit(owner), f"{api(scored)}/alike?against={other.pk}"
    at_once, beside = client.get(address).json(), in_words(client, page, against=other.pk)
    begin_anew(monkeypatch)
    assert client.get(address).status_code == 202
    assert client.get(page, {"against": other.pk}).status_code == 202
    compute_waiting_answers()
    assert client.get(address).json() == at_once
    assert in_words(client, page, against=other.pk) == beside


def test_visitors_can_queue_answers_within_their_budget(
    scored: Submission, page: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    Collection.objects.update(visibility=Collection.Visibility.PUBLIC)
    Submission.objects.update(published=True)
    begin_anew(monkeypatch)
    settings.RATES = settings.RATES | {"answers": "1/hour"}
    stranger = Client()
    assert stranger.get(page).status_code == 202
    compute_waiting_answers()
    shown = flat(stranger.get(page).content.decode())
    assert "From 1 down to the quality" in shown
    assert "recently requested many such results" in shown.split('id="chance-this"')[1].split("</section>")[0]
    refused = stranger.get(f"{api(scored)}/explain")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too-many-answers")


def test_other_scoring_options_are_computed_separately(
    visit: Visit, owner: User, scored: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_anew(monkeypatch)
    visit(owner).get(f"{api(scored)}/explain")
    visit(owner).get(f"{api(scored)}/explain?overlap=first")
    assert StoredAnswer.objects.count() == 2


def test_failure_is_reported_and_not_retried_by_reloading(
    visit: Visit, owner: User, scored: Submission, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_anew(monkeypatch)
    visit(owner).get(page)

    def fail(*_: Any) -> None:
        raise ValueError

    with monkeypatch.context() as failing:
        failing.setattr("evaluation.explanations.what_if.calibrate_case", fail)
        compute_waiting_answers()
    shown = flat(visit(owner).get(page).content.decode())
    assert "our fault" in shown.split('id="chance-this"')[1].split("</section>")[0]
    assert "From 1 down to the quality" in shown
    assert not compute_waiting_answers()


def test_collections_with_the_same_content_have_separate_answers(
    visit: Visit,
    owner: User,
    outsider: User,
    scored: Submission,
    gold_documents: tuple[GoldDocument, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither pending nor failed answers of the other collection are visible."""
    own = import_documents(name="A copy", documents=gold_documents, user=outsider)
    copy, _ = hand_in(own, submission_document(GOOD_ANSWER, "Lingo"), outsider)
    assert copy.sha256 == scored.sha256
    begin_anew(monkeypatch)
    visit(owner).get(f"{api(scored)}/explain")
    StoredAnswer.objects.update(
        state="failed", made_at="2100-01-01T00:00:00Z", error={"sentence": "In secret.", "problems": []}
    )
    assert visit(outsider).get(f"{api(copy)}/explain").status_code == 202


def test_deleting_a_submission_deletes_its_answers(
    visit: Visit, owner: User, scored: Submission, submit: Submit, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, _ = submit(owner, "Another one", {"mercury": (("p1", "p2", "p3"), ("p4",))})
    begin_anew(monkeypatch)
    visit(owner).get(page, {"against": other.pk, "drop": "c3"})
    visit(owner).get(f"{api(scored)}/explain")
    compute_waiting_answers()
    delete_answers(f"collection {scored.collection_id}", f"submission {scored.pk}")
    left = StoredAnswer.objects.values_list("sources", flat=True)
    assert left
    assert set(left) == {f" submission {other.pk} "}


def test_answers_are_hidden_with_their_submission(
    visit: Visit, owner: User, reader: User, submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Access is checked first, whether the answer is missing, pending or stored."""
    hidden, _ = submit(owner, "Mine", published=False)
    begin_anew(monkeypatch)
    address = reverse("why", args=[hidden.pk, "mercury"])
    for look in (lambda: None, lambda: visit(owner).get(address), compute_waiting_answers):
        look()
        assert visit(reader).get(address).status_code == 404
        assert visit(reader).get(f"{api(hidden)}/explain").status_code == 404
