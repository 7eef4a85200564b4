"""Restrict the site's files to its own account on the machine, so that no other account can read drafts or hashes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""The permissions of group and others."""


def mend(folder: Path) -> tuple[int, list[str]]:
    """Remove the permissions of group and others from a folder and everything in it; links are not followed.

    Returns:
        The number of files and folders changed, and a sentence for each that cannot be changed because another account
        owns it.
    """
    mended, left = 0, []
    for path in _everything(folder):
        try:
            found = path.lstat()
            if not stat.S_ISLNK(found.st_mode) and found.st_mode & OTHERS:
                path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
                mended += 1
        except FileNotFoundError:  # another process has just removed it
            continue
        except OSError as error:
            left.append(
                f"Others can read {path}: {error.strerror}. Change its owner to the account that runs the site."
            )
    return mended, left


def _everything(folder: Path) -> Iterator[Path]:
    yield folder
    for parent, folders, files in os.walk(folder):
        yield from (Path(parent, name) for name in (*folders, *files))
