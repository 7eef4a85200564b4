"""Which queries a list of the overview shows, and in what order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import date
from enum import StrEnum

from django.utils.http import urlencode

from annotations.selectors.curation.outlines import Outline


class Show(StrEnum):
    """In what state the queries are that a list shows."""

    ALL = "all"
    MINE = "mine"
    UNASSIGNED = "unassigned"
    NOT_BEGUN = "not-begun"
    OPEN = "open"
    OVERDUE = "overdue"
    WAITED_FOR = "waited-for"
    SUBMITTED = "submitted"
    TO_COMPARE = "to-compare"
    IN_ADJUDICATION = "in-adjudication"
    PUBLISHED = "published"


class Sort(StrEnum):
    """In what order they come."""

    COLLECTION = "collection"
    DUE = "due"
    CHANGED = "changed"


SORT_WORDS = {
    Sort.COLLECTION: "yours first, as in the collection",
    Sort.DUE: "due date",
    Sort.CHANGED: "last change",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Queries in a state, whose text or key holds these words, that concern this curator (a user name)."""

    show: Show = Show.ALL
    q: str = ""
    curator: str = ""
    sort: Sort = Sort.COLLECTION

    def query_string(self, **changes: str) -> str:
        """The choice as part of an address; what is not chosen is left out."""
        told = {**asdict(self), **changes}
        plain = asdict(Choice())
        return urlencode({name: value for name, value in told.items() if value != plain.get(name)})

    def showing(self, show: Show) -> Choice:
        return replace(self, show=show)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.curator)


Holds = Callable[[Outline, int | None], bool]
"""Whether a query belongs to a list, of one curator (their number) or of all."""

HOLDS: dict[Show, Holds] = {
    Show.ALL: lambda query, who: who is None or query.concerns(who),
    Show.MINE: lambda query, who: query.is_mine and (who is None or query.concerns(who)),
    Show.UNASSIGNED: lambda query, who: not query.given if who is None else who not in query.given,
    Show.NOT_BEGUN: lambda query, who: _any(query.not_begun, who),
    Show.OPEN: lambda query, who: query.has_open if who is None else who in query.working,
    Show.OVERDUE: lambda query, who: _any(query.overdue, who),
    Show.WAITED_FOR: lambda query, who: _any({late for _, late in query.waits}, who),
    Show.SUBMITTED: lambda query, who: query.has_submitted if who is None else who in query.finished,
    Show.TO_COMPARE: lambda query, who: query.is_to_compare and (who is None or query.concerns(who)),
    Show.IN_ADJUDICATION: lambda query, who: query.is_in_adjudication and (who is None or query.concerns(who)),
    Show.PUBLISHED: lambda query, who: query.published_at is not None and (who is None or query.concerns(who)),
}


def _any(people: set[int], who: int | None) -> bool:
    return bool(people) if who is None else who in people


def narrowed(queries: list[Outline], choice: Choice) -> list[Outline]:
    """The queries of every state that hold the words."""
    words = choice.q.casefold().split()
    if not words:
        return queries
    texts = ((query, f"{query.query.key} {query.query.text}".casefold()) for query in queries)
    return [query for query, text in texts if all(word in text for word in words)]


def ordered(queries: list[Outline], choice: Choice, who: int | None) -> list[Outline]:
    """Queries (given in the order of the collection) in the order that was chosen."""
    match choice.sort:
        case Sort.DUE:
            return sorted(queries, key=lambda query: query.next_due(who) or date.max)
        case Sort.CHANGED:
            return sorted(queries, key=lambda query: -query.changed_at)
        case _:
            return sorted(queries, key=lambda query: not query.is_mine)
