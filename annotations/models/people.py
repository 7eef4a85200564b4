"""The people of a collection: roles, invitations, offers of roles and requests to submit."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.limits import LINE_CHARS
from annotations.models.collections import Collection


class Role(models.TextChoices):
    """Roles in a collection. `annotations.access` defines what each role may do."""

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


# --- Invitations ------------------------------------------------------------------------------------------------------
# Only the SHA-256 of a link is stored; the link is shown once.


class Invitation(models.Model):
    """A link that gives a role in a collection. Its uses are limited, it expires, and it can be revoked."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=11, choices=Role)
    # The owner's note on whom the link is for (a name, an e-mail address). Nothing is ever sent to it.
    note = models.CharField(max_length=LINE_CHARS, blank=True)
    prefix = models.CharField(max_length=12)
    sha256 = models.CharField(max_length=64, unique=True)
    most_uses = models.PositiveIntegerField(default=1)
    used = models.PositiveIntegerField(default=0)
    # Number of accounts created with this link, on sites where signing up requires an invitation.
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
    """The use of an invitation by one person."""

    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="uses")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    accepted_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("invitation", "pk")
        constraints = [models.UniqueConstraint(fields=("invitation", "user"), name="invitation_accepted_once")]

    def __str__(self) -> str:
        return f"{self.user} by {self.invitation}"


# --- Offers of roles --------------------------------------------------------------------------------------------------
# People join a collection only with their consent.


class RoleOffer(models.Model):
    """An owner's offer of a role to a person. Once accepted, declined or withdrawn it never changes."""

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


# --- Requests to submit -----------------------------------------------------------------------------------------------


class ParticipationRequest(models.Model):
    """A person's request to submit. Once answered or withdrawn it never changes; asking again makes a new request."""

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
