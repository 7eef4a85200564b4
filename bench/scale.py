"""Every list at its largest size: its first page, a later one, and its last page. `bench.scale_data` makes the data.

An owner requests each list in a process that is prepared like a web process. Server time is the processor time of that
process and of the PostgreSQL process that serves it (on the server of `QC4_BENCH_POSTGRES`, as for `bench.board`). It
does not include waiting for other processes, but the same work takes half as long again while another process uses the
other half of the same core. So there are three rounds with five requests of each list, and a row shows the medians of
the quietest and the busiest round. `QC4_BENCH_ONLY` selects lists with a word in their name.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from statistics import median
from time import process_time
from typing import Any

from bench.board import database
from bench.serving import UNLIMITED, run_python, site_settings

LIMIT = 0.1
TIMES, ROUNDS = 5, 3
STEPS = 10
"""Number of links to the next page that lead to the later page."""
HEAD = f"{'list':<32} {'where':<8} {'database':<11} {'server time':>12} {'busiest':>9} {'limit':>8} {'queries':>8}"
FILL, ASK = "from bench.scale_data import fill_all; fill_all()", "from bench.scale import ask_all; ask_all()"
_LINK = r'<a\b[^>]*?href="([^"]*)"\s+rel="%s"'


def run() -> Iterator[dict[str, Any]]:
    """Yield a row for each list and each of its measured pages."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        yield from _rows("SQLite", folder, f"sqlite:///{folder}/qc4.sqlite3")
        if server := os.environ.get("QC4_BENCH_POSTGRES"):
            with database(server) as address:
                yield from _rows("PostgreSQL", folder, address)


def line(row: dict[str, Any]) -> str:
    verdict = "reached" if row["seconds"] <= LIMIT and row["status"] == 200 else f"MISSED ({row['status']})"
    time = f"{1e3 * row['seconds']:9.1f} ms {1e3 * row['busiest']:6.1f} ms {1e3 * LIMIT:5.0f} ms {row['queries']:8}"
    return f"{row['list']:<32} {row['where']:<8} {row['database']:<11} {time}  {verdict}"


def _rows(name: str, folder: str, address: str) -> Iterator[dict[str, Any]]:
    settings = site_settings(folder, address) | {"ALLOWED_HOSTS": "testserver"} | UNLIMITED
    made = run_python(FILL, settings).splitlines()[-1]
    for answered in run_python(ASK, settings | {"QC4_BENCH_MADE": made}).splitlines():
        yield {"database": name, **json.loads(answered)}


def addresses(made: dict[str, Any]) -> dict[str, str]:
    """Return name -> URL of all lists."""
    return _pages(made) | _of_the_api(made)


def _pages(made: dict[str, Any]) -> dict[str, str]:
    site, key = "/c/large", made["query"]
    return {
        "home": "/",
        "collection": f"{site}/",
        "query": f"{site}/q/{key}/",
        "algorithm": f"/algorithms/{made['algorithm']}/",
        "submission": f"/submissions/{made['submission']}/",
        "own submissions": "/submissions/",
        "own submissions, of one": "/submissions/?collection=large",
        "own runs": "/runs/",
        "run": f"/runs/{made['run']}/",
        "streams": f"{site}/streams/",
        "stream": f"{site}/streams/stream-0/",
        "challenge": f"{site}/settings/challenge/",
        "drafts of a query": f"{site}/q/{key}/drafts/",
        "curation": f"{site}/curate/",
        "curation, team": f"{site}/curate/team/",
        "curation, dependent pairs": f"{site}/curate/team/?dependent=",
        "comments": "/comments/",
        "people": f"{site}/people/",
        "people, log": f"{site}/people/log/",
        "account": "/account/",
        "account, log": "/account/log/",
        "publish gold": f"{site}/gold/",
    }


