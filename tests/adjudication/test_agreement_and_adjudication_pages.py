"""Agreement and adjudication of two drafts, through the pages."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import uuid
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.adjudication import services as adjudication
from annotations.adjudication import views as adjudication_page
from annotations.adjudication.selectors import reading
from annotations.adjudication.selectors.outcomes import Outcomes
from annotations.adjudication.selectors.reading import SeenState
from annotations.adjudication.session import AdjudicationSession
from annotations.agreement import selectors as agreement
from annotations.drafts import services as drafts
from annotations.drafts.selectors import states
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import (
    Adjudication,
    AdjudicationDecision,
    AdjudicationStep,
    Collection,
    Draft,
    OthersSeen,
    Query,
)
from tests.samples.drafts import ANA, BEN, draft_of
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers
from work.models import StoredAnswer

pytestmark = pytest.mark.django_db


@pytest.fixture
def query(collection: Collection) -> Query:
    return collection.queries.get(key="mercury")


@pytest.fixture
def pair(query: Query, curator: User, owner: User) -> tuple[Draft, Draft]:
    """Two submitted drafts that differ in a name, two topics and the pages p3, p6, p7 and p8."""
    return draft_of(curator, query, ANA, "p8"), draft_of(owner, query, BEN)


@pytest.fixture
def started(query: Query, pair: tuple[Draft, Draft], adjudicator: User) -> Adjudication:
    draft = adjudication.start(query=query, drafts=list(pair), user=adjudicator)
    return draft.adjudication


@pytest.fixture
def desk(started: Adjudication, adjudicator: User, client: Client) -> Client:
    return sign_in(client, adjudicator)


def address(pair: tuple[Draft, Draft], name: str = "agreement") -> str:
    query = pair[0].query
    base = reverse(name, args=[query.collection.slug, query.key])
    return f"{base}?first={pair[0].pk}&second={pair[1].pk}"


def sign_in(client: Client, user: User) -> Client:
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def text_of(content: bytes) -> str:
    """Return the text of a page, without its elements."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", content.decode()))


def fresh(found: Adjudication, subject: str, choice: str, **more: str) -> dict[str, str]:
    """Return the values that a freshly loaded form sends."""
    given = {"op_id": str(uuid.uuid4()), "subject": subject, "choice": choice, "state": state_of(found)}
    return given | more


def state_of(found: Adjudication) -> str:
    """Return the state in a freshly loaded page."""
    return str(SeenState.of(Adjudication.objects.get(pk=found.pk)))


def answer(
    client: Client, found: Adjudication, subject: str, choice: str, reason: str = "", status: int = 302, **more: str
) -> str:
    """Answer as the page's form does, and return the text of the page."""
    given = fresh(found, subject, choice, reason=reason) | more
    response = client.post(reverse("adjudicate", args=[found.draft_id]), given)
    assert response.status_code == status
    return text_of(response.content if status != 302 else client.get(response["Location"]).content)


def placed(found: Adjudication) -> dict[str, set[str]]:
    """Return topic name -> its direct pages, in the current draft."""
    draft = Draft.objects.get(pk=found.draft_id)
    state = states.current(draft).state
    held = {state.topics[topic].name: set(state.members_of(topic)) for topic in state.tree()}
    return held | {"outliers": set(state.outliers)}


