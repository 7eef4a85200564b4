"""What somebody may no longer see does not come back in an answer that was stored while they could see it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse

from accounts.models import User
from annotations.models import Challenge, Collection
from evaluation.models import Submission
from tests.fixtures.pages import Visit
from tests.samples.documents import GOOD_ANSWER
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers

POOR = {"mercury": (("p1", "p4", "p7"), ("p2", "p5", "p8")), "saturn": (("p1", "p3"),)}
PAGES = ("leaderboard", "compare", "collection")


@pytest.fixture
def secret(
    owner: User,
    collection: Collection,
    submit: Callable[..., tuple[Submission, object]],
    finish: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> Submission:
    """The best of three in a public collection; workers work everything out."""
    Collection.objects.update(visibility="public")
    found, _ = submit(owner, "Zyxolingo", GOOD_ANSWER)
    submit(owner, "Poor", POOR)
    submit(owner, "Poorer", {"mercury": POOR["mercury"]})
    finish()
    leave_all_to_workers(monkeypatch)
    return found


def read(visit: Visit, collection: Collection, name: str) -> tuple[int, str]:
    answer = visit(None).get(reverse(name, args=[collection.slug]))
    return answer.status_code, answer.content.decode()


def read_all(visit: Visit, collection: Collection) -> None:
    """All pages are read, and everything is stored."""
    for _ in range(5):
        for name in PAGES:
            read(visit, collection, name)
        if not compute_waiting_answers():
            return
    raise AssertionError("there is no end of answers")


@pytest.mark.parametrize("name", PAGES)
def test_a_submission_that_became_private_is_in_no_answer(
    visit: Visit, collection: Collection, secret: Submission, name: str
) -> None:
    read_all(visit, collection)
    status, text = read(visit, collection, name)
    assert (status, "Zyxolingo" in text) == (200, True)
    Submission.objects.filter(pk=secret.pk).update(published=False)
    for state in ("cold", "pending", "stored"):
        assert "Zyxolingo" not in read(visit, collection, name)[1], state
        if state == "pending":
            read_all(visit, collection)
    assert read(visit, collection, name)[0] == 200


def test_scores_of_a_query_that_was_hidden_are_in_no_answer(
    visit: Visit, collection: Collection, secret: Submission
) -> None:
    def scores() -> list[object]:
        """Of all algorithms; nothing while they are worked out."""
        answer = visit(None).get(reverse("leaderboard-json", args=[collection.slug]))
        return [row["scores"] for row in answer.json()["rows"]] if answer.status_code == 200 else []

    def stored() -> list[object]:
        while not (found := scores()) and compute_waiting_answers():
            pass
        return found

    before = stored()
    assert before
    challenge = Challenge.objects.create(collection=collection, hides=Challenge.Hides.SOME, measure="qc4_f")
    challenge.shown.set(collection.queries.filter(key="saturn"))
    assert scores() == [], "an earlier answer is shown"
    assert scores() == [], "an earlier answer is shown"
    after = stored()
    assert after
    assert before != after
