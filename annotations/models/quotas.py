"""How much somebody, or a collection, may store where that is not what the site's settings say."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotations.models.collections import Collection


class Quota(models.Model):
    """Another quota than the site's; null where that holds."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="quota"
    )
    collection = models.OneToOneField(Collection, on_delete=models.CASCADE, null=True, blank=True, related_name="quota")
    bytes = models.PositiveBigIntegerField(null=True, blank=True)
    rows = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.CheckConstraint(
                condition=models.Q(person__isnull=False, collection__isnull=True)
                | models.Q(person__isnull=True, collection__isnull=False),
                name="quota_of_a_person_or_a_collection",
            )
        ]

    def __str__(self) -> str:
        return f"quota of {self.person or self.collection}"
