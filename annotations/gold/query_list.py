"""The query table of a collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.person import Person
from annotations.challenges.access import hidden_gold, visible_entries
from annotations.models import GoldVersion, Query


@dataclass(frozen=True, slots=True)
class QueryTableRow:
    """A row of the query table. The figures of the gold standard are None if none is published."""

    key: str
    text: str
    n_pages: int
    n_levels: int | None
    topics_per_level: list[int] | None
    n_outliers: int | None
    is_hidden: bool = False


def query_table_rows(queries: Sequence[Query], person: Person, version: GoldVersion | None) -> list[QueryTableRow]:
    """Return a table row for each query. The caller has checked access to the collection."""
    pks = [query.pk for query in queries]
    golds = {}
    if version is not None:
        entries = (
            visible_entries(person, version)
            .filter(query__in=pks)
            .values_list("query_id", "gold__n_levels", "gold__topics_per_level", "gold__n_outliers")
        )
        golds = {query: rest for query, *rest in entries}
    lines, hidden = [], set(hidden_gold(person).filter(pk__in=pks).values_list("pk", flat=True))
    for query in queries:
        levels, topics, outliers = golds.get(query.pk, (None, None, None))
        lines.append(
            QueryTableRow(
                query.key, query.text or query.key, query.n_pages, levels, topics, outliers, query.pk in hidden
            )
        )
    return lines
