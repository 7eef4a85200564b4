"""What was worked out once and is stored: answers. They can always be worked out again, so old ones are purged."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.db import models
from django.db.models.functions import Now

from work.models.leased import Leased

NAME_CHARS = 40
SCOPE_CHARS = 40


class StoredAnswer(Leased):
    """An answer that is stored, being worked out, or failed. Its key is the SHA-256 of everything it follows from."""

    key = models.CharField(max_length=64, primary_key=True)
    name = models.CharField(max_length=NAME_CHARS)
    # What the worker receives: ids and options, never a person.
    asked = models.JSONField()
    # The collection it is about, such as "collection 3".
    scope = models.CharField(max_length=SCOPE_CHARS)
    # What else it follows from and may be deleted before the collection, such as " submission 12 draft 4 ".
    sources = models.TextField(blank=True)
    # Whether a page waits for it. Others are computed before anybody asks.
    waited_for = models.BooleanField(default=True)
    size = models.PositiveIntegerField(default=0)
    # Once failed: {"sentence", "problems": [..]}.
    error = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    made_at = models.DateTimeField(null=True, blank=True)
    # Noted at most once a day.
    used_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=("state", "waited_for", "created_at"), name="answer_to_work_out"),
            models.Index(fields=("scope",), name="answer_by_scope"),
            models.Index(fields=("used_at",), name="answer_by_use"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.key[:8]}"


class AnswerPart(models.Model):
    """The content of an answer, or some rows of one of its long lists, as zlib-compressed JSON."""

    answer = models.ForeignKey(StoredAnswer, on_delete=models.CASCADE, related_name="parts")
    # The name of the list; empty for all else.
    field = models.CharField(max_length=NAME_CHARS, blank=True)
    number = models.PositiveIntegerField(default=0)
    packed = models.BinaryField()

    class Meta:
        ordering = ("answer", "field", "number")
        constraints = [models.UniqueConstraint(fields=("answer", "field", "number"), name="answer_part_once")]

    def __str__(self) -> str:
        return f"{self.field} {self.number} of {self.answer_id[:8]}"

    @property
    def content(self) -> Any:
        return unpacked(bytes(self.packed))


def packed(content: Any) -> bytes:
    """Content as it is stored."""
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 3)


def unpacked(stored: bytes) -> Any:
    return json.loads(zlib.decompress(stored))
