"""Sources of input: a path, bytes, a binary file object, or an object that is already parsed."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from qc4.io.kinds import ExpectedFile, empty_file, reject_foreign
from qc4.io.limits import FileProblems, Limits
from qc4.problems import InputError, Problem
from qc4.wording import type_with_article


class Readable(Protocol):
    """A source of bytes: an open file, an uploaded file, or the body of a request."""

    def read(self, size: int = -1, /) -> bytes: ...


FileSource = str | os.PathLike[str] | bytes | Readable
Source = FileSource | Mapping[str, Any]

UNNAMED = "input"


@dataclass(frozen=True, slots=True)
class Blob:
    """The bytes of one file and its name in messages."""

    name: str
    data: bytes

    @property
    def stem(self) -> str:
        """The file name without folders and extensions, used as a fallback for ids."""
        return Path(self.name.rsplit("/", 1)[-1]).name.split(".", 1)[0]


def read_blob(source: FileSource, name: str | None, limits: Limits) -> Blob:
    """Read one file, but never more than the limit ``file_bytes``.

    Args:
        source: a path, the bytes themselves, or a binary file object.
        name: name of the file in messages; by default its path or its ``name``.

    Raises:
        InputError: the file is missing, unreadable, or larger than the limit.
    """
    if isinstance(source, bytes):
        return _within_limit(Blob(name or UNNAMED, source), limits)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        label = name or path.name
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                _check_size(label, size, limits)
                return _within_limit(Blob(label, file.read(limits.file_bytes + 1)), limits)
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError([Problem("unreadable-file", str(path), reason, "a file that can be read")]) from None
    if not hasattr(source, "read"):
        expected = "a path, bytes, a file opened in binary mode, or the object of a file as a dict"
        raise InputError([Problem("unreadable-file", name or UNNAMED, type_with_article(source), expected)])
    label = name or str(getattr(source, "name", None) or UNNAMED)
    data = source.read(limits.file_bytes + 1)
    if not isinstance(data, bytes):
        raise InputError([Problem("unreadable-file", label, "a file opened as text", "a file opened in binary mode")])
    return _within_limit(Blob(label, data), limits)


def _within_limit(blob: Blob, limits: Limits) -> Blob:
    _check_size(blob.name, len(blob.data), limits, at_least=True)
    return blob


def _check_size(name: str, size: int, limits: Limits, *, at_least: bool = False) -> None:
    problems = FileProblems()
    limits.exceeded("file_bytes", size, name, problems, at_least=at_least)
    problems.refuse_errors()


# --- Bytes to text and lines: UTF-8 only; byte order mark and CRLF are accepted ---

_FOREIGN_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_SAVE_AS_UTF8 = "Save the file as UTF-8; in Python: open(path, 'w', encoding='utf-8')."


def decode(data: bytes, name: str, ours: ExpectedFile | None = None) -> str:
    """Return the text of a file without its byte order mark.

    Args:
        ours: the expected kind of file, an example of which is shown if the file is empty.

    Raises:
        InputError: the file is of a foreign kind, empty, or not UTF-8 (the message has the offset of the first wrong
            byte).
    """
    if ours is not None:
        reject_foreign(data, name, ours)
    for mark, encoding in _FOREIGN_MARKS.items():
        if data.startswith(mark):
            raise InputError([Problem("not-utf8", name, f"{encoding} text", "UTF-8 text", _SAVE_AS_UTF8)])
    body = data.removeprefix(codecs.BOM_UTF8)
    if (nul := body.find(b"\0")) >= 0:
        line = body.count(b"\n", 0, nul) + 1
        where = f"{name}: line {line}"
        raise InputError([Problem("bad-character", where, "the character U+0000", "text without it")])
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start + len(data) - len(body)
        line = body.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{body[error.start]:02x} at offset {offset}, which is not UTF-8"
        raise InputError([Problem("not-utf8", f"{name}: line {line}", found, "UTF-8 text", _SAVE_AS_UTF8)]) from None
    if not text.strip():
        raise InputError([empty_file(name, ours)])
    return text


def filled_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text that are not blank. Often only the first is needed."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)].removesuffix("\r")
        if line.strip():
            yield line
        start = end + 1 if end >= 0 else len(text)


def lines(text: str) -> list[str]:
    """Return the lines of a text. Only LF and CRLF end a line: other Unicode separators are data."""
    parts = [line.removesuffix("\r") for line in text.split("\n")]
    if parts and not parts[-1]:
        parts.pop()
    return parts
