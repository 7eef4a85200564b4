"""Adjudications: the drafts that were compared to make one draft, and every decision of the adjudicators.

Rows record who placed each page and why. Database triggers allow rows to be added but not changed.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from accounts.models import User
from annotations.adjudication_choices import About, Choice
from annotations.limits import NAME_CHARS
from annotations.models.drafts import Draft
from common.limits import KEY_CHARS

_SIDES = ["first", "second", "third", "fourth", "fifth", "sixth"]


def _named(values: type[StrEnum]) -> list[tuple[str, str]]:
    """Return an enum's members as Django `choices`."""
    return [(each.value, each.name.capitalize()) for each in values]


class Adjudication(models.Model):
    """The starting point of an adjudication draft: the compared drafts and the threshold for aligning topics."""

    draft = models.OneToOneField(Draft, on_delete=models.CASCADE, related_name="adjudication")
    # The minimum Jaccard coefficient for two topics to be aligned.
    minimum = models.FloatField()
    # Number of pages that all drafts placed alike from the start.
    n_agreed = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.CheckConstraint(condition=models.Q(minimum__gt=0, minimum__lte=1), name="adjudication_minimum_share")
        ]

    def __str__(self) -> str:
        return f"adjudication of {self.draft}"


class ComparedDraft(models.Model):
    """A draft that an adjudication compares, as it was when the adjudication started."""

    # Fields in API responses (qc4.records).
    KEYS = "side draft=draft_id name reopened"

    adjudication = models.ForeignKey(Adjudication, on_delete=models.CASCADE, related_name="compared")
    position = models.PositiveSmallIntegerField()
    draft = models.ForeignKey(Draft, on_delete=models.RESTRICT, related_name="compared_in")
    # The draft's name within the adjudication, which is unique there.
    name = models.CharField(max_length=NAME_CHARS)
    # zlib-compressed canonical ``qc4-gold/1`` JSON (qc4.io.write_gold).
    document = models.BinaryField()
    # Page key -> the curator's note on that page.
    notes = models.JSONField(default=dict)

    class Meta:
        ordering = ("adjudication", "position")
        constraints = [
            models.UniqueConstraint(fields=("adjudication", "position"), name="compared_draft_position_once"),
            models.UniqueConstraint(fields=("adjudication", "draft"), name="compared_draft_once"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def side(self) -> str:
        """The draft's name in URLs and decisions ("first", "second" …)."""
        return _SIDES[self.position]

    @property
    def reopened(self) -> bool:
        """True if the draft is open again, so it may have changed since it was compared."""
        return self.draft.status == Draft.Status.OPEN


class AdjudicationStep(models.Model):
    """One action of an adjudicator: one or more decisions, an undo or a redo. Each step is undone as a whole."""

    # Fields in API responses (qc4.records).
    KEYS = "id=op_id revision|null undoes=undoes?.op_id redoes=redoes?.op_id by=user.username at=created_at decisions"

    adjudication = models.ForeignKey(Adjudication, on_delete=models.CASCADE, related_name="steps")
    # An id chosen by the client, so that a repeated request has no second effect.
    op_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    # The revision of the log entry that the step made; null if the draft did not change.
    revision = models.PositiveIntegerField(null=True)
    # The draft's revision after the step, even if the step did not change it. Later edits have higher numbers.
    seen = models.PositiveIntegerField()
    # 1, 2, 3 … within the adjudication. If two people act on the same state at once, the database accepts one step.
    number = models.PositiveIntegerField()
    # Number of undecided disagreements after this step.
    n_open = models.PositiveIntegerField()
    # True if the decision was not applied because another adjudicator decided first. The step is stored so that both
    # people can see it.
    is_refused = models.BooleanField(default=False)
    # The step that this one undoes. This step's decisions restore the previous ones or reopen disagreements.
    undoes = models.OneToOneField("self", on_delete=models.CASCADE, null=True, related_name="undone_by")
    # The undo step that this one reverses.
    redoes = models.OneToOneField("self", on_delete=models.CASCADE, null=True, related_name="redone_by")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("adjudication", "pk")
        constraints = [
            models.UniqueConstraint(fields=("adjudication", "op_id"), name="adjudication_step_once"),
            models.UniqueConstraint(fields=("adjudication", "number"), name="adjudication_step_number_once"),
            models.CheckConstraint(
                condition=models.Q(undoes__isnull=True) | models.Q(redoes__isnull=True),
                name="adjudication_step_undoes_or_redoes",
            ),
        ]

    def __str__(self) -> str:
        return f"step {self.pk} of {self.adjudication}"

    @property
    def decisions(self) -> list[AdjudicationDecision]:
        """The step's decisions, in order."""
        return list(self.rows.all())


class AdjudicationDecision(models.Model):
    """One decision about a disagreement. The latest decision about a subject applies; undoing adds a decision."""

    # Fields in API responses (qc4.records).
    KEYS = "about side key choice other|null reason|null note revision by at"

    class Reason(models.TextChoices):
        NONE = "", "no reason given"
        GUIDELINE = "guideline", "guideline unclear"
        SLIP = "slip", "slip"
        AMBIGUOUS = "ambiguous", "ambiguous page"
        MISSING = "missing", "missing topic"
        OTHER = "other", "other"

    step = models.ForeignKey(AdjudicationStep, on_delete=models.CASCADE, related_name="rows")
    about = models.CharField(max_length=6, choices=_named(About))
    # For topics: the draft that the key belongs to.
    side = models.CharField(max_length=6)
    # The id of a page, or of a topic in its draft's document.
    key = models.CharField(max_length=KEY_CHARS)
    choice = models.CharField(max_length=8, choices=_named(Choice))
    # For "same": the id of the equal topic in the adjudication draft. For "typed": the name that was typed.
    other = models.CharField(max_length=KEY_CHARS, blank=True)
    reason = models.CharField(max_length=9, choices=Reason, blank=True)
    note = models.TextField(blank=True)
    # The decision that an undo or redo restored. It keeps its original author.
    repeats = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering = ("step", "pk")
        constraints = [
            models.CheckConstraint(condition=models.Q(about__in=list(map(str, About))), name="decision_about_known"),
            models.CheckConstraint(condition=models.Q(side__in=_SIDES), name="decision_side_known"),
            models.CheckConstraint(condition=models.Q(choice__in=list(map(str, Choice))), name="decision_choice_known"),
            models.CheckConstraint(
                condition=models.Q(reason__in=["", "guideline", "slip", "ambiguous", "missing", "other"]),
                name="decision_reason_known",
            ),
            models.CheckConstraint(
                condition=models.Q(choice__in=["same", "typed"], other__gt="")
                | (~models.Q(choice__in=["same", "typed"]) & models.Q(other="")),
                name="decision_names_another",
            ),
            models.CheckConstraint(
                condition=~models.Q(reason="other") | ~models.Q(note=""), name="decision_other_reason_has_a_note"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.about} {self.key}: {self.choice}"

    @property
    def user(self) -> User:
        """The person who first gave this answer, even if another person has restored it since."""
        return (self.repeats or self).step.user

    @property
    def revision(self) -> int | None:
        return self.step.revision

    @property
    def by(self) -> str:
        return self.user.get_username()

    @property
    def at(self) -> datetime:
        return self.step.created_at
