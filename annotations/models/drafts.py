"""Drafts as append-only logs, what was published from them, and who has seen others' work."""

from __future__ import annotations

import json
import uuid

from django.conf import settings
from django.db import models
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Now

from annotations.limits import KEPT_LABEL_CHARS, NAME_CHARS
from annotations.models.collections import Query
from annotations.models.gold import Gold, GoldVersion
from annotations.models.storage import Stored
from common.limits import KEY_CHARS


class Draft(Stored):
    """One curator's hierarchy of a query, one that several share, or the outcome of comparing two."""

    part = "drafts"
    of_collection, of_person = "query__collection", "query__collection__created_by"

    class Kind(models.TextChoices):
        SHARED = "shared"
        OWN = "own"
        ADJUDICATION = "adjudication"

    class Status(models.TextChoices):
        OPEN = "open"
        SUBMITTED = "submitted"

    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="drafts")
    name = models.CharField(max_length=NAME_CHARS)
    kind = models.CharField(max_length=12, choices=Kind)
    # Whose it is; nobody's where it is shared.
    curator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="drafts")
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    # The revision of its latest entry, 0 before the first, and that entry's id: what a copy in memory is checked by.
    revision = models.PositiveIntegerField(default=0)
    head = models.UUIDField(default=uuid.uuid4)
    # The number of the latest change to its threads of comments, 0 before the first.
    talk = models.PositiveIntegerField(default=0)
    based_on = models.ForeignKey(Gold, on_delete=models.SET_NULL, null=True, related_name="+")
    # How it started, in words: {"from": "gold", "words": "gold version 2", ..}
    started_from = models.JSONField(default=dict, blank=True)
    # Figures of its progress at its revision (annotations.drafts.state_machine.summaries).
    summary = models.JSONField(default=dict, blank=True)
    # Pages that have their place on the first level, from the summary: what is added up over many drafts.
    placed = models.GeneratedField(
        expression=Coalesce(Cast(KT("summary__levels__0__placed"), models.IntegerField()), 0),
        output_field=models.IntegerField(),
        db_persist=True,
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    # When its latest entry was made, or the draft itself before the first.
    changed_at = models.DateTimeField(db_default=Now())
    submitted_at = models.DateTimeField(null=True)
    # Who opened it again after it was submitted, and when: the last time, also when it is submitted since.
    reopened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    reopened_at = models.DateTimeField(null=True)
    archived_at = models.DateTimeField(null=True)
    # Kept of a curator whose account is deleted: it was begun or changed after they had seen others' work
    # (annotations.drafts.selectors.dependence); of others it follows from what they saw.
    is_dependent = models.BooleanField(default=False)

    class Meta:
        ordering = ("query", "pk")
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="draft_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["shared", "own", "adjudication"]), name="draft_kind_known"
            ),
            models.CheckConstraint(condition=models.Q(status__in=["open", "submitted"]), name="draft_status_known"),
            models.CheckConstraint(
                condition=models.Q(kind="own", curator__isnull=False) | ~models.Q(kind="own"),
                name="own_draft_has_a_curator",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="shared", curator__isnull=True) | ~models.Q(kind="shared"),
                name="shared_draft_has_no_curator",
            ),
            models.CheckConstraint(
                condition=models.Q(status="submitted", submitted_at__isnull=False)
                | models.Q(status="open", submitted_at__isnull=True),
                name="draft_submitted_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"draft {self.name} of {self.query}"

    def measured(self) -> tuple[int, int]:
        first = self.snapshots.get(revision=0)
        return len(first.state) + sum(entry.weight for entry in self.entries.all()), 1 + self.entries.count()

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None


def _only(kind: str) -> models.Q:
    """An entry that has this and none of the others."""
    kinds = ("operations", "undoes", "redoes", "restores")
    return models.Q(**{f"{each}__isnull": each != kind for each in kinds})


class DraftEntry(models.Model):
    """One step of a draft: what was asked for, and what it changed. The changes alone are replayed.

    Attributes:
        op_id: the sender's own, so that sending twice does nothing twice.
        operations: a list, the commands as they were sent; null for undo, redo and restoring.
        changes: a list of what replaying the log carries out; empty where nothing could be taken back any more.
        undoes: the revision this takes back.
        redoes: the undo this takes back.
        restores: the revision, of anybody, whose deleted topics and their pages this brings back.
        skipped: what was asked for and not done, for others had decided otherwise: a list of ``message``, and ``by``
            and ``revision`` of who had, where that is known.
    """

    # As clients get it (qc4.records).
    KEYS = "revision id=op_id by=user.username at=created_at label operations undoes redoes restores skipped changes"

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="entries")
    revision = models.PositiveIntegerField()
    op_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    label = models.CharField(max_length=KEPT_LABEL_CHARS)
    operations = models.JSONField(null=True)
    changes = models.JSONField()
    undoes = models.PositiveIntegerField(null=True)
    redoes = models.PositiveIntegerField(null=True)
    restores = models.PositiveIntegerField(null=True)
    skipped = models.JSONField(default=list)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("draft_id", "revision")
        verbose_name_plural = "draft entries"
        constraints = [
            models.UniqueConstraint(fields=("draft", "revision"), name="draft_revision_once"),
            models.UniqueConstraint(fields=("draft", "op_id"), name="draft_operation_once"),
            models.CheckConstraint(condition=models.Q(revision__gte=1), name="draft_revision_from_1"),
            models.CheckConstraint(
                condition=_only("operations") | _only("undoes") | _only("redoes") | _only("restores"),
                name="draft_entry_does_or_undoes_or_redoes",
            ),
        ]

    def __str__(self) -> str:
        return f"r{self.revision} {self.label}"

    @property
    def weight(self) -> int:
        """Bytes of what was asked for and what it changed."""
        return len(json.dumps([self.operations, self.changes]))


