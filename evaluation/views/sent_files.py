"""Files as a form sent them, put where readers of files find them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from evaluation.services import uploads


@contextmanager
def gathered(files: Sequence[UploadedFile[bytes]]) -> Iterator[Path]:
    """One file under its own name, or a folder of all of them, for as long as the block lasts."""
    with tempfile.TemporaryDirectory(dir=settings.TEMPORARY_DIR, prefix="import-") as folder:
        below = Path(folder) / "files"
        below.mkdir()
        for number, file in enumerate(files):
            name = uploads.clean_name(file.name or "")
            target = below / name
            if target.exists():
                target = below / f"{number}-{name}"
            with target.open("wb") as copy:
                shutil.copyfileobj(file, copy)
        yield below if len(files) > 1 else target
