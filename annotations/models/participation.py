"""Requests of people who want to submit to a collection, and what became of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models.collections import Collection


class ParticipationRequest(models.Model):
    """Somebody asked to submit. It is answered or withdrawn once and stays as it is; who asks again makes another."""

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="participation_requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="participation_requests")
    message = models.TextField(blank=True)
    asked_at = models.DateTimeField(db_default=Now())
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    # Why it was declined.
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = [
            models.UniqueConstraint(
                fields=("collection", "user"), condition=models.Q(state="open"), name="one_open_request_each"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "accepted", "declined", "withdrawn"]), name="request_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state="open", answered_at__isnull=True)
                | (~models.Q(state="open") & models.Q(answered_at__isnull=False)),
                name="request_answered_at_its_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} asks to submit to {self.collection} ({self.state})"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN
