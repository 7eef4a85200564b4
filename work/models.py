"""Tables: leased work, stored answers and their parts, and the workers that are alive."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.db import models
from django.db.models.functions import Now

# --- Leased work ------------------------------------------------------------------------------------------------------

WORKER_CHARS = 120


class Leased(models.Model):
    """A row that a worker claims for a while. Its state is the truth; messages only wake workers.

    `work.leases` alone changes the state. A model may say which of its other columns change with it (`entering`) and
    write a log of the changes (`record`).
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    ENDED = frozenset({State.DONE, State.FAILED, State.CANCELLED})

    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    # Fencing: every claim raises it; the holder of an older one writes nothing.
    token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=WORKER_CHARS, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    # When the current or last attempt began.
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def has_ended(self) -> bool:
        return self.state in self.ENDED

    @classmethod
    def entering(cls, state: str) -> dict[str, Any]:
        """The columns that change when a row enters a state."""
        if state == cls.State.QUEUED:
            return {"lease_until": None, "worker": ""}
        return {"lease_until": None} if state in cls.ENDED else {}

    @classmethod
    def record(cls, pk: Any, *, actor: str, why: str, from_state: str = "", to_state: str = "") -> None:
        """Note a change of state in the transaction that makes it; without states, a remark."""


# --- Answers ----------------------------------------------------------------------------------------------------------
# They can always be computed again, so old ones are purged.

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


# --- Workers ----------------------------------------------------------------------------------------------------------


class Worker(models.Model):
    """A worker process and when it last said so (database time)."""

    name = models.CharField(max_length=WORKER_CHARS, unique=True)
    queues = models.CharField(max_length=200)
    # How many runs it works on at once.
    slots = models.PositiveIntegerField(default=1)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name
