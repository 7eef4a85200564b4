"""The curation overview: progress, the viewer's next step, and hiding of others' open drafts."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotations.adjudication import services as adjudicating
from annotations.adjudication.session import Decision, Subject
from annotations.adjudication_choices import About, Choice
from annotations.agreement.statistics.placements import SideName
from annotations.drafts.services import lifecycle, performing
from annotations.drafts.services.planning import DraftRequest
from annotations.models import (
    Adjudication,
    Assignment,
    Collection,
    Draft,
    DraftPresence,
    DraftPublication,
    Membership,
    Query,
    Role,
)
from annotations.team import services as team
from annotations.team.selectors.next_steps import Step
from annotations.team.selectors.overview import Overview, OverviewRow
from tests.fixtures.pages import Visit
from tests.samples.drafts import draft_of


@pytest.fixture
def pages_only(page_list_collection: Collection, owner: User, ana: User, ben: User, vera: User) -> Collection:
    """Two queries without gold standards; Ana and Ben are curators, Vera is adjudicator."""
    for user, role in ((ana, Role.CURATOR), (ben, Role.CURATOR), (vera, Role.ADJUDICATOR)):
        Membership.objects.create(collection=page_list_collection, user=user, role=role)
    return page_list_collection


@pytest.fixture
def ana(person: Callable[[str], User]) -> User:
    return person("ana")


@pytest.fixture
def ben(person: Callable[[str], User]) -> User:
    return person("ben")


@pytest.fixture
def vera(person: Callable[[str], User]) -> User:
    return person("vera")


@pytest.fixture
def mercury_query(pages_only: Collection) -> Query:
    return pages_only.queries.get(key="mercury")


def draft(query: Query, user: User, *, placed: int = 0, submitted: bool = False, kind: str = "own") -> Draft:
    """Make a draft with ``placed`` pages in one topic."""
    made = lifecycle.from_nothing(query=query, user=user, kind=kind, name=f"what {user.username} made")
    if placed:
        pages = list(query.pages.order_by("position").values_list("key", flat=True))[:placed]
        operation = {"kind": "add_topic", "topic": "t-1", "name": "Secret topic", "parent": None, "pages": pages}
        performing.perform(made, user, DraftRequest(uuid4(), made.revision, [operation]))
    if submitted:
        lifecycle.submit(made)
    return made


def adjudication(query: Query, user: User) -> Draft:
    state = lifecycle.empty_state(query)
    words = {"from": "adjudication", "words": "two drafts"}
    return lifecycle.start(query=query, user=user, kind="adjudication", state=state, started_from=words)


def row(person: User, query: Query) -> OverviewRow:
    overview = Overview(query.collection, person)
    return next(row for row in overview.rows if row.query.key == query.key)


def address(collection: Collection, show: str = "") -> str:
    return reverse("curate", args=[collection.slug]) + (f"?show={show}" if show else "")


def step(person: User, query: Query) -> tuple[Step, list[Draft]]:
    found = row(person, query).next
    return found.step, [Draft.objects.get(pk=each.pk) for each in found.drafts]


# --- Next steps -------------------------------------------------------------------------------------------------------


def test_assigned_curator_starts_continues_and_waits(mercury_query: Query, ana: User, ben: User, owner: User) -> None:
    team.assign([mercury_query], [ana, ben], user=owner)
    assert step(ana, mercury_query) == (Step.START, [])
    mine = draft(mercury_query, ana)
    assert step(ana, mercury_query) == (Step.CONTINUE, [mine])
    lifecycle.submit(mine)
    assert step(ana, mercury_query) == (Step.WAIT, [])
    assert row(ana, mercury_query).next.words == "for ben"


def test_two_submitted_drafts_are_compared_then_adjudicated_then_published(
    mercury_query: Query, ana: User, ben: User, vera: User, owner: User
) -> None:
    team.assign([mercury_query], [ana, ben], user=owner)
    first, second = draft(mercury_query, ana, submitted=True), draft(mercury_query, ben, submitted=True)
    assert step(vera, mercury_query) == (Step.COMPARE, [first, second])
    assert step(ana, mercury_query) == (Step.COMPARE, [first, second])
    judged = adjudication(mercury_query, vera)
    assert step(vera, mercury_query) == (Step.ADJUDICATE, [judged])
    assert step(ana, mercury_query)[0] == Step.WAIT
    lifecycle.submit(judged)
    assert step(vera, mercury_query) == (Step.PUBLISH, [judged])


def test_a_decided_adjudication_is_repaired_then_published(
    visit: Visit, collection: Collection, curator: User, owner: User, adjudicator: User
) -> None:
    """Decide two disagreements, the topic of p8 and p8 itself, so that the unplaced p8 breaks R3 and needs repair."""
    query = collection.queries.get(key="mercury")
    all_but_p8 = {"Planet": "p1 p2 p3 p4 p5 p6 p7"}
    pair = draft_of(curator, query, all_but_p8, "p8"), draft_of(owner, query, all_but_p8 | {"Fairs": "p8"})
    judged = adjudicating.start(query=query, drafts=list(pair), user=adjudicator)

    def answer(about: About, key: str, choice: Choice, side: SideName = "first") -> None:
        decision = Decision(Subject(about, key, side), choice)
        found = Adjudication.objects.get(draft=judged)
        adjudicating.decide(found, adjudicator, adjudicating.Answer(uuid4(), (decision,)))

    answer(About.TOPIC, "fairs", Choice.SECOND, "second")
    assert step(adjudicator, query) == (Step.ADJUDICATE, [judged])
    answer(About.PAGE, "p8", Choice.SKIP)
    assert step(adjudicator, query) == (Step.REPAIR, [judged])
    shown = visit(adjudicator).get(address(collection)).content.decode()
    link = re.search(rf'href="{reverse("draft", args=[judged.pk])}\?sheet=issues">\s*Repair (\d) issues?<', shown)
    assert link is not None
    assert int(link[1]) == Draft.objects.get(pk=judged.pk).summary["errors"]
    desk = visit(adjudicator).get(reverse("adjudicate", args=[judged.pk])).content.decode()
    assert f"Repair {link[1]} issue" in desk
    answer(About.PAGE, "p8", Choice.SECOND)
    assert step(adjudicator, query) == (Step.PUBLISH, [judged])
    assert reverse("draft-publish", args=[judged.pk]) in visit(adjudicator).get(address(collection)).content.decode()
    assert (
        reverse("draft-publish", args=[judged.pk])
        in visit(adjudicator).get(reverse("adjudicate", args=[judged.pk])).content.decode()
    )
    adjudicating.undo(Adjudication.objects.get(draft=judged), adjudicator, uuid4())
    assert step(adjudicator, query)[0] == Step.REPAIR
    adjudicating.undo(Adjudication.objects.get(draft=judged), adjudicator, uuid4())
    assert step(adjudicator, query) == (Step.ADJUDICATE, [judged])


def test_published_query_has_no_next_step(
    collection: Collection, curator: User, adjudicator: User, owner: User
) -> None:
    query = collection.queries.get(key="mercury")
    team.assign([query], [curator], user=owner)
    made = draft(query, curator, submitted=True)
    assert step(adjudicator, query) == (Step.PUBLISH, [made])
    version, gold = collection.gold_versions.get(), query.golds.get()
    later = timezone.now() + timedelta(seconds=1)
    DraftPublication.objects.create(draft=made, revision=0, version=version, gold=gold, published_at=later)
    assert step(adjudicator, query) == (Step.NOTHING, [])
    assert step(curator, query) == (Step.NOTHING, [])


def test_query_with_one_of_two_drafts_submitted_is_not_publishable(
    mercury_query: Query, ana: User, ben: User, vera: User, owner: User
) -> None:
    team.assign([mercury_query], [ana, ben], user=owner)
    draft(mercury_query, ana, submitted=True)
    assert step(vera, mercury_query) == (Step.NOTHING, [])


def test_shared_draft_is_open_to_all_curators_then_published(
    mercury_query: Query, ana: User, ben: User, vera: User
) -> None:
    shared = draft(mercury_query, ana, kind="shared")
    assert step(ben, mercury_query) == (Step.CONTINUE, [shared])
    lifecycle.submit(shared)
    assert step(vera, mercury_query) == (Step.PUBLISH, [shared])


def test_archived_drafts_are_ignored(mercury_query: Query, ana: User) -> None:
    lifecycle.archive(draft(mercury_query, ana))
    assert row(ana, mercury_query).works == []
    assert step(ana, mercury_query) == (Step.START, [])


def test_button_links_to_the_draft(visit: Visit, mercury_query: Query, ana: User) -> None:
    made = draft(mercury_query, ana)
    page = visit(ana).get(address(mercury_query.collection)).content.decode()
    assert re.search(rf'href="{reverse("draft", args=[made.pk])}">\s*Continue<', page)


def test_each_step_has_its_link(
    visit: Visit, mercury_query: Query, ana: User, ben: User, vera: User, owner: User
) -> None:
    slug = mercury_query.collection.slug

    def link(person: User) -> str:
        page = visit(person).get(address(mercury_query.collection, "mine" if person == ana else "submitted"))
        found = re.search(r'<td class="next">\s*<(?:a|form)[^>]* (?:href|action)="([^"]+)"', page.content.decode())
        assert found is not None
        return found[1].replace("&amp;", "&")

    team.assign([mercury_query], [ana, ben], user=owner)
    assert link(ana) == reverse("draft-start", args=[slug, "mercury"])
    first, second = draft(mercury_query, ana, submitted=True), draft(mercury_query, ben, submitted=True)
    compare = reverse("agreement", args=[slug, "mercury"]) + f"?first={first.pk}&second={second.pk}"
    assert link(ana) == link(vera) == compare
    judged = adjudication(mercury_query, vera)
    assert link(vera) == reverse("adjudicate", args=[judged.pk])
    lifecycle.submit(judged)
    assert link(vera) == reverse("draft-publish", args=[judged.pk])


# --- Blindness --------------------------------------------------------------------------------------------------------


def test_open_drafts_of_others_show_only_curator_and_progress(
    visit: Visit, mercury_query: Query, ana: User, owner: User
) -> None:
    made = draft(mercury_query, ana, placed=5)
    page = visit(owner).get(address(mercury_query.collection)).content.decode()
    assert "L1 5/8" in page
    assert "ana" in page
    assert reverse("draft", args=[made.pk]) not in page
    assert "Secret topic" not in page


def test_submitted_draft_is_open_unless_viewer_works_on_the_query(
    visit: Visit, mercury_query: Query, ana: User, ben: User
) -> None:
    made = draft(mercury_query, ana, submitted=True)
    link = reverse("draft", args=[made.pk])
    assert link in visit(ben).get(address(mercury_query.collection)).content.decode()
    draft(mercury_query, ben)
    assert link not in visit(ben).get(address(mercury_query.collection)).content.decode()


# --- Lists and totals -------------------------------------------------------------------------------------------------


def keys(person: User, collection: Collection, show: str, visit: Visit) -> list[str]:
    page = visit(person).get(address(collection, show)).content.decode()
    return re.findall(rf'href="/c/{collection.slug}/q/([^/"]+)/"', page)


def test_assigned_queries_come_first(visit: Visit, pages_only: Collection, ana: User, owner: User) -> None:
    assert keys(ana, pages_only, "", visit) == ["mercury", "saturn"]
    team.assign(pages_only.queries.filter(key="saturn"), [ana], user=owner)
    assert keys(ana, pages_only, "", visit) == ["saturn", "mercury"]


def test_lists_can_be_filtered(
    visit: Visit, pages_only: Collection, mercury_query: Query, ana: User, ben: User, owner: User
) -> None:
    team.assign(pages_only.queries.filter(key="saturn"), [ben], user=owner)
    draft(mercury_query, ana, submitted=True)
    assert keys(ana, pages_only, "mine", visit) == ["mercury"]
    assert keys(ana, pages_only, "unassigned", visit) == ["mercury"]
    assert keys(ana, pages_only, "submitted", visit) == ["mercury"]
    assert keys(ana, pages_only, "published", visit) == []
    assert keys(ana, pages_only, "nonsense", visit) == ["mercury", "saturn"]


def test_published_queries_are_listed(visit: Visit, collection: Collection, owner: User) -> None:
    assert keys(owner, collection, "published", visit) == ["mercury", "saturn"]


@pytest.mark.parametrize(
    ("show", "said"),
    [
        ("mine", "No query is assigned to you"),
        ("submitted", "Nobody has submitted a draft yet"),
        ("published", "No query has a published gold standard yet"),
    ],
)
def test_empty_list_explains_why(visit: Visit, pages_only: Collection, ana: User, show: str, said: str) -> None:
    assert said in visit(ana).get(address(pages_only, show)).content.decode()


def test_totals_count_work_of_each_curator(
    pages_only: Collection, mercury_query: Query, ana: User, ben: User, owner: User
) -> None:
    team.assign(pages_only.queries.all(), [ana, ben], user=owner)
    draft(mercury_query, ana, placed=5, submitted=True)
    open_one = draft(pages_only.queries.get(key="saturn"), ana, placed=2)
    draft(mercury_query, ben, placed=9, kind="shared")
    seen_at = timezone.now() + timedelta(minutes=3)
    DraftPresence.objects.create(draft=open_one, user=ana, seen_at=seen_at)
    totals = {total.curator.username: total for total in Overview(pages_only, owner).totals}
    hers, his = totals["ana"], totals["ben"]
    assert (hers.assigned, hers.done, hers.begun, hers.placed, hers.last_active) == (2, 1, 1, 7, seen_at)
    assert (his.assigned, his.done, his.begun, his.placed) == (2, 0, 0, 0)
    assert set(totals) == {"ana", "ben", "owner", "vera"}


def test_number_of_database_queries_does_not_depend_on_collection_size(
    visit: Visit, pages_only: Collection, ana: User, ben: User, owner: User
) -> None:
    def cost() -> int:
        browser = visit(owner)
        browser.get(address(pages_only))
        with CaptureQueriesContext(connection) as asked:
            assert browser.get(address(pages_only)).status_code == 200
        return len(asked)

    def fill(query: Query) -> None:
        for user in (ana, ben):
            draft(query, user)

    for query in pages_only.queries.all():
        fill(query)
    team.assign_evenly(pages_only, [ana, ben], per_query=2, user=owner)
    two = cost()
    for n in range(42):
        query = pages_only.queries.create(key=f"q{n}", text=f"query {n}", position=n + 2)
        query.pages.create(key="p1", position=0)
        fill(query)
    team.assign_evenly(pages_only, [ana, ben], per_query=2, user=owner)
    assert cost() == two
    assert two <= 25


# --- Assigning --------------------------------------------------------------------------------------------------------


def assigned_pairs(collection: Collection) -> set[tuple[str, str]]:
    rows = Assignment.objects.filter(query__collection=collection)
    return set(rows.values_list("query__key", "curator__username"))


def test_adjudicator_assigns_and_unassigns(
    visit: Visit, pages_only: Collection, vera: User, ana: User, ben: User
) -> None:
    browser, sent = visit(vera), {"query": ["mercury", "saturn"], "curator": ["ana", "ben"], "due": "2027-01-09"}
    page = browser.post(reverse("assign", args=[pages_only.slug]), sent, follow=True).content.decode()
    assert "4 assignments made" in page
    assert "due 2027-01-09" in page
    back = {"query": ["saturn"], "curator": ["ben"], "take_back": ""}
    assert (
        "1 assignment taken back"
        in browser.post(reverse("assign", args=[pages_only.slug]), back, follow=True).content.decode()
    )
    assert assigned_pairs(pages_only) == {("mercury", "ana"), ("mercury", "ben"), ("saturn", "ana")}


def test_all_queries_are_assigned_evenly(visit: Visit, pages_only: Collection, vera: User, ana: User) -> None:
    sent = {"which": "shown", "curator": ["ana", "vera"], "how": "1"}
    visit(vera).post(reverse("assign", args=[pages_only.slug]), sent)
    assert assigned_pairs(pages_only) == {("mercury", "ana"), ("saturn", "vera")}


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"curator": ["ana"]}, "Tick at least one query"),
        ({"query": ["mercury"]}, "Choose at least one curator"),
        ({"query": ["pluto"], "curator": ["ana"]}, "pluto"),
        ({"query": ["mercury"], "curator": ["outsider"]}, "outsider"),
        ({"query": ["mercury"], "curator": ["ana"], "due": "by Friday"}, "Enter a valid date"),
        ({"which": "shown", "curator": ["ana"], "how": "2"}, "1 to 2 curators per query"),
        ({"which": "shown", "curator": ["ana"], "how": "3"}, "3 is not one of"),
    ],
)
def test_assignment_form_reports_errors(
    visit: Visit, pages_only: Collection, vera: User, outsider: User, sent: dict[str, object], said: str
) -> None:
    answer = visit(vera).post(reverse("assign", args=[pages_only.slug]), sent)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert assigned_pairs(pages_only) == set()


def test_curators_see_no_assignment_form(visit: Visit, pages_only: Collection, ana: User) -> None:
    page = visit(ana).get(address(pages_only)).content.decode()
    assert reverse("assign", args=[pages_only.slug]) not in page
    assert 'type="checkbox"' not in page


def test_collection_and_query_pages_link_to_the_overview(visit: Visit, pages_only: Collection, ana: User) -> None:
    slug = pages_only.slug
    assert address(pages_only) in visit(ana).get(reverse("collection", args=[slug])).content.decode()
    link = reverse("drafts", args=[slug, "mercury"])
    assert link in visit(ana).get(reverse("query", args=[slug, "mercury"])).content.decode()
