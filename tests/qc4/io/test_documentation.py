"""The documentation of files is complete: every code, every limit, and examples that can be read."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re

from qc4.io import DEFAULT_LIMITS, read_clustering, read_gold, read_gold_document, write_gold
from qc4.io.streams import read_stream, read_stream_clustering
from tests.paths import ROOT

USERS = ROOT / "docs" / "users"
PAGE = (USERS / "formats.md").read_text(encoding="utf-8")
CODES = (USERS / "codes.md").read_text(encoding="utf-8")
LIMITS = (USERS / "limits.md").read_text(encoding="utf-8")
SOURCES = [
    *(ROOT / "qc4" / "io").rglob("*.py"),
    *(ROOT / "qc4" / "model").glob("gold_*.py"),
    *(
        ROOT / "qc4" / "model" / f"{name}.py"
        for name in ("bounds", "hierarchy", "noise", "query_names", "rules", "spelling", "structure", "vectors")
    ),
    ROOT / "qc4" / "problems.py",
    ROOT / "common" / "sandbox.py",
    ROOT / "annotations" / "collections" / "vectors.py",
]


def codes_in_source() -> set[str]:
    """Return the kebab-case codes in the calls that create problems."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    made = re.findall(r'(?:error|warn|Problem|_refuse|check_ids)\(\s*"([a-z0-9-]+)"', text)
    returned = re.findall(r'(?:return |return \(|yield |"R\d", )"([a-z]+-[a-z-]+)"', text)
    of_text_vectors = {"bad-components", "no-text"}  # made in Python, not read from a file
    return {code for code in [*made, *returned] if not code.startswith("limit-")} - of_text_vectors


def test_every_code_is_explained():
    codes = codes_in_source()
    assert len(codes) > 50
    assert {code for code in codes if f"`{code}`" not in CODES} == set()


def test_every_explained_code_exists():
    table = CODES.split("## In files")[1].split("## In Python")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    explained = {code for cell in cells for code in re.findall(r"`([a-z-]+)`", cell)}
    assert explained - codes_in_source() - {"duplicate-topic"} == set()


def test_every_limit_is_listed_with_its_number():
    for field in dataclasses.fields(DEFAULT_LIMITS):
        assert f"| `{field.name}` | {getattr(DEFAULT_LIMITS, field.name):,} |" in LIMITS


def test_examples_can_be_read():
    blocks = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    gold, clustering, stream, run = (json.loads(block) for block in blocks)
    assert read_gold(gold).hierarchy.n_levels == 2
    assert read_clustering(clustering).algorithm == "STC"
    assert read_stream_clustering(run, read_stream(stream)).algorithm == "DenStream"


def test_stream_tables_equal_their_json():
    points, balls = (table.encode() for table in re.findall(r"```csv\n(time,.*?)```", PAGE, re.DOTALL))
    stream, table = read_stream(json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[2])), read_stream(points)
    assert table.points.tolist() == stream.points.tolist()
    assert (table.classes.tolist(), table.class_names) == (stream.classes.tolist(), stream.class_names)
    assert read_stream_clustering(balls, stream).cluster_ids == (("a",), ("a", "b"))


def test_canonical_bytes_match_the_page():
    gold = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0])
    written = write_gold(read_gold_document(gold))
    said = (json.dumps(gold, ensure_ascii=False, indent=1) + "\n").encode()
    assert hashlib.sha256(written).hexdigest() == hashlib.sha256(said).hexdigest()
