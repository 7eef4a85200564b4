"""What is known of queries from their gold standards: large or small topics, deep or flat, overlapping or not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accounts.capacity import slow_work
from annotations.models import Gold, GoldVersion, GoldVersionEntry
from evaluation.cases import gold_standard
from evaluation.selectors.keys import Keep, contents
from evaluation.selectors.scores import ScoredQuery
from evaluation.selectors.stored_comparisons import facts_key
from qc4.gold.hierarchy import Hierarchy

FACTS = ("mean topic size", "levels", "share of pages in several topics", "number of topics")
"""What `facts_of` says of a gold standard, in its order."""
QUICK_GOLDS = 100
"""Up to so many gold standards are read at once: within about half a second."""


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


def query_facts(
    version: GoldVersion, queries: Sequence[ScoredQuery], keep: Keep, *, wait: bool = True
) -> tuple[str, dict[str, list[float | None]]] | None:
    """Fact -> its value for each of these queries of a version, and the key under which they are known.

    They follow from the gold standards alone, so they are worked out once. Two queries to the database, or three.

    Args:
        wait: False leaves out what would take long: None where many gold standards would have to be read.
    """
    rows = GoldVersionEntry.objects.filter(version=version).order_by("query_id")
    hashes = dict(rows.values_list("query_id", "gold__sha256"))
    key = facts_key(sorted(set(hashes.values())))
    known = contents([key]).get(key)
    if known is None:
        slow = len(hashes) > QUICK_GOLDS
        if slow and not wait:
            return None
        golds = Gold.objects.filter(entries__version=version).select_related("file").distinct()
        with slow_work("facts of queries", when=slow):
            known = {gold.sha256: facts_of(gold_standard(gold).hierarchy) for gold in golds}
        keep({key: known})
    return key, {name: [known[hashes[query.pk]][at] for query in queries] for at, name in enumerate(FACTS)}
