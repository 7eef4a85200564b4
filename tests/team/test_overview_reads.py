"""Team pages read the content of the queries on the page only. For all other queries they read plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.db.models.sql.compiler import SQLCompiler
from django.test import Client
from django.utils import timezone

from accounts.models import User
from annotations.drafts import exposure
from annotations.drafts.selectors.dependence import dependence_of, dependent_drafts_in
from annotations.models import Assignment, Collection, Draft, Membership, OthersSeen, Role
from tests.samples.drafts import draft_of
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers

PLACES = {
    "page": "/c/{}/curate/",
    "team": "/c/{}/curate/team/",
    "dependent": "/c/{}/curate/team/?dependent=",
    "API": "/api/v1/collections/{}/curation?page_size=1",
    "API, team": "/api/v1/collections/{}/team",
    "API, dependent": "/api/v1/collections/{}/team/dependent?page_size=1",
}


@pytest.fixture
def people(page_list_collection: Collection, person: Callable[[str], User]) -> list[User]:
    found = [person(name) for name in ("ana", "ben", "cleo", "dan")]
    for user in found:
        Membership.objects.create(collection=page_list_collection, user=user, role=Role.CURATOR)
    return found


@pytest.fixture
def handed_over(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], tuple[int, int]]:
    """Count the values from the database that need conversion (times and JSON), and the `Draft` objects created."""
    counted = {"values": 0, "drafts": 0}
    convert, make = SQLCompiler.apply_converters, Draft.from_db.__func__  # type: ignore[attr-defined]  # a class method

    def converted(self: Any, rows: Iterable[Any], converters: dict[int, Any]) -> Iterator[Any]:
        for row in convert(self, rows, converters):
            counted["values"] += sum(row[place] is not None for place in converters)
            yield row

    def made(cls: Any, *args: Any) -> Draft:
        counted["drafts"] += 1
        found: Draft = make(cls, *args)
        return found

    monkeypatch.setattr(SQLCompiler, "apply_converters", converted)
    monkeypatch.setattr(Draft, "from_db", classmethod(made))

    def count(work: Callable[[], object]) -> tuple[int, int]:
        counted.update(values=0, drafts=0)
        work()
        return counted["values"], counted["drafts"]

    return count


@pytest.mark.parametrize("where", PLACES)
def test_only_drafts_of_shown_queries_are_read(
    page_list_collection: Collection,
    owner: User,
    people: list[User],
    handed_over: Callable[[Callable[[], object]], tuple[int, int]],
    monkeypatch: pytest.MonkeyPatch,
    where: str,
) -> None:
    monkeypatch.setattr("annotations.team.views.OVERVIEW_ROWS", 1)
    mercury, saturn = page_list_collection.queries.order_by("position")
    for user in people:
        draft_of(user, mercury, {"Planet": "p1 p2"})
    draft_of(people[0], saturn, {"Planet": ""})
    browser = Client()
    browser.force_login(owner)

    def look() -> None:
        assert browser.get(PLACES[where].format(page_list_collection.slug)).status_code == 200

    def compare() -> None:
        browser.get(PLACES[where].format(page_list_collection.slug))
        compute_waiting_answers()

    leave_all_to_workers(monkeypatch)
    compare()
    look()
    few = handed_over(look)
    assert few[0] > 0
    for user in people[1:]:
        draft_of(user, saturn, {"Planet": ""})
        Assignment.objects.create(query=saturn, curator=user, due=timezone.localdate())
    compare()
    assert handed_over(look) == few


def test_database_query_finds_dependent_drafts(page_list_collection: Collection, people: list[User]) -> None:
    """The query finds the same drafts as `dependence_of`, which also gives reasons."""
    mercury, saturn = page_list_collection.queries.order_by("position")
    ana, ben, cleo, dan = people
    first = draft_of(ana, mercury, {"Planet": "p1 p2"})
    exposure.record_exposure_to_drafts(ben, OthersSeen.What.DRAFT, [first])
    draft_of(ben, mercury, {"Planet": "p1"})
    copied = draft_of(cleo, mercury, {"Planet": "p1 p3"})
    Draft.objects.filter(pk=copied.pk).update(started_from={"from": "draft", "draft": first.pk, "words": "x"})
    kept = draft_of(dan, mercury, {"Planet": "p1 p3"})
    Draft.objects.filter(pk=kept.pk).update(is_dependent=True)
    finished = draft_of(dan, saturn, {"Planet": ""})
    again = draft_of(ana, saturn, {"Planet": ""})
    Draft.objects.filter(pk=again.pk).update(started_from={"from": "draft", "draft": first.pk, "words": "her own"})
    shared = Draft.objects.create(query=saturn, name="shared", kind=Draft.Kind.SHARED)
    of_shared = draft_of(cleo, saturn, {"Planet": ""})
    Draft.objects.filter(pk=of_shared.pk).update(started_from={"from": "draft", "draft": shared.pk, "words": "x"})
    of_nothing = draft_of(ben, saturn, {"Planet": ""})
    Draft.objects.filter(pk=of_nothing.pk).update(started_from={"from": "draft", "draft": 0, "words": "deleted since"})
    exposure.record_exposure_to_drafts(dan, OthersSeen.What.DRAFT, [again])
    own = Draft.objects.filter(query__collection=page_list_collection, kind=Draft.Kind.OWN)
    found = dependence_of(list(own.select_related("curator")))
    assert dependent_drafts_in(page_list_collection) == found.keys()
    assert len(found) == 3
    assert not found.keys() & {first.pk, finished.pk, again.pk, of_shared.pk, of_nothing.pk}
