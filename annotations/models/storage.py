"""Base models for rows that hold files or count against quotas, and the permit to remove protected rows."""

from __future__ import annotations

import zlib
from typing import ClassVar

from django.db import models

from annotations.limits import LINE_CHARS


class Stored(models.Model):
    """A model whose storage counts against quotas, including the rows that are deleted with it.

    Attributes:
        part: the name of these rows in messages, in the plural.
        of_collection: the lookup path to the collection whose quota they count against; "" for none.
        of_person: the lookup path to the person whose quota they count against.
    """

    part: ClassVar[str]
    of_collection: ClassVar[str] = "collection"
    of_person: ClassVar[str] = "created_by"

    # Size of the texts and files, as stored.
    stored_bytes = models.PositiveBigIntegerField(default=0)
    stored_rows = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True

    def measured(self) -> tuple[int, int]:
        """Count the stored bytes and rows again. The result must equal the two columns."""
        raise NotImplementedError


# --- Files ------------------------------------------------------------------------------------------------------------
# Files are in separate tables, because rows are listed often but their files are read one at a time.


class PackedFile(models.Model):
    """The file of a row, zlib-compressed. The row holds the SHA-256 of the content."""

    packed = models.BinaryField()

    class Meta:
        abstract = True

    @property
    def content(self) -> bytes:
        return zlib.decompress(bytes(self.packed))


# --- Removal of published rows ----------------------------------------------------------------------------------------


class Removal(models.Model):
    """A permit for the current transaction to remove rows that triggers protect (`annotations.collections.removal`).

    The row is deleted before the transaction ends, so no other transaction ever sees it.
    """

    why = models.CharField(max_length=LINE_CHARS)

    def __str__(self) -> str:
        return self.why
