"""Assignment of queries to curators: even, once or twice per query, and only to people who may curate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from annotations.models import Assignment, Collection, Membership, Role
from annotations.people.selectors import InvitationState, invitation_state
from annotations.people.services import invitations
from annotations.people.services.roles import remove_role
from annotations.team import services as assignments
from qc4.problems import InputError

FRIDAY, MONDAY = date(2027, 1, 8), date(2027, 1, 11)


@pytest.fixture
def team(collection: Collection, person: Callable[[str], User]) -> list[User]:
    """Four curators of the collection."""
    people = [person(name) for name in ("ana", "ben", "cleo", "dora")]
    Membership.objects.bulk_create(Membership(collection=collection, user=user, role=Role.CURATOR) for user in people)
    return people


@pytest.fixture
def long_collection(collection: Collection) -> Collection:
    """The collection with twelve queries instead of two."""
    for n in range(2, 12):
        collection.queries.create(key=f"q{n}", text=f"query {n}", position=n)
    return collection


def assigned_curators(collection: Collection) -> dict[str, list[str]]:
    """Return a dict of query -> curators, in the order of assignment."""
    found: dict[str, list[str]] = {key: [] for key in collection.queries.values_list("key", flat=True)}
    rows = Assignment.objects.filter(query__collection=collection).order_by("pk")
    for key, name in rows.values_list("query__key", "curator__username"):
        found[key].append(name)
    return found


def test_each_query_is_assigned_to_each_curator(collection: Collection, team: list[User], owner: User) -> None:
    assert assignments.assign(collection.queries.all(), team[:2], user=owner, due=FRIDAY, note="mind the cars") == 4
    assert assigned_curators(collection) == {"mercury": ["ana", "ben"], "saturn": ["ana", "ben"]}
    assert set(Assignment.objects.values_list("due", "note", "assigned_by")) == {(FRIDAY, "mind the cars", owner.pk)}


def test_assigning_again_changes_only_a_given_due_date(collection: Collection, team: list[User], owner: User) -> None:
    def assign(due: date | None) -> int:
        return assignments.assign(collection.queries.filter(key="mercury"), team[:1], user=owner, due=due)

    assert assign(FRIDAY) == 1
    assert assign(None) == 0
    assert Assignment.objects.get().due == FRIDAY
    assert assign(MONDAY) == 0
    assert Assignment.objects.get().due == MONDAY


def test_people_who_may_not_curate_are_rejected(
    collection: Collection, reader: User, owner: User, team: list[User]
) -> None:
    with pytest.raises(InputError, match=r"'reader'.*may curate"):
        assignments.assign(collection.queries.all(), [team[0], reader], user=owner)
    with pytest.raises(InputError, match=r"'reader'.*may curate"):
        assignments.assign_evenly(collection, [reader], per_query=1, user=owner)
    assert not Assignment.objects.exists()


def test_one_curator_per_query_gives_an_even_load(long_collection: Collection, team: list[User], owner: User) -> None:
    assert assignments.assign_evenly(long_collection, team, per_query=1, user=owner) == 12
    assert Counter(names[0] for names in assigned_curators(long_collection).values()) == {
        "ana": 3,
        "ben": 3,
        "cleo": 3,
        "dora": 3,
    }


def test_two_curators_per_query_balance_the_pairs(long_collection: Collection, team: list[User], owner: User) -> None:
    assert assignments.assign_evenly(long_collection, team, per_query=2, user=owner) == 24
    pairs = Counter(frozenset(names) for names in assigned_curators(long_collection).values())
    # 12 queries, 6 pairs of 4 people.
    assert pairs == {frozenset(pair): 2 for pair in combinations(("ana", "ben", "cleo", "dora"), 2)}


def test_existing_assignments_count_and_stay(long_collection: Collection, team: list[User], owner: User) -> None:
    assignments.assign(long_collection.queries.order_by("position")[:4], team[:1], user=owner)
    assert assignments.assign_evenly(long_collection, team[:2], per_query=1, user=owner) == 8
    assert Counter(names[0] for names in assigned_curators(long_collection).values()) == {"ana": 6, "ben": 6}


def test_assignments_of_other_queries_count_towards_the_load(
    long_collection: Collection, team: list[User], owner: User
) -> None:
    """Ana has four other queries, so Ben gets the four chosen ones. The rest stay unassigned."""
    queries = long_collection.queries.order_by("position")
    assignments.assign(queries[:4], team[:1], user=owner)
    chosen = queries[4:8]
    assert (
        assignments.assign_evenly(long_collection, team[:2], per_query=1, queries=chosen, user=owner, due=FRIDAY) == 4
    )
    found = assigned_curators(long_collection)
    assert [found[query.key] for query in queries] == [["ana"]] * 4 + [["ben"]] * 4 + [[]] * 4
    assert set(Assignment.objects.filter(due=FRIDAY).values_list("query__key", flat=True)) == {
        query.key for query in chosen
    }


def test_due_dates_and_notes_change_independently(collection: Collection, team: list[User], owner: User) -> None:
    queries = collection.queries.filter(key="mercury")
    assignments.assign(queries, team[:2], user=owner, due=FRIDAY, note="cars")
    assert assignments.change(collection.queries.all(), team[:1], due=None) == 1
    assert list(Assignment.objects.order_by("pk").values_list("due", "note")) == [(None, "cars"), (FRIDAY, "cars")]
    assert assignments.change(queries, team, due=MONDAY, note="") == 2
    assert set(Assignment.objects.values_list("due", "note")) == {(MONDAY, "")}


@pytest.mark.parametrize(("chosen", "per_query"), [(1, 2), (0, 1), (4, 3), (2, 0)])
def test_too_few_curators_for_each_query_are_rejected(
    collection: Collection, team: list[User], owner: User, chosen: int, per_query: int
) -> None:
    with pytest.raises(InputError, match="1 to 2 curators per query"):
        assignments.assign_evenly(collection, team[:chosen], per_query=per_query, user=owner)
    assert not Assignment.objects.exists()


@given(
    existing=st.lists(st.lists(st.integers(1, 5), unique=True, max_size=3), max_size=30),
    people=st.lists(st.integers(1, 5), unique=True, min_size=1),
    per_query=st.integers(1, 2),
)
def test_even_assignment_fills_every_query(existing: list[list[int]], people: list[int], per_query: int) -> None:
    given = assignments.even_assignment(dict(enumerate(existing)), people, per_query)
    for query, have in enumerate(existing):
        both = have + given[query]
        assert len(both) == len(set(both))
        assert set(given[query]) <= set(people)
        assert len(both) >= min(per_query, len(set(have) | set(people)))


@given(queries=st.integers(1, 40), people=st.lists(st.integers(1, 9), unique=True, min_size=1))
def test_even_assignment_balances_the_load(queries: int, people: list[int]) -> None:
    given = assignments.even_assignment({query: [] for query in range(queries)}, people, 1)
    load = Counter(person for chosen in given.values() for person in chosen)
    assert load.total() == queries
    assert max(load[person] for person in people) - min(load[person] for person in people) <= 1


def test_taking_back_returns_number_of_assignments(collection: Collection, team: list[User], owner: User) -> None:
    assignments.assign(collection.queries.all(), team[:2], user=owner)
    assert assignments.take_back(collection.queries.filter(key="saturn"), team) == 2
    assert assigned_curators(collection) == {"mercury": ["ana", "ben"], "saturn": []}


def test_former_curator_loses_assignments(collection: Collection, team: list[User], owner: User) -> None:
    ana, ben = team[:2]
    Membership.objects.create(collection=collection, user=ben, role=Role.ADJUDICATOR)
    assignments.assign(collection.queries.all(), [ana, ben], user=owner)
    for user in (ana, ben):
        remove_role(collection=collection, user=user, role=Role.CURATOR)
    # Ben may still curate, as an adjudicator.
    assert assigned_curators(collection) == {"mercury": ["ben"], "saturn": ["ben"]}


def test_links_of_former_owner_stop_working(collection: Collection, team: list[User], owner: User) -> None:
    ana = team[0]
    Membership.objects.create(collection=collection, user=ana, role=Role.OWNER)
    hers, _ = invitations.invite(collection=collection, role=Role.OWNER, user=ana)
    owners, _ = invitations.invite(collection=collection, role=Role.READER, user=owner)
    remove_role(collection=collection, user=ana, role=Role.OWNER)
    hers.refresh_from_db()
    owners.refresh_from_db()
    assert invitation_state(hers) == InvitationState.REVOKED
    assert invitation_state(owners) == InvitationState.OPEN
