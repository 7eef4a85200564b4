"""Many people at once: 50 readers and 8 writers for two minutes, while a large collection is imported.

The whole site runs as in `manage.py serve`, on loopback, with SQLite and, if it is available, with PostgreSQL. Every
reader requests a page or an API response every two seconds. Every writer writes once a second: steps in a draft,
comments or small submissions, with sessions and with tokens. A row shows response times. No request may fail, and
everything that was acknowledged must be stored afterwards. Responses with status 503 are not failures, and are counted.

Then 40 visitors request everything slow at the same time, from a collection of 200 algorithms and 500 queries, always
with a new seed so that nothing is stored. Meanwhile somebody opens plain pages, which must arrive within a second.

This runs only by name: ``python -m bench load``. It sends requests only to the site that it starts.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import quantiles
from threading import Event, Thread
from typing import Any
from urllib.parse import quote

from bench.serving import ROOT, UNLIMITED, free_port, run_python, site_settings, wait_until_ready

SECONDS, READERS, WRITERS, QUERIES, PAGES_PER_QUERY = 120.0, 50, 8, 100, 1_000
READ_EVERY, WRITE_EVERY = 2.0, 1.0
PATIENCE = 60.0
"""Seconds after which a request counts as failed."""
POSTGRESQL = os.environ.get("QC4_TEST_POSTGRESQL", "postgres://postgres@127.0.0.1:5432/postgres")
FILL, CHECK = "from bench.load import fill; fill()", "from bench.load import check; check()"
# Each account stands for many people, and all requests come from one client address.
MANY = UNLIMITED | {"JOB_LIMIT_PER_USER": "100000", "JOB_LIMIT_TOTAL": "100000"}
HEAD = f"{'database':<12} {'what':<42} {'requests':>9} {'503':>5} {'failed':>7} {'p50':>9} {'p95':>9} {'longest':>9}"


def run() -> Iterator[dict[str, Any]]:
    """Yield the rows of each database: reads, writes, lost writes, and plain pages during slow requests."""
    for part in (load, crowd):
        with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
            yield from part("SQLite", site_settings(folder))
        with postgresql() as address:
            if address:
                with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
                    yield from part("PostgreSQL", site_settings(folder, address))


def line(row: Mapping[str, Any]) -> str:
    if "sentence" in row:
        return f"{row['database']:<12} {row['sentence']}"
    times = "".join(f"{row[name] * 1e3:>7.0f} ms" for name in ("p50", "p95", "longest"))
    return f"{row['database']:<12} {row['what']:<42} {row['requests']:>9} {row['busy']:>5} {row['failed']:>7}{times}"


SLOW = tuple(
    address
    for page in ("leaderboard", "compare", "measures", "trade-off", "robustness", "topics", "heat-map")
    for address in (f"/c/many/{page}/", f"/c/many/{page}.json", f"/api/v1/collections/many/{page}")
)
CROWD, CROWD_SECONDS, CROWD_EVERY = 40, 60.0, 2.0
PLAIN = ("/docs/", "/sign-in/", "/measures/")
CROWDED = "from bench.answers import fill; fill()"


def crowd(database: str, settings: Mapping[str, str], *, seconds: float = CROWD_SECONDS) -> Iterator[dict[str, Any]]:
    """Request everything slow at once, and measure how long plain pages take at the same time."""
    settings = {**settings, **MANY}
    run_python(CROWDED, settings)
    with served(settings) as port:
        visitors: list[LoadClient] = [Visitor(port, number, {}, CROWD_EVERY) for number in range(CROWD)]
        plain = Reader(port, CROWD, {}, 0.5, addresses=PLAIN)
        threads = [Thread(target=caller.go_on, args=(time.monotonic() + seconds,)) for caller in (*visitors, plain)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    yield {"database": database, **_row("plain pages", [plain])}
    yield {"database": database, **_row("everything slow", visitors)}
    for failure in [failure for caller in (*visitors, plain) for failure in caller.failures][:10]:
        yield {"database": database, "sentence": f"failed: {failure}"}


def load(
    database: str,
    settings: Mapping[str, str],
    *,
    seconds: float = SECONDS,
    readers: int = READERS,
    writers: int = WRITERS,
    queries: int = QUERIES,
    every: tuple[float, float] = (READ_EVERY, WRITE_EVERY),
) -> Iterator[dict[str, Any]]:
    """Put one site under load. Yield its rows, and sentences on what was found afterwards."""
    settings = {**settings, **MANY}
    world = json.loads(run_python(FILL, settings | {"QC4_BENCH_WRITERS": str(writers)}).splitlines()[-1])
    with served(settings) as port:
        callers = [*_callers(port, world, readers, writers, every), Importer(port, world, queries)]
        threads = [Thread(target=caller.go_on, args=(time.monotonic() + seconds,)) for caller in callers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for what, kind in (("reads", Reader), ("writes", Writer)):
        yield {"database": database, **_row(what, [caller for caller in callers if type(caller) is kind])}
    importer = callers[-1]
    acknowledged = {kind: [made for caller in callers for made in caller.made.get(kind, ())] for kind in KINDS}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(acknowledged, file)
        file.flush()
        found = run_python(CHECK, settings | {"QC4_BENCH_MADE": file.name}).splitlines()[-1]
    failures = [failure for caller in callers for failure in caller.failures]
    n_made = sum(map(len, acknowledged.values()))
    yield {"database": database, "sentence": f"{n_made} writes acknowledged, {found}"}
    yield {"database": database, "sentence": importer.message}
    for failure in failures[:10]:
        yield {"database": database, "sentence": f"failed: {failure}"}


def _row(what: str, callers: Sequence[LoadClient]) -> dict[str, Any]:
    times = sorted(seconds for caller in callers for seconds in caller.times) or [0.0, 0.0]
    cuts = quantiles(times, n=20)
    return {
        "what": f"{what} by {len(callers)}",
        "requests": sum(len(caller.times) for caller in callers),
        "busy": sum(caller.busy for caller in callers),
        "failed": sum(len(caller.failures) for caller in callers),
        "p50": cuts[9], "p95": cuts[18], "longest": times[-1],
    }  # fmt: skip


# --- Clients ----------------------------------------------------------------------------------------------------------

KINDS = ("submission", "comment", "step")
FIXED = "qc4BenchLoadqc4BenchLoadqc4BenchLoad"[:32]


@dataclass
class LoadClient:
    """A client that makes a request at regular intervals, each on a new connection."""

    port: int
    number: int
    headers: Mapping[str, str]
    every: float
    times: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    busy: int = 0
    made: dict[str, list[str]] = field(default_factory=dict)

    def go_on(self, until: float) -> None:
        """Make requests until this time, with random pauses."""
        random, pause = Random(self.number), Event()  # noqa: S311  # pauses, not secrets
        pause.wait(random.random() * self.every)
        while time.monotonic() < until:
            began = time.monotonic()
            try:
                self.act()
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(f"{type(self).__name__} {self.number}: {error!r}")
            pause.wait(max(0.0, self.every * (0.5 + random.random()) - (time.monotonic() - began)))

    def act(self) -> None:
        raise NotImplementedError

    def ask(self, method: str, address: str, body: bytes | None = None, kind: str = "application/json") -> Any:
        """Send a request. Return the JSON of an API response; None for a page or a failure."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            began = time.monotonic()
            connection.request(method, address, body, {**self.headers, "Content-Type": kind})
            answer = connection.getresponse()
            content = answer.read()
            self.times.append(time.monotonic() - began)
        finally:
            connection.close()
        if answer.status in (429, 503) and answer.getheader("Retry-After"):
            self.busy += 1
        elif answer.status >= 400:
            self.failures.append(f"{method} {address}: {answer.status} {content[:200]!r}")
        elif address.startswith("/api/"):
            return json.loads(content or b"null")
        return None

    def send(self, address: str, fields: object) -> Any:
        return self.ask("POST", address, json.dumps(fields).encode())


