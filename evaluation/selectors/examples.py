"""An example of the file a form asks for, in the words of the collection itself."""

from __future__ import annotations

import json

from annotations.models import Collection

FIRST_PAGES = 3


def example_clustering(collection: Collection) -> str:
    """A clustering of the first query that would be accepted as it stands; empty without pages."""
    query = collection.queries.first()
    pages = list(query.pages.values_list("key", flat=True)[:FIRST_PAGES]) if query else []
    if query is None or not pages:
        return ""
    head = {"format": "qc4-clustering/1", "query": query.key, "algorithm": "Mine"}
    clusters = [
        {"id": "c1", "label": "any words", "pages": pages},
        {"id": "c2", "label": "may overlap", "pages": pages[:1]},
    ]
    lines = [_line(name, value) for name, value in head.items()]
    listed = ",\n  ".join(json.dumps(cluster, ensure_ascii=False) for cluster in clusters)
    return "{" + ",\n ".join([*lines, f'"clusters": [\n  {listed}]']) + "}"


def _line(name: str, value: str) -> str:
    return f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
