"""Annotators of a query see no progress of others on it, at any URL.

Each user requests every readable URL before and after others change their drafts and an adjudication of the query. A
user who annotates the query and has not submitted must get the same responses. A user who only organises sees the
difference. New URLs are included once they have a row in the permission table.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.access import independent_annotators, independent_queries
from annotations.drafts.services import performing
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Assignment, Draft, DraftPresence, Query
from tests.profiles import thorough
from tests.whole_site.test_hidden_gold import look, told
from tests.whole_site.test_permissions import LINES, OF_THE_SITE, World, build_world

LATER = datetime(2041, 5, 6, 7, 8, 9, tzinfo=UTC)
"""The time of the others' changes. The year does not appear anywhere else."""
SHOW_PROGRESS = ("curate", "team", "drafts", "api:curation", "api:team", "api:drafts")
"""URLs that show the progress of drafts that the user may not open."""

Answers = Mapping[tuple[str, str], tuple[int, str]]


@pytest.fixture
def world(db: None) -> World:
    return build_world()


@pytest.fixture
def mercury(world: World) -> Query:
    """A query with an open draft of the curator, a submitted draft of a former curator, and an adjudication."""
    query = world.collection.queries.get(key="mercury")
    left = drafts.from_nothing(query=query, user=User.objects.get(username="submitter"), kind="own")
    drafts.submit(left)
    drafts.from_nothing(query=query, user=User.objects.get(username="owner"), kind="adjudication", name="Outcome")
    return query


def answers(world: World, role: str, names: tuple[str, ...] = ()) -> Answers:
    """Return the responses that a user gets at all URLs, or at the named ones."""
    cache.clear()
    asked = [line for line in LINES if line.method == "GET" and line.name not in OF_THE_SITE]
    return {
        (line.name, line.which): look(world, role, "GET", line.name, line.which)
        for line in asked
        if line.private[role] < 400 and (not names or line.name in names)
    }


def go_on(query: Query, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let others place pages into topics and among the outliers, and view a page."""
    monkeypatch.setattr(performing.timezone, "now", lambda: LATER)
    work = [
        {"kind": "add_topic", "topic": "zyxo", "name": "Zyxo", "parent": None, "pages": ["p1", "p2"]},
        {"kind": "outlier", "pages": ["p3"]},
    ]
    for draft in query.drafts.exclude(kind=Draft.Kind.SHARED).filter(status=Draft.Status.OPEN):
        user = draft.curator or User.objects.get(username="owner")
        if user.username == "adjudicator":
            continue
        perform(draft, user, DraftRequest(uuid4(), draft.revision, work))
        DraftPresence.objects.create(draft=draft, user=user, seen_at=LATER)
    monkeypatch.undo()
    worked = query.drafts.filter(kind=Draft.Kind.OWN).exclude(summary__topics=0).first()
    assert worked is not None
    query.drafts.filter(status=Draft.Status.SUBMITTED).update(summary=worked.summary, revision=37)


def changed(before: Answers, after: Answers) -> dict[tuple[str, str], object]:
    return {key: told(before[key], after[key]) for key in before if before[key] != after[key]}


@pytest.mark.parametrize(
    "how", [pytest.param("assigned", marks=thorough("every address, asked by who annotates")), "working", "archived"]
)
def test_annotator_of_query_sees_no_progress_of_others(
    world: World, mercury: Query, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    user = User.objects.get(username="adjudicator")
    if how != "working":
        Assignment.objects.create(query=mercury, curator=user, due=timezone.localdate())
    if how != "assigned":
        begun = drafts.begin(query=mercury, user=user)[0]
        if how == "archived":
            drafts.archive(begun)
    names = () if how == "assigned" else SHOW_PROGRESS
    if not names:
        answers(world, "adjudicator", ())  # the first request marks the guidelines as read
    before = answers(world, "adjudicator", names)
    go_on(mercury, monkeypatch)
    after = answers(world, "adjudicator", names)
    assert changed(before, after) == {}
    assert [key for key, (_, text) in after.items() if "2041" in text or "zyxo" in text.casefold()] == []


def test_organiser_sees_progress(world: World, mercury: Query, monkeypatch: pytest.MonkeyPatch) -> None:
    before = answers(world, "owner", SHOW_PROGRESS)
    go_on(mercury, monkeypatch)
    after = answers(world, "owner", SHOW_PROGRESS)
    assert {name for name, _ in changed(before, after)} == set(SHOW_PROGRESS)


def test_progress_is_visible_after_submitting(world: World, mercury: Query, monkeypatch: pytest.MonkeyPatch) -> None:
    user = User.objects.get(username="adjudicator")
    Assignment.objects.create(query=mercury, curator=user)
    drafts.submit(drafts.begin(query=mercury, user=user)[0])
    before = answers(world, "adjudicator", SHOW_PROGRESS)
    go_on(mercury, monkeypatch)
    after = answers(world, "adjudicator", SHOW_PROGRESS)
    assert {name for name, _ in changed(before, after)} == set(SHOW_PROGRESS)


def test_shared_drafts_and_other_queries_stay_visible(world: World, mercury: Query) -> None:
    Assignment.objects.create(query=mercury, curator=User.objects.get(username="adjudicator"))
    shared = f'href="/drafts/{world.drafts["shared"]}/"'
    assert shared in look(world, "adjudicator", "GET", "curate", "")[1]
    assert look(world, "adjudicator", "GET", "draft", "shared")[0] == 200
    assert look(world, "adjudicator", "GET", "adjudicate", "")[0] == 200


def test_independent_curators_are_the_same_by_person_and_by_query(world: World, mercury: Query) -> None:
    """The same rule gives the queries of a person and the people of a query."""
    Assignment.objects.create(query=mercury, curator=User.objects.get(username="adjudicator"))
    archived = User.objects.get(username="owner")
    drafts.archive(drafts.begin(query=mercury, user=archived)[0])
    found = {user.pk for user in User.objects.all() if independent_queries(user).filter(pk=mercury.pk).exists()}
    names = set(User.objects.filter(pk__in=found).values_list("username", flat=True))
    assert found == independent_annotators(mercury)
    assert "adjudicator" in names
    assert not {"submitter", "owner"} & names


NAMED = "Qwyjibo topics first"
"""The name of others' drafts, which may reveal how they structure the query."""


@pytest.mark.parametrize("person", ["adjudicator", "owner"])
@pytest.mark.parametrize("working", [True, False])
def test_names_of_closed_drafts_are_not_shown(world: World, mercury: Query, person: str, working: bool) -> None:
    """Others may not see open drafts, and annotators of a query may not see any of its drafts and adjudications."""
    user = User.objects.get(username=person)
    if working:
        drafts.begin(query=mercury, user=user)
    closed = mercury.drafts.exclude(kind=Draft.Kind.SHARED).exclude(curator=user)
    if not working:
        closed = closed.filter(kind=Draft.Kind.OWN, status=Draft.Status.OPEN)
    assert closed.exists()
    closed.update(name=NAMED)
    shown = answers(world, person)
    assert [key for key, (_, text) in shown.items() if "qwyjibo" in text.casefold()] == []


def test_names_of_drafts_are_visible_when_drafts_are(world: World, mercury: Query) -> None:
    mercury.drafts.filter(kind=Draft.Kind.OWN, curator__username="submitter").update(name=NAMED)
    shown = answers(world, "owner", SHOW_PROGRESS)
    assert {name for name, _ in shown if NAMED in shown[name, _][1]} >= {"drafts", "api:drafts"}
