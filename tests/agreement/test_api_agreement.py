"""Agreement and adjudication through the API."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.adjudication.selectors.reading import SeenState
from annotations.drafts import services as drafts
from annotations.drafts.selectors.documents import document_of
from annotations.models import Adjudication, Collection, Draft
from annotations.people.services.roles import add_role
from tests.samples.drafts import ANA, BEN, draft_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(collection: Collection, curator: User, owner: User) -> dict[str, int]:
    query = collection.queries.get(key="mercury")
    return {"first": draft_of(curator, query, ANA, "p8").pk, "second": draft_of(owner, query, BEN).pk}


@pytest.fixture
def browser(adjudicator: User, client: Client) -> Client:
    client.force_login(adjudicator, "django.contrib.auth.backends.ModelBackend")
    return client


def address(name: str, collection: Collection) -> str:
    return reverse(f"api:{name}", args=[collection.slug, "mercury"])


def post(browser: Client, where: str, body: dict[str, Any], status: int) -> dict[str, Any]:
    """Send a request; answers include the current state of the adjudication."""
    if "/decisions" in where and ({"choice", "answers"} & body.keys()):
        draft = int(where.split("/drafts/")[1].split("/")[0])
        body = {"state": str(SeenState.of(Adjudication.objects.get(draft=draft))), **body}
    response = browser.post(where, body, content_type="application/json")
    assert response.status_code == status, response.content
    found: dict[str, Any] = response.json()
    return found


def decided(about: str, key: str, choice: str, **more: str) -> dict[str, Any]:
    return {"id": str(uuid4()), "about": about, "key": key, "choice": choice, **more}


def both(pair: dict[str, int]) -> dict[str, Any]:
    return {"drafts": [pair["first"], pair["second"]]}


def test_two_drafts_are_compared(browser: Client, collection: Collection, pair: dict[str, int]) -> None:
    found = browser.get(address("agreement", collection), pair).json()
    assert [page["id"] for page in found["pages"] if not page["agree"]] == ["p3", "p6", "p7", "p8"]
    assert {"first": "planet", "second": "planets", "shared": 2, "jaccard": pytest.approx(2 / 3)} in found["aligned"]
    assert (found["only_first"], found["only_second"]) == (["parts"], ["fairs"])


@pytest.mark.parametrize("wrong", [{"first": "x"}, {"minimum": "0"}, {"frist": "1"}])
def test_invalid_options_are_rejected(
    browser: Client, collection: Collection, pair: dict[str, int], wrong: dict[str, str]
) -> None:
    assert browser.get(address("agreement", collection), pair | wrong).status_code == 400


def test_an_adjudication_from_start_to_end(browser: Client, collection: Collection, pair: dict[str, int]) -> None:
    started = post(browser, address("adjudications", collection), both(pair), 201)
    assert post(browser, address("adjudications", collection), both(pair), 201)["draft"] == started["draft"]
    assert started["agreed_from_the_start"] == 4
    asked = [(question["about"], question["key"], question["choices"]) for question in started["questions"]]
    assert asked == [
        ("topic", "parts", ["first", "second", "skip"]),
        ("topic", "fairs", ["first", "second", "same", "skip"]),
        ("name", "planet", ["first", "second", "typed", "skip"]),
        ("page", "p3", ["first", "second", "all", "outlier", "skip"]),
        ("page", "p8", ["first", "second", "outlier", "skip"]),
    ]
    decisions = reverse("api:draft-decisions", args=[started["draft"]])
    done = post(browser, decisions, decided("page", "p3", "all", reason="ambiguous", note="of two minds"), 200)
    (row,) = done["step"]["decisions"]
    assert (row["revision"], row["by"], row["reason"], row["note"]) == (1, "adjudicator", "ambiguous", "of two minds")
    assert (done["revision"], done["open"]) == (1, 4)
    taken = post(browser, f"{decisions}/undo", {"id": str(uuid4())}, 200)["step"]
    assert (taken["decisions"][0]["choice"], taken["undoes"], taken["revision"]) == ("reopen", done["step"]["id"], 2)
    again = post(browser, f"{decisions}/redo", {"id": str(uuid4())}, 200)["step"]
    assert (again["decisions"][0]["choice"], again["redoes"], again["revision"]) == ("all", taken["id"], 3)
    post(browser, f"{decisions}/undo", {"id": str(uuid4())}, 200)
    post(browser, decisions, decided("page", "p3", "second", reason="slip"), 200)
    found = browser.get(reverse("api:draft-adjudication", args=[started["draft"]])).json()
    page = next(page for page in found["pages"] if page["id"] == "p3")
    assert (page["status"], page["now"], page["decision"]["reason"]) == ("decided", ["Engines"], "slip")
    given = [row["choice"] for step in found["steps"] for row in step["decisions"]]
    assert given == ["all", "reopen", "all", "reopen", "second"]
    assert Draft.objects.get(pk=started["draft"]).revision == found["revision"] == 5


def test_errors_describe_the_problem(browser: Client, collection: Collection, pair: dict[str, int]) -> None:
    draft = post(browser, address("adjudications", collection), both(pair), 201)["draft"]
    decisions = reverse("api:draft-decisions", args=[draft])
    assert post(browser, decisions, decided("page", "p1", "first"), 422)["error"]["code"] == "no-question"
    assert post(browser, decisions, decided("page", "p8", "all"), 422)["error"]["code"] == "no-such-answer"
    assert post(browser, decisions, decided("page", "p8", "reopen"), 400)["error"]["code"]
    assert post(browser, decisions, decided("page", "p8", "first", reason="other"), 400)["error"]["problems"]
    undo = post(browser, f"{decisions}/undo", {"id": str(uuid4())}, 422)
    assert undo["error"]["code"] == "nothing-to-undo"


def test_draft_of_another_query_is_not_compared(
    browser: Client, collection: Collection, pair: dict[str, int], owner: User
) -> None:
    other = draft_of(owner, collection.queries.get(key="saturn"), {"Cars": "p1"}).pk
    assert browser.get(address("agreement", collection), pair | {"second": other}).status_code == 404


def test_reopened_draft_is_reported(browser: Client, collection: Collection, pair: dict[str, int], owner: User) -> None:
    second = Draft.objects.get(pk=pair["second"])
    drafts.reopen(second, owner)
    for answer in (
        browser.get(address("agreement", collection), pair),
        browser.post(address("adjudications", collection), both(pair), content_type="application/json"),
    ):
        assert answer.status_code == 409, answer.content
        error = answer.json()["error"]
        assert (error["code"], error["draft"], error["reopened_by"]) == ("draft-reopened", second.pk, "owner")
        assert error["reopened_at"]


# --- Three drafts -----------------------------------------------------------------------------------------------------


@pytest.fixture
def three(collection: Collection, pair: dict[str, int]) -> list[int]:
    """Add a third draft, which is equal to the second."""
    cem = User.objects.create_user("cem")
    add_role(collection=collection, user=cem, role="curator")
    return [*pair.values(), draft_of(cem, collection.queries.get(key="mercury"), BEN).pk]


def test_all_drafts_are_compared(browser: Client, collection: Collection, three: list[int]) -> None:
    where = address("agreement-all", collection)
    found = browser.get(where, {"drafts": ",".join(map(str, three))}).json()
    assert found["compared"] == ["curator", "owner", "cem"]
    assert found["pages"] == {"alike": 4, "all": 8, "pairs": 3}
    assert {"first": "planet", "second": "planets", "third": "planets"} in found["topics"]
    measured = {(figure["measure"], figure["level"]) for figure in found["figures"] if figure["value"] is not None}
    assert measured >= {("alpha_masi", 1), ("alpha_jaccard", 2), ("alpha_nominal", 1), ("alpha_outliers", None)}
    assert browser.get(where, {"drafts": str(three[0])}).status_code == 400
    assert browser.get(where, {"drafts": "1,2,x"}).status_code == 400


def test_majority_is_accepted_as_one_step(browser: Client, collection: Collection, three: list[int]) -> None:
    started = post(browser, address("adjudications", collection), {"drafts": three}, 201)
    assert [row["side"] for row in started["compared"]] == ["first", "second", "third"]
    question = next(row for row in started["questions"] if row["key"] == "planet")
    assert question["votes"] == {"first": ["first"], "second": ["second", "third"]}
    assert (question["proposal"], question["decided"]) == ("second", None)
    decisions = reverse("api:draft-decisions", args=[started["draft"]])
    accepted = {"id": str(uuid4())}
    done = post(browser, f"{decisions}/proposals", accepted, 200)
    assert (done["open"], done["revision"], len(done["step"]["decisions"])) == (0, 1, 5)
    assert post(browser, f"{decisions}/proposals", accepted, 200)["step"] == done["step"]
    second = Draft.objects.get(pk=three[1])
    document = browser.get(reverse("api:draft-document", args=[started["draft"]])).json()
    held = {topic["name"]: topic["pages"] for topic in document["topics"]}
    assert held == {topic.name: list(topic.pages) for topic in document_of(second).topics}
    back = post(browser, f"{decisions}/undo", {"id": str(uuid4())}, 200)
    assert (back["open"], {row["choice"] for row in back["step"]["decisions"]}) == (5, {"reopen"})
    assert post(browser, f"{decisions}/redo", {"id": str(uuid4())}, 200)["open"] == 0
    refused = post(browser, f"{decisions}/proposals", {"id": str(uuid4())}, 422)
    assert refused["error"]["code"] == "no-proposal"


def test_answers_are_applied_together_or_not_at_all(
    browser: Client, collection: Collection, pair: dict[str, int]
) -> None:
    draft = post(browser, address("adjudications", collection), both(pair), 201)["draft"]
    several = f"{reverse('api:draft-decisions', args=[draft])}/several"
    name = {"about": "name", "key": "planet", "choice": "typed"}
    page = {"about": "page", "key": "p3", "choice": "second"}
    refused = post(browser, several, {"id": str(uuid4()), "answers": [page, {**name, "other": " engines "}]}, 400)
    assert refused["error"]["problems"][0]["code"] == "duplicate-name"
    assert post(browser, several, {"id": str(uuid4()), "answers": [page, page]}, 400)["error"]["problems"]
    assert post(browser, several, {"id": str(uuid4()), "answers": [{**name, "other": ""}]}, 400)["error"]["problems"]
    assert Draft.objects.get(pk=draft).revision == 0
    done = post(browser, several, {"id": str(uuid4()), "answers": [page, {**name, "other": "Worlds"}]}, 200)
    assert (done["revision"], [row["other"] for row in done["step"]["decisions"]]) == (1, [None, "Worlds"])
    found = browser.get(reverse("api:draft-document", args=[draft])).json()
    assert next(topic["name"] for topic in found["topics"]) == "Worlds"


def test_adjudication_names_reopened_drafts(
    browser: Client, collection: Collection, pair: dict[str, int], owner: User
) -> None:
    draft = post(browser, address("adjudications", collection), both(pair), 201)["draft"]
    drafts.reopen(Draft.objects.get(pk=pair["second"]), owner)
    found = browser.get(reverse("api:draft-adjudication", args=[draft])).json()
    assert [(row["draft"], row["reopened"]) for row in found["compared"]] == [
        (pair["first"], False),
        (pair["second"], True),
    ]
    post(browser, reverse("api:draft-decisions", args=[draft]), decided("page", "p3", "first"), 200)


@pytest.mark.parametrize("wrong", [[1], [1] * 7, "12"])
def test_wrong_number_of_drafts_is_rejected(browser: Client, collection: Collection, wrong: object) -> None:
    body = {"drafts": wrong}
    assert browser.post(address("adjudications", collection), body, "application/json").status_code == 400
