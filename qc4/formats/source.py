"""Where input comes from: a path, bytes, what gives bytes, or an object that is already parsed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from qc4.formats.collecting import FileProblems
from qc4.formats.limits import Limits
from qc4.problems import InputError, Problem
from qc4.problems.wording import kind_of


class Readable(Protocol):
    """Anything that gives bytes: an open file, an uploaded file, the body of a request."""

    def read(self, size: int = -1, /) -> bytes: ...


FileSource = str | os.PathLike[str] | bytes | Readable
Source = FileSource | Mapping[str, Any]

UNNAMED = "input"


@dataclass(frozen=True, slots=True)
class Blob:
    """The bytes of one file and the name that messages use for it."""

    name: str
    data: bytes

    @property
    def stem(self) -> str:
        """The file name without folders and endings: a fallback for ids."""
        return Path(self.name.rsplit("/", 1)[-1]).name.split(".", 1)[0]


def read_blob(source: FileSource, name: str | None, limits: Limits) -> Blob:
    """Read one file, never more of it than the limit ``file_bytes``.

    Args:
        source: a path, the bytes themselves, or what gives them.
        name: what to call it in messages; by default its path or its ``name``.

    Raises:
        InputError: missing, unreadable, or larger than the limit.
    """
    if isinstance(source, bytes):
        return _within_limit(Blob(name or UNNAMED, source), limits)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        label = name or path.name
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                _refuse_size(label, size, limits)
                return _within_limit(Blob(label, file.read(limits.file_bytes + 1)), limits)
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError([Problem("unreadable-file", str(path), reason, "a file that can be read")]) from None
    if not hasattr(source, "read"):
        expected = "a path, bytes, a file opened in binary mode, or the object of a file as a dict"
        raise InputError([Problem("unreadable-file", name or UNNAMED, kind_of(source), expected)])
    label = name or str(getattr(source, "name", None) or UNNAMED)
    data = source.read(limits.file_bytes + 1)
    if not isinstance(data, bytes):
        raise InputError([Problem("unreadable-file", label, "a file opened as text", "a file opened in binary mode")])
    return _within_limit(Blob(label, data), limits)


def _within_limit(blob: Blob, limits: Limits) -> Blob:
    _refuse_size(blob.name, len(blob.data), limits, at_least=True)
    return blob


def _refuse_size(name: str, size: int, limits: Limits, *, at_least: bool = False) -> None:
    problems = FileProblems()
    limits.exceeded("file_bytes", size, name, problems, at_least=at_least)
    problems.refuse_errors()