def _of_the_api(made: dict[str, Any]) -> dict[str, str]:
    """Return name -> URL of the lists of the API."""
    api, key = "/api/v1/collections/large", made["query"]
    return {
        "API, collections": "/api/v1/collections",
        "API, collection": api,
        "API, queries": f"{api}/queries",
        "API, query": f"{api}/queries/{key}",
        "API, gold versions": f"{api}/gold-versions",
        "API, gold version": f"{api}/gold-versions/100",
        "API, algorithms": f"{api}/algorithms",
        "API, algorithm": f"/api/v1/algorithms/{made['algorithm']}",
        "API, submissions": f"{api}/submissions",
        "API, submission": f"/api/v1/submissions/{made['submission']}",
        "API, runs": "/api/v1/runs",
        "API, runs of a collection": "/api/v1/runs?collection=large",
        "API, events of a run": f"/api/v1/runs/{made['run']}/events",
        "API, scores": f"{api}/scores",
        "API, scores, 1,000": f"{api}/scores?page_size=1000",
        "API, scores of an algorithm": f"{api}/scores?algorithm=Algorithm number 150",
        "API, scores of a query": f"{api}/scores?query={key}",
        "API, scores by a measure": f"{api}/scores?measure=qc4_f",
        "API, scores undefined": f"{api}/scores?undefined=true",
        "API, streams": f"{api}/streams",
        "API, submissions of a stream": f"{api}/streams/stream-0/submissions",
        "API, vectors": f"{api}/vectors",
        "API, drafts of a query": f"{api}/queries/{key}/drafts",
        "API, assignments": f"{api}/assignments",
        "API, curation": f"{api}/curation",
        "API, team": f"{api}/team",
        "API, dependent pairs": f"{api}/team/dependent",
        "API, own threads": "/api/v1/threads",
        "API, threads of a draft": f"/api/v1/drafts/{made['draft']}/threads",
        "API, invitations": f"{api}/invitations",
        "API, offers": f"{api}/offers",
        "API, own offers": "/api/v1/offers",
        "API, requests": f"{api}/requests",
        "API, own requests": "/api/v1/requests",
        "API, log of a collection": f"{api}/log",
        "API, log of an account": "/api/v1/log",
        "API, tokens": "/api/v1/tokens",
    }


def ask_all() -> None:
    """Print a line of JSON for each list and page. Run this in a separate process with the database's settings."""
    import django

    django.setup()
    from django.test import Client

    from accounts.models import User
    from qc4site.web import make_ready

    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="owner"), "django.contrib.auth.backends.ModelBackend")
    client.get("/c/large/leaderboard/", {"wait": "1"})  # a worker would have stored this by then
    made, wanted = json.loads(os.environ["QC4_BENCH_MADE"]), os.environ.get("QC4_BENCH_ONLY", "")
    lists = {name: address for name, address in addresses(made).items() if wanted in name}
    rows = [
        {"list": name, "where": where, "address": there, **_looked_at(client, there)}
        for name, address in lists.items()
        for where, there in _places(client, address)
    ]
    make_ready()
    _on_one_core()
    rounds = [[_seconds(client, row["address"]) for row in rows] for _ in range(ROUNDS)]
    for row, found in zip(rows, zip(*rounds, strict=True), strict=True):
        print(json.dumps({**row, "seconds": min(found), "busiest": max(found)}))


def _places(client: Any, address: str) -> Iterator[tuple[str, str]]:
    """Yield the first page, a later page, and the last page if there is a link to it."""
    yield "first", address
    first = client.get(address)
    at, answer, last = address, first, _link(first, address, "last")
    for _ in range(STEPS):
        at, before = _link(answer, at, "next"), at
        if not at:
            at = before
            break
        answer = client.get(at)
    if at != address:
        yield "further", at
    if last:
        yield "last", last


def _link(answer: Any, address: str, rel: str) -> str:
    """Return the URL of another page of the list; empty if there is none."""
    if answer.headers.get("Content-Type") == "application/json":
        told = answer.json()
        return str(told.get(rel) or "").partition("testserver")[2] if isinstance(told, dict) else ""
    found = re.search(_LINK % rel, answer.content.decode())
    if found is None:
        return ""
    to = unescape(found[1]).partition("#")[0]
    return address.partition("?")[0] + to if to.startswith("?") else to


def _looked_at(client: Any, address: str) -> dict[str, Any]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as found:
        status = client.get(address).status_code
    return {"queries": len(found), "status": status}


def _seconds(client: Any, address: str) -> float:
    """Return the median server time of several requests."""
    from django.db import connection

    spent = []
    for _ in range(TIMES):
        before = process_time() + _database_time(connection)
        client.get(address)
        spent.append(process_time() + _database_time(connection) - before)
    return median(spent)


def _on_one_core() -> None:
    """Let this process and PostgreSQL's take turns on one core, as they do during one request.

    Otherwise a virtual machine wakes another core for each query, and that time, half as much again, would count.
    """
    from django.db import connection

    connection.ensure_connection()
    core = {min(os.sched_getaffinity(0))}
    os.sched_setaffinity(0, core)
    if connection.vendor == "postgresql":
        with suppress(PermissionError):  # PostgreSQL runs as another account
            os.sched_setaffinity(connection.connection.info.backend_pid, core)


def _database_time(connection: Any) -> float:
    """Return the processor seconds of the PostgreSQL process so far; 0 for SQLite, which is part of this process."""
    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    with open(f"/proc/{connection.connection.info.backend_pid}/schedstat") as file:
        return int(file.read().split()[0]) / 1e9
