"""The contents of a file, decoded and parsed on first use. Formats are recognised by content, never by file name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

from qc4.io.archives import is_zip
from qc4.io.kinds import CLUSTERINGS, ExpectedFile, reject_foreign
from qc4.io.limits import Budget, FileProblems, Limits
from qc4.io.source import Blob, decode, filled_lines
from qc4.io.strict_json import check_value, estimated_values, parse_json_text

Shape = Literal["zip", "xml", "json lines", "json", "text"]
_XML = (b"<", b"\xff\xfe<\x00", b"\xfe\xff\x00<")


class Content:
    """One file, uploaded where ``ours`` is expected.

    Its properties and methods may raise InputError: the file may be of another kind, empty, not UTF-8, or invalid JSON.
    """

    def __init__(self, blob: Blob, budget: Budget, ours: ExpectedFile = CLUSTERINGS) -> None:
        self.blob = blob
        self.budget = budget
        self.ours = ours

    @classmethod
    def parsed(cls, value: Mapping[str, Any], name: str, budget: Budget, ours: ExpectedFile = CLUSTERINGS) -> Content:
        """Wrap an object that is already parsed, as if it came from a JSON file."""
        check_value(value, name, budget.limits)
        content = cls(Blob(name, b"{"), budget, ours)
        content.shape, content.value = "json", value
        return content

    @property
    def name(self) -> str:
        """Name of the file in messages."""
        return self.blob.name

    @property
    def limits(self) -> Limits:
        return self.budget.limits

    @cached_property
    def text(self) -> str:
        return decode(self.blob.data, self.name, self.ours)

    @cached_property
    def shape(self) -> Shape:
        """Kind of syntax. A text has been checked against the limit on lines."""
        data = self.blob.data
        reject_foreign(data, self.name, self.ours)
        if is_zip(data):
            return "zip"
        start = data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
        if start.startswith(_XML) or data.startswith(_XML):
            return "xml"
        if start.startswith((b"{", b"[")):
            return "json lines" if is_json_lines(self.text, self.name, self.budget) else "json"
        check_line_count(self.text, self.name, self.limits)
        return "text"

    @cached_property
    def value(self) -> Any:
        """The parsed JSON, or None for other kinds of files."""
        return parse_json_text(self.text, self.name, self.budget) if self.shape == "json" else None

    def rows(self) -> Iterator[str]:
        """Yield the lines of a text that are not blank. There are none for other kinds of files."""
        return filled_lines(self.text) if self.shape == "text" else iter(())

    def declares(self, form: str) -> bool:
        """Return True if this is a JSON object that declares this format."""
        return isinstance(self.value, Mapping) and self.value.get("format") == form

    def holds(self, *keys: str) -> bool:
        """Return True if this is a JSON object that declares no format and has one of these fields."""
        return (
            isinstance(self.value, Mapping)
            and self.value.get("format") is None
            and any(map(self.value.__contains__, keys))
        )


def check_line_count(text: str, name: str, limits: Limits) -> None:
    """Raise InputError if a text has more lines than the limit ``rows``, before its lines are processed."""
    problems = FileProblems()
    limits.exceeded("rows", text.count("\n"), name, problems)
    problems.refuse_errors()


def is_json_lines(text: str, name: str, budget: Budget) -> bool:
    """Return True if the first line is a whole JSON object and more lines follow. No other JSON looks like this.

    Raises:
        BudgetError: the line has more values than the upload may have. Its reader charges them to the budget.
    """
    first, _, rest = text.lstrip().partition("\n")
    if not first.rstrip().endswith("}") or not rest.strip():
        return False
    budget.expect("json_values", estimated_values(first), name)
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False
