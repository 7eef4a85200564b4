"""Two concurrent adjudicators of the same drafts: neither replaces an unseen answer of the other."""

from __future__ import annotations

import re
import uuid
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.adjudication import services as adjudication
from annotations.adjudication.selectors.reading import SeenState, read
from annotations.adjudication.services import Answer, store_step
from annotations.drafts.selectors import states
from annotations.drafts.services.errors import ConflictError
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Adjudication, AdjudicationStep, Collection, Draft
from tests.samples.drafts import ANA, BEN, draft_of

pytestmark = pytest.mark.django_db

P3, P8 = "page:first:p3", "page:first:p8"


@pytest.fixture
def started(collection: Collection, curator: User, owner: User, adjudicator: User) -> Adjudication:
    query = collection.queries.get(key="mercury")
    drafts = [draft_of(curator, query, ANA, "p8"), draft_of(owner, query, BEN)]
    return adjudication.start(query=query, drafts=drafts, user=adjudicator).adjudication


class Desk:
    """One person's page, as last loaded."""

    def __init__(self, user: User, found: Adjudication) -> None:
        self.client, self.found, self.state = Client(), found, ""
        self.client.force_login(user, "django.contrib.auth.backends.ModelBackend")
        self.address = reverse("adjudicate", args=[found.draft_id])
        self.load()

    def load(self, query: str = "") -> str:
        return self._keep(self.client.get(self.address + query).content.decode())

    def _keep(self, shown: str) -> str:
        if found := re.search(r'name="state" value="([^"]*)"', shown):
            self.state = found[1]
        self.poll = found[1] if (found := re.search(r'hx-get="([^"]*known=[^"]*)"', shown)) else ""
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", shown))

    def answer(self, subject: str, choice: str, **more: str) -> str:
        given = {"op_id": str(uuid.uuid4()), "subject": subject, "choice": choice, "state": self.state} | more
        return self._keep(self.client.post(self.address, given, headers={"HX-Request": "true"}).content.decode())

    def step(self, kind: str) -> str:
        given = {kind: str(uuid.uuid4())}
        return self._keep(self.client.post(self.address, given, headers={"HX-Request": "true"}).content.decode())

    def ask(self) -> tuple[int, str]:
        """Poll for news, as an open page does."""
        address = self.poll.replace("&amp;", "&")
        response = self.client.get(address, headers={"HX-Request": "true"})
        content = response.content.decode()
        return response.status_code, self._keep(content) if content else ""


@pytest.fixture
def first(started: Adjudication, adjudicator: User) -> Desk:
    return Desk(adjudicator, started)


@pytest.fixture
def second(started: Adjudication, owner: User) -> Desk:
    return Desk(owner, started)


def counts(found: Adjudication, key: str = "p3") -> tuple[str, str] | None:
    """Return the author and the choice of the answer in effect."""
    last = {row.key: row for row in read(Adjudication.objects.get(pk=found.pk)).last.values()}
    return (last[key].by, last[key].choice) if key in last else None


@pytest.mark.parametrize("swapped", [False, True])
def test_unseen_answer_of_another_person_is_not_replaced(
    started: Adjudication, first: Desk, second: Desk, swapped: bool
) -> None:
    one, other = (second, first) if swapped else (first, second)
    names = ("owner", "adjudicator") if swapped else ("adjudicator", "owner")
    one.answer(P3, "all", reason="slip", note="in both")
    revision = Draft.objects.get(pk=started.draft_id).revision
    shown = other.answer(P3, "second", reason="other", note="only the engine")
    assert f"{names[0]} answered “Page 3” meanwhile: in the topics of both (slip, “in both”)." in shown
    assert counts(started) == (names[0], "all")
    assert Draft.objects.get(pk=started.draft_id).revision == revision
    # Both people see both answers, and typed text is still in its field.
    assert "Two answers" in shown
    assert "only the engine" in shown
    status, told = one.ask()
    assert status == 200
    assert "Two answers" in told
    assert f"{names[1]} : as owner “ only the engine ” not saved" in told
    # She answers again after seeing the other answer.
    other.answer(P3, "second", reason="other", note="only the engine")
    assert counts(started) == (names[1], "second")
    status, told = one.ask()
    assert f"{names[0]} : in the topics of both “ in both ” replaced" in told
    assert f"{names[1]}: Page 3: as owner." in told


def test_equal_answer_or_other_question_causes_no_conflict(started: Adjudication, first: Desk, second: Desk) -> None:
    first.answer(P3, "all")
    assert "Not saved" not in second.answer(P3, "all")
    assert "Not saved" not in first.answer(P8, "outlier")
    assert "Not saved" not in first.answer(P8, "second"), "a person has seen their own answer"
    assert "Two answers" not in first.load()


def test_answers_in_names_table_are_all_saved_or_none(started: Adjudication, first: Desk, second: Desk) -> None:
    first.answer("name:first:planet", "second")
    names = {"names": "name:first:planet", "choice name:first:planet": "typed", "typed name:first:planet": "Worlds"}
    shown = second.answer("", "", **names)
    assert "adjudicator answered “Planet” meanwhile: called Planets (as owner)." in shown
    assert "owner : called Worlds" in shown
    assert counts(started, "planet") == ("adjudicator", "second")


