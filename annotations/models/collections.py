"""Test collections: queries, people and rules that belong together."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from accounts.limits import REASON_CHARS
from annotations.licences import licence_address
from annotations.limits import ADDRESS_CHARS, LANGUAGE_CHARS, LICENCE_CHARS, LINE_CHARS, NAME_CHARS, SLUG_CHARS


class ArrivedCollections(models.Manager["Collection"]):
    """Collections as everybody knows them: all of them is there (`annotations.services.arrivals`)."""

    def get_queryset(self) -> models.QuerySet[Collection]:
        return super().get_queryset().filter(arriving_at__isnull=True)


class Collection(models.Model):
    """A test collection. Private to its members, or public for everyone to read."""

    class Visibility(models.TextChoices):
        PRIVATE = "private"
        PUBLIC = "public"

    class Participation(models.TextChoices):
        """Who may submit, beside its owners and submitters; what it comes to stands in `annotations.access`."""

        MEMBERS = "members"
        REQUEST = "request"
        ANYBODY = "anybody"

    class Timing(models.TextChoices):
        """Whether it is worked out how long people curate, from the times of their steps."""

        ON = "on"
        OFF = "off"

    FACE = ("licence", "licence_url", "citation", "contact", "language")
    """What its owners say of it beside name and description; all may be left out."""

    slug = models.SlugField(max_length=SLUG_CHARS, unique=True)
    name = models.CharField(max_length=NAME_CHARS)
    description = models.TextField(blank=True)
    # An SPDX name, or words; and where it can be read.
    licence = models.CharField(max_length=LICENCE_CHARS, blank=True, default="")
    licence_url = models.CharField(max_length=ADDRESS_CHARS, blank=True, default="")
    # How it is cited: BibTeX.
    citation = models.TextField(blank=True, default="")
    # An e-mail or web address, or words.
    contact = models.CharField(max_length=LINE_CHARS, blank=True, default="")
    # Of its queries, as a tag: "en", "tr".
    language = models.CharField(max_length=LANGUAGE_CHARS, blank=True, default="")
    visibility = models.CharField(max_length=7, choices=Visibility, default=Visibility.PRIVATE)
    # Why who runs the site took it out of sight; while there is a reason it stays private.
    hidden_for = models.CharField(max_length=REASON_CHARS, blank=True, default="")
    participation = models.CharField(max_length=7, choices=Participation, default=Participation.MEMBERS)
    timing = models.CharField(max_length=3, choices=Timing, default=Timing.ON)
    # The version of its guidelines that counts, 0 while there is none: browsers ask for it every second.
    guidelines_number = models.PositiveIntegerField(default=0)
    # What the import decided or dropped, in words ("441 empty subtopics dropped").
    import_notes = models.JSONField(default=list, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    # When its import stored something last; null as soon as all of it is there. Until then it is nobody's to see.
    arriving_at = models.DateTimeField(null=True, editable=False)

    objects = ArrivedCollections()
    everything = models.Manager["Collection"]()

    class Meta:
        ordering = ("name", "pk")
        indexes = [models.Index(fields=("name", "id"), name="collection_by_name")]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="collection_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(visibility__in=["private", "public"]), name="collection_visibility_known"
            ),
            models.CheckConstraint(
                condition=models.Q(participation__in=["members", "request", "anybody"]),
                name="collection_participation_known",
            ),
            models.CheckConstraint(
                condition=models.Q(hidden_for="") | models.Q(visibility="private"), name="hidden_collection_is_private"
            ),
            models.CheckConstraint(
                condition=models.Q(arriving_at__isnull=True) | models.Q(visibility="private"),
                name="collection_arrives_unseen",
            ),
            models.CheckConstraint(condition=models.Q(timing__in=["on", "off"]), name="collection_timing_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def licence_address(self) -> str:
        """Where its licence can be read; "" where nothing says."""
        return licence_address(self.licence, self.licence_url)

    @property
    def is_public(self) -> bool:
        return self.visibility == self.Visibility.PUBLIC
