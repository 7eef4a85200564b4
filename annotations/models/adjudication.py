"""Adjudications: what was compared when several drafts became one, and every answer an adjudicator gave.

All of it is only added to, never changed (held by triggers): they say who placed each page, and why.
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
    """Choices of a column, as Django names them."""
    return [(each.value, each.name.capitalize()) for each in values]


class Adjudication(models.Model):
    """What an adjudication draft was started from: which documents were compared, and which topics were aligned."""

    draft = models.OneToOneField(Draft, on_delete=models.CASCADE, related_name="adjudication")
    # The smallest Jaccard coefficient at which topics were aligned.
    minimum = models.FloatField()
    # Pages all placed alike from the start.
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
    """One of the drafts an adjudication compares, as it was then, in their order."""

    # As clients get it (qc4.records).
    KEYS = "side draft=draft_id name reopened"

    adjudication = models.ForeignKey(Adjudication, on_delete=models.CASCADE, related_name="compared")
    position = models.PositiveSmallIntegerField()
    draft = models.ForeignKey(Draft, on_delete=models.RESTRICT, related_name="compared_in")
    # What the adjudication calls it: no two have the same name.
    name = models.CharField(max_length=NAME_CHARS)
    # zlib-compressed canonical ``qc4-gold/1`` JSON (qc4.io.write_gold).
    document = models.BinaryField()
    # Page key -> what its curator noted there.
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
        """What addresses and answers call it."""
        return _SIDES[self.position]

    @property
    def reopened(self) -> bool:
        """Whether somebody has opened it again since, so that it may not be any more what was compared."""
        return self.draft.status == Draft.Status.OPEN


class AdjudicationStep(models.Model):
    """One act: an answer, several given at once, or taking such an act back or doing it again. One undo each."""

    # As clients get it (qc4.records).
    KEYS = "id=op_id revision|null undoes=undoes?.op_id redoes=redoes?.op_id by=user.username at=created_at decisions"

    adjudication = models.ForeignKey(Adjudication, on_delete=models.CASCADE, related_name="steps")
    # The sender's own id, so that sending twice decides nothing twice.
    op_id = models.UUIDField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    # The entry of the draft's log it became; none where nothing had to change.
    revision = models.PositiveIntegerField(null=True)
    # The draft's revision after it, in any case: what was done in the workspace since is later.
    seen = models.PositiveIntegerField()
    # 1, 2, 3 … within the adjudication: of two people who act at once on the same state, the database takes one.
    number = models.PositiveIntegerField()
    # Questions without an answer after this one.
    n_open = models.PositiveIntegerField()
    # An answer that was not carried out, because somebody else had answered meanwhile. It is kept to be shown to both.
    is_refused = models.BooleanField(default=False)
    # The step this takes back; its decisions then repeat those that counted before, or open questions again.
    undoes = models.OneToOneField("self", on_delete=models.CASCADE, null=True, related_name="undone_by")
    # The undo this takes back.
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
        """Its decisions, in their order."""
        return list(self.rows.all())


class AdjudicationDecision(models.Model):
    """One answer. The last one about a subject counts; taking one back is an answer, too."""

    # As clients get it (qc4.records).
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
    # Of topics: which side's the key is.
    side = models.CharField(max_length=6)
    # The id of a page, or of a topic in its side's document.
    key = models.CharField(max_length=KEY_CHARS)
    choice = models.CharField(max_length=8, choices=_named(Choice))
    # The id in the draft of the topic it is the same as, or the name that was typed, for those choices.
    other = models.CharField(max_length=KEY_CHARS, blank=True)
    reason = models.CharField(max_length=9, choices=Reason, blank=True)
    note = models.TextField(blank=True)
    # The answer that this repeats, where taking back or doing again brought it back: it stays its author's.
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
