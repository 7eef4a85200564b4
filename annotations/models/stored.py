"""What quotas count: each table of things that hold much says of every row how much, when it is written."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


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
