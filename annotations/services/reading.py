"""Read files that people send: small ones at once, others in a process of their own, under a ceiling.

What any file may cost a process that answers requests: about a second and 100 MB here (`QUICK`), and what a file
holds, up to `CEILING.answer_bytes`, where it was read apart. `python -m bench hostile` measures it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, TypeVar

from annotations.limits import CEILING, LIMITS, QUICK_AMOUNTS, READ_AT_ONCE, READ_WAIT_SECONDS
from qc4.formats import Limits
from qc4.formats.apart import call_apart
from qc4.formats.source import UNNAMED, FileSource, read_blob
from qc4.problems import InputError

Result = TypeVar("Result")
_STRICTER = {f"limit-{name.replace('_', '-')}" for name in QUICK_AMOUNTS}
_places = BoundedSemaphore(READ_AT_ONCE)
"""So that many large files at once do not take all memory: the others wait for their turn."""


class CrowdedError(Exception):
    """Others' large files are being read, for longer than somebody should wait."""


def read_sent(
    reader: Callable[..., Result],
    source: FileSource,
    *arguments: Any,
    name: str | None = None,
    limits: Limits = LIMITS,
    **named: Any,
) -> Result:
    """What a reader makes of a file that somebody sent: ``reader(source, *arguments, name=…, limits=…, **named)``.

    Args:
        reader: a function of a module that knows nothing of Django; a large file is read by it in another process.
        source: also a folder, where the reader takes one.
        name: what messages call the file.
        limits: what it may hold.

    Raises:
        InputError: as the reader; ``too-costly`` where reading takes more than the site spends on a file.
        CrowdedError: so many large files are being read that this one's turn does not come.
    """
    path = Path(source).resolve() if isinstance(source, str | os.PathLike) else None
    given: bytes | Path
    if path is not None and path.is_dir():
        given, called = path, name
        size = sum(entry.stat().st_size for entry in path.rglob("*") if entry.is_file() and not entry.is_symlink())
    else:
        blob = read_blob(source, name, limits)
        given, called, size = blob.data, blob.name, len(blob.data)
    if size <= QUICK_AMOUNTS["file_bytes"]:
        try:
            return reader(given, *arguments, name=called, limits=replace(limits, **QUICK_AMOUNTS), **named)
        except InputError as error:
            if not any(problem.code in _STRICTER for problem in error.problems):
                raise
    where, named = called or (path.name if path else UNNAMED), {**named, "name": called, "limits": limits}
    if not _places.acquire(timeout=READ_WAIT_SECONDS):
        raise CrowdedError(f"{where}: no turn to be read within {READ_WAIT_SECONDS} seconds")
    try:
        return call_apart(reader, path or given, *arguments, ceiling=CEILING, where=where, **named)
    finally:
        _places.release()
