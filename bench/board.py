"""The leaderboard page of 200 algorithms on 500 queries with 40 measures.

The collection is written to a separate SQLite database, and to PostgreSQL if ``QC4_BENCH_POSTGRES`` names a server
(`postgres://user@localhost:5432/postgres`). The peer is the limit: 100 ms of this process (without PostgreSQL's own
time) once the answers are stored, and the number of database queries for 5 algorithms and 20 queries.
"""

from __future__ import annotations

import json
import os
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import process_time
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from zlib import compress

from bench.serving import run_python, site_settings

ALGORITHMS, QUERIES, MEASURES = 200, 500, 40
FEW_ALGORITHMS, FEW_QUERIES = 5, 20
LIMIT = 0.1
TIMES = 15
FILL, MEASURE = "from bench.board import fill_all; fill_all()", "from bench.board import measure; measure()"


def run() -> list[dict[str, Any]]:
    """Return the rows of each database: time for 40 measures, time for 3 measures, and database queries."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        rows = _rows("SQLite", folder, f"sqlite:///{folder}/qc4.sqlite3")
        server = os.environ.get("QC4_BENCH_POSTGRES")
        if server:
            with database(server) as address:
                rows += _rows("PostgreSQL", folder, address)
    return rows


def _rows(name: str, folder: str, address: str) -> list[dict[str, Any]]:
    settings = site_settings(folder, address) | {"ALLOWED_HOSTS": "testserver"}
    # The process that measures must not be the one that made the data.
    run_python(FILL, settings)
    found = json.loads(run_python(MEASURE, settings).splitlines()[-1])
    board = f"{name}, {ALGORITHMS} algorithms x {QUERIES} queries"
    rows = [
        {"work": f"{board}, {n} measures", "peer": f"limit of {1000 * LIMIT:g} ms", "seconds": seconds}
        | {"peer_seconds": LIMIT, "ratio": seconds / LIMIT, "goal": 1.0}
        for n, seconds in ((MEASURES, found["many"]), (3, found["three"]))
    ]
    few = f"{FEW_ALGORITHMS} algorithms x {FEW_QUERIES} queries"
    asked = {"queries": found["queries"], "peer_queries": found["few_queries"]}
    rows.append(
        {"work": f"{board}, database queries", "peer": few, **asked}
        | {"ratio": found["queries"] / found["few_queries"], "goal": 1.0}
    )
    return rows


@contextmanager
def database(server: str) -> Iterator[str]:
    """Create a temporary database on a PostgreSQL server, and yield its URL."""
    import psycopg
    from psycopg import sql

    name = f"qc4_bench_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def fill_all() -> None:
    """Create both collections. Run this in a separate process, whose environment names the database."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    fill("many", ALGORITHMS, QUERIES, measure_keys())
    fill("few", FEW_ALGORITHMS, FEW_QUERIES, measure_keys())


def measure() -> None:
    """Print medians as JSON. Run this in a separate process, like `fill_all`."""
    import django

    django.setup()
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    keys = measure_keys()
    client = Client(headers={"x-forwarded-proto": "https"})

    def ask(slug: str, measures: list[str]) -> float:
        start = process_time()
        answer = client.get(f"/c/{slug}/leaderboard/", {"measures": ",".join(measures), "wait": "1"}, secure=True)
        seconds = process_time() - start
        if answer.status_code != 200:
            raise RuntimeError(f"{answer.status_code}: {answer.content[:500]!r}")
        return seconds

    def asked(slug: str) -> int:
        ask(slug, keys)
        with CaptureQueriesContext(connection) as found:
            ask(slug, keys)
        return len(found)

    queries, few = asked("many"), asked("few")
    ask("many", keys[:3])
    many, three = ([ask("many", chosen) for _ in range(TIMES)] for chosen in (keys, keys[:3]))
    print(json.dumps({"many": median(many), "three": median(three), "queries": queries, "few_queries": few}))


