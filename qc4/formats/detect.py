"""What a file is, by its content first: names and endings lie."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from qc4.formats.archives import is_zip
from qc4.formats.clustering_json import CLUSTERING_FORMAT, SUBMISSION_FORMAT
from qc4.formats.collecting import FileProblems
from qc4.formats.gold_json import FORMAT as GOLD_FORMAT
from qc4.formats.limits import Limits
from qc4.formats.source import Blob
from qc4.formats.strict_json import check_value, parse_json_text
from qc4.formats.text import decode, lines
from qc4.problems import Problem
from qc4.problems.wording import quoted


class Kind(Enum):
    """The formats that are told apart by content. The value is what messages call it."""

    GOLD = "qc4-gold/1"
    CLUSTERING = "qc4-clustering/1"
    SUBMISSION = "qc4-submission/1"
    JSON_LINES = "JSON Lines of qc4-clustering/1"
    CARROT2_XML = "Carrot2 3.x XML"
    CARROT2_JSON = "Carrot2 JSON"
    ZIP = "ZIP"
    RELATION = "subTopicID<TAB>resultID"
    LABELS = "integer labels, one a line"
    TABLE = "CSV or TSV with a header line"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Detected:
    """A file and what it is; ``value`` is the parsed JSON, ``text`` the decoded text, where it has one."""

    blob: Blob
    kind: Kind
    text: str = ""
    value: Any = None


_JSON_FORMATS = {GOLD_FORMAT: Kind.GOLD, CLUSTERING_FORMAT: Kind.CLUSTERING, SUBMISSION_FORMAT: Kind.SUBMISSION}
_INTEGER = re.compile(r"[ \t]*[+-]?[0-9]{1,18}[ \t]*")


def detect(blob: Blob, limits: Limits) -> Detected:
    """Tell what a file is.

    Raises:
        InputError: empty, not UTF-8, or JSON that cannot be parsed.
    """
    if is_zip(blob.data):
        return Detected(blob, Kind.ZIP)
    start = blob.data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<") or blob.data.startswith((b"\xff\xfe<\x00", b"\xfe\xff\x00<")):
        return Detected(blob, Kind.CARROT2_XML)
    text = decode(blob.data, blob.name)
    if start.startswith((b"{", b"[")):
        return _detect_json(blob, text, limits)
    refuse_endless(text, blob.name, limits)
    return Detected(blob, _text_kind(text), text)


def refuse_endless(text: str, name: str, limits: Limits) -> None:
    """Refuse a text of more lines than the limit ``rows`` before anything is made of each of them."""
    problems = FileProblems()
    limits.exceeded("rows", text.count("\n"), name, problems)
    problems.refuse_errors()


def detect_value(value: Mapping[str, Any], name: str, limits: Limits) -> Detected:
    """`detect` for an object that is already parsed."""
    check_value(value, name, limits)
    return Detected(Blob(name, b""), json_kind(value), value=value)


def json_kind(value: Any) -> Kind:
    """What a parsed JSON value is."""
    if not isinstance(value, Mapping):
        return Kind.UNKNOWN
    form = value.get("format")
    if form is not None:
        return _JSON_FORMATS.get(form, Kind.UNKNOWN) if isinstance(form, str) else Kind.UNKNOWN
    if "clusterings" in value:
        return Kind.SUBMISSION
    return Kind.CARROT2_JSON if "documents" in value or "clusters" in value else Kind.UNKNOWN


def unrecognised(detected: Detected, *expected: Kind) -> Problem:
    """The problem of a file that is none of the formats expected here."""
    if detected.kind is not Kind.UNKNOWN:
        found = f"{detected.kind.value}, which does not belong here"
    elif isinstance(detected.value, Mapping):
        form = detected.value.get("format")
        found = f"the format {quoted(str(form))}" if form is not None else "a JSON object without a 'format'"
    else:
        found = f"a file that begins with {quoted(detected.text[:40])}"
    return Problem("unknown-format", detected.blob.name, found, "one of: " + "; ".join(kind.value for kind in expected))


def _detect_json(blob: Blob, text: str, limits: Limits) -> Detected:
    if is_json_lines(text):
        return Detected(blob, Kind.JSON_LINES, text)
    value = parse_json_text(text, blob.name, limits)
    return Detected(blob, json_kind(value), text, value)


def is_json_lines(text: str) -> bool:
    """Whether the first line is a whole JSON object and more lines follow: no other JSON is written that way."""
    first, _, rest = text.lstrip().partition("\n")
    if not first.rstrip().endswith("}") or not rest.strip():
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _text_kind(text: str) -> Kind:
    rows = [line for line in lines(text) if line.strip()]
    header = rows[0].strip().casefold().split("\t")
    if header == ["subtopicid", "resultid"]:
        return Kind.RELATION
    if all(_INTEGER.fullmatch(row) for row in rows):
        return Kind.LABELS
    if len(rows) > 1 and any(separator in rows[0] for separator in "\t,;"):
        return Kind.TABLE
    return Kind.UNKNOWN
