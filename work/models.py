"""The models of this app."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.db import models
from django.db.models.functions import Now

# The base of every table of work: one process at a time does a piece of work, and a dead process loses nothing.

WORKER_CHARS = 120


class Leased(models.Model):
    """A row that a worker claims for a limited time. Only its state column decides; messages just wake workers.

    Only `work.leases` changes the state. A model can define which other columns change with it (`entering`), and log
    the changes (`record`).
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    ENDED = frozenset({State.DONE, State.FAILED, State.CANCELLED})

    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    # Fencing token: every claim increments it, and the holder of an older token can write nothing.
    token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=WORKER_CHARS, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    # The start of the current or last attempt.
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def has_ended(self) -> bool:
        return self.state in self.ENDED

    @classmethod
    def entering(cls, state: str) -> dict[str, Any]:
        """Return the columns that change when a row enters a state, with their new values."""
        if state == cls.State.QUEUED:
            return {"lease_until": None, "worker": ""}
        return {"lease_until": None} if state in cls.ENDED else {}

    @classmethod
    def record(cls, pk: Any, *, actor: str, why: str, from_state: str = "", to_state: str = "") -> None:
        """Log a change of state in the same transaction. Without states, log a remark."""


# Stored answers. They can always be computed again, so old ones are deleted.

NAME_CHARS = 40
SCOPE_CHARS = 40


class StoredAnswer(Leased):
    """An answer that is waiting, being computed, stored or failed. Its key is the SHA-256 of all its inputs."""

    key = models.CharField(max_length=64, primary_key=True)
    name = models.CharField(max_length=NAME_CHARS)
    # The inputs for the worker: ids and options, never a person.
    asked = models.JSONField()
    # The collection of the answer, such as "collection 3".
    scope = models.CharField(max_length=SCOPE_CHARS)
    # The other rows it depends on that may be deleted before the collection, such as " submission 12 draft 4 ".
    sources = models.TextField(blank=True)
    # True if a page is waiting for the answer. Other answers are computed in advance.
    waited_for = models.BooleanField(default=True)
    size = models.PositiveIntegerField(default=0)
    # For a failed answer: {"sentence", "problems": [..]}.
    error = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    made_at = models.DateTimeField(null=True, blank=True)
    # Updated at most once a day.
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
    # The name of the list; empty for the part that holds everything else.
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
        return unpack(bytes(self.packed))


def pack(content: Any) -> bytes:
    """Return content in its stored form."""
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 3)


def unpack(stored: bytes) -> Any:
    return json.loads(zlib.decompress(stored))


# The workers that are alive, so that a page can say if there is none.


class Worker(models.Model):
    """A worker and the time when it last reported itself (database time)."""

    name = models.CharField(max_length=WORKER_CHARS, unique=True)
    queues = models.CharField(max_length=200)
    # The number of runs that it works on at once.
    slots = models.PositiveIntegerField(default=1)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name
