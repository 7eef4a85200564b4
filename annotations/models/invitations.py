"""Links that give a role to whoever opens them. Only their SHA-256 is stored; a link is shown once."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.limits import LINE_CHARS
from annotations.models.collections import Collection
from annotations.models.people import Role


class Invitation(models.Model):
    """A link to a role in a collection: for so many people, until then, unless it is revoked."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=11, choices=Role)
    # For whom, in the owner's words (a name, an e-mail address). Nothing is ever sent to it.
    note = models.CharField(max_length=LINE_CHARS, blank=True)
    prefix = models.CharField(max_length=12)
    sha256 = models.CharField(max_length=64, unique=True)
    most_uses = models.PositiveIntegerField(default=1)
    used = models.PositiveIntegerField(default=0)
    # How many accounts were made by it, where making one takes an invitation.
    sign_ups = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("-pk",)
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known"),
            models.CheckConstraint(condition=models.Q(most_uses__gte=1), name="invitation_for_somebody"),
            models.CheckConstraint(condition=models.Q(used__lte=models.F("most_uses")), name="invitation_not_overused"),
            models.CheckConstraint(
                condition=models.Q(sign_ups__lte=models.F("most_uses")), name="invitation_sign_ups_not_too_many"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.role})"


class InvitationUse(models.Model):
    """Somebody who came by an invitation."""

    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="uses")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    accepted_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("invitation", "pk")
        constraints = [models.UniqueConstraint(fields=("invitation", "user"), name="invitation_accepted_once")]

    def __str__(self) -> str:
        return f"{self.user} by {self.invitation}"