# --- Agreement --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", ["COMPARED_TOPICS", "COMPARED_PLACEMENTS", "COMPARED_PAGES_OF_PAIRS"])
def test_drafts_that_are_too_large_are_not_compared(
    client: Client, pair: tuple[Draft, Draft], owner: User, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(agreement, limit, replace(getattr(agreement, limit), most=1))
    page = sign_in(client, owner).get(address(pair))
    assert page.status_code == 200
    assert "These drafts are too large to compare here" in text_of(page.content)
    refused = client.get(address(pair, "agreement-json"))
    assert refused.status_code == 400
    assert refused.json()["error"]["problems"][0]["code"] == "too-large"
    assert client.get(address(pair, "agreement-csv")).status_code == 400
    assert client.get(address(pair, "api:agreement")).status_code == 400


def test_page_shows_agreement(client: Client, pair: tuple[Draft, Draft], adjudicator: User) -> None:
    shown = text_of(sign_in(client, adjudicator).get(address(pair)).content)
    assert (
        "curator and owner assign 4 of 8 pages alike. "
        "3 pairs of topics are aligned: they have the same name, or share at least 50 % of their pages."
    ) in shown
    for words in (
        "QC4, either way",
        "Omega",
        "BCubed",
        "Cohen&#x27;s kappa",
        "Gwet&#x27;s AC1",
        "Pages assigned differently",
    ):
        assert words in shown, words
    assert "curator leaves 1 page in a topic but in none of its subtopics" in shown


def test_files_contain_every_page(client: Client, pair: tuple[Draft, Draft], adjudicator: User) -> None:
    sign_in(client, adjudicator)
    rows = list(csv.DictReader(io.StringIO(client.get(address(pair, "agreement-csv")).content.decode())))
    by_page = {row["page"]: row for row in rows}
    assert len(rows) == 8
    assert by_page["p8"] | {"title": ""} == {
        "page": "p8",
        "title": "",
        "agree": "no",
        "how": "an outlier for curator",
        "curator": "outlier",
        "owner": "Fairs",
        "dependence": "",
    }
    found = json.loads(client.get(address(pair, "agreement-json")).content)
    assert found["outliers"] == {"both": 0, "only_first": 1, "only_second": 0, "neither": 7}
    assert [page["id"] for page in found["pages"] if not page["agree"]] == ["p3", "p6", "p7", "p8"]


def test_two_drafts_are_compared_directly_and_three_in_pairs(
    client: Client, pair: tuple[Draft, Draft], query: Query, adjudicator: User
) -> None:
    sign_in(client, adjudicator)
    bare = reverse("agreement", args=[query.collection.slug, query.key])
    assert "assign 4 of 8 pages alike" in text_of(client.get(bare).content)
    draft_of(adjudicator, query, ANA, "p8")
    shown = text_of(client.get(bare).content)
    assert "Pairs of drafts" in shown
    assert shown.count(" and ") >= 3
    assert "8/8" in shown


@pytest.fixture
def three(pair: tuple[Draft, Draft], query: Query, adjudicator: User) -> list[Draft]:
    """Three drafts. The third agrees with the first except for p6, which all three place differently."""
    topics = ANA | {"Engines/Parts": "p7"}
    return [*pair, draft_of(adjudicator, query, topics, "p6 p8")]


def of_three(name: str, drafts: list[Draft]) -> str:
    query = drafts[0].query
    chosen = "&".join(f"draft={draft.pk}" for draft in drafts)
    return f"{reverse(name, args=[query.collection.slug, query.key])}?{chosen}"


def test_most_disputed_pages_come_first(client: Client, three: list[Draft], adjudicator: User) -> None:
    sign_in(client, adjudicator)
    shown = client.get(of_three("agreement", three)).content.decode()
    panel = shown.partition('id="disputed-title"')[2].partition("</table>")[0]
    assert re.findall(r">(\d/3)<", panel) == ["3/3", "2/3", "2/3", "2/3"]
    assert "4 assigned differently" in text_of(shown.encode())
    assert "adjudicate" not in panel, "no adjudication has been started"
    draft = adjudication.start(query=three[0].query, drafts=three, user=adjudicator)
    panel = client.get(of_three("agreement", three)).content.decode().partition('id="disputed-title"')[2]
    first = html.unescape(re.findall(r'href="([^"]+)"', panel)[0])
    assert first == reverse("adjudicate", args=[draft.pk]) + "?at=page:first:p6"
    assert client.get(first).status_code == 200


def test_files_of_three_drafts_contain_every_page_and_majority(
    client: Client, three: list[Draft], adjudicator: User
) -> None:
    sign_in(client, adjudicator)
    answer = client.get(of_three("agreement-csv", three))
    assert "-".join(str(draft.pk) for draft in three) in answer["Content-Disposition"]
    rows = {row["page"]: row for row in csv.DictReader(io.StringIO(answer.content.decode()))}
    assert [page for page, row in rows.items() if row["agree"] == "no"] == ["p3", "p6", "p7", "p8"]
    assert rows["p6"] | {"title": ""} == {
        "page": "p6",
        "title": "",
        "agree": "no",
        "pairs apart": "3",
        "pairs": "3",
        "curator": "Engines › Parts",
        "owner": "Engines",
        "adjudicator": "outlier",
        "majority": "Engines",
        "dependence": "",
    }
    assert (rows["p8"]["pairs apart"], rows["p8"]["majority"]) == ("2", "outlier")
    found = json.loads(client.get(of_three("agreement-json", three)).content)
    assert found["pages"] == {"alike": 4, "all": 8, "pairs": 3}
    p6 = next(page for page in found["placements"] if page["id"] == "p6")
    assert p6["sides"][2] == {"outlier": True, "topics": []}
    assert p6["majority"] == {"outlier": False, "topics": [{"side": "first", "topic": "engines"}]}
    asked = ",".join(str(draft.pk) for draft in three)
    place = reverse("api:agreement-all", args=[three[0].query.collection.slug, three[0].query.key])
    assert client.get(place, {"drafts": asked}).json() == found, "page and API agree"


def test_too_many_drafts_are_rejected_and_duplicates_ignored(
    client: Client, three: list[Draft], adjudicator: User
) -> None:
    sign_in(client, adjudicator)
    many = client.get(of_three("agreement", three) + "".join(f"&draft={900 + n}" for n in range(4)))
    assert many.status_code == 400
    assert f"&#x27;{three[0].pk}&#x27;, &#x27;{three[1].pk}&#x27;" in many.content.decode()
    assert "the ids of at most 6 drafts" in many.content.decode()
    twice = client.get(of_three("agreement-json", [*three, three[0]])).json()
    assert len(twice["compared"]) == 3
    place = reverse("api:agreement-all", args=[three[0].query.collection.slug, three[0].query.key])
    refused = client.get(place, {"drafts": f"{three[0].pk},{three[0].pk}"})
    assert (refused.status_code, "two different drafts" in refused.content.decode()) == (400, True)


def test_drafts_to_compare_are_chosen_in_list(client: Client, three: list[Draft], adjudicator: User) -> None:
    query = three[0].query
    listed = sign_in(client, adjudicator).get(reverse("drafts", args=[query.collection.slug, query.key]))
    form = listed.content.decode().partition('id="compare-title"')[2].partition("</form>")[0]
    assert sorted(re.findall(r'name="draft" value="(\d+)" checked', form)) == sorted(str(draft.pk) for draft in three)
    assert f'action="{reverse("agreement", args=[query.collection.slug, query.key])}"' in form


@pytest.mark.parametrize("asked", [True, False])
def test_worker_compares_large_drafts_after_page_loads(
    client: Client,
    pair: tuple[Draft, Draft],
    adjudicator: User,
    monkeypatch: pytest.MonkeyPatch,
    asked: bool,
) -> None:
    sign_in(client, adjudicator)
    leave_all_to_workers(monkeypatch)
    place = address(pair) if asked else address(pair).partition("?")[0]
    for _ in range(2):
        page = client.get(place).content.decode()
        assert "being compared" in page
        assert "Adjudicate" not in page
        assert f'hx-get="{html.escape(place)}"' in page
        for name in ("agreement-csv", "agreement-json", "api:agreement"):
            waiting = client.get(address(pair, name))
            assert (waiting.status_code, waiting["Retry-After"]) == (202, "2"), name
    assert compute_waiting_answers() == 1
    found = client.get(place).content
    assert "assign 4 of 8 pages alike" in text_of(found)
    assert b"being compared" not in found
    assert client.get(f"{address(pair)}&level=all").context["matrix"]["rows"]
    assert len(client.get(address(pair, "agreement-csv")).content.splitlines()) == 9
    assert len(client.get(address(pair, "agreement-json")).json()["pages"]) == 8


def test_worker_compares_several_drafts(
    client: Client, three: list[Draft], adjudicator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(client, adjudicator)
    at_once = [client.get(of_three(name, three)).content for name in ("agreement-csv", "agreement-json")]
    StoredAnswer.objects.all().delete()
    leave_all_to_workers(monkeypatch)
    assert "being compared" in text_of(client.get(of_three("agreement", three)).content)
    assert compute_waiting_answers() == 1
    assert "Most disputed pages" in text_of(client.get(of_three("agreement", three)).content)
    assert [client.get(of_three(name, three)).content for name in ("agreement-csv", "agreement-json")] == at_once


@pytest.mark.parametrize("state", ["pending", "stored"])
def test_comparison_is_closed_while_draft_is_reopened(
    client: Client,
    pair: tuple[Draft, Draft],
    adjudicator: User,
    monkeypatch: pytest.MonkeyPatch,
    state: str,
) -> None:
    sign_in(client, adjudicator)
    leave_all_to_workers(monkeypatch)
    client.get(address(pair))
    if state == "stored":
        compute_waiting_answers()
    drafts.reopen(pair[0])
    assert "assign 4 of 8" not in text_of(client.get(address(pair)).content)
    for name in ("agreement-csv", "agreement-json", "api:agreement"):
        assert client.get(address(pair, name)).status_code == 409, name
    drafts.submit(pair[0])
    compute_waiting_answers()
    assert "assign 4 of 8" in text_of(client.get(address(pair)).content), "nothing was changed"


def test_exposure_is_recorded_for_stored_and_pending_answers(
    client: Client, pair: tuple[Draft, Draft], adjudicator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person has seen others' work whether the answer was stored or still pending."""
    sign_in(client, adjudicator)
    leave_all_to_workers(monkeypatch)
    for name in ("agreement", "agreement-json", "api:agreement"):
        OthersSeen.objects.all().delete()
        client.get(address(pair, name))
        assert OthersSeen.objects.filter(user=adjudicator).exists(), name
        compute_waiting_answers()


def test_one_draft_is_not_compared(client: Client, query: Query, curator: User) -> None:
    draft_of(curator, query, ANA, "p8")
    bare = reverse("agreement", args=[query.collection.slug, query.key])
    assert "Agreement needs two" in text_of(sign_in(client, curator).get(bare).content)


def test_open_drafts_of_others_are_not_compared(client: Client, query: Query, curator: User, owner: User) -> None:
    mine, theirs = draft_of(owner, query, BEN), draft_of(curator, query, ANA, "p8", submitted=False)
    sign_in(client, owner)
    for name in ("agreement", "agreement-csv", "agreement-json"):
        assert client.get(address((mine, theirs), name)).status_code == 404
    bare = reverse("agreement", args=[query.collection.slug, query.key])
    assert "Not shown here, because you cannot see them yet: the draft of curator" in text_of(client.get(bare).content)


def test_independent_annotators_see_no_other_drafts(
    client: Client, pair: tuple[Draft, Draft], query: Query, adjudicator: User
) -> None:
    draft_of(adjudicator, query, ANA, submitted=False)
    assert sign_in(client, adjudicator).get(address(pair)).status_code == 404


def test_comparison_with_reopened_draft_explains_and_returns(
    client: Client, pair: tuple[Draft, Draft], adjudicator: User, owner: User
) -> None:
    drafts.reopen(pair[1], owner)
    sign_in(client, adjudicator)
    shown = client.get(address(pair))
    assert shown.status_code == 200
    assert "The draft of owner was reopened by owner on 2" in text_of(shown.content)
    assert "You can compare it again at the same URL" in text_of(shown.content)
    assert client.get(address(pair, "agreement-csv")).status_code == 409
    refused = client.get(address(pair, "agreement-json"))
    error = refused.json()["error"]
    assert (refused.status_code, error["code"], error["reopened_by"]) == (409, "draft-reopened", "owner")
    drafts.submit(pair[1])
    assert "assign 4 of 8 pages alike" in text_of(client.get(address(pair)).content)


def test_message_to_curator_whose_own_draft_was_reopened(
    client: Client, pair: tuple[Draft, Draft], started: Adjudication, adjudicator: User, curator: User
) -> None:
    drafts.reopen(pair[0], adjudicator)
    sign_in(client, curator)
    shown = text_of(client.get(address(pair)).content)
    assert "Your draft &#x27;curator&#x27; was reopened by adjudicator" in shown
    assert "Submit your draft" in shown
    outcome = client.get(reverse("adjudicate", args=[started.draft_id]))
    assert outcome.status_code == 409
    assert "Your draft &#x27;curator&#x27; was reopened by adjudicator" in text_of(outcome.content)


def test_drafts_of_other_queries_are_not_compared(
    client: Client, pair: tuple[Draft, Draft], collection: Collection, curator: User
) -> None:
    other = draft_of(curator, collection.queries.get(key="saturn"), {"Cars": "p1"})
    assert sign_in(client, curator).get(address((pair[0], other))).status_code == 404


@pytest.mark.parametrize("given", ["?first=1", "?first=x&second=2", "?first=1&second=2&minimum=7"])
def test_invalid_pair_is_rejected(client: Client, pair: tuple[Draft, Draft], adjudicator: User, given: str) -> None:
    bare = address(pair).partition("?")[0]
    response = sign_in(client, adjudicator).get(bare + given.replace("first=1", f"first={pair[0].pk}"))
    assert response.status_code == 400


# --- Adjudication -----------------------------------------------------------------------------------------------------


def test_adjudication_starts_with_agreed_parts(started: Adjudication) -> None:
    assert placed(started) == {"Planet": {"p1", "p2"}, "Engines": set(), "Outboards": {"p4", "p5"}, "outliers": set()}
    assert started.n_agreed == 4
    assert (started.draft.kind, started.draft.status) == ("adjudication", "open")


def test_starting_twice_returns_same_adjudication(
    client: Client, pair: tuple[Draft, Draft], started: Adjudication, adjudicator: User
) -> None:
    query = pair[0].query
    start = reverse("adjudication-start", args=[query.collection.slug, query.key])
    response = sign_in(client, adjudicator).post(start, {"draft": [pair[1].pk, pair[0].pk]})
    assert response["Location"] == reverse("adjudicate", args=[started.draft_id])
    assert Adjudication.objects.count() == 1


def test_open_drafts_cannot_be_adjudicated(
    client: Client, query: Query, pair: tuple[Draft, Draft], owner: User
) -> None:
    shared = drafts.from_draft(source=pair[1], query=query, user=owner, kind="shared")
    start = reverse("adjudication-start", args=[query.collection.slug, query.key])
    response = sign_in(client, owner).post(start, {"draft": [pair[0].pk, shared.pk]})
    assert response.status_code == 400
    assert "Submit it first" in text_of(response.content)
    assert not Adjudication.objects.exists()


def test_every_answer_is_a_draft_entry_with_reason(desk: Client, started: Adjudication) -> None:
    answer(desk, started, "topic:first:parts", "second")
    assert placed(started)["Engines"] == {"p6", "p7"}
    answer(desk, started, "topic:second:fairs", "second")
    assert "Fairs" in placed(started)
    answer(desk, started, "page:first:p8", "second", "guideline")
    shown = answer(desk, started, "page:first:p3", "all", "other", note="says both")
    assert placed(started) == {
        "Planet": {"p1", "p2", "p3"},
        "Engines": {"p3", "p6", "p7"},
        "Outboards": {"p4", "p5"},
        "Fairs": {"p8"},
        "outliers": set(),
    }
    assert "adjudicator : as owner guideline unclear" in shown
    assert "adjudicator : in the topics of both other: “ says both ”" in shown
    assert shown.count("agreed by both") == 6
    entries = started.draft.entries.order_by("revision")
    assert [entry.user.username for entry in entries] == ["adjudicator"] * 4
    assert list(started.steps.values_list("revision", flat=True)) == [1, 2, 3, 4]


def test_questions_follow_until_all_are_decided(desk: Client, started: Adjudication) -> None:
    page = reverse("adjudicate", args=[started.draft_id])
    asked = []
    while subject := re.search(r'name="subject" value="([^"]+)"', desk.get(page).content.decode()):
        asked.append(subject[1])
        answer(desk, started, subject[1], "first")
    assert asked == [
        "topic:first:parts",
        "topic:second:fairs",
        "name:first:planet",
        "page:first:p3",
        "page:first:p6",
        "page:first:p7",
        "page:first:p8",
    ]
    assert "Everything is decided" in text_of(desk.get(page).content)
    first = started.compared.get(position=0).draft
    assert states.current(Draft.objects.get(pk=started.draft_id)).state == states.current(first).state


def test_undo_removes_answer_and_draft_entry(desk: Client, started: Adjudication) -> None:
    page = reverse("adjudicate", args=[started.draft_id])
    answer(desk, started, "page:first:p8", "first")
    answer(desk, started, "page:first:p8", "skip")
    answer(desk, started, "page:first:p8", "outlier")
    answer(desk, started, "page:first:p3", "second")
    assert placed(started)["Engines"] == {"p3"}
    for expected in ({"p8"}, {"p8"}, {"p8"}, set()):
        desk.post(page, {"undo": str(uuid.uuid4())})
        assert placed(started)["Engines"] == set()
        assert placed(started)["outliers"] == expected
    assert "page p8" in text_of(desk.get(page).content) or "open 2" in text_of(desk.get(page).content)
    response = desk.post(page, {"undo": str(uuid.uuid4())})
    assert response.status_code == 422
    assert "You have no decision to undo" in text_of(response.content)


def test_repeated_answer_is_applied_once(desk: Client, started: Adjudication) -> None:
    once = str(uuid.uuid4())
    for _ in range(2):
        answer(desk, started, "page:first:p8", "first", op_id=once)
    assert AdjudicationDecision.objects.count() == 1
    assert started.draft.entries.count() == 1
    shown = answer(desk, started, "page:first:p8", "second", op_id=once, status=422)
    assert "was already used for another answer" in shown


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"subject": "page:first:p1", "choice": "first"}, "nothing to decide about the page"),
        ({"subject": "page:first:p8", "choice": "all"}, "is not an answer about"),
        ({"subject": "page:first:p8", "choice": "reopen"}, "one of the answers on the page"),
        ({"subject": "nonsense", "choice": "first"}, "one of the answers on the page"),
        ({"subject": "page:first:p8", "choice": "first", "reason": "boredom"}, "guideline"),
        ({"subject": "page:first:p8", "choice": "first", "reason": "other"}, "Explain the reason in a few words"),
        ({"subject": "topic:second:fairs", "choice": "same", "other": "planet"}, "has no counterpart"),
        ({"subject": "page:first:p8", "choice": "first", "op_id": "x"}, "a UUID"),
    ],
)
def test_invalid_answer_changes_nothing(desk: Client, started: Adjudication, given: dict[str, str], words: str) -> None:
    assert words in answer(desk, started, **given, status=422)
    assert not AdjudicationDecision.objects.exists()
    assert started.draft.revision == 0


def test_messages_use_names_of_topics_and_drafts(desk: Client, started: Adjudication) -> None:
    for subject, choice, words in (
        ("topic:first:parts", "second", "Engines › Parts: excluded (as owner)."),
        ("topic:first:parts", "first", "Engines › Parts: taken (as curator)."),
        ("topic:second:fairs", "skip", "Fairs: skipped."),
        ("topic:second:fairs", "second", "Fairs: taken (as owner)."),
        ("name:first:planet", "second", "Planet: called Planets (as owner)."),
        ("page:first:p3", "all", "Page 3: in the topics of both."),
        ("page:first:p8", "outlier", "Page 8: an outlier."),
        ("page:first:p8", "second", "Page 8: as owner."),
    ):
        assert words in answer(desk, started, subject, choice), subject
    page = reverse("adjudicate", args=[started.draft_id])
    shown = text_of(desk.post(page, {"undo": str(uuid.uuid4())}, follow=True).content)
    assert "Undone: Page 8: as owner." in shown
    shown = text_of(desk.get(page + "?at=page:first:p8").content)
    assert "Decided by adjudicator : an outlier , no reason given" in shown


def test_message_names_topic_declared_the_same(desk: Client, started: Adjudication) -> None:
    said = answer(desk, started, "topic:second:fairs", "same", other="parts")
    assert "Fairs: the same as Engines › Parts." in said