@dataclass
class Reader(LoadClient):
    """A client that reads pages or the API."""

    addresses: Sequence[str] = ()

    def act(self) -> None:
        self.ask("GET", self.addresses[len(self.times) % len(self.addresses)])


@dataclass
class Visitor(LoadClient):
    """A client that requests slow results that are not stored."""

    def act(self) -> None:
        seed = self.number * 10_000 + len(self.times)
        self.ask("GET", f"{SLOW[seed % len(SLOW)]}?seed={seed}")


@dataclass
class Writer(LoadClient):
    """A client that repeats one kind of work."""

    work: Callable[[Writer], None] = lambda _: None
    base: int = 0

    def act(self) -> None:
        self.work(self)

    def record(self, kind: str, made: object) -> None:
        """Record an acknowledged write."""
        self.made.setdefault(kind, []).append(str(made))


@dataclass
class Importer(LoadClient):
    """A client that imports a large collection and polls its progress."""

    queries: int = 0
    message: str = ""

    def __init__(self, port: int, world: Mapping[str, Any], queries: int) -> None:
        super().__init__(port, 0, _by_token(world["people"][0]), 1.0)
        self.queries = queries

    def go_on(self, until: float) -> None:
        rows = (_page(n) for n in range(self.queries * PAGES_PER_QUERY))
        body = "\n".join(["id,query,rank,url,title,snippet", *rows]).encode()
        began, number = time.monotonic(), self.queries * PAGES_PER_QUERY
        run = self.ask("POST", f"/api/v1/collections?name={quote('Large')}", body, "text/csv")
        while run is not None and not run["has_ended"] and time.monotonic() < until + PATIENCE:
            time.sleep(1)
            run = self.ask("GET", f"/api/v1/runs/{run['id']}") or run
        how = "failed" if run is None else f"{run['state']} ({run['step'] or 'ended'})"
        self.message = f"import of {number:,} pages at the same time: {how} after {time.monotonic() - began:.0f} s"
        if run is None or run["state"] != "done":
            self.failures.append(f"{self.message}: {run and run['error']}")


