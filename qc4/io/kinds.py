"""Files of foreign kinds, recognised by their first bytes, with advice on how to convert them."""

from __future__ import annotations

import io
import zipfile
from typing import NamedTuple

from qc4.problems import InputError, Problem

EXAMPLE = '{"format": "qc4-clustering/1", "query": "jaguar", "clusters": [{"id": "cars", "pages": ["p1", "p2"]}]}'
"""The smallest file with a clustering, as an example for messages."""


class ExpectedFile(NamedTuple):
    """The kind of file that is expected, for messages.

    Attributes:
        what: contents of such a file.
        example: the smallest complete file.
        header: first line of a table with the same contents; "" if there is none.
        expected: the formats, in words.
        zipped: True if several files may come as a ZIP.
        writer: the Python function that writes such files.
    """

    what: str
    example: str
    header: str
    expected: str
    zipped: bool = False
    writer: str = "json.dump"

    @property
    def shown(self) -> str:
        """An example, as a sentence."""
        return f"For example {self.example}"


_GOLD = (
    '{"format": "qc4-gold/1", "query": {"id": "jaguar"}, "pages": [{"id": "p1"}, {"id": "p2"}], '
    '"topics": [{"id": "cars", "name": "Cars", "pages": ["p1", "p2"]}]}'
)
_STREAM = (
    '{"format": "qc4-stream/1", "stream": {"id": "sensors"}, '
    '"points": [{"time": 0, "class": "left", "vector": [0.1, 0.2]}]}'
)
_SNAPSHOTS = (
    '{"format": "qc4-stream-clustering/1", "algorithm": "Mine", '
    '"snapshots": [{"time": 0, "clusters": [{"id": "a", "points": [0]}]}]}'
)
_TEXTS = "text: JSON, JSON Lines, CSV, TSV or Carrot2 XML, or a ZIP of such files"
_JSON_OR_TABLE = "text: JSON, CSV or TSV"
_TABLE = "text: CSV or TSV"
CLUSTERINGS = ExpectedFile("the clusters", EXAMPLE, "query,page,cluster", _TEXTS, zipped=True)
GOLDS = ExpectedFile("the pages and topics", _GOLD, "query,id,title,url", _TEXTS, zipped=True)
STREAMS = ExpectedFile("the points", _STREAM, "time,class,x1,x2", _JSON_OR_TABLE)
STREAM_CLUSTERINGS = ExpectedFile("the clusters", _SNAPSHOTS, "time,cluster,radius,c1,c2", _JSON_OR_TABLE)
VECTORS = ExpectedFile(
    "the vectors", "the lines page,x1,x2 and p1,0.1,0.2", "page,x1,x2", f".npy, or {_TABLE}", writer="numpy.save"
)
SCORES = ExpectedFile(
    "the scores", "the lines query,STC,Lingo and jaguar,0.52,0.41", "query,STC,Lingo", _TABLE, writer="csv.writer"
)

_AS_TABLE = "Save it as CSV (UTF-8) with a header line: {header}."
_WRITE = "Write {what} as text, for example {example}"
_UNPACK = "Unpack it, and pack its files as one ZIP."
_UNPACK_ONE = "Unpack it, and use the file in it. {shown}"


class FileKind(NamedTuple):
    """A kind of file from which clusters cannot be read."""

    begins: tuple[bytes, ...]
    what: str
    fix: str


