"""Collections, their queries and pages, guidelines and quotas."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from accounts.limits import REASON_CHARS
from annotations.limits import ADDRESS_CHARS, LANGUAGE_CHARS, LICENCE_CHARS, LINE_CHARS, NAME_CHARS, SLUG_CHARS
from annotations.models.storage import Stored
from common.limits import KEY_CHARS
from qc4.model import gold_document as document


class ArrivedCollections(models.Manager["Collection"]):
    """Collections as everybody knows them: all of them is there (`annotations.imports.services`)."""

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


# --- Licences ---------------------------------------------------------------------------------------------------------

SPDX = (
    *("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", "CC-BY-ND-4.0", "CC-BY-NC-ND-4.0"),
    *("CC-BY-3.0", "CC-BY-SA-3.0", "ODC-By-1.0", "ODbL-1.0", "PDDL-1.0", "CDLA-Permissive-2.0", "CDLA-Sharing-1.0"),
    *("MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0-only", "GPL-3.0-or-later", "LGPL-3.0-only", "MPL-2.0"),
)
"""Those that forms offer; any other words do as well."""
_KNOWN = {name.casefold(): name for name in SPDX}


def licence_address(licence: str, given: str = "") -> str:
    """Where a licence can be read: the address its collection gives, else the page of its SPDX name; "" for words."""
    name = _KNOWN.get(licence.strip().casefold())
    return given or (f"https://spdx.org/licenses/{name}.html" if name else "")


# --- Queries and pages ------------------------------------------------------------------------------------------------


class Query(Stored):
    """One query of a collection. ``key`` is its permanent id in files and URLs."""

    part = "pages"
    of_person = "collection__created_by"

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="queries")
    key = models.CharField(max_length=KEY_CHARS)
    text = models.TextField()
    position = models.PositiveIntegerField()
    extra = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("collection", "position", "pk")
        verbose_name_plural = "queries"
        indexes = [models.Index(fields=("collection", "position", "id"), name="query_in_order")]
        constraints = [models.UniqueConstraint(fields=("collection", "key"), name="query_key_once_per_collection")]

    def __str__(self) -> str:
        return self.text or self.key

    @property
    def n_pages(self) -> int:
        """How many it has: they are the rows it stores, all of them from its beginning."""
        return self.stored_rows

    def measured(self) -> tuple[int, int]:
        return weight(self.pages.all())


PAGES = models.Sum("stored_rows")
"""Of some queries: how many pages they have together (`Query.n_pages`)."""


class Pages(models.QuerySet["Page"]):
    """Pages; imports and page lists handle them whole, so that their texts are columns and no table of their own."""

    def without_texts(self) -> Pages:
        """For lists to look at: what a page says at length is left out."""
        return self.defer("text", "extra")


class Page(models.Model):
    """One search result. All its text is attacker text: shown escaped, never rendered or fetched."""

    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="pages")
    key = models.CharField(max_length=KEY_CHARS)
    position = models.PositiveIntegerField()
    rank = models.PositiveIntegerField(null=True)
    url = models.TextField(null=True)  # noqa: DJ001 - null and "" are different in qc4-gold/1 and must come back as given
    title = models.TextField(null=True)  # noqa: DJ001 - as above
    snippet = models.TextField(null=True)  # noqa: DJ001 - as above
    text = models.TextField(null=True)  # noqa: DJ001 - as above
    extra = models.JSONField(default=dict, blank=True)

    objects = Pages.as_manager()

    class Meta:
        ordering = ("query_id", "position")
        constraints = [
            models.UniqueConstraint(fields=("query", "key"), name="page_key_once_per_query"),
            models.UniqueConstraint(fields=("query", "position"), name="page_position_once_per_query"),
        ]

    def __str__(self) -> str:
        return self.title or self.key


def weight(pages: Iterable[Page | document.Page]) -> tuple[int, int]:
    """Bytes and rows of a query's pages."""
    texts = [[page.url, page.title, page.snippet, page.text] for page in pages]
    return sum(len(text.encode()) for said in texts for text in said if text), len(texts)


# --- Guidelines -------------------------------------------------------------------------------------------------------
# Every version is stored, and a trigger keeps it from being changed.


class GuidelinesVersion(models.Model):
    """A version of a collection's guidelines, as Markdown. The one with the highest number counts."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="guidelines")
    number = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("collection", "-number")
        constraints = [
            models.UniqueConstraint(fields=("collection", "number"), name="guidelines_number_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="guidelines_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"guidelines v{self.number} of {self.collection}"


class GuidelinesReader(models.Model):
    """The version of a collection's guidelines that somebody read last."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="guidelines_readers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()

    class Meta:
        ordering = ("collection", "user")
        constraints = [models.UniqueConstraint(fields=("collection", "user"), name="guidelines_reader_once")]

    def __str__(self) -> str:
        return f"{self.user} read v{self.number} of {self.collection}"


# --- Quotas -----------------------------------------------------------------------------------------------------------


class Quota(models.Model):
    """Another quota than the site's; null where that holds."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="quota"
    )
    collection = models.OneToOneField(Collection, on_delete=models.CASCADE, null=True, blank=True, related_name="quota")
    bytes = models.PositiveBigIntegerField(null=True, blank=True)
    rows = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.CheckConstraint(
                condition=models.Q(person__isnull=False, collection__isnull=True)
                | models.Q(person__isnull=True, collection__isnull=False),
                name="quota_of_a_person_or_a_collection",
            )
        ]

    def __str__(self) -> str:
        return f"quota of {self.person or self.collection}"
