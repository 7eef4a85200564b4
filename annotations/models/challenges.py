"""Challenges: what a collection hides of its gold standards, until when it takes submissions, and what came out."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from annotations.limits import MEASURE_CHARS
from annotations.models.collections import Collection, Query


class ChallengeState(models.TextChoices):
    """Where a challenge stands at a moment. It follows from the clock, and from whether there are results."""

    ANNOUNCED = "announced"
    OPEN = "open"
    CLOSED = "closed"
    FINAL = "final"


class Challenge(models.Model):
    """That a collection is a challenge.

    Queries that come later are hidden like the others, unless nothing is hidden: what is shown is named, not what is
    hidden.
    """

    class Hides(models.TextChoices):
        """Of which queries the gold standard is hidden."""

        NOTHING = "nothing"
        SOME = "some"
        ALL = "all"

    State = ChallengeState

    collection = models.OneToOneField(Collection, on_delete=models.CASCADE, related_name="challenge")
    hides = models.CharField(max_length=7, choices=Hides, default=Hides.ALL)
    # The queries whose gold standard is shown, where some are hidden.
    shown = models.ManyToManyField(Query, related_name="shown_in", blank=True)
    # Whether streams, whose files hold their true classes, stay open while gold standards are hidden.
    streams_shown = models.BooleanField(default=False)
    # Whether everybody sees all gold standards once it has closed.
    reveals = models.BooleanField(default=False)
    # Whether others' submissions are out of sight until it has closed.
    board_hidden = models.BooleanField(default=False)
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    # Submissions of a person, days being those of UTC; null for no limit.
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
        """Where it stands at a moment, by default now."""
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
        """What came out; None until that is worked out."""
        return getattr(self, "results", None)

    @property
    def hides_gold(self) -> bool:
        """Whether gold standards are hidden now from those who do not organise it."""
        return self.hides != self.Hides.NOTHING and not (self.reveals and self.has_closed)

    @property
    def hides_board(self) -> bool:
        """Whether others' submissions are hidden now."""
        return self.board_hidden and not self.has_closed


class ChallengeResults(models.Model):
    """What came out of a challenge, worked out once after it closed. Never changed, held by a trigger."""

    challenge = models.OneToOneField(Challenge, on_delete=models.CASCADE, primary_key=True, related_name="results")
    # As `evaluation.challenges.final_results.FinalResults` says it.
    content = models.JSONField()
    settled_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"results of the {self.challenge}"