def test_unseen_workspace_edit_is_not_replaced(started: Adjudication, first: Desk, owner: User) -> None:
    draft = Draft.objects.get(pk=started.draft_id)
    engines = next(id for id, topic in states.current(draft).state.topics.items() if topic.name == "Engines")
    perform(draft, owner, DraftRequest(uuid.uuid4(), 0, [{"kind": "assign", "pages": ["p3"], "topics": [engines]}]))
    shown = first.answer(P3, "outlier")
    assert "owner changed “Page 3” in the workspace meanwhile: Put 1 page into Engines." in shown
    assert "Not saved" not in first.answer(P8, "outlier")
    assert "Not saved" not in first.answer(P3, "outlier"), "it has been seen by now"


def test_undo_affects_only_own_answers(started: Adjudication, first: Desk, second: Desk) -> None:
    first.answer(P8, "outlier")
    first.answer(P3, "all")
    second.load()
    second.answer(P3, "second")
    shown = first.step("undo")
    assert "Your answer about “Page 3” was not undone because the question has been answered since by owner." in shown
    assert counts(started) == ("owner", "second")
    assert "Undone: Page 8: an outlier." in first.step("undo")
    assert counts(started, "p8") is None
    second.step("undo")
    assert counts(started) is None or counts(started)[0] == "adjudicator"


def test_answer_restored_by_undo_keeps_its_author(started: Adjudication, first: Desk, second: Desk) -> None:
    first.answer(P3, "all")
    second.load()
    second.answer(P3, "second")
    second.step("undo")
    assert counts(started) == ("adjudicator", "all")


def test_redo_does_not_replace_later_answer(started: Adjudication, first: Desk, second: Desk) -> None:
    first.answer(P3, "all")
    first.step("undo")
    second.load()
    second.answer(P3, "second")
    assert "owner has answered since" in first.step("redo")
    assert counts(started) == ("owner", "second")


def test_repeated_rejected_answer_is_stored_once(started: Adjudication, first: Desk, second: Desk) -> None:
    first.answer(P3, "all")
    op_id = str(uuid.uuid4())
    for _ in range(2):
        state, second.state = second.state, "0.0"
        assert "Not saved" in second.answer(P3, "second", op_id=op_id), state
    assert AdjudicationStep.objects.filter(is_refused=True).count() == 1


def test_database_accepts_one_of_two_concurrent_steps(started: Adjudication, adjudicator: User, owner: User) -> None:
    """This also holds if two processes have read the same state."""
    one, other = read(started), read(started)
    store_step(one, adjudicator, Answer(uuid.uuid4(), ()), None)
    with pytest.raises(ConflictError) as refused:
        store_step(other, owner, Answer(uuid.uuid4(), ()), None)
    assert refused.value.code == "overtaken"
    assert AdjudicationStep.objects.count() == 1


# --- Automatic updates ------------------------------------------------------------------------------------------------


def test_open_page_is_not_updated_without_news(started: Adjudication, first: Desk, second: Desk) -> None:
    assert first.ask() == (204, "")
    second.answer(P8, "outlier")
    status, shown = first.ask()
    assert status == 200
    assert "owner: Page 8: an outlier." in shown
    assert first.ask()[0] == 204


def test_update_keeps_question_and_seen_state(started: Adjudication, first: Desk, second: Desk) -> None:
    first.load(f"?at={P3}")
    second.answer(P3, "all")
    _, shown = first.ask()
    assert "Page Page 3" in shown
    assert parse_qs(first.poll.replace("&amp;", "&").partition("?")[2])["seen"] == ["0.0"]
    assert "owner answered “Page 3” meanwhile" in first.answer(P3, "second")


def test_settled_question_is_not_replaced_by_another(first: Desk, second: Desk) -> None:
    first.load()
    second.answer(P3, "all")
    first.poll = re.sub(r"at=[^&]*", "at=page:first:p1", first.poll)  # there is no question about p1
    _, shown = first.ask()
    assert "This question is settled" in shown
    assert "Next question" in shown


def test_answer_without_valid_state_is_rejected(started: Adjudication, first: Desk) -> None:
    for state in ("", "x", "1.2.3"):
        first.state = state
        assert "Load the page again" in first.answer(P3, "all"), state
    first.state = "99.99"
    assert "was never at 99.99" in first.answer(P3, "all")


# --- The API ----------------------------------------------------------------------------------------------------------


def test_api_rejects_conflicting_answer_like_page(started: Adjudication, first: Desk, second: Desk) -> None:
    where = reverse("api:draft-adjudication", args=[started.draft_id])
    decisions = reverse("api:draft-decisions", args=[started.draft_id])
    seen = first.client.get(where).json()["state"]
    assert seen == str(SeenState(0, 0))

    def send(desk: Desk, choice: str, state: str) -> tuple[int, dict[str, Any]]:
        body = {"id": str(uuid.uuid4()), "about": "page", "key": "p3", "choice": choice, "state": state}
        response = desk.client.post(decisions, body, "application/json")
        return response.status_code, response.json()

    status, done = send(first, "all", seen)
    assert status == 200
    status, refused = send(second, "second", seen)
    assert (status, refused["error"]["code"]) == (409, "answered-meanwhile")
    assert refused["error"]["clashes"][0] | {"revision": 0} == {
        "revision": 0,
        "by": "adjudicator",
        "label": "in the topics of both",
        "gone": [],
    }
    found = first.client.get(where).json()
    assert [(two["other"]["by"], two["is_refused"]) for two in found["two_answers"]] == [("owner", True)]
    assert [row["choice"] for step in found["steps"] for row in step["decisions"]] == ["all"]
    assert send(second, "second", found["state"])[0] == 200
    assert counts(started) == ("owner", "second")
    assert send(first, "all", done["state"])[0] == 409
