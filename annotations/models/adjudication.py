"""Adjudications: what was compared when two drafts became one, and every answer an adjudicator gave.

Both are only added to, never changed (held by triggers): they say who placed each page, and why.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.limits import KEY_CHARS, NAME_CHARS
from annotations.models.drafts import Draft


class Adjudication(models.Model):
    """What an adjudication draft was started from: both documents as they were then, and which topics were aligned."""

    draft = models.OneToOneField(Draft, on_delete=models.CASCADE, related_name="adjudication")
    # zlib-compressed canonical ``qc4-gold/1`` JSON (qc4.formats.write_gold).
    first_document = models.BinaryField()
    second_document = models.BinaryField()
    first_name = models.CharField(max_length=NAME_CHARS)
    second_name = models.CharField(max_length=NAME_CHARS)
    # The smallest Jaccard coefficient at which topics were aligned.
    minimum = models.FloatField()
    # Pages both placed alike from the start.
    n_agreed = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.CheckConstraint(condition=models.Q(minimum__gt=0, minimum__lte=1), name="adjudication_minimum_share")
        ]

    def __str__(self) -> str:
        return f"adjudication of {self.first_name} and {self.second_name}"


class AdjudicationDecision(models.Model):
    """One answer. The last one about a subject counts; taking one back is an answer, too."""

    # As clients get it (qc4.records).
    KEYS = (
        "id=op_id about side key choice other|null reason|null note revision undoes=undoes?.op_id by=user.username "
        "at=created_at"
    )

    class About(models.TextChoices):
        TOPIC = "topic"
        NAME = "name"
        PARENT = "parent"
        PAGE = "page"

    class Choice(models.TextChoices):
        FIRST = "first"
        SECOND = "second"
        BOTH = "both"
        OUTLIER = "outlier"
        SAME = "same"
        SKIP = "skip"
        REOPEN = "reopen"

    class Reason(models.TextChoices):
        NONE = "", "no reason given"
        GUIDELINE = "guideline", "guideline unclear"
        SLIP = "slip", "slip"
        AMBIGUOUS = "ambiguous", "ambiguous page"
        MISSING = "missing", "missing topic"
        OTHER = "other", "other"

    adjudication = models.ForeignKey(Adjudication, on_delete=models.CASCADE, related_name="decisions")
    # The sender's own id, so that sending twice decides nothing twice.
    op_id = models.UUIDField()
    about = models.CharField(max_length=6, choices=About)
    # Of topics: which side's the key is.
    side = models.CharField(max_length=6)
    # The id of a page, or of a topic in its side's document.
    key = models.CharField(max_length=KEY_CHARS)
    choice = models.CharField(max_length=7, choices=Choice)
    # The first side's topic that is the same, for that choice.
    other = models.CharField(max_length=KEY_CHARS, blank=True)
    reason = models.CharField(max_length=9, choices=Reason, blank=True)
    note = models.TextField(blank=True)
    # The entry of the draft's log it became; none where nothing had to change.
    revision = models.PositiveIntegerField(null=True)
    # Questions without an answer after this one.
    n_open = models.PositiveIntegerField(null=True)
    # The answer this takes back; it then repeats the one that counted before, or opens the question again.
    undoes = models.OneToOneField("self", on_delete=models.CASCADE, null=True, related_name="undone_by")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("adjudication", "pk")
        constraints = [
            models.UniqueConstraint(fields=("adjudication", "op_id"), name="adjudication_decision_once"),
            models.CheckConstraint(
                condition=models.Q(about__in=["topic", "name", "parent", "page"]), name="decision_about_known"
            ),
            models.CheckConstraint(condition=models.Q(side__in=["first", "second"]), name="decision_side_known"),
            models.CheckConstraint(
                condition=models.Q(choice__in=["first", "second", "both", "outlier", "same", "skip", "reopen"]),
                name="decision_choice_known",
            ),
            models.CheckConstraint(
                condition=models.Q(reason__in=["", "guideline", "slip", "ambiguous", "missing", "other"]),
                name="decision_reason_known",
            ),
            models.CheckConstraint(
                condition=models.Q(choice="same", other__gt="") | (~models.Q(choice="same") & models.Q(other="")),
                name="decision_same_as_a_topic",
            ),
            models.CheckConstraint(
                condition=~models.Q(reason="other") | ~models.Q(note=""), name="decision_other_reason_has_a_note"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.about} {self.key}: {self.choice}"
