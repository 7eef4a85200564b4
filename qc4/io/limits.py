"""Limits on files, the total cost of an upload, and collection of the problems of a whole file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from qc4.model.structure import MAX_LEVELS
from qc4.problems import MAX_PER_KIND, InputError, Problem, ProblemList

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest input a reader accepts. To raise a limit, pass ``Limits(pages=...)`` to the reader.

    Attributes:
        file_bytes: bytes of one file, or of a ZIP as it arrives.
        pages: pages of one query.
        topics: topics of one query.
        levels: the largest level number.
        rows: lines of a table.
        clusters: clusters of one clustering.
        memberships: page ids in the topics of one query, or in the clusters of one clustering; point numbers in all
            clusterings of a stream.
        queries: queries of a collection, or clusterings of a submission.
        points: points of a stream.
        dimensions: numbers in a vector of a stream.
        snapshots: clusterings of a stream over time.
        id_chars: characters of an id.
        json_depth: nesting depth of objects and lists.
        json_values: values in all JSON texts of an upload, because values take far more memory and time than their
            bytes. They are estimated before parsing by counting brackets and commas, including those inside texts.
        xml_nodes: elements, attributes, comments and instructions in all XML of an upload, estimated by counting < and
            =.
        cells: cells in all tables of an upload, estimated by counting separators.
        clusterings: clusterings in an upload. A table has one for each query and column; JSON Lines have one per line.
        value_chars: characters of one text in a file.
        archive_entries: files and folders in a ZIP or a folder.
        archive_bytes: bytes of all files of a ZIP, unpacked, or of a folder.
        archive_ratio: unpacked bytes per packed byte of one ZIP entry, and of a ZIP as a whole.
    """

    file_bytes: int = 64 * MEBIBYTE
    pages: int = 1_000_000
    topics: int = 100_000
    levels: int = MAX_LEVELS
    rows: int = 1_000_000
    clusters: int = 1_000_000
    memberships: int = 10_000_000
    queries: int = 10_000
    points: int = 1_000_000
    dimensions: int = 10_000
    snapshots: int = 10_000
    id_chars: int = 255
    json_depth: int = 50
    json_values: int = 30_000_000
    xml_nodes: int = 10_000_000
    cells: int = 30_000_000
    clusterings: int = 200_000
    value_chars: int = 16_000_000
    archive_entries: int = 20_000
    archive_bytes: int = 256 * MEBIBYTE
    archive_ratio: int = 200

    def exceeded(
        self, limit: str, actual: int, where: str, problems: ProblemList, *, at_least: bool = False, here: int = 0
    ) -> bool:
        """Report a problem if ``actual`` is more than the limit, and return True if so.

        Args:
            at_least: True if counting stopped early, so that ``actual`` is a lower bound.
            here: the part of ``actual`` in this file, if the rest is from earlier files of the same upload.
        """
        allowed = int(getattr(self, limit))
        if actual <= allowed:
            return False
        together = f"{here:,} here, which makes " if 0 < here < actual else ""
        problems.error(
            f"limit-{limit.replace('_', '-')}",
            where,
            f"{together}{'more than ' if at_least else ''}{allowed if at_least else actual:,} ({_UNITS[limit]})",
            f"at most {allowed:,} (limit {limit!r})",
            "Split the input, or raise the limit if you run the engine yourself.",
        )
        return True


_UNITS = {
    "file_bytes": "bytes",
    "pages": "pages of one query",
    "topics": "topics of one query",
    "levels": "as the level number",
    "rows": "lines of a table",
    "clusters": "clusters of one clustering",
    "memberships": "page ids, or points, in topics or clusters",
    "queries": "queries",
    "points": "points of a stream",
    "dimensions": "numbers in a vector",
    "snapshots": "clusterings of a stream",
    "id_chars": "characters in an id",
    "json_depth": "nested objects and lists",
    "json_values": "values, counted by brackets and commas",
    "xml_nodes": "elements and attributes, counted by < and =",
    "cells": "table cells, counted by separators",
    "clusterings": "clusterings",
    "value_chars": "characters in one text",
    "archive_entries": "files",
    "archive_bytes": "bytes, unpacked",
    "archive_ratio": "unpacked bytes per packed byte",
}
DEFAULT_LIMITS = Limits()


# --- Problems of a whole file, with bounded memory even for hostile files ---


