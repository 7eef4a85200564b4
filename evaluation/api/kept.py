"""Files of the API on their way into the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from accounts.models import User
from evaluation.models import Upload
from evaluation.services import uploads
from qc4.formats.source import Readable


@contextmanager
def kept(source: Readable, name: str, user: User) -> Iterator[Upload]:
    """Keep a file while something is made of it; what is refused leaves no file behind."""
    upload = uploads.store(source, name, user)
    try:
        yield upload
    except BaseException:
        uploads.delete_unused(upload)
        raise
