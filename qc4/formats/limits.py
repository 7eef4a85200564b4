"""How much a file may hold. Every limit is named, with its number, in the error that refuses a file for it."""

from __future__ import annotations

from dataclasses import dataclass

from qc4.gold.structure import MAX_LEVELS
from qc4.problems import ProblemList

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
