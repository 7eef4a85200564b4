"""Drafts as append-only logs, their publications, and each curator's exposure to others' work."""

from __future__ import annotations

import json
import uuid

from django.conf import settings
from django.db import models
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Now

from annotations.limits import NAME_CHARS, STORED_LABEL_CHARS
from annotations.models.collections import Query
from annotations.models.gold import Gold, GoldVersion
from annotations.models.storage import Stored
from common.limits import KEY_CHARS


class Draft(Stored):
    """A topic hierarchy for a query: one curator's own, a shared one, or the outcome of an adjudication."""

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
    # The draft's owner; null if the draft is shared.
    curator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="drafts")
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    # The revision (0 before the first entry) and id of the latest entry. A cached copy is checked against them.
    revision = models.PositiveIntegerField(default=0)
    head = models.UUIDField(default=uuid.uuid4)
    # The number of the latest change to its threads of comments, 0 before the first.
    talk = models.PositiveIntegerField(default=0)
    based_on = models.ForeignKey(Gold, on_delete=models.SET_NULL, null=True, related_name="+")
    # A description of how the draft started: {"from": "gold", "words": "gold version 2", ..}
    started_from = models.JSONField(default=dict, blank=True)
    # Progress figures at the current revision (annotations.drafts.state_machine.summaries).
    summary = models.JSONField(default=dict, blank=True)
    # Number of pages placed on level 1, copied from the summary so that it can be summed over many drafts.
    placed = models.GeneratedField(
        expression=Coalesce(Cast(KT("summary__levels__0__placed"), models.IntegerField()), 0),
        output_field=models.IntegerField(),
        db_persist=True,
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    # The time of the latest entry; before the first entry, the time the draft was created.
    changed_at = models.DateTimeField(db_default=Now())
    submitted_at = models.DateTimeField(null=True)
    # Who last reopened the draft after it was submitted, and when. Both stay set when it is submitted again.
    reopened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    reopened_at = models.DateTimeField(null=True)
    archived_at = models.DateTimeField(null=True)
    # Set when the curator's account is deleted: True if the draft was begun or changed after they saw others' work.
    # For other curators this is derived from the exposure log (annotations.drafts.selectors.dependence).
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
    """Return the condition that an entry has this kind of content and no other."""
    kinds = ("operations", "undoes", "redoes", "restores")
    return models.Q(**{f"{each}__isnull": each != kind for each in kinds})


class DraftEntry(models.Model):
    """One step of a draft: the request and the changes it made. Replaying the log uses only the changes.

    Attributes:
        op_id: an id chosen by the client, so that a repeated request has no second effect.
        operations: a list of the commands as they were sent; null for undo, redo and restore.
        changes: a list of the changes that replaying the log applies; empty if nothing was left to undo.
        undoes: the revision that this entry undoes.
        redoes: the revision of the undo that this entry reverses.
        restores: the revision, by any user, whose deleted topics and pages this entry restores.
        skipped: parts of the request that were not done because other people's later changes conflict with them. Each
            item has a ``message`` and, if known, the ``by`` and ``revision`` of the conflicting change.
    """

    # Fields in API responses (qc4.records).
    KEYS = "revision id=op_id by=user.username at=created_at label operations undoes redoes restores skipped changes"

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="entries")
    revision = models.PositiveIntegerField()
    op_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    label = models.CharField(max_length=STORED_LABEL_CHARS)
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
        """The size in bytes of the operations and the changes."""
        return len(json.dumps([self.operations, self.changes]))


class DraftTouch(models.Model):
    """An index row: one entry of a draft's log that concerns a page. It finds a page's entries without reading the log.

    Attributes:
        topic: the topic that the page was put into; empty for any other change.
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
    """Pages that a person put into a topic that someone else then deleted. The person is notified of them.

    Attributes:
        revision: the revision of the entry that deleted the topic.
        topic: the topic's id.
        name: the topic's name when it was deleted.
        pages: a list of page ids.
        settled_at: when the person dismissed the notice, or when the topic was restored.
    """

    # Fields in API responses (qc4.records).
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
    """The page of a draft that a person is looking at, and when their browser last reported it."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="presences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    # The page's key; empty if no page is open.
    page = models.CharField(max_length=KEY_CHARS, blank=True)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ("draft_id", "user_id")
        constraints = [models.UniqueConstraint(fields=("draft", "user"), name="draft_presence_once_per_person")]

    def __str__(self) -> str:
        return f"{self.user} in {self.draft}"


# --- Publications -----------------------------------------------------------------------------------------------------


class DraftPublication(models.Model):
    """The publication of one revision of a draft in a gold version. Rows never change."""

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
    """The first time a curator saw others' work on a query. Rows never change, and later views add none.

    Attributes:
        draft: the draft that they saw. For an agreement it is the first draft by another curator, and for a gold
            standard the draft that it was made from.
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
