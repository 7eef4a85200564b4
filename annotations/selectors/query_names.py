"""Queries by the names that people and files call them by, under the rule of `qc4.model.query_names`."""

from __future__ import annotations

from collections.abc import Iterable

from annotations.models import Collection, Query
from qc4.model.query_names import QueryNames
from qc4.problems import ProblemList
from qc4.wording import quoted


def query_names(queries: Iterable[Query]) -> QueryNames:
    """Keys and texts of these queries."""
    return QueryNames({query.key: query.text for query in queries})


def queries_named(collection: Collection, names: Iterable[str], where: str, problems: ProblemList) -> list[Query]:
    """The queries called so by key or text, each once; names of none or several are noted, ``where`` being their place.

    One query to the database.
    """
    queries = {query.key: query for query in collection.queries.select_related("collection").order_by("position", "pk")}
    known = query_names(queries.values())
    found = {}
    for name in names:
        key = known.key(name)
        if key in queries:
            found[key] = queries[key]
        else:
            known.note_unknown(name, where, quoted(name[:80]), problems)
    return list(found.values())
