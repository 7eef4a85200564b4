"""Submitted drafts that are not published yet, found by tables for all drafts and by times for single rows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from annotations.models import Collection, Draft, DraftPublication, Gold, GoldVersionEntry, Membership, Query, Role
from annotations.team.selectors.filters import OverviewFilter, QueryState
from annotations.team.selectors.overview import Overview
from evaluation.drafts.services import publish_draft
from tests.samples.drafts import draft_of
from tests.trigger_bypass import unguarded

MADE = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOURS = (-2, -1, 0, 1, 2, 3)
"""Hours between the creation of the gold standard and the submission of drafts."""
AGAIN = {"never": (), "before": (-1,), "later": (2,), "often": (-1, 1, 2)}
"""Hours between the creation of the gold standard and publications of drafts."""
NEW = {"never": {1, 2, 3}, "before": {1, 2, 3}, "later": {3}, "often": {3}}


@pytest.fixture
def mercury(collection: Collection, person: Callable[[str], User]) -> Query:
    """A query with a draft by a different curator for each of `HOURS`."""
    query = collection.queries.get(key="mercury")
    with unguarded(Gold):
        Gold.objects.update(created_at=MADE)
    for hour in HOURS:
        user = person(curator_name(hour))
        Membership.objects.create(collection=collection, user=user, role=Role.CURATOR)
        draft = draft_of(user, query, {"Planet": "p1 p2"})
        Draft.objects.filter(pk=draft.pk).update(submitted_at=MADE + timedelta(hours=hour))
    return query


def curator_name(hour: int) -> str:
    """Return a name for the curator of this hour. Names may not differ only in a minus sign."""
    return f"at {hour + 10}"


def new_of(collection: Collection, owner: User, query: Query) -> set[int]:
    """Return the hours of drafts that the tables report as new, and assert that row times give the same drafts."""
    seen = Overview(collection, owner)
    place = next(one.place for one in seen.grid.queries if one.pk == query.pk)
    is_new = zip(seen.people.values(), seen.grid.is_new[place].tolist(), strict=True)
    new = {
        int(user.username.removeprefix("at ")) - 10 for user, new in is_new if new and user.username.startswith("at ")
    }
    (row,) = (row for row in seen.rows if row.query.pk == query.pk)
    submitted = {cell.curator.username: cell.work.draft.submitted_at for cell in row.cells if cell.work}
    later = {hour for hour in HOURS if not row.published_at or submitted[curator_name(hour)] > row.published_at}
    assert new == later, row.published_at
    assert (query.key in {one.key for one in seen.found(OverviewFilter(show=QueryState.TO_COMPARE))}) == (
        sum(map(bool, seen.grid.is_new[place])) > 1
    )
    return new


@pytest.mark.parametrize("often", AGAIN)
def test_draft_submitted_after_publication_is_unpublished(
    collection: Collection, owner: User, mercury: Query, often: str
) -> None:
    drafts, gold, version = mercury.drafts.order_by("pk"), mercury.golds.get(), collection.gold_versions.get()
    for draft, hour in zip(drafts, AGAIN[often], strict=False):
        at = MADE + timedelta(hours=hour)
        DraftPublication.objects.create(draft=draft, revision=0, version=version, gold=gold, published_at=at)
    assert new_of(collection, owner, mercury) == NEW[often]


def test_all_drafts_of_query_without_gold_standard_are_unpublished(
    collection: Collection, owner: User, mercury: Query
) -> None:
    with unguarded(GoldVersionEntry):
        GoldVersionEntry.objects.filter(query=mercury).delete()
    assert new_of(collection, owner, mercury) == set(HOURS)


def test_all_drafts_of_collection_without_version_are_unpublished(
    page_list_collection: Collection, owner: User, person: Callable[[str], User]
) -> None:
    query = page_list_collection.queries.get(key="mercury")
    for hour in HOURS:
        draft_of(person(curator_name(hour)), query, {"Planet": "p1 p2"})
    assert new_of(page_list_collection, owner, query) == set(HOURS)


def test_published_draft_is_not_unpublished(collection: Collection, owner: User, mercury: Query) -> None:
    """Publish as the site does, which submits drafts before publishing them."""
    draft = draft_of(owner, mercury, {"Planet": "p1 p2 p3", "Cars": "p4 p5 p6 p7"}, "p8")
    Draft.objects.filter(query=mercury).update(submitted_at=draft.created_at)
    assert new_of(collection, owner, mercury) == set(HOURS)
    publish_draft(draft=draft, revision=draft.revision, user=owner)
    assert new_of(collection, owner, mercury) == set()
