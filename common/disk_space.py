"""What is said where the disk is full or not to be written, whoever noticed: this rule, files, or the database."""

from __future__ import annotations

import errno
import shutil
from dataclasses import dataclass

from django.conf import settings
from django.template.defaultfilters import filesizeformat

from common.database import error_code
from qc4.problems import InputError, Problem


@dataclass(frozen=True, slots=True)
class Lack:
    """Why nothing can be stored just now. Whatever had been begun is taken back."""

    status: int
    code: str
    sentence: str
    fix: str = "Tell whoever runs the site. What was stored before is not lost, and reading works as ever."


FULL = Lack(507, "no-space", "The site has no room left on its disk, so nothing was stored.")
READ_ONLY = Lack(503, "read-only", "The site cannot write to its disk just now, so nothing was stored.")

_ERRNO = {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EROFS: READ_ONLY}
_BY_CODE = {"SQLITE_FULL": FULL, "SQLITE_READONLY": READ_ONLY, "53100": FULL, "25006": READ_ONLY}


class NoSpaceError(InputError):
    """Less is free than is kept free."""

    def __init__(self, free: int) -> None:
        found, floor = (filesizeformat(size).replace("\xa0", " ") for size in (free, settings.FREE_SPACE_BYTES))
        super().__init__([Problem(FULL.code, "the site's disk", f"{found} free", f"at least {floor}", FULL.fix)])


def keep_free(more_bytes: int = 0) -> None:
    """Refuse to store so much more where too little would be left for the site to go on.

    Raises:
        NoSpaceError: that is so.
    """
    free = shutil.disk_usage(settings.DATA_DIR).free - more_bytes
    if free < settings.FREE_SPACE_BYTES:
        raise NoSpaceError(max(free, 0))


def lacking(error: BaseException | None) -> Lack | None:
    """What to say of an error that stands for a full or read-only disk; None of every other."""
    while error is not None:
        if isinstance(error, NoSpaceError):
            return FULL
        if isinstance(error, OSError) and error.errno in _ERRNO:
            return _ERRNO[error.errno]
        if (code := error_code(error)) in _BY_CODE:
            return _BY_CODE[code]
        error = error.__cause__
    return None
