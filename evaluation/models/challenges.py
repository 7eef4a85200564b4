"""What counts against the limits of a challenge."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotations.models import Challenge
from evaluation.models.submissions import Submission


class CountedSubmission(models.Model):
    """A submission somebody made in a challenge. It stays when the submission is deleted, and so goes on counting.

    Those to streams are counted and not named: nothing comes of them in final results.
    """

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="counted")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    submission = models.OneToOneField(Submission, on_delete=models.SET_NULL, null=True, related_name="counted")
    # In UTC.
    day = models.DateField()
    # 1 for the person's first one, of that day and of all: two at once cannot both be the last that is allowed.
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