def test_card_names_topics_missing_from_outcome(desk: Client, started: Adjudication) -> None:
    """The second draft has p8 in Fairs, which is not in the outcome while undecided or after it is excluded."""
    page = reverse("adjudicate", args=[started.draft_id]) + "?at=page:first:p8"
    before = text_of(desk.get(page).content)
    assert "owner has it in “Fairs”, which is not decided yet" in before
    answer(desk, started, "topic:second:fairs", "first")
    shown = text_of(desk.get(page).content)
    assert "Only curator has it in a topic of the outcome" in shown
    assert "owner has it in “Fairs”, which was excluded" in shown
    assert "Only curator has placed it" not in shown
    assert re.search(r"2 owner not assigned \(in “Fairs”, which was excluded", shown)
    rows = {row.page.id: row for row in Outcomes(reading.read(started)).rows()}
    assert "which was excluded" in rows["p8"].how


def test_progress_explains_additional_questions(desk: Client, started: Adjudication) -> None:
    """The pages p6 and p7 wait for the topic Parts. If it is taken, they become questions."""
    page = reverse("adjudicate", args=[started.draft_id])
    total = int(re.search(r"0/(\d+) answered", text_of(desk.get(page).content))[1])
    assert "more than at the start" not in text_of(desk.get(page).content)
    shown = answer(desk, started, "topic:first:parts", "first")
    assert (
        f"1/{total + 2} answered (2 more than at the start: taking a topic raises questions about its pages)" in shown
    )


