"""A real Chromium, shared by all tests of a process; pages that watch for errors and for requests to other hosts."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, Response, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotations.collections import streams as stored_streams
from annotations.drafts import services as drafts
from annotations.imports.services import import_documents
from annotations.models import Collection, Draft
from evaluation.models import StreamSubmission, Submission
from evaluation.runs.execution import run_here
from evaluation.streams import services as stream_baselines
from evaluation.streams import services as streams
from evaluation.submissions.services import Provenance
from qc4.model.clustering import Cluster, Clustering, SubmissionDocument
from qc4.model.gold_document import Page as GoldPage
from tests import stream_samples
from tests.browser.contexts import Browse, Contexts
from tests.browser.workspace import Open, opener
from tests.handing_in import hand_in
from tests.patience import PATIENCE
from tests.places import ROOT
from tests.samples import mercury

FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
]
# Playwright keeps an event loop in this thread; Django would refuse the database because of it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
expect.set_options(timeout=PATIENCE * 1_000)

THE_TESTS_OWN = (
    "the server responded with a status of 4",
    "a status of 503",
    "Status Error Code 503",
    "net::ERR_INTERNET_DISCONNECTED",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    found = subprocess.run([ROOT / "scripts" / "find_chromium.sh"], stdout=subprocess.PIPE, text=True)
    if found.returncode:
        missing("no Chromium here; install the package `chromium-headless-shell` or `chromium`, or set QC4_CHROMIUM")
    try:
        playwright = sync_playwright().start()
    except Exception as error:  # Playwright raises no other kind
        missing(f"Playwright does not start ({error}); on Debian it needs the package `libatomic1`")
    browser = playwright.chromium.launch(executable_path=found.stdout.strip(), args=FLAGS)
    yield browser
    browser.close()
    playwright.stop()


def missing(reason: str, name: str = "browser") -> NoReturn:
    """Skip, or fail where ``QC4_REQUIRE_SERVICES`` (names, or 1 for all) wants that browser tested."""
    if {"1", name} & set(os.environ.get("QC4_REQUIRE_SERVICES", "").split(",")):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def contexts(chromium: Browser) -> Contexts:
    return Contexts(chromium)


@pytest.fixture
def browse(contexts: Contexts, live_server: LiveServer) -> Iterator[Browse]:
    """``browse(user, width=1280, scheme="light")``: a page, signed in as this person.

    When the test ends, it fails if a page wrote an error to the console, threw one, asked another host for anything, or
    asked for a file that is not there. Other answers of 400 and more and cut lines, which the console repeats, are the
    tests' own business.
    """
    wrong: list[str] = []

    def look(message: object) -> None:
        text = message.text
        if message.type in {"error", "warning"} and not any(known in text for known in THE_TESTS_OWN):
            wrong.append(text)

    def answered(response: Response) -> None:
        wrong.extend(missing_file(response))

    def open_page(user: User | None = None, width: int = 1280, scheme: str = "light") -> Page:
        page = lent.page(live_server.url, width, scheme)
        page.context.on("response", answered)
        if user is not None:
            page.context.add_cookies([session_cookie(user, live_server.url)])
        page.on("console", look)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(f"a dialog: {dialog.message}"))
        page.on("request", lambda request: _own_host(request.url, live_server.url) or wrong.append(request.url))
        return page

    with contexts.lend() as lent:
        yield open_page
        for context in lent.contexts:
            context.remove_listener("response", answered)
    assert wrong == []


FILES = {"script", "stylesheet", "image", "font"}


def missing_file(response: Response) -> list[str]:
    """What to say of an error that answers for a script, style or picture, or for anything below the static files."""
    request = response.request
    if response.status < 400:
        return []
    if request.resource_type not in FILES and not urlsplit(response.url).path.startswith(settings.STATIC_URL):
        return []
    return [f"{response.status} for the {request.resource_type} {response.url}"]


def session_cookie(user: User, url: str) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    return {
        "name": settings.SESSION_COOKIE_NAME,
        "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
        "url": url,
    }


def _own_host(asked: str, url: str) -> bool:
    return asked.startswith((url, "data:"))


@pytest.fixture
def enter(browse: Browse) -> Open:
    """``enter(user, draft, query="", width=1280, scheme="light")``: this person's screen of the draft."""
    return opener(browse)


