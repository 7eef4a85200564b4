"""Which curator works on which query."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.limits import LINE_CHARS
from annotations.models.queries import Query


class Assignment(models.Model):
    """A query for one curator; two of them make a double annotation: independent drafts, compared afterwards."""

    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="assignments")
    curator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignments")
    due = models.DateField(null=True)
    # What to mind, in words.
    note = models.CharField(max_length=LINE_CHARS, blank=True)
    assigned_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    assigned_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("query", "pk")
        constraints = [models.UniqueConstraint(fields=("query", "curator"), name="query_assigned_once_per_curator")]

    def __str__(self) -> str:
        return f"{self.query} to {self.curator}"
