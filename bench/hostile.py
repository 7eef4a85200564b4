"""The cost of reading the worst file of each kind within the limits of `annotations.limits.QUICK`.

Each file is read in a separate process. The ceiling is two seconds of processor time and 200 MB beyond the memory of
the engine itself. Larger files are read in a sandbox process, which the system limits to `CEILING`.
"""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from time import process_time
from typing import Any

SECONDS, BYTES = 2.0, 200_000_000
CEILING = f"ceiling {SECONDS:g} s, {BYTES // 10**6} MB"
HEAD = f"{'worst file within the quick limits':<44} {'file':>9} {'time':>9} {'memory':>10}   {CEILING}"


def _list(piece: str, n: int) -> str:
    return f"[{','.join([piece] * n)}]"


def _clusters(piece: str, n: int) -> bytes:
    return f'{{"format":"qc4-clustering/1","query":"q","clusters":{_list(piece, n)}}}'.encode()


def _zip(text: str, n: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(n):
            archive.writestr(f"{number}.json", text)
    return buffer.getvalue()


def _rows(n: int, columns: int) -> bytes:
    header = ",".join(["page", *(f"c{number}" for number in range(columns))])
    return "\n".join([header, *(f"p{row}" + ",x" * columns for row in range(n))]).encode()


KINDS: dict[str, Callable[[], bytes]] = {
    "JSON: lists in a list": lambda: _list("[]", 25_000).encode(),
    "JSON: objects with a repeated key": lambda: _list('{"a":1,"a":1}', 16_000).encode(),
    "JSON: an object with many keys": lambda: json.dumps({f"k{number}": 0 for number in range(49_000)}).encode(),
    "JSON: integers of 4,299 digits": lambda: _list("9" * 4299, 240).encode(),
    "JSON: empty clusters": lambda: _clusters("{}", 24_000),
    "JSON: clusters with the same id": lambda: _clusters('{"id":"a","pages":[]}', 12_000),
    "JSON: pages with the same id": lambda: json.dumps(
        {"format": "qc4-gold/1", "query": {"id": "q"}, "pages": [{"id": "a"}] * 24_000}
    ).encode(),
    "JSON Lines: invalid lines": lambda: b'{"a":1}\n' * 1_000,
    "ZIP: JSON with repeated keys": lambda: _zip(_list('{"a":1,"a":1}', 400), 40),
    "ZIP: 500 empty files": lambda: _zip("", 500),
    "XML: groups": lambda: b"<searchresult>" + b"<group/>" * 29_000 + b"</searchresult>",
    "XML: documents": lambda: b"<searchresult>" + b"<document/>" * 29_000 + b"</searchresult>",
    "CSV: many clusterings": lambda: _rows(100, 990),
    "CSV: many rows": lambda: _rows(49_000, 1),
    "CSV: many columns": lambda: _rows(1, 45_000),
    "labels: one integer per line": lambda: b"1\n" * 500_000,
}


def run() -> list[dict[str, Any]]:
    """Return a row for each kind of file."""
    rows = []
    for kind in KINDS:
        command = [sys.executable, "-c", f"from bench.hostile import cost; cost({kind!r})"]
        done = subprocess.run(command, capture_output=True, check=True, text=True)  # noqa: S603  # our own code
        rows.append({"work": kind, **json.loads(done.stdout)})
    return rows


def line(row: dict[str, Any]) -> str:
    verdict = "reached" if row["seconds"] <= SECONDS and row["bytes"] <= BYTES else "MISSED"
    amounts = f"{row['size'] / 1e3:>6.0f} kB {row['seconds']:>7.2f} s {row['bytes'] / 1e6:>7.0f} MB"
    return f"{row['work']:<44} {amounts}   {verdict}"


def cost(kind: str) -> None:
    """Read the file of a kind in this process, and print the cost as JSON."""
    from annotations.limits import QUICK
    from qc4.io import read_collection, read_submissions
    from qc4.problems import InputError

    data, pages = KINDS[kind](), {"q": tuple(f"p{number}" for number in range(100))}
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, process_time()
    for read in (lambda: read_submissions(data, pages, limits=QUICK), lambda: read_collection(data, limits=QUICK)):
        try:
            read()
        except InputError as error:
            str(error)
    spent = process_time() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(json.dumps({"size": len(data), "seconds": spent, "bytes": grown}))
