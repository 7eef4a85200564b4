"""Example submissions in the collection's own queries and pages, and the CSV of pages to cluster."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from annotations.models import Collection, Page
from qc4.tables import escape_formula

FIRST_PAGES = 3
EXAMPLE_PAGES = 5
"""Number of pages per cluster in the example submission."""
IN_ORDER = ("query__position", "query_id", "position", "pk")
PAGE_COLUMNS = ("query", "id", "url", "title", "snippet")


def example_clustering(collection: Collection) -> str:
    """A clustering of the first query that would be accepted unchanged; empty if there are no pages."""
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


def example_submission(collection: Collection, name: str) -> Iterator[bytes]:
    """An example submission that covers every query: JSON Lines with clusters of a few consecutive pages.

    Args:
        name: the algorithm's name, which must be different for each person.
    """
    pages_in_order = Page.objects.filter(query__collection=collection).order_by(*IN_ORDER)
    keys = pages_in_order.values_list("query__key", "key").iterator()
    for query, found in groupby(keys, itemgetter(0)):
        pages = [key for _, key in found]
        clusters = [
            {"id": f"c{number}", "label": f"results {first + 1} to {first + len(part)}", "pages": part}
            for number, first in enumerate(range(0, len(pages), EXAMPLE_PAGES), 1)
            for part in [pages[first : first + EXAMPLE_PAGES]]
        ]
        document = {"format": "qc4-clustering/1", "query": query, "algorithm": name, "clusters": clusters}
        yield json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def page_rows(collection: Collection) -> Iterator[str]:
    """The pages of every query as lines of CSV, which can be imported.

    Ids are unchanged because submissions refer to them; other texts are escaped so that spreadsheets do not run them as
    formulas.
    """
    yield ",".join(PAGE_COLUMNS) + "\r\n"
    pages = Page.objects.filter(query__collection=collection).order_by(*IN_ORDER)
    for query, key, *texts in pages.values_list("query__key", "key", "url", "title", "snippet").iterator():
        line = io.StringIO()
        csv.writer(line).writerow([query, key, *(escape_formula(text or "") for text in texts)])
        yield line.getvalue()


def _line(name: str, value: str) -> str:
    return f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
