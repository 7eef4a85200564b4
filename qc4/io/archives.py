"""Safe reading of ZIP files and folders: nothing is unpacked to disk, and every size is counted while reading."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

from qc4.io.limits import MEBIBYTE, Budget, FileProblems, Limits
from qc4.io.source import Blob, read_blob
from qc4.problems import InputError, Problem, ProblemList
from qc4.wording import quoted

_CHUNK = 64 * 1024
_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_ENTRY = b"PK\x01\x02"
_HEADER_BYTES = 30
"""Size of an entry's header before its name."""
_SIDE_FILES = ("readme", "license", "licence", "changelog", "citation")
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# Exceptions that the standard library raises for damaged ZIPs, found by damaging some at random.
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


def read_zip(blob: Blob, budget: Budget) -> list[Blob]:
    """Return the files of a ZIP in order, named ``archive.zip/entry``. Hidden files and folders are skipped.

    Raises:
        InputError: the ZIP is damaged, encrypted or over a limit, or contains an unsafe path, a link or an archive.
    """
    limits = budget.limits
    _check_entry_count(blob, limits)
    try:
        with zipfile.ZipFile(io.BytesIO(blob.data)) as archive:
            infos = archive.infolist()
            problems = FileProblems()
            _check_entries(blob, infos, limits, problems)
            _check_overlaps(blob.name, archive.start_dir, infos, problems)
            problems.refuse_errors()
            return _contents(blob, archive, [info for info in infos if _wanted(info)], budget)
    except InputError:
        raise
    except _DAMAGE as error:
        found = f"a ZIP that is damaged or cut off ({quoted(str(error))})"
        raise InputError([Problem("bad-zip", blob.name, found, "a complete ZIP file", "Create it again.")]) from None


def read_folder(path: Path, budget: Budget) -> list[Blob]:
    """Return the files of a folder and its subfolders, sorted by path. Hidden files are skipped.

    Raises:
        InputError: the folder is unreadable or over a limit, or contains a link.
    """
    limits, problems = budget.limits, FileProblems()
    blobs: list[Blob] = []
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
            budget.charge("archive_bytes", len(blobs[-1].data), name)
    problems.refuse_errors()
    return blobs


def without_side_files(blobs: Sequence[Blob]) -> tuple[list[Blob], list[Blob]]:
    """Separate data files from files such as a readme or a licence."""
    groups: dict[bool, list[Blob]] = {False: [], True: []}
    for blob in blobs:
        groups[blob.stem.casefold().startswith(_SIDE_FILES)].append(blob)
    return groups[False], groups[True]


def holds_too_many(data: bytes, most: int) -> bool:
    """Return True if a ZIP may have more than ``most`` entries. It counts the signatures of the entries.

    The standard library creates an object for each entry before it reports their number.
    """
    return data.count(_ENTRY) > most


def _check_entry_count(blob: Blob, limits: Limits) -> None:
    if holds_too_many(blob.data, limits.archive_entries):
        problems = FileProblems()
        limits.exceeded("archive_entries", blob.data.count(_ENTRY), blob.name, problems)
        problems.refuse_errors()


def _check_entries(blob: Blob, infos: list[zipfile.ZipInfo], limits: Limits, problems: ProblemList) -> None:
    """Check the table of contents before anything is unpacked."""
    name, unpacked = blob.name, sum(info.file_size for info in infos)
    limits.exceeded("archive_bytes", unpacked, name, problems)
    seen: set[str] = set()
    for info in infos:
        where = f"{name}: entry {quoted(info.orig_filename)}"
        _check_entry(info, where, limits, problems)
        if info.filename in seen:
            problems.error("duplicate-entry", where, "the same name again", "each name once")
        seen.add(info.filename)
    if not any(problem.code == "limit-archive-ratio" for problem in problems):
        _check_ratio(unpacked, len(blob.data), name, limits, problems)


def _check_overlaps(name: str, end: int, infos: list[zipfile.ZipInfo], problems: ProblemList) -> None:
    """Reject entries that share bytes, which unpack the same data many times. Ordinary programs never write them."""
    following = end
    for info in sorted(infos, key=lambda each: each.header_offset, reverse=True):
        if info.header_offset + _HEADER_BYTES + info.compress_size > following:
            where = f"{name}: entry {quoted(info.orig_filename)}"
            problems.error("bad-zip", where, "bytes that also belong to another entry", "separate bytes for each file")
        following = info.header_offset


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


def _contents(blob: Blob, archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo], budget: Budget) -> list[Blob]:
    """Unpack the files and count the real bytes, because the sizes in the table of contents may be wrong."""
    name, limits, problems = blob.name, budget.limits, FileProblems()
    blobs: list[Blob] = []
    for info in infos:
        where = f"{name}: entry {quoted(info.orig_filename)}"
        data = bytearray()
        with archive.open(info) as stream:
            while chunk := stream.read(_CHUNK):
                data += chunk
                budget.charge("archive_bytes", len(chunk), where)
                if (
                    limits.exceeded("file_bytes", len(data), where, problems, at_least=True)
                    or _check_ratio(len(data), info.compress_size, where, limits, problems)
                    or _check_ratio(budget.spent["archive_bytes"], len(blob.data), where, limits, problems)
                ):
                    raise InputError(problems.errors)
        if is_zip(bytes(data[:4])):
            fix = "Unpack it, and put its files directly into one ZIP."
            problems.error("nested-archive", where, "an archive inside the archive", "files only", fix)
        blobs.append(Blob(f"{name}/{info.filename}", bytes(data)))
    problems.refuse_errors()
    return blobs


def _wanted(info: zipfile.ZipInfo) -> bool:
    return not info.is_dir() and not _hidden(info.filename)


def _hidden(path: str) -> bool:
    """Return True for files that operating systems and version control leave behind."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))
