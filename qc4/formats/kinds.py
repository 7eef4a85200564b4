"""Files that are none of ours: what they are, told by their first bytes, and how to make one of ours of them."""

from __future__ import annotations

import io
import zipfile
from typing import NamedTuple

from qc4.problems import InputError, Problem

EXAMPLE = '{"format": "qc4-clustering/1", "query": "jaguar", "clusters": [{"id": "cars", "pages": ["p1", "p2"]}]}'
"""The smallest file with a clustering, as messages show it."""

EXPECTED = "text: JSON, JSON Lines, CSV, TSV or Carrot2 XML, or a ZIP of such files"
_TABLE = "Save it as CSV (UTF-8) with a header line: query,page,cluster."
_WRITE = f"Write the clusters as text, for example {EXAMPLE}"
_UNPACK = "Unpack it, and pack its files as one ZIP."


class Kind(NamedTuple):
    """A kind of file that nobody can read clusters from."""

    begins: tuple[bytes, ...]
    what: str
    fix: str


_KINDS = (
    Kind((b"\x89PNG\r\n\x1a\n",), "a PNG image", _WRITE),
    Kind((b"\xff\xd8\xff",), "a JPEG image", _WRITE),
    Kind((b"GIF87a", b"GIF89a"), "a GIF image", _WRITE),
    Kind((b"%PDF-",), "a PDF document", _WRITE),
    Kind((b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",), "an Excel or Word file of the old kind", _TABLE),
    Kind((b"\x93NUMPY",), "an array of NumPy (.npy)", f"Vectors are brought in on their own page. {_WRITE}"),
    Kind(
        (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"), "a pickle of Python", f"Use json.dump instead. {_WRITE}"
    ),
    Kind((b"PAR1",), "a Parquet file", "Save it as CSV, in pandas: frame.to_csv(path, index=False)."),
    Kind((b"SQLite format 3\x00",), "an SQLite database", _TABLE),
    Kind((b"\x1f\x8b",), "a gzip file", _UNPACK),
    Kind((b"BZh",), "a bzip2 file", _UNPACK),
    Kind((b"\xfd7zXZ\x00",), "an xz file", _UNPACK),
    Kind((b"\x28\xb5\x2f\xfd",), "a Zstandard file", _UNPACK),
    Kind((b"7z\xbc\xaf\x27\x1c",), "a 7z archive", _UNPACK),
    Kind((b"Rar!\x1a\x07",), "a RAR archive", _UNPACK),
)
_OFFICE = {"xl/": "an Excel file (.xlsx)", "word/": "a Word file (.docx)", "ppt/": "a PowerPoint file (.pptx)"}
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument"
_TAR_AT, _TAR = 257, b"ustar"
_HTML = (b"<!doctype html", b"<html", b"<head", b"<body")
_LOOKED_AT = 1024


def refuse_foreign(data: bytes, name: str) -> None:
    """Refuse a file of a kind that holds no clusters and no pages.

    Raises:
        InputError: what it is, and how to make one of ours of it.
    """
    found = _kind_of(data)
    if found is not None:
        what, fix = found
        raise InputError([Problem("foreign-file", name, what, EXPECTED, fix)])


def _kind_of(data: bytes) -> tuple[str, str] | None:
    for kind in _KINDS:
        if data.startswith(kind.begins):
            return kind.what, kind.fix
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP image", _WRITE
    if data[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        return "a tar archive", _UNPACK
    if data[:_LOOKED_AT].removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_HTML):
        return "a page of HTML", f"A download that needed signing in often ends so: open it in a browser. {_WRITE}"
    return _office(data) if data.startswith(b"PK\x03\x04") else None


def _office(data: bytes) -> tuple[str, str] | None:
    """Whether a ZIP is really a document of an office program."""
    if data[30:38] == b"mimetype" and data[38 : 38 + len(_OPEN_DOCUMENT)] == _OPEN_DOCUMENT:
        return "an OpenDocument file (.ods, .odt)", _TABLE
    if b"[Content_Types].xml" not in data[:_LOOKED_AT] and b"[Content_Types].xml" not in data[-65_536:]:
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return None
    for folder, what in _OFFICE.items():
        if any(name.startswith(folder) for name in names):
            return what, _TABLE
    return None
