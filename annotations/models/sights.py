"""Who has seen what others say of a query: what tells whether a draft of theirs is independent of the others'."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models.drafts import Draft
from annotations.models.queries import Query


class OthersSeen(models.Model):
    """Somebody who curates saw others' work on a query for the first time. Never changed: later looks add nothing.

    Attributes:
        draft: what they saw; of an agreement the first draft of another, of a gold standard the one it was made from.
    """

    class What(models.TextChoices):
        DRAFT = "draft"
        AGREEMENT = "agreement"
        ADJUDICATION = "adjudication"
        GOLD = "gold"

    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    what = models.CharField(max_length=12, choices=What)
    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="+")
    seen_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name_plural = "others seen"
        ordering = ("query", "user")
        constraints = [
            models.UniqueConstraint(fields=("query", "user"), name="others_seen_once"),
            models.CheckConstraint(
                condition=models.Q(what__in=["draft", "agreement", "adjudication", "gold"]),
                name="others_seen_what_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} saw {self.draft}"
