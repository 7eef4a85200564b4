"""Reading a million pages from files, compared with the standard parser and numpy, in processor time.

The peer parses the same bytes with `json` or `csv` and makes arrays of ids and of a code per page. It checks nothing.
Our result is ready for measures, with every id and every rule of gold standards checked.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from qc4.io import read_clustering, read_collection, read_gold, read_submission

PAGES = 1_000_000
QUERIES = 1_000
"""Number of queries in files with one query per line."""
TOPICS, CLUSTERS = 200, 1_000
RUNS = 3
GOAL = 2.0


def run() -> list[dict[str, Any]]:
    """Return rows for gold standards and clusterings as JSON, clusterings as JSON Lines and CSV, page lists as CSV."""
    random = np.random.default_rng(2007)
    topic, cluster = random.integers(0, TOPICS, PAGES), random.integers(0, CLUSTERS, PAGES)
    gold, clustering, lines = _gold(topic), _clustering("one", cluster), _lines(cluster)
    labels, pages = _labels(cluster), _page_list()
    answers = "JSON Lines, clusterings of 1,000 queries"
    return [
        _row("JSON, gold standard", "json and numpy", lambda: read_gold(gold), lambda: _gold_arrays(gold)),
        _row("JSON, clustering", "json and numpy", lambda: read_clustering(clustering), lambda: _arrays(clustering)),
        _row(answers, "json and numpy", lambda: read_submission(lines, name="a.jsonl"), lambda: _line_arrays(lines)),
        _row("CSV, clustering", "csv and numpy", lambda: read_submission(labels, name="a.csv"), lambda: _table(labels)),
        _row("CSV, page list", "csv and numpy", lambda: read_collection(pages, name="one.csv"), lambda: _table(pages)),
    ]


def _row(work: str, peer: str, ours: Callable[[], object], theirs: Callable[[], object]) -> dict[str, Any]:
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(RUNS):
        for function, kept in zip((ours, theirs), seconds, strict=True):
            start = process_time()
            function()
            kept.append(process_time() - start)
    own, other = map(median, seconds)
    amounts = {"seconds": own, "peer_seconds": other, "ratio": own / other, "goal": GOAL}
    return {"work": f"Reading {PAGES:,} pages, {work}", "peer": peer, **amounts}


def _members(codes: np.ndarray[Any, np.dtype[np.int64]], of: int) -> list[list[str]]:
    """Return the page ids of each code."""
    order = np.argsort(codes, kind="stable")
    bounds = np.cumsum(np.bincount(codes, minlength=of))[:-1]
    return [[f"p{page}" for page in pages.tolist()] for pages in np.split(order, bounds)]


def _gold(topic: np.ndarray[Any, np.dtype[np.int64]]) -> bytes:
    topics = [
        {"id": f"t{number}", "name": f"Topic {number}", "pages": pages}
        for number, pages in enumerate(_members(topic, TOPICS))
    ]
    pages = [{"id": f"p{page}", "rank": page + 1} for page in range(PAGES)]
    return json.dumps(
        {"format": "qc4-gold/1", "query": {"id": "one"}, "pages": pages, "topics": topics, "outliers": []}
    ).encode()


def _clustering(query: str, codes: np.ndarray[Any, np.dtype[np.int64]]) -> bytes:
    clusters = [
        {"id": f"c{number}", "label": f"Cluster {number}", "pages": pages}
        for number, pages in enumerate(_members(codes, int(codes.max()) + 1))
    ]
    return json.dumps(
        {"format": "qc4-clustering/1", "query": query, "algorithm": "bench", "clusters": clusters}
    ).encode()


def _lines(cluster: np.ndarray[Any, np.dtype[np.int64]]) -> bytes:
    parts = np.split(cluster % (CLUSTERS // 50), QUERIES)
    return b"\n".join(_clustering(f"q{number}", codes) for number, codes in enumerate(parts))


def _labels(cluster: np.ndarray[Any, np.dtype[np.int64]]) -> bytes:
    rows = (f"p{page},c{code}" for page, code in enumerate(cluster.tolist()))
    return "\n".join(["page,label", *rows]).encode()


def _page_list() -> bytes:
    return "\n".join(["id,rank,title", *(f"p{page},{page + 1},Page {page}" for page in range(PAGES))]).encode()


def _sets(sets: list[dict[str, Any]]) -> object:
    sizes = np.array([len(one["pages"]) for one in sets])
    return np.array([page for one in sets for page in one["pages"]]), np.repeat(np.arange(sizes.size), sizes)


def _gold_arrays(data: bytes) -> object:
    found = json.loads(data)
    ranks = np.array([page["rank"] for page in found["pages"]])
    return np.array([page["id"] for page in found["pages"]]), ranks, _sets(found["topics"])


def _arrays(data: bytes) -> object:
    return _sets(json.loads(data)["clusters"])


def _line_arrays(data: bytes) -> object:
    return [_arrays(line) for line in data.split(b"\n")]


def _table(data: bytes) -> object:
    rows = list(csv.reader(io.StringIO(data.decode(), newline="")))
    return [np.unique(np.array(column), return_inverse=True) for column in zip(*rows[1:], strict=True)]
