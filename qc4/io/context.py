"""The page lists of clusterings, for formats that refer to positions or do not name their query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from qc4.io.label_reading import LabelReading
from qc4.io.source import Blob
from qc4.model.gold_document import GoldDocument
from qc4.model.query_names import PageListsWithTexts, QueryNames
from qc4.problems import ProblemList
from qc4.wording import quoted

PageLists = Mapping[str, Sequence[str]]


def page_lists(documents: Iterable[GoldDocument]) -> PageListsWithTexts:
    """Map each query id to its page ids, in page list order. The result also knows the texts of the queries."""
    known = list(documents)
    lists = {document.query_id: tuple(document.page_ids) for document in known}
    return PageListsWithTexts(lists, {document.query_id: document.query_text for document in known})


class Context:
    """What is known about the collection when a clustering is read.

    Attributes:
        pages: query id -> page ids in order, or None if nothing is known.
        query: the query of the file according to the caller, or None.
        names: names of the queries.
        reading: how labels of pages are read.
    """

    def __init__(
        self, pages: PageLists | None, query: str | None, problems: ProblemList, reading: LabelReading | None = None
    ) -> None:
        self.pages = pages
        self.names = QueryNames.of(pages)
        self.query = None if query is None else self.names.key(query)
        self.problems = problems
        self.reading = reading or LabelReading()

    def query_of(self, blob: Blob, named: str | None = None) -> str | None:
        """Return a file's query, from the caller, the file's contents, its name, or because there is only one.

        If this does not determine the query, report a problem and return None.
        """
        if self.query is not None:
            return self.query
        if named:
            return self.names.key(named)
        if self.pages is None or self.names.keys(blob.stem):
            return self.names.key(blob.stem)
        if len(self.pages) == 1:
            return next(iter(self.pages))
        self.problems.error(
            "no-query",
            blob.name,
            "no query name",
            f"one of the {len(self.pages):,} queries of the collection: {self.names.all_told()}",
            "Name the query, or use its key or text as the file name.",
        )
        return None

    def pages_of(self, blob: Blob, query: str) -> Sequence[str] | None:
        """Return the page ids of a query for a format that refers to positions, or report that they are unknown."""
        if self.pages is None:
            self.problems.error(
                "no-page-list",
                blob.name,
                "positions in a page list",
                "the page list that they refer to",
                "Give the page list together with this file.",
            )
            return None
        if query not in self.pages:
            self.names.note_unknown(query, blob.name, f"the query {quoted(query)}", self.problems)
            return None
        return self.pages[query]
