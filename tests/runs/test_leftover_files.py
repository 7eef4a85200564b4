"""Files that killed processes left in the data directory are deleted automatically."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from django.conf import settings

from evaluation.runs.source import LEFT_BEHIND_SECONDS, tidy


def _aged(path: Path) -> Path:
    then = time.time() - LEFT_BEHIND_SECONDS - 60
    os.utime(path, (then, then))
    return path


@pytest.mark.django_db
def test_old_temporary_files_are_deleted_and_recent_ones_stay() -> None:
    folder = settings.TEMPORARY_DIR / "import-left"
    folder.mkdir()
    (folder / "pages.json").write_text("{}")
    names = (settings.TEMPORARY_DIR / "x.upload", settings.UPLOAD_DIR / "incoming-x", settings.UPLOAD_DIR / "abc123")
    for name in names:
        name.write_bytes(b"x")
    left = [_aged(folder), *map(_aged, names)]
    new = settings.TEMPORARY_DIR / "new.upload"
    new.write_bytes(b"x")
    kept = [new, left.pop()]
    tidy()
    assert [path for path in (*left, *kept) if path.exists()] == kept
    for path in kept:
        path.unlink()


def test_temporary_files_are_private_to_their_owner() -> None:
    assert settings.TEMPORARY_DIR.is_relative_to(settings.DATA_DIR)
    assert settings.TEMPORARY_DIR.stat().st_mode & 0o777 == 0o700