def measure_keys() -> list[str]:
    """Return the keys of the first 40 measures of the catalogue."""
    from qc4.measures.registry import REGISTRY

    return [one.key for one in REGISTRY.all()][:MEASURES]


def fill(slug: str, n_algorithms: int, n_queries: int, keys: list[str], version: int = 1) -> None:
    """Create a public collection of finished runs with random scores, in which algorithms and queries differ."""
    import numpy as np
    from django.db import transaction
    from django.utils import timezone

    from annotations.models import Collection, GoldVersion, GoldVersionEntry
    from annotations.models.collections import Query
    from annotations.models.gold import Gold, GoldFile
    from evaluation.models import Algorithm, Run, RunColumn, Submission
    from evaluation.scoring.columns import columns
    from qc4.model.policies import Policies
    from qc4.version import ENGINE_VERSION

    random = np.random.default_rng(2007)
    with transaction.atomic():
        collection = Collection.objects.create(slug=slug, name=f"{slug} algorithms", visibility="public")
        queries = Query.objects.bulk_create(
            Query(collection=collection, key=f"q{n}", text=f"query number {n}", position=n, stored_rows=100)
            for n in range(n_queries)
        )
        facts = {"n_pages": 100, "n_topics": 30, "n_levels": 2, "n_outliers": 0, "topics_per_level": [10, 20]}
        golds = Gold.objects.bulk_create(Gold(query=query, sha256=f"{query.pk:064}", **facts) for query in queries)
        GoldFile.objects.bulk_create(GoldFile(gold=one, packed=compress(_gold(one.query.key))) for one in golds)
        latest = GoldVersion.objects.create(collection=collection, number=version, sha256="0" * 64)
        GoldVersionEntry.objects.bulk_create(
            GoldVersionEntry(version=latest, query=gold.query, gold=gold) for gold in golds
        )
        algorithms = Algorithm.objects.bulk_create(
            Algorithm(collection=collection, name=f"Algorithm number {n}") for n in range(n_algorithms)
        )
        submissions = Submission.objects.bulk_create(
            Submission(collection=collection, algorithm=one, published=True, origin="command", sha256=f"{one.pk:064}")
            for one in algorithms
        )
        run_facts = {
            "kind": "evaluation", "collection": collection, "gold_version": latest, "state": "done",
            "policies": Policies().to_dict(),
        }  # fmt: skip
        runs = Run.objects.bulk_create(
            Run(**run_facts, submission=one, measures=dict.fromkeys(keys, 1), finished_at=timezone.now())
            for one in submissions
        )
        easy = random.normal(0, 0.1, n_queries)
        for column in columns(keys, "", 2):
            strength = 0.5 + random.normal(0, 0.05, (n_algorithms, 1))
            values = np.clip(strength + easy + random.normal(0, 0.1, (n_algorithms, n_queries)), 0, 1).astype("<f8")
            RunColumn.objects.bulk_create(
                RunColumn(
                    run=run, measure=column.key, level=column.level, packed=row.tobytes(), engines=[ENGINE_VERSION]
                )
                for run, row in zip(runs, values, strict=True)
            )


def _gold(query: str) -> bytes:
    """Return a gold standard with 100 pages in 10 topics of 2 subtopics each."""
    pages = [f"p{number}" for number in range(100)]
    topics = [{"id": f"t{topic}", "name": f"Topic {topic}", "pages": []} for topic in range(10)]
    below = [
        {"id": f"s{sub}", "name": f"Subtopic {sub}", "parent": f"t{sub // 2}", "pages": pages[sub::20]}
        for sub in range(20)
    ]
    listed = [{"id": page, "rank": rank + 1} for rank, page in enumerate(pages)]
    return json.dumps(
        {"format": "qc4-gold/1", "query": {"id": query}, "pages": listed, "topics": topics + below, "outliers": []}
    ).encode()
