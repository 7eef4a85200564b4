"""Collections, their queries and pages, guidelines and quotas."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from accounts.limits import REASON_CHARS
from annotations.limits import LANGUAGE_CHARS, LICENCE_CHARS, LINE_CHARS, NAME_CHARS, SLUG_CHARS, URL_CHARS
from annotations.models.storage import Stored
from common.limits import KEY_CHARS
from qc4.model import gold_document as document


class ImportedCollections(models.Manager["Collection"]):
    """Collections whose import is complete (`annotations.imports.services`)."""

    def get_queryset(self) -> models.QuerySet[Collection]:
        return super().get_queryset().filter(arriving_at__isnull=True)


class Collection(models.Model):
    """A test collection. Private to its members, or public for everyone to read."""

    class Visibility(models.TextChoices):
        PRIVATE = "private"
        PUBLIC = "public"

    class Participation(models.TextChoices):
        """Who may submit besides owners and submitters. `annotations.access` applies this."""

        MEMBERS = "members"
        REQUEST = "request"
        ANYBODY = "anybody"

    class Timing(models.TextChoices):
        """Whether curation time is computed from the times of people's steps."""

        ON = "on"
        OFF = "off"

    FACE = ("licence", "licence_url", "citation", "contact", "language")
    """Metadata that owners may add to the name and description. All of it is optional."""

    slug = models.SlugField(max_length=SLUG_CHARS, unique=True)
    name = models.CharField(max_length=NAME_CHARS)
    description = models.TextField(blank=True)
    # An SPDX name or free text, and the URL of the licence text.
    licence = models.CharField(max_length=LICENCE_CHARS, blank=True, default="")
    licence_url = models.CharField(max_length=URL_CHARS, blank=True, default="")
    # BibTeX entries for citing the collection.
    citation = models.TextField(blank=True, default="")
    # An e-mail address, a URL or free text.
    contact = models.CharField(max_length=LINE_CHARS, blank=True, default="")
    # The language of the queries, as a tag such as "en" or "tr".
    language = models.CharField(max_length=LANGUAGE_CHARS, blank=True, default="")
    visibility = models.CharField(max_length=7, choices=Visibility, default=Visibility.PRIVATE)
    # Why an administrator hid the collection. It stays private while there is a reason.
    hidden_for = models.CharField(max_length=REASON_CHARS, blank=True, default="")
    participation = models.CharField(max_length=7, choices=Participation, default=Participation.MEMBERS)
    timing = models.CharField(max_length=3, choices=Timing, default=Timing.ON)
    # The current version of the guidelines, or 0 if there are none. Stored here because browsers poll it every second.
    guidelines_number = models.PositiveIntegerField(default=0)
    # Messages about what the import decided or dropped ("441 empty subtopics dropped").
    import_notes = models.JSONField(default=list, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    # When the import last stored something; null once it is complete. Until then nobody can see the collection.
    arriving_at = models.DateTimeField(null=True, editable=False)

    objects = ImportedCollections()
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
        """The URL of the licence text; "" if unknown."""
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
"""Licences that forms offer. Free text is accepted as well."""
_SPDX_BY_CASEFOLDED_NAME = {name.casefold(): name for name in SPDX}


def licence_address(licence: str, given: str = "") -> str:
    """Return the given URL, or else the page of the licence's SPDX name, or "" for a licence in free text."""
    name = _SPDX_BY_CASEFOLDED_NAME.get(licence.strip().casefold())
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
        """The number of pages. It equals the stored rows, because a query is created together with all its pages."""
        return self.stored_rows

    def measured(self) -> tuple[int, int]:
        return size_of_pages(self.pages.all())


TOTAL_PAGES = models.Sum("stored_rows")
"""Aggregate: the total number of pages of the selected queries (`Query.n_pages`)."""


class PageQuerySet(models.QuerySet["Page"]):
    """Pages. Imports and page lists need whole pages, so texts are columns of this table."""

    def without_texts(self) -> PageQuerySet:
        """Return pages without their long columns, for lists."""
        return self.defer("text", "extra")


class Page(models.Model):
    """One search result. Its text is untrusted: it is escaped and never rendered, and its URL is never fetched."""

    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="pages")
    key = models.CharField(max_length=KEY_CHARS)
    position = models.PositiveIntegerField()
    rank = models.PositiveIntegerField(null=True)
    url = models.TextField(null=True)  # noqa: DJ001 - null and "" are different in qc4-gold/1 and must come back as given
    title = models.TextField(null=True)  # noqa: DJ001 - as above
    snippet = models.TextField(null=True)  # noqa: DJ001 - as above
    text = models.TextField(null=True)  # noqa: DJ001 - as above
    extra = models.JSONField(default=dict, blank=True)

    objects = PageQuerySet.as_manager()

    class Meta:
        ordering = ("query_id", "position")
        constraints = [
            models.UniqueConstraint(fields=("query", "key"), name="page_key_once_per_query"),
            models.UniqueConstraint(fields=("query", "position"), name="page_position_once_per_query"),
        ]

    def __str__(self) -> str:
        return self.title or self.key


def size_of_pages(pages: Iterable[Page | document.Page]) -> tuple[int, int]:
    """Return the total size of the pages' texts in bytes, and the number of pages."""
    texts = [[page.url, page.title, page.snippet, page.text] for page in pages]
    return sum(len(text.encode()) for of_page in texts for text in of_page if text), len(texts)


# --- Guidelines -------------------------------------------------------------------------------------------------------
# Every version is stored, and a trigger prevents changes.


class GuidelinesVersion(models.Model):
    """A version of a collection's guidelines, as Markdown. The highest number is the current version."""

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
    """The latest version of a collection's guidelines that a person has read."""

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
    """A quota of one person or collection that replaces the site's quota. The site's value applies where it is null."""

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