class FileProblems(ProblemList):
    """A `ProblemList` that stores the first problems of each kind and counts the rest.

    A file with 5,000 wrong lines is rejected with 200 of them and "4,800 more of this kind". Readers stop once the list
    is `full`, so that a million wrong lines cost no more than 10,000.

    Args:
        already: earlier problems, to whose number these are added.
    """

    def __init__(self, already: ProblemList | None = None) -> None:
        super().__init__()
        self._counts: Counter[str] = Counter()
        self._n_errors = already._n_errors if already is not None else 0

    def error(self, code: str, where: str, found: str, expected: str, fix: str = "") -> None:
        self.extend([Problem(code, where, found, expected, fix)])

    def warn(self, code: str, where: str, found: str, expected: str, fix: str = "") -> None:
        self.extend([Problem(code, where, found, expected, fix, "warning")])

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self._counts[problem.code] += 1
            if self._counts[problem.code] <= MAX_PER_KIND:
                super().extend([problem])
            elif problem.severity == "error":
                self._n_errors += 1

    def absorb(self, others: FileProblems, container: str) -> None:
        """Add the stored problems of a part, and the number of those it did not store."""
        kept = Counter(problem.code for problem in others)
        self.extend(problem.within(container) for problem in others)
        self._counts.update(others._counts - kept)
        self._n_errors = max(self._n_errors, others._n_errors)

    def refuse_errors(self, container: str = "") -> None:
        """Raise `InputError` with the stored errors and, for each kind, the number of the others.

        Args:
            container: the file's name, put before every place if given.
        """
        errors = self.errors
        if not errors:
            return
        named = [problem.within(container) if container else problem for problem in errors]
        more = [
            Problem(code, container or "input", f"{count - MAX_PER_KIND:,} more of this kind{self._stopped}", "none")
            for code, count in self._counts.items()
            if count > MAX_PER_KIND and any(problem.code == code for problem in errors)
        ]
        raise InputError([*named, *more])

    @property
    def _stopped(self) -> str:
        return "; the rest was not checked" if self.full else ""


@contextmanager
def problems_within(problems: ProblemList, container: str) -> Iterator[FileProblems]:
    """Send problems noted inside the block to ``problems``, with the name of the file or line before their places."""
    own = FileProblems(problems)
    try:
        yield own
    finally:
        if isinstance(problems, FileProblems):
            problems.absorb(own, container)
        else:
            problems.extend(problem.within(container) for problem in own)


# --- Cost of an upload ---
# A limit on each file does not protect against a ZIP with many files. So all files of a ZIP or folder share one
# `Budget`. Code that creates many small objects from few bytes charges them to it first, and a new format cannot be
# read without one.

Charge = Literal["archive_bytes", "json_values", "xml_nodes", "cells", "clusterings"]
"""The limits that apply to a whole upload."""


class BudgetError(InputError):
    """All files of an upload together exceed a limit. Nothing more of it is read."""


class Budget:
    """The cost of one upload.

    Attributes:
        limits: limits of each file and of all files together.
        spent: amount charged to each limit so far.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.spent: Counter[Charge] = Counter()

    def charge(self, limit: Charge, amount: int, where: str) -> None:
        """Add the cost of a file before it is incurred.

        Args:
            where: the file, and its line if known.

        Raises:
            BudgetError: the upload is now over the limit; the message names the file and the amount charged before it.
        """
        self.spent[limit] += amount
        self._refuse(limit, self.spent[limit], amount, where)

    def expect(self, limit: Charge, amount: int, where: str) -> None:
        """Raise an error if charging this amount would exceed the limit, without charging it.

        Raises:
            BudgetError: as in `charge`.
        """
        self._refuse(limit, self.spent[limit] + amount, amount, where)

    def _refuse(self, limit: Charge, total: int, amount: int, where: str) -> None:
        problems = FileProblems()
        if self.limits.exceeded(limit, total, where, problems, here=amount):
            raise BudgetError(problems.errors)

    def check_text_length(self, text: str, where: str) -> None:
        """Raise InputError if a text has more characters than one value may have."""
        if len(text) > self.limits.value_chars:
            problems = FileProblems()
            self.limits.exceeded("value_chars", len(text), where, problems)
            problems.refuse_errors()


def with_earlier_problems(error: BudgetError, others: tuple[Problem, ...]) -> BudgetError:
    """Return the error that rejects the whole upload. The problems of earlier files come first."""
    return BudgetError([*others, *error.problems])
