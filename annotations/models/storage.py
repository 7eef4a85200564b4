"""Bases of tables that hold files or count against quotas, and the permit to remove rows."""

from __future__ import annotations

import zlib
from typing import ClassVar

from django.db import models

from annotations.limits import LINE_CHARS


class Stored(models.Model):
    """A thing that holds much, with all that goes when it is deleted.

    Attributes:
        part: what people call these things.
        of_collection: where the collection stands whose storage they take; "" for none.
        of_person: where the person stands whose storage they take.
    """

    part: ClassVar[str]
    of_collection: ClassVar[str] = "collection"
    of_person: ClassVar[str] = "created_by"

    # Of its texts and files, as they are kept.
    stored_bytes = models.PositiveBigIntegerField(default=0)
    stored_rows = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True

    def measured(self) -> tuple[int, int]:
        """Bytes and rows as they are found, which is what the columns say."""
        raise NotImplementedError


# --- Files ------------------------------------------------------------------------------------------------------------
# Each has a table of its own, because rows are listed all the time and their files are read one by one.


class PackedFile(models.Model):
    """A row's file, zlib-compressed. The row holds the SHA-256 of its content."""

    packed = models.BinaryField()

    class Meta:
        abstract = True

    @property
    def content(self) -> bytes:
        return zlib.decompress(bytes(self.packed))


# --- Removal of published rows ----------------------------------------------------------------------------------------


class Removal(models.Model):
    """That a transaction removes what triggers hold otherwise (`annotations.collections.removal`).

    The row is there while the transaction works, and taken back before its end: no other one ever sees it.
    """

    why = models.CharField(max_length=LINE_CHARS)

    def __str__(self) -> str:
        return self.why
