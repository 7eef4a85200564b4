"""Bytes to text and lines: UTF-8 only, byte order mark and CRLF accepted."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from qc4.formats.kinds import Ours, empty_file, refuse_foreign
from qc4.problems import InputError, Problem

_FOREIGN_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_SAVE_AS_UTF8 = "Save the file as UTF-8; in Python: open(path, 'w', encoding='utf-8')."


def decode(data: bytes, name: str, ours: Ours | None = None) -> str:
    """The text of a file, without its byte order mark.

    Args:
        ours: what is taken here, an example of which is shown to whoever sends nothing.

    Raises:
        InputError: a file of another kind, empty, or not UTF-8 (names the offset of the first wrong byte).
    """
    if ours is not None:
        refuse_foreign(data, name, ours)
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
    """The lines of a text that are not blank, one by one: often the first one is enough."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)].removesuffix("\r")
        if line.strip():
            yield line
        start = end + 1 if end >= 0 else len(text)


def lines(text: str) -> list[str]:
    """The lines of a text. Only LF and CRLF end a line: other Unicode separators are data."""
    parts = [line.removesuffix("\r") for line in text.split("\n")]
    if parts and not parts[-1]:
        parts.pop()
    return parts
