"""Small gold standards and clusterings, written as page numbers. Pages are named by their number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from qc4.model.case import Case
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import GoldDocument, Page
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy

Pages = Iterable[int]


def incidence(rows: Sequence[Pages], n_pages: int) -> sp.csr_array:
    table = np.zeros((len(rows), n_pages), dtype=np.int32)
    for row, pages in enumerate(rows):
        table[row, list(pages)] = 1
    return sp.csr_array(table)


def gold(
    n_pages: int,
    topics: Sequence[Pages],
    outliers: Pages = (),
    parents: Sequence[int] | None = None,
    ranks: Sequence[int | None] | None = None,
) -> GoldStandard:
    """Return topics named "0", "1", ..; by default all on level 1, and pages without ranks."""
    roots = [-1] * len(topics) if parents is None else parents
    bare = GoldStandard.from_hierarchy(Hierarchy.build(incidence(topics, n_pages), roots, outliers=sorted(outliers)))
    bare = replace(bare, topic_names=bare.topic_ids)
    if ranks is None:
        return bare
    pages = tuple(Page(name, rank) for name, rank in zip(bare.page_ids, ranks, strict=True))
    return replace(bare, document=GoldDocument("", "", pages))


def clustering(*clusters: Pages, query: str = "") -> Clustering:
    """Return clusters named "c0", "c1", .."""
    return Clustering(
        query, tuple(Cluster(f"c{number}", tuple(map(str, pages))) for number, pages in enumerate(clusters))
    )


def nested(clusters: Iterable[Pages], parents: Sequence[int], labels: Sequence[str] = ()) -> Clustering:
    """Return nested clusters named "c0", "c1", ..; ``parents`` holds indices, -1 for none."""
    flat = clustering(*clusters).clusters
    named = labels or [""] * len(flat)
    return Clustering(
        "",
        tuple(
            replace(cluster, parent=None if up < 0 else f"c{up}", label=label)
            for cluster, up, label in zip(flat, parents, named, strict=True)
        ),
    )


def blocks(labels: Sequence[int]) -> list[list[int]]:
    """Return the pages of each label, by first appearance."""
    found: dict[int, list[int]] = {}
    for page, label in enumerate(labels):
        found.setdefault(label, []).append(page)
    return list(found.values())


def case(classes: Sequence[int], clusters: Sequence[int]) -> Case:
    """Return two partitions given as labels, as a one-level gold standard and a clustering."""
    return Case.build(gold(len(classes), blocks(classes)), clustering(*blocks(clusters)))


def counts(classes: Sequence[int], clusters: Sequence[int]) -> np.ndarray:
    """Return the contingency table of two partitions given as labels."""
    rows, columns = np.unique(classes, return_inverse=True)[1], np.unique(clusters, return_inverse=True)[1]
    table = np.zeros((rows.max() + 1, columns.max() + 1), dtype=int)
    np.add.at(table, (rows, columns), 1)
    return table
