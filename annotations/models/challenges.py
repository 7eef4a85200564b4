"""Challenges: which gold standards a collection hides, when submissions open and close, and the final results."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from annotations.limits import MEASURE_CHARS
from annotations.models.collections import Collection, Query


class ChallengeState(models.TextChoices):
    """The state of a challenge, which depends on the time and on whether there are final results."""

    ANNOUNCED = "announced"
    OPEN = "open"
    CLOSED = "closed"
    FINAL = "final"


class Challenge(models.Model):
    """The rules that make a collection a challenge.

    The rules list the queries that are shown, not those that are hidden. Queries that are added later are therefore
    hidden, unless the challenge hides nothing.
    """

    class Hides(models.TextChoices):
        """Queries whose gold standard is hidden."""

        NOTHING = "nothing"
        SOME = "some"
        ALL = "all"

    State = ChallengeState

    collection = models.OneToOneField(Collection, on_delete=models.CASCADE, related_name="challenge")
    hides = models.CharField(max_length=7, choices=Hides, default=Hides.ALL)
    # The queries whose gold standard is shown, if only some are hidden.
    shown = models.ManyToManyField(Query, related_name="shown_in", blank=True)
    # Whether streams are visible while gold standards are hidden. Stream files contain the true classes.
    streams_shown = models.BooleanField(default=False)
    # Whether all gold standards become visible when the challenge closes.
    reveals = models.BooleanField(default=False)
    # Whether participants cannot see each other's submissions until the challenge closes.
    board_hidden = models.BooleanField(default=False)
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    # Limits on one person's submissions, per UTC day and in total; null for no limit.
    per_day = models.PositiveIntegerField(null=True, blank=True)
    in_all = models.PositiveIntegerField(null=True, blank=True)
    # The measure by which final results are ranked.
    measure = models.CharField(max_length=MEASURE_CHARS, default="qc4_f")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(hides__in=["nothing", "some", "all"]), name="challenge_hides_known"
            ),
            models.CheckConstraint(
                condition=models.Q(opens_at__isnull=True)
                | models.Q(closes_at__isnull=True)
                | models.Q(closes_at__gt=models.F("opens_at")),
                name="challenge_closes_after_it_opens",
            ),
        ]

    def __str__(self) -> str:
        return f"challenge of {self.collection}"

    def state(self, at: datetime | None = None) -> ChallengeState:
        """Return the challenge's state at a time, by default now."""
        at = at or timezone.now()
        if self.has_closed_by(at):
            return ChallengeState.FINAL if self.final is not None else ChallengeState.CLOSED
        if self.opens_at is not None and self.opens_at > at:
            return ChallengeState.ANNOUNCED
        return ChallengeState.OPEN

    def has_closed_by(self, at: datetime) -> bool:
        return self.closes_at is not None and self.closes_at <= at

    @property
    def has_closed(self) -> bool:
        return self.has_closed_by(timezone.now())

    @property
    def final(self) -> ChallengeResults | None:
        """The final results; None until they are computed."""
        return getattr(self, "results", None)

    @property
    def hides_gold(self) -> bool:
        """True if gold standards are currently hidden from everyone except the organisers."""
        return self.hides != self.Hides.NOTHING and not (self.reveals and self.has_closed)

    @property
    def hides_board(self) -> bool:
        """True if participants cannot currently see each other's submissions."""
        return self.board_hidden and not self.has_closed


class ChallengeResults(models.Model):
    """The final results of a challenge, computed once after it closes. A trigger prevents changes."""

    challenge = models.OneToOneField(Challenge, on_delete=models.CASCADE, primary_key=True, related_name="results")
    # The JSON form of `evaluation.challenges.final_results.FinalResults`.
    content = models.JSONField()
    settled_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"results of the {self.challenge}"
