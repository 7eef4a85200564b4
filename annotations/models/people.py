"""Who may do what: roles per collection."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models.collections import Collection


class Role(models.TextChoices):
    """Roles per collection; what each may do stands in `annotations.access`."""

    OWNER = "owner"
    CURATOR = "curator"
    ADJUDICATOR = "adjudicator"
    SUBMITTER = "submitter"
    READER = "reader"


class Membership(models.Model):
    """One role of one person in one collection; a person may hold several."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=11, choices=Role)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("collection", "user", "role")
        constraints = [
            models.UniqueConstraint(fields=("collection", "user", "role"), name="one_row_per_role"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.collection}"
