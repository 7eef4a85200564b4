"""How much a file may hold, what an upload has cost so far, and the problems of a whole file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from qc4.model.structure import MAX_LEVELS
from qc4.problems import MOST_OF_A_KIND, InputError, Problem, ProblemList

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest input a reader takes. Raise a limit by passing ``Limits(pages=...)`` to the reader.

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
        dimensions: numbers of one of its vectors.
        snapshots: clusterings of a stream over time.
        id_chars: characters of an id.
        json_depth: objects and lists inside each other.
        json_values: values in all JSON texts of an upload, told before one is parsed by its brackets and commas (those
            inside texts count too): what a value takes in memory and time is far more than its bytes.
        xml_nodes: elements, attributes, comments and instructions in all XML of an upload, told by the signs < and =.
        cells: cells in all tables of an upload, told by what separates them.
        clusterings: clusterings in an upload: a table has one for each query and column, JSON Lines one a line.
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
        """Note a problem if ``actual`` is more than the limit of that name; say whether it was.

        Args:
            at_least: it was not counted to the end.
            here: how much of it stands in this file, where others came before it in the same upload.
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
            "Split the input, or raise the limit where you run the engine yourself.",
        )
        return True


_UNITS = {
    "file_bytes": "bytes",
    "pages": "pages of one query",
    "topics": "topics of one query",
    "levels": "as a level number",
    "rows": "lines of a table",
    "clusters": "clusters of one clustering",
    "memberships": "page ids, or points, in topics or clusters",
    "queries": "queries",
    "points": "points of a stream",
    "dimensions": "numbers in a vector",
    "snapshots": "clusterings of a stream",
    "id_chars": "characters in an id",
    "json_depth": "objects and lists inside each other",
    "json_values": "values, told by brackets and commas",
    "xml_nodes": "elements and attributes, told by the signs < and =",
    "cells": "cells of tables, told by what separates them",
    "clusterings": "clusterings",
    "value_chars": "characters in one text",
    "archive_entries": "files",
    "archive_bytes": "bytes, unpacked",
    "archive_ratio": "unpacked bytes per packed byte",
}
DEFAULT_LIMITS = Limits()


# Collecting the problems of a whole file without letting a hostile file fill the memory with them.


class FileProblems(ProblemList):
    """A `ProblemList` that keeps the first problems of each kind and counts the rest.

    A file of 5,000 wrong lines is refused with 200 of them and "4,800 more of this kind". Readers go no further once
    it is `full`, so that a million wrong lines cost no more than 10,000.

    Args:
        already: problems noted before, to which these will be added.
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
            if self._counts[problem.code] <= MOST_OF_A_KIND:
                super().extend([problem])
            elif problem.severity == "error":
                self._n_errors += 1

    def absorb(self, others: FileProblems, container: str) -> None:
        """Take over the problems of a part, and how many it did not keep."""
        kept = Counter(problem.code for problem in others)
        self.extend(problem.within(container) for problem in others)
        self._counts.update(others._counts - kept)
        self._n_errors = max(self._n_errors, others._n_errors)

    def refuse_errors(self, container: str = "") -> None:
        """Raise `InputError` with the errors kept and, for each kind, how many more there are.

        Args:
            container: the file's name, put before every place if given.
        """
        errors = self.errors
        if not errors:
            return
        named = [problem.within(container) if container else problem for problem in errors]
        more = [
            Problem(code, container or "input", f"{count - MOST_OF_A_KIND:,} more of this kind{self._stopped}", "none")
            for code, count in self._counts.items()
            if count > MOST_OF_A_KIND and any(problem.code == code for problem in errors)
        ]
        raise InputError([*named, *more])

    @property
    def _stopped(self) -> str:
        return "; what follows was not looked at" if self.full else ""


@contextmanager
def named(problems: ProblemList, container: str) -> Iterator[FileProblems]:
    """Problems noted inside the block go to ``problems`` with the file's name, or the line's, before their places."""
    own = FileProblems(problems)
    try:
        yield own
    finally:
        if isinstance(problems, FileProblems):
            problems.absorb(own, container)
        else:
            problems.extend(problem.within(container) for problem in own)


# What an upload has cost so far: one count for all that comes in together, held against the limits as it grows. A
# limit that holds for each file alone says nothing of a ZIP of many. So a file is read through a `Budget`, which is
# the same one for all files of a ZIP or folder: whatever makes many small things of few bytes takes it and charges it
# before it makes them, and a new format cannot be read without one.

Charge = Literal["archive_bytes", "json_values", "xml_nodes", "cells", "clusterings"]
"""The limits that hold for a whole upload, by what is charged."""


class BudgetError(InputError):
    """An upload is more than its limits allow, all its files together: nothing further is read of it."""


class Budget:
    """The costs of one upload.

    Attributes:
        limits: what each file and all of them together may hold.
        spent: how much was charged of each limit.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.spent: Counter[Charge] = Counter()

    def charge(self, limit: Charge, amount: int, where: str) -> None:
        """Count what a file is about to cost.

        Args:
            where: the file, and the line of it where that is known.

        Raises:
            BudgetError: with it the upload is over the limit; the file is named, and what came before it.
        """
        self.spent[limit] += amount
        self._refuse(limit, self.spent[limit], amount, where)

    def expect(self, limit: Charge, amount: int, where: str) -> None:
        """Refuse what would be over the limit if it were charged, and do not count it.

        Raises:
            BudgetError: as `charge`.
        """
        self._refuse(limit, self.spent[limit] + amount, amount, where)

    def _refuse(self, limit: Charge, total: int, amount: int, where: str) -> None:
        problems = FileProblems()
        if self.limits.exceeded(limit, total, where, problems, here=amount):
            raise BudgetError(problems.errors)

    def refuse_long(self, text: str, where: str) -> None:
        """Refuse a text of more characters than one value may have (InputError)."""
        if len(text) > self.limits.value_chars:
            problems = FileProblems()
            self.limits.exceeded("value_chars", len(text), where, problems)
            problems.refuse_errors()


def stopped(error: BudgetError, others: tuple[Problem, ...]) -> BudgetError:
    """The refusal of the whole upload: what is wrong with the files before comes first."""
    return BudgetError([*others, *error.problems])
