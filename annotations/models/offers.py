"""Roles that owners offer to people by name. Nobody belongs to a collection without their yes."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models.collections import Collection
from annotations.models.people import Role


class RoleOffer(models.Model):
    """An owner offered somebody a role. It is answered or withdrawn once and stays as it is."""

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="role_offers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="role_offers")
    role = models.CharField(max_length=11, choices=Role)
    offered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    offered_at = models.DateTimeField(db_default=Now())
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = [
            models.UniqueConstraint(
                fields=("collection", "user", "role"), condition=models.Q(state="open"), name="one_open_offer_each"
            ),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="offered_role_known"),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "accepted", "declined", "withdrawn"]), name="offer_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state="open", ended_at__isnull=True)
                | (~models.Q(state="open") & models.Q(ended_at__isnull=False)),
                name="offer_ended_at_its_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} may become {self.role} of {self.collection} ({self.state})"