def begin(collection: Collection, owner: User, kind: str, name: str = "") -> Draft:
    """A draft that begins with gold version 1 of ``mercury``: see `tests.samples.mercury`."""
    query = collection.queries.get(key="mercury")
    entry = collection.gold_versions.get(number=1).entries.get(query=query)
    return drafts.from_gold(entry=entry, query=query, user=owner, kind=kind, name=name)


@pytest.fixture
def shared(collection: Collection, owner: User) -> Draft:
    """A shared draft that begins with gold version 1 of ``mercury``."""
    return begin(collection, owner, Draft.Kind.SHARED)


@pytest.fixture
def own(collection: Collection, owner: User) -> Draft:
    """The owner's own draft that begins with the same."""
    return begin(collection, owner, Draft.Kind.OWN)


LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmütze" * 2
ATTACK = f"<script>alert(1)</script><img src=x onerror=alert(1)>\u202e{LONG}"

NAME = ATTACK.replace("\u202e", "")
"""As much of it as a name may hold that is given now; older ones may hold all of it."""


@pytest.fixture
def crowded(transactional_db: None, owner: User) -> Submission:
    """A public collection in which every text is long, unbroken and an attack; one submission is scored, one waits."""
    document = mercury()
    page = GoldPage("p1", 1, f"https://{'a' * 60}.example/{LONG}", ATTACK, ATTACK)
    document = replace(
        document,
        query_id=f"{LONG}/..",
        query_text=ATTACK,
        pages=(page, *document.pages[1:]),
        topics=tuple(replace(topic, name=f"{topic.name} {ATTACK}") for topic in document.topics),
    )
    collection = import_documents(
        name=NAME, documents=[document], user=owner, public=True, description=ATTACK, notes=[ATTACK]
    )
    Collection.objects.filter(pk=collection.pk).update(name=ATTACK)
    answer = Clustering(document.query_id, (Cluster("c1", ("p1", "p2", "p8"), ATTACK), Cluster("c2", ("p8",), ATTACK)))
    found = SubmissionDocument((answer,), "", {ATTACK: ATTACK, "k": 2})
    scored = _submit(collection, f"{LONG}x", found, owner)
    run_here(scored.runs.get())
    _submit(collection, NAME[:110], found, owner)
    return scored


def _submit(collection: Collection, name: str, found: SubmissionDocument, owner: User) -> Submission:
    submission, _ = hand_in(collection, found, owner, name)
    return submission


@pytest.fixture
def flowing(transactional_db: None, owner: User) -> StreamSubmission:
    """A stream whose every text is long, unbroken and an attack, with a submission and the true clusters, measured."""
    collection = import_documents(name="Flow", documents=[mercury()], user=owner, public=True)
    document = replace(stored_streams.read_file(stream_samples.STREAM, "f.csv"), id=f"{LONG}/..", text=ATTACK)
    stream = stored_streams.add(collection, document, owner)
    content = stream_samples.clusterings(stream_samples.OVER_TIME, NAME[:110], stream.key)
    found = replace(streams.check(stream, content, "f", "", owner)[1], parameters={ATTACK: ATTACK})
    submission, run = streams.submit(
        stream,
        document,
        found,
        Provenance(owner, StreamSubmission.Origin.BROWSER, published=False),
        filename=ATTACK,
    )
    run_here(run)
    run_here(stream_baselines.enqueue_baselines(stream=stream, keys=["true_clusters"], user=owner))
    for queued in stream.runs.filter(state="queued"):
        run_here(queued)
    return submission
