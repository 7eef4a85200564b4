"""Assignments one by one; the overview reads them with everything else (`annotations.selectors.curation.rows`)."""

from __future__ import annotations

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils import timezone

from annotations.models import Assignment, Collection, Draft


def assigned(collection: Collection) -> QuerySet[Assignment]:
    """The assignments of a collection, by query, and whether each is late: due before today (UTC), and its curator has
    not submitted (``overdue``)."""
    submitted = Draft.objects.filter(
        query=OuterRef("query"),
        curator=OuterRef("curator"),
        kind=Draft.Kind.OWN,
        status=Draft.Status.SUBMITTED,
        archived_at=None,
    )
    rows = Assignment.objects.filter(query__collection=collection).select_related("query", "curator", "assigned_by")
    late = Q(due__isnull=False, due__lt=timezone.localdate()) & ~Q(Exists(submitted))
    rows = rows.annotate(overdue=ExpressionWrapper(late, output_field=BooleanField()))
    return rows.order_by("query__position", "query_id", "pk")
