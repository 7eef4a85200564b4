"""The files of a ZIP or a folder, read safely: nothing is unpacked to disk, every size is counted as it streams."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from qc4.formats.collecting import FileProblems
from qc4.formats.limits import MEBIBYTE, Limits
from qc4.formats.source import Blob, read_blob
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.wording import quoted

_CHUNK = 64 * 1024
_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_SIDE_FILES = ("readme", "license", "licence", "changelog", "citation")
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# What the standard library raises on a ZIP with wrong bytes, found by damaging some at random.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
# Below this size a high ratio is ordinary text, not an attack.
_RATIO_MATTERS_FROM = MEBIBYTE


def is_zip(data: bytes) -> bool:
    return data.startswith(_SIGNATURES)


def read_zip(blob: Blob, limits: Limits) -> list[Blob]:
    """The files of a ZIP in its order, named ``archive.zip/entry``. Hidden files and folders are passed over.

    Raises:
        InputError: damaged, encrypted, over a limit, or holding an unsafe path, a link, or an archive.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(blob.data)) as archive:
            infos = archive.infolist()
            problems = FileProblems()
            _check_entries(blob.name, infos, limits, problems)
            problems.refuse_errors()
            return _contents(blob.name, archive, [info for info in infos if _wanted(info)], limits)
    except InputError:
        raise
    except _DAMAGE as error:
        found = f"a ZIP that is damaged or cut off ({quoted(str(error))})"
        raise InputError([Problem("bad-zip", blob.name, found, "a whole ZIP file", "Make it again.")]) from None


def read_folder(path: Path, limits: Limits) -> list[Blob]:
    """The files of a folder and the folders in it, sorted by path. Hidden files are passed over, links are refused.

    Raises:
        InputError: unreadable, over a limit, or holding a link.
    """
    problems = FileProblems()
    blobs: list[Blob] = []
    total = 0
    entries = sorted(entry for entry in path.rglob("*") if not _hidden(entry.relative_to(path).as_posix()))
    if limits.exceeded("archive_entries", len(entries), path.name, problems):
        problems.refuse_errors()
    for entry in entries:
        name = f"{path.name}/{entry.relative_to(path).as_posix()}"
        if entry.is_symlink():
            problems.error("link", name, "a symbolic link", "an ordinary file")
        elif entry.is_file():
            try:
                blobs.append(read_blob(entry, name, limits))
            except InputError as error:
                problems.extend(error.problems)
                continue
            total += len(blobs[-1].data)
            if limits.exceeded("archive_bytes", total, path.name, problems, at_least=True):
                break
    problems.refuse_errors()
    return blobs


def without_side_files(blobs: Sequence[Blob]) -> tuple[list[Blob], list[Blob]]:
    """The files that are data, and those that only speak about it (a readme, a licence)."""
    groups: dict[bool, list[Blob]] = {False: [], True: []}
    for blob in blobs:
        groups[blob.stem.casefold().startswith(_SIDE_FILES)].append(blob)
    return groups[False], groups[True]


def _check_entries(name: str, infos: list[zipfile.ZipInfo], limits: Limits, problems: ProblemList) -> None:
    """What the table of contents alone gives away, before a byte is unpacked."""
    limits.exceeded("archive_entries", len(infos), name, problems)
    limits.exceeded("archive_bytes", sum(info.file_size for info in infos), name, problems)
    seen: set[str] = set()
    for info in infos:
        where = f"{name}: entry {quoted(info.orig_filename)}"
        _check_entry(info, where, limits, problems)
        if info.filename in seen:
            problems.error("duplicate-entry", where, "the same name again", "each name once")
        seen.add(info.filename)


def _check_entry(info: zipfile.ZipInfo, where: str, limits: Limits, problems: ProblemList) -> None:
    path = info.orig_filename.replace("\\", "/")
    if path.startswith("/") or ".." in path.split("/") or ":" in path.split("/")[0] or "\x00" in path:
        expected = "a relative path that stays inside the archive"
        problems.error("unsafe-path", where, "a path that leads out of the archive", expected)
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        found = "a symbolic link" if kind == stat.S_IFLNK else "a device or pipe"
        problems.error("link", where, found, "an ordinary file")
    if info.flag_bits & 0x1:
        problems.error("encrypted", where, "an encrypted file", "a file without a password")
    if info.compress_type not in _METHODS:
        problems.error("bad-zip", where, f"compression method {info.compress_type}", "deflated or stored files")
    _check_ratio(info.file_size, info.compress_size, where, limits, problems)
    limits.exceeded("file_bytes", info.file_size, where, problems)


def _check_ratio(unpacked: int, packed: int, where: str, limits: Limits, problems: ProblemList) -> bool:
    ratio = unpacked // max(packed, 1)
    return unpacked >= _RATIO_MATTERS_FROM and limits.exceeded("archive_ratio", ratio, where, problems)


def _contents(name: str, archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo], limits: Limits) -> list[Blob]:
    """Unpack, counting what really comes out: the sizes in the table of contents may lie."""
    problems = FileProblems()
    blobs: list[Blob] = []
    total = 0
    for info in infos:
        where = f"{name}: entry {quoted(info.orig_filename)}"
        data = bytearray()
        with archive.open(info) as stream:
            while chunk := stream.read(_CHUNK):
                data += chunk
                total += len(chunk)
                if (
                    limits.exceeded("file_bytes", len(data), where, problems, at_least=True)
                    or limits.exceeded("archive_bytes", total, name, problems, at_least=True)
                    or _check_ratio(len(data), info.compress_size, where, limits, problems)
                ):
                    raise InputError(problems.errors)
        if is_zip(bytes(data[:4])):
            fix = "Unpack it, and pack the files themselves: one ZIP of files."
            problems.error("nested-archive", where, "an archive inside the archive", "files only", fix)
        blobs.append(Blob(f"{name}/{info.filename}", bytes(data)))
    problems.refuse_errors()
    return blobs


def _wanted(info: zipfile.ZipInfo) -> bool:
    return not info.is_dir() and not _hidden(info.filename)


def _hidden(path: str) -> bool:
    """Files that operating systems and version control leave behind."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))