def test_keys_without_effect_have_reasons(desk: Client, started: Adjudication) -> None:
    page = reverse("adjudicate", args=[started.draft_id])
    for at, expected in (
        ("topic:first:parts", {"3": "it only applies to pages", "o": "it only applies to pages"}),
        ("page:first:p3", {}),
        ("page:first:p8", {"3": "only one of the two has the page in topics of the outcome"}),
    ):
        shown = desk.get(f"{page}?at={at}").content.decode()
        found = dict(
            re.findall(r'<span hidden data-no-answer="(.)">[^<]* is not an answer here: ([^<]*)\.</span>', shown)
        )
        assert found == expected, at
        offered = re.findall(r'class="answer"[^>]*data-key="(.)"', shown)
        assert not set(found) & set(offered), at


def test_topics_can_be_the_same(desk: Client, started: Adjudication) -> None:
    answer(desk, started, "topic:second:fairs", "same", other="parts")
    answer(desk, started, "page:first:p8", "second")
    assert placed(started)["Parts"] == {"p8"}


def test_workspace_edits_between_answers_are_kept(desk: Client, started: Adjudication, adjudicator: User) -> None:
    answer(desk, started, "page:first:p8", "first")
    draft = Draft.objects.get(pk=started.draft_id)
    moved = [{"kind": "clear_outlier", "pages": ["p8"]}, {"kind": "assign", "pages": ["p8"], "topics": ["engines"]}]
    perform(draft, adjudicator, DraftRequest(uuid.uuid4(), draft.revision, moved))
    page = reverse("adjudicate", args=[started.draft_id])
    assert "changed since in the workspace" in text_of(desk.get(page).content)


