"""Submissions that count against the limits of a challenge."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotations.models import Challenge
from evaluation.models.submissions import Submission


class CountedSubmission(models.Model):
    """A submission that a user made in a challenge. It remains, and still counts, when the submission is deleted.

    Submissions to streams count too, but `submission` is null for them: final results do not use them.
    """

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="counted")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    submission = models.OneToOneField(Submission, on_delete=models.SET_NULL, null=True, related_name="counted")
    # In UTC.
    day = models.DateField()
    # 1 for the user's first one, that day and overall: two simultaneous ones cannot both be the last one allowed.
    of_day = models.PositiveIntegerField()
    of_all = models.PositiveIntegerField()

    class Meta:
        ordering = ("challenge", "pk")
        constraints = [
            models.UniqueConstraint(fields=("challenge", "user", "day", "of_day"), name="counted_once_of_day"),
            models.UniqueConstraint(fields=("challenge", "user", "of_all"), name="counted_once_of_all"),
        ]

    def __str__(self) -> str:
        return f"submission {self.of_all} of {self.user} in {self.challenge}"
