"""The curation workspace over HTTP, then in Chromium, with one web server on SQLite as in `manage.py serve`.

The shared draft has 1,000 pages and 200 topics, and most pages are in two topics. The goals are the times of other
annotation tools on their SQLite defaults for the same work, and the delays that a person notices.
"""

from __future__ import annotations

import gzip
import http.client
import json
import os
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from bench import workspace
from bench.drafts import CHILDREN, ROOTS, Operation, working_draft
from bench.serving import running_site, site_settings

PAGES, PLACED = 1_000, 900
REQUESTS = 200
WRITERS = 4
LEARNT_PAGES, LEARNT_WORDS, LEARNT_TOPICS = 5_000, 8_000, 20


def run() -> Iterator[dict[str, Any]]:
    """Yield the rows of the table, with those of the browser last."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder, _site(Path(folder)) as site:
        for work in (_one_writer, _many_pages, _four_writers, _opening, _searching, _queries):
            yield from work(site)
        yield from _learning()
    yield from workspace.run()


@dataclass
class Site:
    """A running site: its port, the cookies of a signed-in person, and the draft they work on."""

    port: int
    cookie: str
    csrf: str
    draft: int


@dataclass
class Writer:
    """A browser with an open connection, and the revision that it has seen."""

    site: Site
    revision: int = 0
    seconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", self.site.port)
        self.revision = self.ask("GET", f"/api/v1/drafts/{self.site.draft}/changes?since=999999")["revision"]

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return the JSON of the response. Raise RuntimeError unless its status is 200."""
        status, content = self.raw(method, path, body)
        if status != 200:
            raise RuntimeError(f"{method} {path}: {status} {content[:500]!r}")
        return json.loads(content)

    def raw(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        own = {"Cookie": self.site.cookie, "X-CSRFToken": self.site.csrf, "Content-Type": "application/json"}
        self._connection.request(method, path, None if body is None else json.dumps(body), own | dict(headers or {}))
        answer = self._connection.getresponse()
        return answer.status, answer.read()

    def work(self, *operations: Operation) -> None:
        """Send operations and record the time until the response."""
        body = {"id": str(uuid.uuid4()), "base": self.revision, "operations": operations}
        begin = time.perf_counter()
        answer = self.ask("POST", f"/api/v1/drafts/{self.site.draft}/operations", body)
        self.seconds.append(time.perf_counter() - begin)
        self.revision = answer["revision"]


def _one_writer(site: Site) -> list[dict[str, Any]]:
    writer = Writer(site)
    for number in range(REQUESTS + 10):
        writer.work(_toggled(number))
    return [_row("1 page into 2 topics, 1 request, p50", "12 ms", median(writer.seconds[10:]), 0.012)]


def _many_pages(site: Site) -> list[dict[str, Any]]:
    rows = []
    for count, limit in ((100, 0.050), (PAGES, 0.100)):
        writer = Writer(site)
        pages = [f"page-{number}" for number in range(count)]
        for number in range(21):
            kind = "unassign" if number % 2 else "assign"
            writer.work({"kind": kind, "pages": pages, "topics": ["bulk"]})
        work = f"1 topic to {count:,} pages, 1 request, p50"
        rows.append(_row(work, f"{limit * 1e3:.0f} ms", median(writer.seconds[1:]), limit))
    return rows


def _four_writers(site: Site) -> list[dict[str, Any]]:
    writers = [Writer(site) for _ in range(WRITERS)]

    def work(number: int) -> list[float]:
        for turn in range(REQUESTS // 2):
            writers[number].work(_toggled(turn, number + 1))
        return writers[number].seconds

    with ThreadPoolExecutor(WRITERS) as pool:
        seconds = [each for found in pool.map(work, range(WRITERS)) for each in found]
    work_done = f"1 page into 2 topics, {WRITERS} writers on 1 draft"
    p95 = quantiles(seconds, n=20)[-1]
    return [_row(f"{work_done}, p50", "60 ms", median(seconds), 0.060), _row(f"{work_done}, p95", "60 ms", p95, 0.060)]


def _toggled(number: int, writer: int = 0) -> Operation:
    """Return an operation that puts one page into two topics or, for odd numbers, removes it again."""
    kind = "unassign" if number % 2 else "assign"
    topics = [f"spare-{writer}", f"spare-{writer}-below"]
    return {"kind": kind, "pages": [f"page-{number // 2 % PAGES}"], "topics": topics}


def _opening(site: Site) -> list[dict[str, Any]]:
    writer = Writer(site)
    seconds = []
    for _ in range(9):
        begin = time.perf_counter()
        status, content = writer.raw("GET", f"/drafts/{site.draft}/")
        seconds.append(time.perf_counter() - begin)
        if status != 200:
            raise RuntimeError(f"The workspace returned status {status}.")
    work = f"Workspace, {PAGES:,} pages x {ROOTS * (CHILDREN + 1)} topics"
    _, packed = writer.raw("GET", f"/drafts/{site.draft}/", headers={"Accept-Encoding": "gzip"})
    if content[-100:] != gzip.decompress(packed)[-100:]:
        raise RuntimeError("The compressed workspace differs from the uncompressed one.")
    return [
        _row(f"{work}, server", "1 s", median(seconds), 1.0),
        _bytes(work, len(content), 1_000_000),
        _bytes(f"{work}, on the wire", len(packed), 200_000),
    ]


def _searching(site: Site) -> list[dict[str, Any]]:
    """Search for words that are in most pages, and for a phrase that is in few."""
    writer = Writer(site)
    seconds = []
    for search in ("jaguar", "engine -zoo", "%22club racing zoo%22", "habitat dealer") * 5:
        begin = time.perf_counter()
        writer.ask("GET", f"/api/v1/drafts/{site.draft}/pages?search={search.replace(' ', '+')}")
        seconds.append(time.perf_counter() - begin)
    return [_row(f"Words in the texts of {PAGES:,} pages, p50", "100 ms", median(seconds), 0.1)]


def _bytes(work: str, count: int, peer: int) -> dict[str, Any]:
    facts = {"bytes": count, "peer_bytes": peer, "ratio": count / peer, "goal": 1.0}
    return {"work": work, "peer": f"{peer / 1e6:g} MB", **facts}


def _queries(site: Site) -> list[dict[str, Any]]:
    """Count the database queries of requests in this process, on the same database."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(SERVER_NAME="localhost", headers={"cookie": site.cookie})
    address = f"/api/v1/drafts/{site.draft}"
    revision = client.get(f"{address}/changes?since=999999").json()["revision"]
    body = {"id": str(uuid.uuid4()), "base": revision, "operations": [_toggled(0, 9)]}
    rows = []
    for work, most, ask in (
        ("Queries to place a page", 6, lambda: client.post(f"{address}/operations", body, "application/json")),
        ("Queries to ask what changed", 5, lambda: client.get(f"{address}/changes?since={revision}")),
        ("Queries to open the workspace", 13, lambda: client.get(f"/drafts/{site.draft}/")),
    ):
        with CaptureQueriesContext(
            connection,
        ) as found:
            answer = ask()
        if answer.status_code != 200:
            raise RuntimeError(f"{work}: {answer.status_code} {answer.content[:300]!r}")
        count = sum(not query["sql"].startswith(("BEGIN", "COMMIT")) for query in found.captured_queries)
        facts = {"queries": count, "peer_queries": most, "ratio": count / most, "goal": 1.0}
        rows.append({"work": work, "peer": f"{most} queries", **facts})
    return rows


def _learning() -> list[dict[str, Any]]:
    """Time suggested topics and predictions for 5,000 new pages with texts, and repeat the suggestions."""
    from accounts.models import User
    from annotations.drafts import services as drafts
    from annotations.drafts.services.performing import perform
    from annotations.drafts.services.planning import DraftRequest
    from annotations.imports.services import import_documents
    from annotations.workspace.selectors.predictions import predictions
    from annotations.workspace.services import suggest
    from qc4.model.gold_document import GoldDocument, Page

    random = Random(2008)  # noqa: S311  # pages for a benchmark, not secrets
    words = [f"word{number}" for number in range(LEARNT_WORDS)]
    usual = [1 / (number + 10) for number in range(LEARNT_WORDS)]
    topics = [random.sample(words, 60) for _ in range(LEARNT_TOPICS)]
    texts = [
        " ".join([*random.choices(words, usual, k=400), *random.choices(topics[number % LEARNT_TOPICS], k=100)])
        for number in range(LEARNT_PAGES)
    ]
    pages = tuple(Page(f"p{n}", n + 1, None, text[-60:], text[-200:], text) for n, text in enumerate(texts))
    user = User.objects.get(username="ana")
    collection = import_documents(name="Learning", documents=[GoldDocument("q", "q", pages)], user=user)
    draft = drafts.from_nothing(query=collection.queries.get(), user=user, kind="shared")
    placing = [
        {"kind": "add_topic", "topic": f"t{one}", "name": f"T {one}", "pages": [f"p{n}" for n in range(one, 1_000, 20)]}
        for one in range(LEARNT_TOPICS)
    ]
    rows = []
    for work, goal, act in (
        (f"Suggested topics, {LEARNT_PAGES:,} pages", 2.0, lambda: suggest(draft, user)),
        ("The same, words known", 1.0, lambda: suggest(draft, user)),
        (f"Predictions, {LEARNT_PAGES:,} pages, 1,000 placed", 1.0, lambda: predictions(draft)),
    ):
        begin = time.perf_counter()
        act()
        rows.append(_row(work, f"{goal:.0f} s", time.perf_counter() - begin, goal))
        if len(rows) < 3:  # reset, then place pages for the predictions
            perform(draft, user, DraftRequest(uuid.uuid4(), draft.revision, [{"kind": "reject_all"}]))
        if len(rows) == 2:
            perform(draft, user, DraftRequest(uuid.uuid4(), draft.revision, placing))
    return rows


# --- The site ---------------------------------------------------------------------------------------------------------


@contextmanager
def _site(folder: Path) -> Iterator[Site]:
    """Run a site that contains the draft."""
    settings = site_settings(folder) | {"API_RATE_DRAFTS": "100000/min"}
    os.environ.update(settings)
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    found = working_draft(PAGES, PLACED, spare=[*range(WRITERS + 1), 9])
    with running_site(settings) as port:
        yield Site(port, found.header, found.cookies["csrftoken"], found.draft)


def _row(work: str, peer: str, ours: float, theirs: float) -> dict[str, Any]:
    return {"work": work, "peer": peer, "seconds": ours, "peer_seconds": theirs, "ratio": ours / theirs, "goal": 1.0}