def test_session_and_workspace_share_undo(desk: Client, started: Adjudication, adjudicator: User) -> None:
    """Work in the workspace since the last answer is undone first, then the answer; redo restores both."""
    page = reverse("adjudicate", args=[started.draft_id])

    def press(button: str, status: int = 200) -> str:
        response = desk.post(page, {button: str(uuid.uuid4())}, follow=True)
        assert response.status_code == status
        return text_of(response.content)

    answer(desk, started, "page:first:p8", "first")
    draft = Draft.objects.get(pk=started.draft_id)
    perform(
        draft, adjudicator, DraftRequest(uuid.uuid4(), draft.revision, [{"kind": "clear_outlier", "pages": ["p8"]}])
    )
    assert placed(started)["outliers"] == set()
    assert "In the workspace:" in press("undo")
    assert placed(started)["outliers"] == {"p8"}
    assert "Undone: Page 8: as curator." in press("undo")
    assert placed(started)["outliers"] == set()
    assert "You have no decision to undo" in press("undo", 422)
    assert "Redone: Page 8: as curator." in press("redo")
    assert placed(started)["outliers"] == {"p8"}
    assert "In the workspace:" in press("redo")
    assert placed(started)["outliers"] == set()
    assert "You have nothing to redo" in press("redo", 422)


