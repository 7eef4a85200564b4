"""What is known of queries from their gold standards: large or small topics, deep or flat, overlapping or not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotations.models import GoldVersion, GoldVersionEntry
from evaluation.cases import gold_standard
from evaluation.selectors.scores import ScoredQuery
from qc4.model.hierarchy import Hierarchy

FACTS = ("mean topic size", "levels", "share of pages in several topics", "number of topics")
"""What `facts_of` says of a gold standard, in its order."""


def facts_of(hierarchy: Hierarchy) -> list[float | None]:
    """The `FACTS` of a gold standard, its outlier topic aside; None where it has no topic.

    The pages in several topics are those that lie in two or more topics of one level, as a share of all pages.
    """
    if not hierarchy.n_topics:
        return [None, float(hierarchy.n_levels), None, 0.0]
    several = np.zeros(hierarchy.n_pages, dtype=bool)
    for level in hierarchy.levels:
        several |= hierarchy.pages[hierarchy.topics_on(level)].sum(axis=0) > 1
    return [
        float(hierarchy.sizes.mean()),
        float(hierarchy.n_levels),
        float(several.mean()) if several.size else None,
        float(hierarchy.n_topics),
    ]


def query_facts(version: GoldVersion, queries: Sequence[ScoredQuery]) -> dict[str, list[float | None]]:
    """Fact -> its value for each of these queries of a version. One query to the database."""
    rows = GoldVersionEntry.objects.filter(version=version, query__in=[query.pk for query in queries])
    golds = {row.query_id: row.gold for row in rows.select_related("gold__file")}
    known = {pk: facts_of(gold_standard(gold).hierarchy) for pk, gold in golds.items()}
    return {name: [known[query.pk][at] for query in queries] for at, name in enumerate(FACTS)}
