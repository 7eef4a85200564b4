"""Assign queries to curators, and compute curators' working time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date

from django.db import transaction
from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from annotations.limits import CURATORS_PER_QUERY, IDLE_SECONDS, TIMED_ENTRIES
from annotations.models import Assignment, Collection, Draft, DraftEntry, DraftTime, Query
from annotations.people.selectors import curators
from qc4.problems import InputError, Problem
from qc4.wording import listed


def assign(
    queries: Iterable[Query], people: Iterable[User], *, user: User, due: date | None = None, note: str = ""
) -> int:
    """Assign each of these queries (of one collection) to each of these people.

    Args:
        due: the due date. If given, it replaces the due date of existing assignments.
        note: instructions. If not empty, they replace the note of existing assignments.

    Returns:
        The number of new assignments.

    Raises:
        InputError: some of the people may not curate in the collection.
    """
    queries, people = list(queries), list(people)
    if not queries:
        return 0
    _require_curators(queries[0].collection, people)
    return _create_assignments([(query, person) for query in queries for person in people], user, due, note)


def assign_evenly(
    collection: Collection,
    people: Sequence[User],
    *,
    per_query: int,
    user: User,
    queries: Iterable[Query] | None = None,
    due: date | None = None,
    note: str = "",
) -> int:
    """Assign queries of the collection evenly, so that each has ``per_query`` curators.

    Existing assignments count and stay. The curator with the fewest queries is next. Ties go to the curator who shares
    the fewest queries with the query's other curator, so that all pairs are compared about equally often.

    Args:
        per_query: the number of curators per query, 1 or 2.
        queries: the queries to assign; None for all.
        due, note: see `assign`.

    Returns:
        The number of new assignments.

    Raises:
        InputError: some of the people may not curate, there are too few of them, or ``per_query`` is above 2.
    """
    _require_curators(collection, people)
    if not 1 <= per_query <= min(CURATORS_PER_QUERY, len(people)):
        expected = f"1 to {CURATORS_PER_QUERY} curators per query, and at least as many chosen curators"
        found = f"{len(people)} chosen for {per_query} per query"
        raise InputError([Problem("too-few-curators", "curators", found, expected)])
    everything = list(collection.queries.prefetch_related("assignments").order_by("position", "pk"))
    held = {query.pk: [row.curator_id for row in query.assignments.all()] for query in everything}
    wanted = None if queries is None else {query.pk for query in queries}
    chosen = even_assignment(held, [person.pk for person in people], per_query, wanted)
    by_pk = {person.pk: person for person in people}
    pairs = [(query, by_pk[person]) for query in everything for person in chosen.get(query.pk, ())]
    return _create_assignments(pairs, user, due, note)


def change(queries: Iterable[Query], people: Iterable[User], **terms: date | str | None) -> int:
    """Change ``due`` (None for no date) or ``note`` of existing assignments. Return the number of these assignments."""
    rows = Assignment.objects.filter(query__in=list(queries), curator__in=list(people))
    return rows.update(**terms) if terms else rows.count()


def take_back(queries: Iterable[Query], people: Iterable[User]) -> int:
    """Remove the assignments of these queries to these people, and return their number. Drafts stay."""
    rows = Assignment.objects.filter(query__in=list(queries), curator__in=list(people))
    return rows.delete()[0]


def even_assignment(
    held: dict[int, list[int]], people: list[int], per_query: int, wanted: Container[int] | None = None
) -> dict[int, list[int]]:
    """Return a dict of query -> additional curators. All existing assignments count, even those of other queries."""
    load = Counter(person for have in held.values() for person in have)
    together = Counter(pair for have in held.values() for pair in _pairs(have))
    given: dict[int, list[int]] = {}
    for query, have in held.items():
        if wanted is not None and query not in wanted:
            continue
        given[query] = []
        while len(now := have + given[query]) < per_query and set(people) - set(now):
            free = [person for person in people if person not in now]
            # `min` returns the first of equals, so ties follow the order in which people were chosen.
            person = min(free, key=lambda one: (load[one], sum(together[frozenset((one, other))] for other in now)))
            load[person] += 1
            together.update(frozenset((person, other)) for other in now)
            given[query].append(person)
    return given


def _pairs(people: list[int]) -> list[frozenset[int]]:
    return [frozenset((one, other)) for n, one in enumerate(people) for other in people[:n]]


def _create_assignments(pairs: list[tuple[Query, User]], user: User, due: date | None, note: str) -> int:
    rows = [Assignment(query=query, curator=one, due=due, note=note, assigned_by=user) for query, one in pairs]
    queries = {query.pk for query, _ in pairs}
    given_fields = [name for name, value in (("due", due), ("note", note)) if value]
    with transaction.atomic():
        before = Assignment.objects.filter(query__in=queries).count()
        if given_fields:
            Assignment.objects.bulk_create(
                rows, update_conflicts=True, unique_fields=["query", "curator"], update_fields=given_fields
            )
        else:
            Assignment.objects.bulk_create(rows, ignore_conflicts=True)
        return Assignment.objects.filter(query__in=queries).count() - before


def _require_curators(collection: Collection, people: Iterable[User]) -> None:
    may = {person.pk for person in curators(collection)}
    others = [person.get_username() for person in people if person.pk not in may]
    if others:
        fix = "Give them the curator or adjudicator role first."
        raise InputError([Problem("no-curator", "curators", listed(others), "people who may curate here", fix)])


# --- Working time -----------------------------------------------------------------------------------------------------
# Working time is computed from the times of log entries. A running sum is stored per draft and person, so that only new
# entries have to be read.


def update_times(collection: Collection) -> int:
    """Update the working times from new log entries, up to `TIMED_ENTRIES`. Return the number of drafts left to update.

    This does nothing and returns 0 if the collection does not compute times.
    """
    behind = _drafts_to_count(collection) if collection.timing == Collection.Timing.ON else []
    chosen: list[int] = []
    room = TIMED_ENTRIES
    for draft, revision, counted in behind:
        if chosen and room < revision - (counted or 0):
            break
        room -= revision - (counted or 0)
        chosen.append(draft)
    if chosen:
        _update_times_of(chosen)
    return len(behind) - len(chosen)


def _drafts_to_count(collection: Collection) -> list[tuple[int, int, int | None]]:
    """Return the id, revision and last counted revision of own drafts with log entries that are not counted yet."""
    own = Draft.objects.filter(query__collection=collection, kind=Draft.Kind.OWN, archived_at=None, revision__gt=0)
    counted = own.annotate(counted=Max("times__revision"))
    behind = counted.filter(Q(counted=None) | Q(counted__lt=F("revision"))).order_by("pk")
    return list(behind.values_list("pk", "revision", "counted"))


def _update_times_of(drafts: Sequence[int]) -> None:
    known = {(row.draft_id, row.user_id): row for row in DraftTime.objects.filter(draft__in=drafts)}
    latest = DraftTime.objects.filter(draft=OuterRef("draft")).values("draft").annotate(latest=Max("revision"))
    entries = DraftEntry.objects.filter(
        draft__in=drafts, revision__gt=Coalesce(Subquery(latest.values("latest")), 0)
    ).order_by("draft", "revision")
    found = times_after(known, entries)
    DraftTime.objects.bulk_create(
        found.values(),
        update_conflicts=True,
        unique_fields=["draft", "user"],
        update_fields=["revision", "last_at", "seconds"],
    )


def times_after(
    known: Mapping[tuple[int, int], DraftTime], entries: QuerySet[DraftEntry]
) -> dict[tuple[int, int], DraftTime]:
    """Return a dict of (draft, person) -> updated time, given the next log entries in order.

    The time between two steps of a person in a draft counts as work, unless it is longer than `IDLE_SECONDS`. Then it
    is a break and does not count.
    """
    found: dict[tuple[int, int], DraftTime] = {}
    for draft, user, revision, at in entries.values_list("draft", "user", "revision", "created_at"):
        row = found.get((draft, user)) or known.get((draft, user))
        if row is None:
            row = DraftTime(draft_id=draft, user_id=user, last_at=at)
        pause = (at - row.last_at).total_seconds()
        if 0 < pause <= IDLE_SECONDS:
            row.seconds += pause
        row.revision, row.last_at = revision, at
        found[draft, user] = row
    return found
