"""What a request for an answer costs at the limits of several queries: 200 algorithms on 500 queries.

Each address is asked cold (nothing is stored: it is worked out in the request only if it is cheap) and stored (a worker
has made all that the page is made of). The peer is the promise: 200 ms of processor time and 50 MB. Answers are made in
a process of their own, forked from one that has the site loaded, as in `bench.ceiling`, which asks about the largest
query by itself.

``QC4_BENCH_ONLY=compare`` asks the addresses with that in their names alone, and ``QC4_BENCH_FOLDER`` keeps the data
there for another time.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bench.board import ALGORITHMS, QUERIES
from bench.serving import UNLIMITED, environment, in_python

SECONDS, BYTES = 0.2, 50_000_000
TIMES = 3
WITH_CLUSTERINGS = 20
"""Algorithms whose clusterings are there, for what becomes of topics in them: so many are looked at at once."""
ROUNDS = 20
"""So often a worker is asked for what the same page still waits for."""
FILL, ASK = "from bench.answers import fill; fill()", "from bench.answers import ask_all; ask_all()"
PAGES: dict[str, tuple[str, ...]] = {
    "leaderboard": ("", "?measures=all", "?seed=7"),
    "compare": ("", "?seed=7", "?procedure=holm"),
    "measures-compared": ("",),
    "trade-off": ("",),
    "heat-map": ("", "?rows=spread"),
    "robustness": ("",),
    "topic-coverage": ("",),
}
"""What is asked of each page and its files; ``all`` stands for 40 measures."""
KINDS = ("", "-json", "-csv", "-tex", "-svg")


def run() -> Iterator[dict[str, Any]]:
    """Two rows for each address and state: processor time and memory."""
    kept = os.environ.get("QC4_BENCH_FOLDER")
    with nullcontext(kept) if kept else tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = environment(folder) | {"ALLOWED_HOSTS": "testserver"} | UNLIMITED
        if not (made := Path(folder) / "made").exists():
            in_python(FILL, settings)
            made.touch()
        for line in in_python(ASK, settings).splitlines():
            found = json.loads(line)
            work = f"{found['name']}, {found['state']} ({found['status']})"
            seconds, held = found["seconds"], found["bytes"]
            yield {"work": work, "peer": f"promise of {1000 * SECONDS:g} ms", "goal": 1.0} | {
                "seconds": seconds, "peer_seconds": SECONDS, "ratio": seconds / SECONDS
            }  # fmt: skip
            yield {"work": f"{work}, memory", "peer": f"promise of {BYTES // 1_000_000} MB", "goal": 1.0} | {
                "bytes": held, "peer_bytes": BYTES, "ratio": held / BYTES
            }  # fmt: skip


def fill() -> None:
    """Make the collection; in a process of its own, whose environment names the database."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    from bench.board import fill as fill_board
    from bench.board import measure_keys
    from qc4.measures.registry import REGISTRY

    keys = list(dict.fromkeys([*measure_keys(), *_default_measures()]))
    fill_board("many", ALGORITHMS, QUERIES, [key for key in keys if key in {one.key for one in REGISTRY.all()}])
    _cluster()


def _default_measures() -> list[str]:
    """What the pages show where nobody says which measures."""
    from evaluation.boards.measure_agreement.selectors import DEFAULT_MEASURES
    from evaluation.boards.trade_off.selectors import FIGURES

    of_figures = [key for figure in FIGURES for bars in figure.bars for some in bars.parts.values() for key in some]
    return [*DEFAULT_MEASURES, *of_figures]


def _cluster() -> None:
    """Clusterings of the first algorithms: ten clusters of ten pages, which lie across the topics."""
    from zlib import compress

    from annotations.models import Query
    from evaluation.models import Clustering, Submission
    from evaluation.models.submissions import ClusteringFile

    pages = [f"p{number}" for number in range(100)]
    queries = list(Query.objects.order_by("pk"))
    for number, submission in enumerate(Submission.objects.order_by("pk")[:WITH_CLUSTERINGS]):
        clusters = [{"id": f"c{at}", "pages": pages[at * 10 - number : at * 10 + 10 - number]} for at in range(1, 10)]
        facts = {"n_clusters": 9, "n_memberships": 90, "n_pages_covered": 90}
        rows = Clustering.objects.bulk_create(
            Clustering(submission=submission, query=query, sha256=f"{number:02}{query.pk:062}", **facts)
            for query in queries
        )
        ClusteringFile.objects.bulk_create(
            ClusteringFile(clustering=row, packed=compress(_file(query.key, clusters)))
            for row, query in zip(rows, queries, strict=True)
        )


def _file(query: str, clusters: list[dict[str, Any]]) -> bytes:
    return json.dumps({"format": "qc4-clustering/1", "query": query, "clusters": clusters}).encode()


def ask_all() -> None:
    """Ask each in both states, and print a line of JSON for each."""
    import django

    django.setup()
    from django.db import connections
    from django.test import Client

    from bench.board import measure_keys
    from bench.ceiling import in_a_child
    from work.models import StoredAnswer

    client = Client(headers={"x-forwarded-proto": "https"}, raise_request_exception=False)
    client.get("/sign-in/", secure=True)
    for name, address in _addresses(",".join(measure_keys())):
        if os.environ.get("QC4_BENCH_ONLY", "") not in name:
            continue
        StoredAnswer.objects.all().delete()
        for state in ("cold", "stored"):
            if state == "stored":
                _make(client, address)
            connections.close_all()
            found = [in_a_child(lambda address=address: client.get(address, secure=True)) for _ in range(TIMES)]
            best = min(found, key=lambda one: one["seconds"])
            print(json.dumps({"name": name, "state": state, **best}), flush=True)


def _make(client: Any, address: str) -> None:
    """Be the worker until the page waits for nothing any more."""
    from work.answer_worker import work_off

    for _ in range(ROUNDS):
        client.get(address, secure=True)
        if not work_off():
            return


def _addresses(measures: str) -> Iterator[tuple[str, str]]:
    from django.urls import NoReverseMatch, reverse

    for page, options in PAGES.items():
        for name in (*(f"{page}{kind}" for kind in KINDS), f"api:{page}"):
            try:
                address = reverse(name, args=["many"])
            except NoReverseMatch:
                continue
            for query in options:
                yield f"{name}{query}", address + query.replace("=all", f"={measures}")
