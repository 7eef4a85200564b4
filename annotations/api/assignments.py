"""Who curates what: assignments of queries, and how far they are."""

from __future__ import annotations

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
from annotations.api.options import Options
from annotations.api.plain_json import fields_of
from annotations.api.serializers import Answer, Person
from annotations.limits import ASSIGNED_AT_ONCE, CURATORS_PER_QUERY, KEY_CHARS, LINE_CHARS
from annotations.models import Assignment, Collection, Query
from annotations.selectors.curation.overview import Cell, Overview, Row
from annotations.selectors.people import curators
from annotations.selectors.query_names import queries_named
from annotations.services import assignments
from qc4.problems import ProblemList


class AssignmentRow(Answer[Assignment]):
    """A query for a curator."""

    query = serializers.CharField(source="query.key")
    curator = Person()
    assigned_by = Person(allow_null=True)

    class Meta:
        model = Assignment
        fields = ("query", "curator", "due", "assigned_by", "assigned_at")


class _Names(serializers.ListField):
    child = serializers.CharField(max_length=KEY_CHARS)
    max_length = ASSIGNED_AT_ONCE


class AssignmentOptions(Options):
    """Chosen queries for chosen curators; or all queries evenly, with ``per_query``."""

    curators = _Names(allow_empty=False, help_text="User names.")
    queries = _Names(
        required=False, allow_empty=False, help_text="Queries by key or text, each for all of the curators."
    )
    per_query = serializers.IntegerField(
        required=False, min_value=1, max_value=CURATORS_PER_QUERY, help_text="All queries evenly: 1 or 2."
    )
    due = serializers.CharField(
        required=False, max_length=LINE_CHARS, allow_blank=True, help_text="Until when, in words."
    )
    take_back = serializers.BooleanField(required=False, help_text="Take the queries back instead; drafts stay.")


class AssignmentsView(APIView):
    """Assignments of a collection."""

    @extend_schema(operation_id="assignments", responses=AssignmentRow(many=True), tags=["curation"])
    def get(self, request: Request, slug: str) -> Response:
        """Every assignment, by query."""
        return Response(_rows(get_collection(request.user, slug, May.CURATE)))

    @extend_schema(
        operation_id="assign", request=AssignmentOptions, responses=AssignmentRow(many=True), tags=["curation"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """Assign queries, or take them back. The answer is all assignments."""
        collection = get_collection(request.user, slug, May.PUBLISH)
        chosen = AssignmentOptions.of(fields_of(request))
        people, queries = _found(collection, chosen)
        given: dict[str, Any] = {"user": person(request), "due": chosen.get("due", "")}
        if chosen.get("take_back"):
            assignments.take_back(queries, people)
        elif "queries" in chosen:
            assignments.assign(queries, people, **given)
        else:
            assignments.spread(collection, people, per_query=chosen["per_query"], **given)
        return Response(_rows(collection))


class LevelProgress(serializers.Serializer[Any]):
    """Pages that have their place on a level, outliers included."""

    level = serializers.IntegerField()
    placed = serializers.IntegerField()
    total = serializers.IntegerField()


class CellShape(serializers.Serializer[Cell]):
    """A curator and a query. Of others' own drafts nothing but this is told until they are submitted."""

    curator = Person()
    assigned = serializers.SerializerMethodField()
    status = serializers.CharField(source="work.draft.status", default=None, allow_null=True)
    revision = serializers.IntegerField(source="work.draft.revision", default=None, allow_null=True)
    updated = serializers.DateTimeField(source="work.updated", default=None, allow_null=True)
    open_threads = serializers.IntegerField(
        source="work.open_threads", default=0, help_text="Of comments, as far as you may see them."
    )
    draft = serializers.SerializerMethodField(help_text="Its id; null where you may not open it.")
    levels = LevelProgress(source="work.levels", many=True, default=())

    def get_assigned(self, cell: Cell) -> bool:
        return cell.assignment is not None

    def get_draft(self, cell: Cell) -> int | None:
        return cell.work.draft.pk if cell.work and cell.work.seen else None


class CurationRow(serializers.Serializer[Any]):
    """A query, its curators and what you can do next."""

    query = serializers.CharField(source="query.key")
    pages = serializers.IntegerField(source="query.n_pages")
    next = serializers.CharField(source="next.step", help_text="What you can do next, in words; empty for nothing.")
    published = serializers.DateTimeField(source="published_at", allow_null=True)
    curators = serializers.SerializerMethodField()

    def get_curators(self, row: Row) -> list[dict[str, Any]]:
        return [CellShape(cell).data for cell in row.cells if cell.work or cell.assignment]


class CurationView(APIView):
    """How far the curation is."""

    @extend_schema(operation_id="curation", responses=CurationRow(many=True), tags=["curation"])
    def get(self, request: Request, slug: str) -> Response:
        """Every query with its curators' progress; yours first."""
        collection = get_collection(request.user, slug, May.CURATE)
        return Response(CurationRow(Overview(collection, person(request)).rows, many=True).data)


def _rows(collection: Collection) -> Any:
    rows = Assignment.objects.filter(query__collection=collection).select_related("query", "curator", "assigned_by")
    return AssignmentRow(rows.order_by("query__position", "query_id", "pk"), many=True).data


def _found(collection: Collection, chosen: dict[str, Any]) -> tuple[list[User], list[Query]]:
    """The people and queries that are meant.

    Raises:
        InputError: unknown names, or neither queries nor ``per_query``.
    """
    problems = ProblemList()
    people = by_name(chosen["curators"], curators(collection))
    for name in chosen["curators"]:
        if name not in people:
            problems.error("no-curator", "curators", repr(name), "people who may curate here")
    queries = queries_named(collection, chosen.get("queries", ()), "queries", problems)
    if ("queries" in chosen) == ("per_query" in chosen) or (chosen.get("take_back") and "per_query" in chosen):
        expected = "either 'queries' or 'per_query'; 'queries' to take back"
        problems.error("which-queries", "options", "both, neither or the wrong one", expected)
    problems.refuse_errors()
    return list(dict.fromkeys(people[name] for name in chosen["curators"])), queries
