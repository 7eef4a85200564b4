"""What lies in the data folder is for the account of the site alone."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache

from accounts.models import User
from evaluation.management.private_files import OTHERS, mend
from evaluation.uploads import services as uploads


def exposed(folder: Path) -> list[Path]:
    return [path for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & OTHERS]


def test_what_others_could_read_is_mended_and_programs_stay_programs(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.touch(0o644)
    data = tmp_path / "data"
    (data / "uploads").mkdir(parents=True)
    (data / "uploads" / "one").touch()
    (data / "tool").touch()
    (data / "link").symlink_to(outside)
    for path, mode in ((data, 0o755), (data / "uploads", 0o775), (data / "uploads" / "one", 0o644)):
        path.chmod(mode)
    (data / "tool").chmod(0o755)
    outside.chmod(0o644)
    assert mend(data) == (4, [])
    assert (data / "tool").stat().st_mode & 0o777 == 0o700
    assert (data / "uploads" / "one").stat().st_mode & 0o777 == 0o600
    assert outside.stat().st_mode & 0o777 == 0o644
    assert mend(data) == (0, [])


def test_what_belongs_to_somebody_else_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)

    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refused)
    mended, left = mend(tmp_path)
    assert mended == 0
    assert str(tmp_path) in left[0]


def test_what_the_site_writes_is_its_own(owner: User, db: None) -> None:
    cache.set("a", 1)
    uploads.store(io.BytesIO(b"as submitted"), "a.jsonl", owner)
    assert os.umask(0o077) == 0o077
    assert exposed(settings.DATA_DIR) == []
