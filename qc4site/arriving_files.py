"""Where the files of a request are put while it arrives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler


class TemporaryFiles(TemporaryFileUploadHandler):
    """Django's, which leaves what it has of a file lying about for a while where the disk is full in the middle."""

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        with self._removed_if_it_fails():
            super().receive_data_chunk(raw_data, start)

    def file_complete(self, file_size: int) -> UploadedFile[Any] | None:
        with self._removed_if_it_fails():
            return super().file_complete(file_size)

    @contextmanager
    def _removed_if_it_fails(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            with suppress(OSError):  # what is still to be written finds no room either
                self.upload_interrupted()
            raise
