"""One small query and label files for it that can be misread."""

from __future__ import annotations

from collections.abc import Sequence

PAGES = tuple(f"p{number}" for number in range(1, 9))
GOLD = {
    "format": "qc4-gold/1",
    "query": {"id": "apfel", "text": "apfel"},
    "pages": [{"id": page, "rank": rank} for rank, page in enumerate(PAGES, start=1)],
    "topics": [
        {"id": "fruit", "name": "Fruit", "pages": ["p1", "p2", "p3"]},
        {"id": "firm", "name": "Firm", "pages": ["p4", "p5", "p6"]},
    ],
    "outliers": ["p7", "p8"],
}
FROM_ZERO = "0\n0\n0\n1\n1\n1\n2\n2\n"
FROM_ONE = "1\n1\n1\n2\n2\n2\n3\n3\n"
SEVERAL = "page,label\np1,fruit\np2,fruit#firm\np3,fruit\np4,firm\np5,firm\np6,firm\n"
"""Page p2 has two labels, as doccano exports them."""


def table(labels: Sequence[str]) -> str:
    """A CSV file with a label for each of the first pages."""
    rows = (f"apfel,{page},{label}\n" for page, label in zip(PAGES, labels, strict=False))
    return "query,page,label\n" + "".join(rows)