def _page(number: int) -> str:
    """Return a line of the imported file."""
    query, rank = divmod(number, PAGES_PER_QUERY)
    details = f'https://site-{number}.example/,Page {number},"What page {number} says, in some words."'
    return f"{number},q{query},{rank + 1},{details}"


def _callers(
    port: int, world: Mapping[str, Any], readers: int, writers: int, every: tuple[float, float]
) -> list[LoadClient]:
    slug, people = world["slug"], world["people"]
    pages = world["pages"]
    own = f"/api/v1/collections/{slug}"
    api = [own, f"{own}/submissions", f"{own}/leaderboard", f"{own}/queries/q0", "/api/v1/tokens", "/api/v1/runs"]
    callers: list[LoadClient] = []
    for number in range(readers):
        who = people[number % len(people)]
        by = (_by_session(who), pages) if number % 2 else (_by_token(who), api)
        callers.append(Reader(port, number, by[0], every[0], addresses=by[1]))
    works = (_step(world["draft"]), _submit(own), _comment(world["draft"]), _submit(own))
    for number in range(writers):
        work = works[number % len(works)]
        headers = _by_session(people[number]) if number % 2 == 0 else _by_token(people[number])
        callers.append(Writer(port, 1000 + number, headers, every[1], work=work))
    return callers


