"""The page lists a clustering belongs to, for formats that speak of positions or do not name their query."""

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
    """Query id -> page ids in the order of the page list; the texts of the queries are known beside them."""
    known = list(documents)
    lists = {document.query_id: tuple(document.page_ids) for document in known}
    return PageListsWithTexts(lists, {document.query_id: document.query_text for document in known})


class Context:
    """What is known about the collection when a clustering is read.

    Attributes:
        pages: query id -> page ids in order, or None when nothing is known.
        query: the query the caller says the file is about.
        names: what queries are called.
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
        """The query a file is about: as the caller says, as the file says, as it is called, or the only one there is.

        Notes a problem and returns None if that leaves it open.
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
            "nothing that says which query it answers",
            f"one of the {len(self.pages):,} queries of the collection: {self.names.all_told()}",
            "Name the query, or call the file after its key or text.",
        )
        return None

    def pages_of(self, blob: Blob, query: str) -> Sequence[str] | None:
        """The page ids of a query, for a format that speaks of positions; notes a problem if they are not known."""
        if self.pages is None:
            self.problems.error(
                "no-page-list",
                blob.name,
                "positions in a page list",
                "the page list they refer to",
                "Give the page list together with this file.",
            )
            return None
        if query not in self.pages:
            self.names.note_unknown(query, blob.name, f"the query {quoted(query)}", self.problems)
            return None
        return self.pages[query]
