"""The page lists a clustering belongs to, for formats that speak of positions or do not name their query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from qc4.formats.source import Blob
from qc4.gold.document import GoldDocument
from qc4.problems import ProblemList
from qc4.problems.wording import listed, quoted

PageLists = Mapping[str, Sequence[str]]


def page_lists(documents: Iterable[GoldDocument]) -> dict[str, tuple[str, ...]]:
    """Query id -> page ids in the order of the page list."""
    return {document.query_id: tuple(document.page_ids) for document in documents}


class Context:
    """What is known about the collection when a clustering is read.

    Attributes:
        pages: query id -> page ids in order, or None when nothing is known.
        query: the query the caller says the file is about.
    """

    def __init__(self, pages: PageLists | None, query: str | None, problems: ProblemList) -> None:
        self.pages = pages
        self.query = query
        self.problems = problems

    def query_of(self, blob: Blob, named: str | None = None) -> str | None:
        """The query a file is about: as the caller says, as the file says, as it is called, or the only one there is.

        Notes a problem and returns None if that leaves it open.
        """
        if self.query is not None:
            return self.query
        if named:
            return named
        if self.pages is None or blob.stem in self.pages:
            return blob.stem
        if len(self.pages) == 1:
            return next(iter(self.pages))
        self.problems.error(
            "no-query",
            blob.name,
            "nothing that says which query it answers",
            f"one of the {len(self.pages):,} queries of the collection: {listed(list(self.pages))}",
            "Name the query, or call the file after its id.",
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
            expected = f"a query of the collection: {listed(list(self.pages))}"
            self.problems.error("unknown-query", blob.name, f"the query {quoted(query)}", expected)
            return None
        return self.pages[query]
