"""Announcements: which users were sent an e-mail about a new gold version."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models import GoldVersion


class Announced(models.Model):
    """An e-mail about a gold version to one user. The constraint keeps a repeated run from sending it again."""

    gold_version = models.ForeignKey(GoldVersion, on_delete=models.CASCADE, related_name="announced")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("gold_version", "pk")
        constraints = [models.UniqueConstraint(fields=("gold_version", "user"), name="announced_once")]

    def __str__(self) -> str:
        return f"{self.gold_version} to {self.user}"
