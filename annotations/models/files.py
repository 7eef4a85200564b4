"""Files behind rows, each in a table of its own: rows are listed all the time, their files are read one by one."""

from __future__ import annotations

import zlib

from django.db import models


class PackedFile(models.Model):
    """A row's file, zlib-compressed. The row holds the SHA-256 of its content."""

    packed = models.BinaryField()

    class Meta:
        abstract = True

    @property
    def content(self) -> bytes:
        return zlib.decompress(bytes(self.packed))
