"""Read files that people send: small ones at once, others in a process of their own, under a ceiling.

What any file may cost a process that answers requests: about a second and 100 MB here (`QUICK`), and what a file
holds, up to `CEILING.answer_bytes`, where it was read apart. `python -m bench hostile` measures it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from common.capacity import slow_work
from common.limits import CEILING, LIGHT_BYTES, LIMITS, QUICK_AMOUNTS, READ_AT_ONCE
from common.sandbox import call_apart
from qc4.io import Limits
from qc4.io.source import UNNAMED, FileSource, read_blob
from qc4.problems import InputError

Result = TypeVar("Result")
_STRICTER = {f"limit-{name.replace('_', '-')}" for name in QUICK_AMOUNTS}
_ARCHIVE = b"PK"
"""What a ZIP begins with."""


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
        CrowdedError: other slow work is in the way; nobody waits for it here.
    """
    path = Path(source).resolve() if isinstance(source, str | os.PathLike) else None
    given: bytes | Path
    if path is not None and path.is_dir():
        given, called = path, name
        size = sum(entry.stat().st_size for entry in path.rglob("*") if entry.is_file() and not entry.is_symlink())
    else:
        blob = read_blob(source, name, limits)
        given, called, size = blob.data, blob.name, len(blob.data)
    where = called or (path.name if path else UNNAMED)
    is_light = isinstance(given, bytes) and size <= LIGHT_BYTES and not given.startswith(_ARCHIVE)
    with slow_work("reading a file", when=not is_light):
        if size <= QUICK_AMOUNTS["file_bytes"]:
            try:
                return reader(given, *arguments, name=called, limits=replace(limits, **QUICK_AMOUNTS), **named)
            except InputError as error:
                if not any(problem.code in _STRICTER for problem in error.problems):
                    raise
        named |= {"name": called, "limits": limits}
        with slow_work("reading a file apart", at_once=READ_AT_ONCE):
            return call_apart(reader, path or given, *arguments, ceiling=CEILING, where=where, **named)
