"""The coordinator's pages for 500 queries x 10 curators, over HTTP, with one web server on SQLite.

Every curator has a draft of every query, some of them submitted, and every query is assigned to all curators. The limit
is 300 ms, so that nobody notices the wait.
"""

from __future__ import annotations

import http.client
import json
import tempfile
import time
from datetime import timedelta
from statistics import median
from typing import Any
from uuid import uuid4

from bench.serving import run_python, running_site, site_settings

QUERIES, CURATORS, PAGES, ENTRIES = 500, 10, 10, 3
LIMIT = 0.300
VISITS = 9
FILL = "from bench.team import fill_team; fill_team()"


def run() -> list[dict[str, Any]]:
    """Return a row for each page and API response that shows the whole team."""
    with tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = site_settings(folder)
        made = json.loads(run_python(FILL, settings).splitlines()[-1])
        with running_site(settings) as port:
            return [_row(name, _seconds(port, address, made["cookie"])) for name, address in _addresses().items()]


def _addresses() -> dict[str, str]:
    curate = "/c/team/curate/"
    return {
        "overview": curate,
        "overview, overdue ones of a curator": f"{curate}?curator=curator-3&show=overdue",
        "team": f"{curate}team/",
        "API, overview": "/api/v1/collections/team/curation",
    }


def _seconds(port: int, address: str, cookie: str) -> float:
    """Return the median seconds of several visits, without the first one."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    seconds = []
    for _ in range(VISITS + 1):
        begin = time.perf_counter()
        connection.request("GET", address, headers={"Cookie": cookie})
        answer = connection.getresponse()
        content = answer.read()
        seconds.append(time.perf_counter() - begin)
        if answer.status != 200:
            raise RuntimeError(f"{address}: {answer.status} {content[:300]!r}")
    return median(seconds[1:])


def _row(name: str, seconds: float) -> dict[str, Any]:
    work = f"{QUERIES} queries x {CURATORS} curators, {name}"
    return {
        "work": work,
        "peer": "300 ms",
        "seconds": seconds,
        "peer_seconds": LIMIT,
        "ratio": seconds / LIMIT,
        "goal": 1.0,
    }


def fill_team() -> None:
    """Create the collection in the database of the settings, and print the cookie of its owner."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    owner = _filled()
    client = Client(SERVER_NAME="localhost")
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    print(json.dumps({"cookie": f"{settings.SESSION_COOKIE_NAME}={session}"}))


def _filled() -> Any:
    from django.utils import timezone

    from accounts.models import User
    from annotations.models import Assignment, Collection, Draft, DraftEntry, Membership, Page, Query, Role

    owner = User.objects.create_user("lead")
    collection = Collection.objects.create(slug="team", name="Team", created_by=owner)
    people = [User.objects.create_user(f"curator-{n}") for n in range(CURATORS)]
    Membership.objects.create(collection=collection, user=owner, role=Role.OWNER)
    Membership.objects.bulk_create(Membership(collection=collection, user=user, role=Role.CURATOR) for user in people)
    queries = Query.objects.bulk_create(
        Query(collection=collection, key=f"q{n}", text=f"query number {n}", position=n, stored_rows=PAGES)
        for n in range(QUERIES)
    )
    Page.objects.bulk_create(
        Page(query=query, key=f"p{n}", position=n + 1, title=f"Page {n}") for query in queries for n in range(PAGES)
    )
    pairs = [(query, user) for query in queries for user in people]
    now = timezone.now()
    Assignment.objects.bulk_create(
        Assignment(query=query, curator=user, due=now.date() + timedelta(days=n % 20 - 10), assigned_by=owner)
        for n, (query, user) in enumerate(pairs)
    )
    levels = [{"level": level, "placed": PAGES - level, "total": PAGES, "missing": level} for level in (1, 2)]
    summary = {"pages": PAGES, "levels": levels, "topics": 7, "outliers": 1, "errors": 2, "warnings": 0}
    facts = {"kind": Draft.Kind.OWN, "summary": summary, "revision": ENTRIES}
    closed = {"status": Draft.Status.SUBMITTED, "submitted_at": now}
    drafts = Draft.objects.bulk_create(
        Draft(query=query, curator=user, name=user.username, **facts, **(closed if n % 3 else {}))
        for n, (query, user) in enumerate(pairs)
    )
    DraftEntry.objects.bulk_create(
        DraftEntry(
            draft=draft,
            revision=revision,
            op_id=uuid4(),
            user=draft.curator,
            label="",
            operations=[],
            changes=[],
            created_at=now - timedelta(minutes=ENTRIES - revision),
        )
        for draft in drafts
        for revision in range(1, ENTRIES + 1)
    )
    return owner
