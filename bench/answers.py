"""The cost of requests for answers about many queries: 200 algorithms on 500 queries.

Each URL is requested cold (nothing is stored, and the request computes only cheap answers) and stored (a worker has
computed all answers of the page). The peer is the limit: 200 ms of processor time and 50 MB. Each request is served by
a separate process, forked from one that has the site loaded, as in `bench.ceiling`, which measures the largest query.

``QC4_BENCH_ONLY=compare`` requests only URLs with that word in their names. ``QC4_BENCH_FOLDER`` names a folder that
keeps the data for the next run.
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
from bench.serving import UNLIMITED, run_python, site_settings

SECONDS, BYTES = 0.2, 50_000_000
TIMES = 3
WITH_CLUSTERINGS = 20
"""Number of algorithms with stored clusterings, for topic coverage, which shows this many at once."""
ROUNDS = 20
"""Maximum number of times that a worker computes the answers that a page is still waiting for."""
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
"""Page -> query strings to request for the page and its files. ``all`` stands for 40 measures."""
KINDS = ("", "-json", "-csv", "-tex", "-svg")


def run() -> Iterator[dict[str, Any]]:
    """Yield two rows for each URL and state: processor time and memory."""
    data_folder = os.environ.get("QC4_BENCH_FOLDER")
    with nullcontext(data_folder) if data_folder else tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = site_settings(folder) | {"ALLOWED_HOSTS": "testserver"} | UNLIMITED
        if not (made := Path(folder) / "made").exists():
            run_python(FILL, settings)
            made.touch()
        for line in run_python(ASK, settings).splitlines():
            found = json.loads(line)
            work = f"{found['name']}, {found['state']} ({found['status']})"
            seconds, held = found["seconds"], found["bytes"]
            yield {"work": work, "peer": f"limit of {1000 * SECONDS:g} ms", "goal": 1.0} | {
                "seconds": seconds, "peer_seconds": SECONDS, "ratio": seconds / SECONDS
            }  # fmt: skip
            yield {"work": f"{work}, memory", "peer": f"limit of {BYTES // 1_000_000} MB", "goal": 1.0} | {
                "bytes": held, "peer_bytes": BYTES, "ratio": held / BYTES
            }  # fmt: skip


def fill() -> None:
    """Create the collection. Run this in a separate process, whose environment names the database."""
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
    """Return the measures that the pages show by default."""
    from evaluation.boards.measure_agreement.selectors import DEFAULT_MEASURES
    from evaluation.boards.trade_off.selectors import FIGURES

    of_figures = [key for figure in FIGURES for bars in figure.bars for some in bars.parts.values() for key in some]
    return [*DEFAULT_MEASURES, *of_figures]


def _cluster() -> None:
    """Add clusterings of the first algorithms: nine clusters of ten pages that cut across the topics."""
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
    """Request each URL in both states, and print one line of JSON for each."""
    import django

    django.setup()
    from django.db import connections
    from django.test import Client

    from bench.board import measure_keys
    from bench.ceiling import run_in_child
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
            found = [run_in_child(lambda address=address: client.get(address, secure=True)) for _ in range(TIMES)]
            best = min(found, key=lambda one: one["seconds"])
            print(json.dumps({"name": name, "state": state, **best}), flush=True)


def _make(client: Any, address: str) -> None:
    """Do the worker's job until the page is complete."""
    from work.answer_worker import compute_waiting_answers

    for _ in range(ROUNDS):
        client.get(address, secure=True)
        if not compute_waiting_answers():
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
