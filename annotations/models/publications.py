"""Which revision of which draft became a query's gold standard in which version."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models.drafts import Draft
from annotations.models.gold import Gold, GoldVersion


class DraftPublication(models.Model):
    """A draft, as it was at one revision, published in a gold version. Never changed."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="publications")
    revision = models.PositiveIntegerField()
    version = models.ForeignKey(GoldVersion, on_delete=models.CASCADE, related_name="publications")
    gold = models.ForeignKey(Gold, on_delete=models.CASCADE, related_name="publications")
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    published_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("draft", "-pk")
        constraints = [
            models.UniqueConstraint(fields=("draft", "version"), name="draft_published_once_per_version"),
        ]

    def __str__(self) -> str:
        return f"{self.draft} r{self.revision} in {self.version}"