class DraftTouch(models.Model):
    """An entry of a draft's log concerned a page: what finds a page's entries, and who put it where, without the log.

    Attributes:
        topic: the topic it was put into; empty where it was something else.
    """

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="touches")
    page = models.CharField(max_length=KEY_CHARS)
    revision = models.PositiveIntegerField()
    topic = models.CharField(max_length=KEY_CHARS, blank=True)

    class Meta:
        verbose_name_plural = "draft touches"
        ordering = ("draft_id", "page", "revision")
        constraints = [
            models.UniqueConstraint(fields=("draft", "page", "revision", "topic"), name="draft_touch_once"),
        ]

    def __str__(self) -> str:
        return f"{self.page} in r{self.revision} of {self.draft}"


class DraftLoss(models.Model):
    """Pages that a person had put into a topic which somebody else then deleted: kept until the person has been told.

    Attributes:
        revision: of the entry that deleted it.
        topic: the topic's id, and its name then.
        pages: a list of their ids.
        settled_at: when the person let it be, or the topic was restored.
    """

    # As clients get it (qc4.records).
    KEYS = "revision topic name pages"

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="losses")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    revision = models.PositiveIntegerField()
    topic = models.CharField(max_length=KEY_CHARS)
    name = models.CharField(max_length=NAME_CHARS)
    pages = models.JSONField()
    settled_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "draft losses"
        ordering = ("draft_id", "revision", "pk")
        constraints = [
            models.UniqueConstraint(fields=("draft", "user", "revision", "topic"), name="draft_loss_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.draft}"


class DraftSnapshot(models.Model):
    """The state of a draft at a revision."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="snapshots")
    revision = models.PositiveIntegerField()
    # zlib-compressed JSON (annotations.drafts.state_machine.to_json).
    state = models.BinaryField()

    class Meta:
        ordering = ("draft_id", "revision")
        constraints = [models.UniqueConstraint(fields=("draft", "revision"), name="draft_snapshot_once")]

    def __str__(self) -> str:
        return f"{self.draft} at r{self.revision}"


class DraftPresence(models.Model):
    """Who looked at which page of a draft, and when they were last heard of."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="presences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    # The key of a page; empty for none.
    page = models.CharField(max_length=KEY_CHARS, blank=True)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ("draft_id", "user_id")
        constraints = [models.UniqueConstraint(fields=("draft", "user"), name="draft_presence_once_per_person")]

    def __str__(self) -> str:
        return f"{self.user} in {self.draft}"


# --- Publications -----------------------------------------------------------------------------------------------------


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


# --- Exposure to others' work -----------------------------------------------------------------------------------------


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
