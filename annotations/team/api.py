"""API of assignments, the curation overview and team figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from accounts.names import by_name
from accounts.person import person
from annotations.access import May, get_collection
from annotations.collections.selectors import queries_named
from annotations.limits import ASSIGNED_AT_ONCE, CURATORS_PER_QUERY, LINE_CHARS, SEARCH_CHARS
from annotations.models import Assignment, Collection, Query
from annotations.people.selectors import curators
from annotations.team import services as team
from annotations.team.selectors.agreement import (
    DependentPairs,
    TeamAgreement,
    submitted_drafts,
    team_agreement,
)
from annotations.team.selectors.filters import OverviewFilter, QueryOrder, QueryState
from annotations.team.selectors.overview import Overview, OverviewCell, assignments_of
from annotations.team.selectors.times import CuratorTime, times_of
from annotations.team.selectors.totals import Total, Wait
from annotations.team.services import update_times
from common.api.fields import Answer, Person
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.pagination import KnownRows, ListOptions, paged
from common.api.schema import listing
from common.limits import KEY_CHARS
from qc4.problems import ProblemList
from qc4.records import Record


class AssignmentRow(Answer[Assignment]):
    """The assignment of a query to a curator."""

    query = serializers.CharField(source="query.key")
    curator = Person()
    assigned_by = Person(allow_null=True)
    overdue = serializers.BooleanField(help_text="Due before today (UTC), and its curator has not submitted.")

    class Meta:
        model = Assignment
        fields = ("query", "curator", "due", "note", "overdue", "assigned_by", "assigned_at")


class _Names(serializers.ListField):
    child = serializers.CharField(max_length=KEY_CHARS)
    max_length = ASSIGNED_AT_ONCE


class AssignmentOptions(Options):
    """Queries and curators to assign: each query to all curators, or evenly with ``per_query``."""

    curators = _Names(allow_empty=False, help_text="User names.")
    queries = _Names(required=False, allow_empty=False, help_text="Queries by key or text.")
    per_query = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=CURATORS_PER_QUERY,
        help_text="Assign this number of curators evenly to each of `queries`. Without `queries`, to all queries.",
    )
    due = serializers.DateField(required=False, allow_null=True, help_text="Due date; null keeps existing ones.")
    note = serializers.CharField(required=False, max_length=LINE_CHARS, allow_blank=True, help_text="Instructions.")
    take_back = serializers.BooleanField(required=False, help_text="Remove these assignments; drafts stay.")


class ChangeOptions(Options):
    """A new due date or note for existing assignments. Omitted fields stay unchanged."""

    curators = _Names(allow_empty=False, help_text="User names.")
    queries = _Names(allow_empty=False, help_text="Queries by key or text.")
    due = serializers.DateField(required=False, allow_null=True, help_text="Due date; null for none.")
    note = serializers.CharField(required=False, max_length=LINE_CHARS, allow_blank=True)


class AssignmentsView(APIView):
    """Assignments of a collection."""

    @listing("assignments", AssignmentRow, "curation")
    def get(self, request: Request, slug: str) -> Response:
        """Return all assignments, by query."""
        return paged(assignments_of(get_collection(request.user, slug, May.CURATE)), AssignmentRow, request)

    @extend_schema(
        operation_id="assign", request=AssignmentOptions, responses=AssignmentRow(many=True), tags=["curation"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Assign queries or remove assignments. The response lists all assignments."""
        collection = get_collection(request.user, slug, May.PUBLISH)
        chosen = AssignmentOptions.of(fields_of(request))
        people, queries = _found(collection, chosen)
        given: dict[str, Any] = {
            "user": person(request),
            "due": chosen.get("due"),
            "note": chosen.get("note", ""),
        }
        if chosen.get("take_back"):
            team.take_back(queries, people)
        elif "per_query" in chosen:
            wanted = queries if "queries" in chosen else None
            team.assign_evenly(collection, people, per_query=chosen["per_query"], queries=wanted, **given)
        else:
            team.assign(queries, people, **given)
        return Response(_rows(collection))

    @extend_schema(
        operation_id="change_assignments", request=ChangeOptions, responses=AssignmentRow(many=True), tags=["curation"]
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the due dates or notes of assignments. The response lists all assignments."""
        collection = get_collection(request.user, slug, May.PUBLISH)
        chosen = ChangeOptions.of(fields_of(request))
        people, queries = _found(collection, chosen)
        changes = {name: chosen[name] for name in ("due", "note") if name in chosen}
        team.change(queries, people, **changes)
        return Response(_rows(collection))


class LevelProgress(serializers.Serializer[Any]):
    """The number of pages placed on a level, including outliers."""

    level = serializers.IntegerField()
    placed = serializers.IntegerField()
    total = serializers.IntegerField()


class CellShape(serializers.Serializer[OverviewCell]):
    """A curator's work on a query.

    These fields are all you can see of other people's own drafts until they are submitted. If you annotate the query
    and have not submitted, ``revision``, ``updated`` and ``levels`` are also hidden.
    """

    curator = Person()
    assigned = serializers.SerializerMethodField()
    due = serializers.DateField(source="assignment.due", default=None, allow_null=True)
    overdue = serializers.BooleanField(source="is_overdue")
    status = serializers.CharField(source="work.draft.status", default=None, allow_null=True)
    progress_hidden = serializers.BooleanField(source="work.progress_hidden", default=False)
    revision = serializers.IntegerField(source="work.revision", default=None, allow_null=True)
    updated = serializers.DateTimeField(source="work.changed", default=None, allow_null=True)
    open_threads = serializers.IntegerField(
        source="work.open_threads", default=0, help_text="Number of unresolved comment threads that you may see."
    )
    draft = serializers.SerializerMethodField(help_text="The draft's id; null if you may not open it.")
    levels = LevelProgress(source="work.levels", many=True, default=())

    def get_assigned(self, cell: OverviewCell) -> bool:
        return cell.assignment is not None

    def get_draft(self, cell: OverviewCell) -> int | None:
        return cell.work.draft.pk if cell.work and cell.work.seen else None

    def to_representation(self, cell: OverviewCell) -> dict[str, Any]:
        """Serialize the fields above in one step, because a page has up to a thousand cells. A test compares both."""
        work, given = cell.work, cell.assignment
        return {
            "curator": cell.curator.get_username(),
            "assigned": self.get_assigned(cell),
            "due": given.due if given else None,
            "overdue": cell.is_overdue,
            "status": work.draft.status if work else None,
            "progress_hidden": work is not None and work.progress_hidden,
            "revision": work.revision if work else None,
            "updated": work.changed if work else None,
            "open_threads": work.open_threads if work else 0,
            "draft": self.get_draft(cell),
            "levels": [_level(level) for level in work.levels] if work else [],
        }


def _level(level: dict[str, int]) -> dict[str, int]:
    return {"level": level["level"], "placed": level["placed"], "total": level["total"]}


class CurationRow(serializers.Serializer[Any]):
    """A query, its curators and your next step."""

    query = serializers.CharField(source="query.key")
    pages = serializers.IntegerField(source="n_pages")
    next = serializers.CharField(source="next.step", help_text="Your next step, as text; empty if there is none.")
    published = serializers.DateTimeField(source="published_at", allow_null=True)
    curators = CellShape(source="cells", many=True)


class CurationOptions(ListOptions):
    """Filters and order of the queries."""

    show = serializers.ChoiceField(choices=[each.value for each in QueryState], default=QueryState.ALL.value)
    q = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=SEARCH_CHARS, help_text="Words in the text or key."
    )
    curator = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=KEY_CHARS, help_text="Only this curator's queries."
    )
    sort = serializers.ChoiceField(choices=[each.value for each in QueryOrder], default=QueryOrder.COLLECTION.value)


class CurationView(APIView):
    """The progress of curation."""

    @listing("curation", CurationRow, "curation", options=CurationOptions)
    def get(self, request: Request, slug: str) -> Response:
        """Return queries with their curators' progress. By default, your queries come first."""
        collection = get_collection(request.user, slug, May.CURATE)
        chosen = CurationOptions.of(request.query_params)
        seen = Overview(collection, person(request))
        choice = OverviewFilter(QueryState(chosen["show"]), chosen["q"], chosen["curator"], QueryOrder(chosen["sort"]))
        found = KnownRows(seen.found(choice), lambda query: query.key)
        return paged(found, CurationRow, request, seen.rows_of)


def _rows(collection: Collection) -> Any:
    return AssignmentRow(assignments_of(collection), many=True).data


def _found(collection: Collection, chosen: dict[str, Any]) -> tuple[list[User], list[Query]]:
    """Return the chosen people and queries.

    Raises:
        InputError: a name is unknown, or the options cannot be combined.
    """
    problems = ProblemList()
    people = by_name(chosen["curators"], curators(collection))
    for name in chosen["curators"]:
        if name not in people:
            problems.error("no-curator", "curators", repr(name), "people who may curate here")
    queries = queries_named(collection, chosen.get("queries", ()), "queries", problems)
    if "queries" not in chosen and "per_query" not in chosen:
        problems.error("which-queries", "options", "neither 'queries' nor 'per_query'", "at least one of them")
    elif chosen.get("take_back") and ("queries" not in chosen or "per_query" in chosen):
        problems.error("which-queries", "options", "'per_query' with 'take_back'", "'queries' with 'take_back'")
    problems.refuse_errors()
    return list(dict.fromkeys(people[name] for name in chosen["curators"])), queries


# --- The team page ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Team(Record):
    """The curators of a collection: totals, times, who waits for whom, and agreement."""

    KEYS = "curators timing times waits agreement"

    curators: Sequence[Total]
    timing: str
    times: Sequence[CuratorTime]
    waits: Sequence[Wait]
    agreement: TeamAgreement


class DependentPairRow(serializers.Serializer[Any]):
    """A dependent comparison: two curators' drafts of a query, whose agreement is not independent."""

    query = serializers.CharField(source="query.key")
    first = Person()
    second = Person()
    why = serializers.CharField()


class TeamView(APIView):
    """The team page."""

    @extend_schema(operation_id="team", responses=Team, tags=["curation"])
    def get(self, request: Request, slug: str) -> Response:
        """Return totals, times and agreement of a collection's curators."""
        collection = get_collection(request.user, slug, May.CURATE)
        update_times(collection)
        seen = Overview(collection, person(request))
        agreement = team_agreement(seen)
        return Response(Team(seen.totals, collection.timing, times_of(seen), seen.waits, agreement).to_dict())


class DependentPairsView(APIView):
    """Dependent comparisons."""

    @listing("dependent_pairs", DependentPairRow, "curation")
    def get(self, request: Request, slug: str) -> Response:
        """Return the dependent comparisons, in the order of the queries."""
        collection = get_collection(request.user, slug, May.CURATE)
        seen = Overview(collection, person(request))
        pairs = DependentPairs(seen, submitted_drafts(collection, seen.alone))
        return paged(KnownRows(pairs.places(), lambda place: f"{place.drafts}"), DependentPairRow, request, pairs.rows)
