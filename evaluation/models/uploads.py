"""Uploaded files, stored unchanged so that each submission's source can be shown and checked again."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models import Stored
from common.limits import FILE_NAME_CHARS


class Upload(Stored):
    """An uploaded file. Its bytes are stored in ``UPLOAD_DIR`` by SHA-256 and are never served as a web page."""

    part = "files as they came"
    of_collection, of_person = "", "uploaded_by"

    sha256 = models.CharField(max_length=64)
    name = models.CharField(max_length=FILE_NAME_CHARS)
    size = models.PositiveBigIntegerField()
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.name

    def measured(self) -> tuple[int, int]:
        return self.size, 1
