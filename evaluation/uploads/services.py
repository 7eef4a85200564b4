"""Store uploaded files unchanged, and delete unused ones."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from accounts.models import User
from annotations.collections import storage
from annotations.collections.removal import allow_removal
from common.limits import FILE_NAME_CHARS, LIMITS
from evaluation.limits import UPLOAD_DAYS
from evaluation.models import Run, Upload
from qc4.io.kinds import CLUSTERINGS, ExpectedFile, empty_file
from qc4.io.source import Readable
from qc4.problems import InputError, Problem, ProblemList

INCOMING = "incoming-"
"""Prefix of the names of incomplete files."""
_CHUNK = 256 * 1024
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# A fixed date, so that the same folder always gives the same ZIP.
_NO_DATE = (1980, 1, 1, 0, 0, 0)


def store(source: Readable, name: str, user: User | None, ours: ExpectedFile = CLUSTERINGS) -> Upload:
    """Store a file under the hash of its bytes, one chunk in memory at a time.

    Raises:
        InputError: the file is empty, exceeds the limit ``file_bytes``, or exceeds the rest of the user's quota.
    """
    name = clean_name(name)
    handle, temporary = tempfile.mkstemp(dir=settings.UPLOAD_DIR, prefix=INCOMING)
    try:
        with os.fdopen(handle, "wb") as target:
            sha256, size = _copy(source, target, name, ours)
        storage.check_quota(user, None, size)
        # Create the row first: a concurrent deletion of the same, unused bytes looks for it.
        upload = Upload.objects.create(
            sha256=sha256, name=name, size=size, uploaded_by=user, stored_bytes=size, stored_rows=1
        )
        os.replace(temporary, settings.UPLOAD_DIR / sha256)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    delete_abandoned()
    return upload


def store_path(path: Path, user: User | None) -> Upload:
    """Store a file, or a folder as a ZIP.

    Raises:
        InputError: as `store`, or the path cannot be read.
    """
    try:
        if path.is_dir():
            with tempfile.TemporaryFile(dir=settings.UPLOAD_DIR) as packed:
                _pack(path, packed)
                packed.seek(0)
                return store(packed, f"{path.resolve().name}.zip", user)
        with path.open("rb") as file:
            return store(file, path.name, user)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError([Problem("unreadable-file", str(path), reason, "a file that can be read")]) from None


def path_of(upload: Upload) -> Path:
    """Return the path of an upload's bytes."""
    path: Path = settings.UPLOAD_DIR / upload.sha256
    return path


@contextmanager
def opened(upload: Upload) -> Iterator[BinaryIO]:
    """Open an upload for reading.

    Raises:
        InputError: the file is missing (the folder of uploads was emptied or not copied).
    """
    try:
        file = path_of(upload).open("rb")
    except OSError:
        problem = Problem("upload-gone", upload.name, "no stored file", "the uploaded file", "Upload it again.")
        raise InputError([problem]) from None
    with file:
        yield file


@contextmanager
def deleted_on_error(upload: Upload) -> Iterator[Upload]:
    """Yield an upload while it is processed; delete it if an error occurs."""
    try:
        yield upload
    except BaseException:
        delete_unused(upload)
        raise


def delete_unused(upload: Upload) -> None:
    """Delete an upload that nothing refers to, and its bytes once the transaction is committed."""
    if upload.submissions.exists() or upload.runs.exists():
        return
    sha256 = upload.sha256
    with allow_removal("an upload nothing refers to"):
        upload.delete()
    transaction.on_commit(lambda: _remove_bytes(sha256))


def delete_abandoned() -> None:
    """Delete uploads that were checked and not used within a day.

    Uploads whose runs all failed or were cancelled are deleted too, if none was repeated for `UPLOAD_DAYS`.
    """
    old = Upload.objects.filter(created_at__lt=Now() - timedelta(days=1))
    for upload in old.filter(submissions__isnull=True, runs__isnull=True):
        delete_unused(upload)
    nothing = Q(state__in=(Run.State.FAILED, Run.State.CANCELLED), finished_at__lt=Now() - timedelta(days=UPLOAD_DAYS))
    used = Run.objects.filter(~nothing, upload=OuterRef("pk"))
    for upload in Upload.objects.filter(~Exists(used), submissions__isnull=True, runs__isnull=False).distinct():
        with transaction.atomic():
            upload.runs.filter(nothing).update(upload=None)
            delete_unused(upload)  # keeps the upload if a run was repeated at this moment


def clean_name(name: str) -> str:
    """Return a file name to show: no folders, no control or text-direction characters, limited length."""
    base = re.split(r"[/\\]", name)[-1]
    return _UNPRINTABLE.sub("", base).strip()[-FILE_NAME_CHARS:] or "upload"


def _remove_bytes(sha256: str) -> None:
    if not Upload.objects.filter(sha256=sha256).exists():
        (settings.UPLOAD_DIR / sha256).unlink(missing_ok=True)


def _copy(source: Readable, target: BinaryIO, name: str, ours: ExpectedFile) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    problems = ProblemList()
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        LIMITS.exceeded("file_bytes", size, name, problems, at_least=True)
        problems.refuse_errors()
        digest.update(chunk)
        target.write(chunk)
    if not size:
        raise InputError([empty_file(name, ours)])
    return digest.hexdigest(), size


def _pack(folder: Path, target: BinaryIO) -> None:
    """Pack the files that readers accept, without hidden files and links."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.is_file() and not path.is_symlink() and not any(part.startswith(".") for part in name.parts):
                content = path.read_bytes()
                info = zipfile.ZipInfo(name.as_posix(), _NO_DATE)
                info.compress_type = _compression(content)
                archive.writestr(info, content)


def _compression(content: bytes) -> int:
    """Avoid compressing so much that the reader would suspect a ZIP bomb."""
    ratio = len(content) / max(len(zlib.compress(content, 1)), 1)
    return zipfile.ZIP_DEFLATED if ratio < LIMITS.archive_ratio / 4 else zipfile.ZIP_STORED


# --- Files of a form, copied to a folder ---


@contextmanager
def files_in_folder(files: Sequence[UploadedFile[bytes]]) -> Iterator[Path]:
    """Yield the path of a single file, or of a folder with all files; deleted when the block ends."""
    with tempfile.TemporaryDirectory(dir=settings.TEMPORARY_DIR, prefix="import-") as folder:
        below = Path(folder) / "files"
        below.mkdir()
        for number, file in enumerate(files):
            name = clean_name(file.name or "")
            target = below / name
            if target.exists():
                target = below / f"{number}-{name}"
            with target.open("wb") as copy:
                shutil.copyfileobj(file, copy)
        yield below if len(files) > 1 else target