def test_undo_marks_answer_whose_entry_was_undone_in_workspace(
    desk: Client, started: Adjudication, adjudicator: User
) -> None:
    answer(desk, started, "page:first:p8", "first")
    draft = Draft.objects.get(pk=started.draft_id)
    perform(draft, adjudicator, DraftRequest(uuid.uuid4(), draft.revision, undo=draft.revision))
    page = reverse("adjudicate", args=[started.draft_id])
    shown = text_of(desk.post(page, {"undo": str(uuid.uuid4())}, follow=True).content)
    assert "Undone: Page 8: as curator." in shown
    assert Draft.objects.get(pk=started.draft_id).revision == 2


def test_repeated_undo_is_applied_once(desk: Client, started: Adjudication, adjudicator: User) -> None:
    page = reverse("adjudicate", args=[started.draft_id])
    answer(desk, started, "page:first:p8", "first")
    draft = Draft.objects.get(pk=started.draft_id)
    perform(
        draft, adjudicator, DraftRequest(uuid.uuid4(), draft.revision, [{"kind": "clear_outlier", "pages": ["p8"]}])
    )
    for once in (str(uuid.uuid4()), str(uuid.uuid4())):
        for _ in range(2):
            assert desk.post(page, {"undo": once}).status_code == 302
    assert Draft.objects.get(pk=started.draft_id).revision == 4
    assert AdjudicationStep.objects.filter(undoes__isnull=False).count() == 1


def test_new_answer_clears_redo(desk: Client, started: Adjudication) -> None:
    page = reverse("adjudicate", args=[started.draft_id])
    answer(desk, started, "page:first:p8", "first")
    desk.post(page, {"undo": str(uuid.uuid4())})
    answer(desk, started, "page:first:p3", "second")
    assert desk.post(page, {"redo": str(uuid.uuid4())}).status_code == 422


def test_submitted_adjudication_rejects_answers(desk: Client, started: Adjudication) -> None:
    drafts.submit(started.draft)
    for subject in ("page:first:p8", "topic:first:parts"):
        assert "can no longer be changed" in answer(desk, started, subject, "skip", status=422)
    assert "Outcome of" in text_of(desk.get(reverse("adjudicate", args=[started.draft_id])).content)


def test_curators_can_read_outcome_but_not_decide(
    client: Client, started: Adjudication, adjudicator: User, curator: User
) -> None:
    page = reverse("adjudicate", args=[started.draft_id])
    answer(sign_in(client, adjudicator), started, "page:first:p8", "second", "slip")
    shown = sign_in(client, curator).get(page)
    assert "adjudicator : as owner slip" in text_of(shown.content)
    assert b'name="choice"' not in shown.content
    response = client.post(page, fresh(started, "page:first:p3", "first"))
    assert response.status_code == 403


