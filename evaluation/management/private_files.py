"""Files of the site are for its own account on the machine alone: no other one reads drafts or hashes there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""What group and others might do."""


def mend(folder: Path) -> tuple[int, list[str]]:
    """Take away what others may do with anything in a folder, and with itself; links are not followed.

    Returns:
        How many files and folders were mended, and a sentence for each that cannot be: it belongs to somebody else.
    """
    mended, left = 0, []
    for path in _everything(folder):
        try:
            found = path.lstat()
            if not stat.S_ISLNK(found.st_mode) and found.st_mode & OTHERS:
                path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
                mended += 1
        except FileNotFoundError:  # another process removed it in this instant
            continue
        except OSError as error:
            left.append(f"Others may read {path}: {error.strerror}. Have it belong to the account that runs the site.")
    return mended, left


def _everything(folder: Path) -> Iterator[Path]:
    yield folder
    for parent, folders, files in os.walk(folder):
        yield from (Path(parent, name) for name in (*folders, *files))