_KINDS = (
    FileKind((b"\x89PNG\r\n\x1a\n",), "a PNG image", _WRITE),
    FileKind((b"\xff\xd8\xff",), "a JPEG image", _WRITE),
    FileKind((b"GIF87a", b"GIF89a"), "a GIF image", _WRITE),
    FileKind((b"%PDF-",), "a PDF document", _WRITE),
    FileKind((b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",), "an old Excel or Word file", _AS_TABLE),
    FileKind((b"\x93NUMPY",), "a NumPy array (.npy)", f"Import vectors on their own page. {_WRITE}"),
    FileKind(
        (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"), "a Python pickle", f"Use {{writer}} instead. {_WRITE}"
    ),
    FileKind(
        (b"PAR1",),
        "a Parquet file",
        f"In pandas: frame.to_csv(path, index=False). {_AS_TABLE}",
    ),
    FileKind((b"SQLite format 3\x00",), "an SQLite database", _AS_TABLE),
    FileKind((b"\x1f\x8b",), "a gzip file", _UNPACK),
    FileKind((b"BZh",), "a bzip2 file", _UNPACK),
    FileKind((b"\xfd7zXZ\x00",), "an xz file", _UNPACK),
    FileKind((b"\x28\xb5\x2f\xfd",), "a Zstandard file", _UNPACK),
    FileKind((b"7z\xbc\xaf\x27\x1c",), "a 7z archive", _UNPACK),
    FileKind((b"Rar!\x1a\x07",), "a RAR archive", _UNPACK),
)
_OFFICE = {"xl/": "an Excel file (.xlsx)", "word/": "a Word file (.docx)", "ppt/": "a PowerPoint file (.pptx)"}
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument"
_TAR_AT, _TAR = 257, b"ustar"
_ZIP = b"PK\x03\x04"
_ZIP_ENTRY, _OFFICE_ENTRIES = b"PK\x01\x02", 10_000
"""The signature of an entry in a ZIP's table of contents, and the maximum number of entries in an office document."""
_HTML = (b"<!doctype html", b"<html", b"<head", b"<body")
_LOOKED_AT = 1024


def reject_foreign(data: bytes, name: str, ours: ExpectedFile) -> None:
    """Raise InputError for a file of a foreign kind.

    Raises:
        InputError: what the file is, and how to convert it.
    """
    found = _kind_of(data)
    if found is None and data.startswith(_ZIP) and not ours.zipped:
        found = "a ZIP", _UNPACK
    if found is not None:
        what, fix = found
        fix = _UNPACK_ONE if fix == _UNPACK and not ours.zipped else fix
        raise InputError([Problem("foreign-file", name, what, ours.expected, _filled(fix, ours))])


def empty_file(name: str, ours: ExpectedFile | None) -> Problem:
    """Return the problem of an empty file, with an example of a valid one."""
    fix = "Was it saved, or sent whole?" + (f" {ours.shown}" if ours else "")
    return Problem("empty-file", name, "an empty file", "some content", fix)


def _filled(fix: str, ours: ExpectedFile) -> str:
    fix = _WRITE if "{header}" in fix and not ours.header else fix
    return fix.format(shown=ours.shown, **ours._asdict())


def _kind_of(data: bytes) -> tuple[str, str] | None:
    for kind in _KINDS:
        if data.startswith(kind.begins):
            return kind.what, kind.fix
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP image", _WRITE
    if data[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        return "a tar archive", _UNPACK
    if data[:_LOOKED_AT].removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_HTML):
        return (
            "an HTML page",
            f"A download that needs sign-in often saves a web page instead. Open it in a browser. {_WRITE}",
        )
    return _office(data) if data.startswith(_ZIP) else None


def _office(data: bytes) -> tuple[str, str] | None:
    """Return what kind of office document a ZIP really is, or None."""
    if data[30:38] == b"mimetype" and data[38 : 38 + len(_OPEN_DOCUMENT)] == _OPEN_DOCUMENT:
        return "an OpenDocument file (.ods, .odt)", _AS_TABLE
    if b"[Content_Types].xml" not in data[:_LOOKED_AT] and b"[Content_Types].xml" not in data[-65_536:]:
        return None
    if data.count(_ZIP_ENTRY) > _OFFICE_ENTRIES:
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return None
    for folder, what in _OFFICE.items():
        if any(name.startswith(folder) for name in names):
            return what, _AS_TABLE
    return None