def test_independent_annotators_cannot_read_outcome(
    client: Client, started: Adjudication, query: Query, curator: User
) -> None:
    draft_of(curator, query, {"Planet": "p1"}, submitted=False)
    assert sign_in(client, curator).get(reverse("adjudicate", args=[started.draft_id])).status_code == 404


def test_only_adjudications_have_an_outcome(client: Client, pair: tuple[Draft, Draft], adjudicator: User) -> None:
    assert sign_in(client, adjudicator).get(reverse("adjudicate", args=[pair[0].pk])).status_code == 404


def test_outcome_shows_drafts_as_they_were_compared(
    desk: Client, started: Adjudication, pair: tuple[Draft, Draft], owner: User
) -> None:
    """If an owner reopens a compared draft, the comparison and the decisions are still shown as they were."""
    drafts.reopen(pair[1])
    moved = [{"kind": "outlier", "pages": ["p8"]}]
    perform(pair[1], owner, DraftRequest(uuid.uuid4(), pair[1].revision, moved))
    drafts.submit(pair[1])
    answer(desk, started, "topic:second:fairs", "second")
    answer(desk, started, "page:first:p8", "second")
    assert placed(started)["Fairs"] == {"p8"}


def test_outcome_can_be_filtered_by_status(desk: Client, started: Adjudication) -> None:
    page = reverse("adjudicate", args=[started.draft_id])
    shown = desk.get(page + "?show=agreed").content.decode()
    assert shown.count("agreed by both") == 4
    assert "No such pages" in desk.get(page + "?show=decided").content.decode()


def test_long_outcome_is_paginated(desk: Client, started: Adjudication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adjudication_page, "OUTCOME_PAGES", 3)
    address, shown = reverse("adjudicate", args=[started.draft_id]), []
    while address:
        content = desk.get(address).content.decode()
        shown += re.findall(r"<bdi>Page (\d)</bdi>(?:</a>)?\s*</td>", content)
        found = re.search(r'href="([^"]+)">later pages', content)
        address = reverse("adjudicate", args=[started.draft_id]) + html.unescape(found[1]) if found else ""
    assert shown == list("12345678")


def test_htmx_fragment_is_only_the_session(desk: Client, started: Adjudication) -> None:
    page = reverse("adjudicate", args=[started.draft_id])
    given = fresh(started, "page:first:p8", "first", reason="slip")
    shown = desk.post(page, given, headers={"HX-Request": "true"}).content.decode()
    assert shown.lstrip().startswith('<div id="desk"')
    assert re.search(r'value="slip"[^>]*checked', shown), "the reason stays selected"
    given = fresh(started, "page:first:p3", "first", op_id="x")
    refused = desk.post(page, given, headers={"HX-Request": "true"})
    assert refused.status_code == 200
    assert "Not saved." in refused.content.decode()


# --- Speed ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def desks(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The sessions built from the rows of an adjudication."""
    built: list[object] = []

    def counted(*parts: object) -> AdjudicationSession:
        built.append(parts)
        return AdjudicationSession(*parts)

    monkeypatch.setattr(reading, "AdjudicationSession", counted)
    return built


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_page_builds_session_once(
    desk: Client, started: Adjudication, desks: list[object], headers: dict[str, str]
) -> None:
    page = reverse("adjudicate", args=[started.draft_id])
    first = fresh(started, "page:first:p3", "first", reason="")
    for given in (None, first, {"undo": str(uuid.uuid4())}):
        desks.clear()
        response = desk.post(page, given, headers=headers) if given else desk.get(page, headers=headers)
        assert response.status_code in (200, 302)
        assert len(desks) == 1, given


def test_api_call_builds_session_once(desk: Client, started: Adjudication, desks: list[object]) -> None:
    first = {"id": str(uuid.uuid4()), "about": "page", "key": "p3", "choice": "first", "state": "0.0"}
    query = started.draft.query
    pair = {"drafts": list(started.compared.values_list("draft", flat=True))}
    calls = (
        ("adjudications", [query.collection.slug, query.key], pair),
        ("draft-adjudication", [started.draft_id], None),
        ("draft-decisions", [started.draft_id], first),
        ("draft-decisions-undo", [started.draft_id], {"id": str(uuid.uuid4())}),
    )
    for name, args, given in calls:
        desks.clear()
        path = reverse(f"api:{name}", args=args)
        response = desk.post(path, given, "application/json") if given else desk.get(path)
        assert response.status_code in (200, 201), response.content
        assert len(desks) == 1, name