def _by_token(who: Mapping[str, str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {who['token']}"}


def _by_session(who: Mapping[str, str]) -> dict[str, str]:
    return {"Cookie": f"sessionid={who['session']}; csrftoken={FIXED}", "X-CSRFToken": FIXED}


def _step(draft: int) -> Callable[[Writer], None]:
    def work(writer: Writer) -> None:
        step, text = str(uuid.uuid4()), f"note {len(writer.times)}"
        note = {"kind": "note", "page": f"p{writer.number % 100}", "text": text}
        asked = {"id": step, "base": writer.base, "operations": [note]}
        if (answer := writer.send(f"/api/v1/drafts/{draft}/operations", asked)) is not None:
            writer.base = answer["revision"]
            writer.record("step", step)

    return work


def _comment(draft: int) -> Callable[[Writer], None]:
    def work(writer: Writer) -> None:
        said = str(uuid.uuid4())
        asked = {"id": said, "text": "What is this?", "about": "page", "key": f"p{len(writer.times) % 100}"}
        if writer.send(f"/api/v1/drafts/{draft}/threads", asked) is not None:
            writer.record("comment", said)

    return work


def _submit(own: str) -> Callable[[Writer], None]:
    def work(writer: Writer) -> None:
        random = Random(writer.number * 1000 + len(writer.times))  # noqa: S311  # clusterings, not secrets
        labels = "\n".join(["page,label", *(f"p{page},{random.randrange(8)}" for page in range(100))])
        address = f"{own}/submissions?algorithm=algorithm-{writer.number}"
        answer = writer.ask("POST", address, labels.encode(), "text/csv")
        if answer is not None:
            writer.record("submission", answer["submission"]["id"])

    return work


# --- The site ---------------------------------------------------------------------------------------------------------


@contextmanager
def served(settings: Mapping[str, str]) -> Iterator[int]:
    """Run `manage.py serve` with one worker, and yield its port."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve"]
    variables = {**os.environ, **settings, "PORT": f"{port}"}
    site = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.DEVNULL)  # noqa: S603  # our own command
    try:
        wait_until_ready(port)
        yield port
    finally:
        site.send_signal(signal.SIGINT)
        site.wait(60)


@contextmanager
def postgresql() -> Iterator[str]:
    """Create a temporary database, and yield its URL; "" if PostgreSQL is not available."""
    import psycopg

    name = f"qc4_bench_{uuid.uuid4().hex[:12]}"
    try:
        admin = psycopg.connect(POSTGRESQL, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError:
        yield ""
        return
    with admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{POSTGRESQL.rpartition('/')[0]}/{name}"
        finally:
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def fill() -> None:
    """Create a collection of one query with people, a draft, tokens and sessions. Print what the clients need."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client
    from django.urls import reverse

    call_command("migrate", verbosity=0)
    from accounts.models import User
    from accounts.scopes import Scope
    from accounts.services import tokens
    from annotations.drafts import services as drafts
    from annotations.imports.services import import_documents
    from annotations.models import Membership, Role
    from qc4.model.gold_document import GoldDocument, Page, Topic

    words = "Some words. " * 10
    pages = tuple(Page(f"p{n}", n + 1, f"https://site-{n}.example/", f"Page {n}", words) for n in range(100))
    topics = tuple(
        Topic(f"t{n}", f"Topic {n}", pages=tuple(page.id for page in pages[n * 10 : n * 10 + 10])) for n in range(10)
    )
    people = [User.objects.create_user(f"person{n}") for n in range(max(8, int(os.environ["QC4_BENCH_WRITERS"])))]
    document = GoldDocument("q0", "jaguar", pages, topics)
    collection = import_documents(name="Small", slug="small", documents=[document], user=people[0], public=True)
    Membership.objects.bulk_create(Membership(collection=collection, user=user, role=Role.OWNER) for user in people[1:])
    draft = drafts.from_nothing(query=collection.queries.get(), user=people[0], kind="shared")
    credentials = []
    for user in people:
        client = Client(SERVER_NAME="localhost")
        client.force_login(user, "django.contrib.auth.backends.ModelBackend")
        token = tokens.create(user, "load", Scope)[1]
        credentials.append({"token": token, "session": client.cookies[settings.SESSION_COOKIE_NAME].value})
    slug = collection.slug
    shown = [reverse(name) for name in ("collections", "account", "runs")]
    shown += [reverse(name, args=[slug]) for name in ("collection", "leaderboard")] + [
        reverse("query", args=[slug, "q0"])
    ]
    print(json.dumps({"slug": slug, "pages": shown, "draft": draft.pk, "people": credentials}))


def check() -> None:
    """Check that every acknowledged write is stored, and run `manage.py verify`."""
    import django

    django.setup()
    from django.core.management import call_command

    from annotations.models import Comment, DraftEntry
    from evaluation.models import Submission

    with open(os.environ["QC4_BENCH_MADE"]) as file:
        made = json.load(file)
    there = {
        "submission": {str(pk) for pk in Submission.objects.values_list("pk", flat=True)},
        "comment": {str(each) for each in Comment.objects.values_list("op_id", flat=True)},
        "step": {str(each) for each in DraftEntry.objects.values_list("op_id", flat=True)},
    }
    lost = sum(len(set(some) - there[kind]) for kind, some in made.items())
    call_command("verify")
    print(f"{lost} lost; manage.py verify finds nothing wrong")
