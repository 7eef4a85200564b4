"""What files call queries: by the texts that pages show, so that a reader of both finds the same query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evaluation.selectors.scores import ScoredQuery
from qc4.model.query_names import folded


def names_in_files(queries: Iterable[ScoredQuery]) -> dict[str, str]:
    """Return key -> name. The name is the text of the query; queries that share a text have their key behind it."""
    known = list(queries)
    # A text that is the key of another query would be read as that one.
    taken = Counter(name for query in known for name in {folded(query.text), folded(query.key)})
    return {
        query.key: query.text if taken[folded(query.text)] == 1 else f"{query.text} ({query.key})" for query in known
    }
