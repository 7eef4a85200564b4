"""Assignments of queries to curators, and the time that curators have worked."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.limits import LINE_CHARS
from annotations.models.collections import Query
from annotations.models.drafts import Draft


class Assignment(models.Model):
    """The assignment of a query to a curator. Two assignments of a query give independent drafts to compare."""

    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="assignments")
    curator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignments")
    due = models.DateField(null=True)
    # Instructions for the curator.
    note = models.CharField(max_length=LINE_CHARS, blank=True)
    assigned_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    assigned_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("query", "pk")
        constraints = [models.UniqueConstraint(fields=("query", "curator"), name="query_assigned_once_per_curator")]

    def __str__(self) -> str:
        return f"{self.query} to {self.curator}"


# --- Working time -----------------------------------------------------------------------------------------------------
# This is a cache: rows can be deleted at any time and are computed again when needed.


class DraftTime(models.Model):
    """How long a person has worked on a draft, up to one of their entries in its log."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="times")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    # The revision and time of that entry.
    revision = models.PositiveIntegerField()
    last_at = models.DateTimeField()
    seconds = models.FloatField(default=0)

    class Meta:
        ordering = ("draft_id", "user_id")
        constraints = [models.UniqueConstraint(fields=("draft", "user"), name="draft_time_once_per_person")]

    def __str__(self) -> str:
        return f"{self.user} in {self.draft}: {self.seconds:.0f} s"
