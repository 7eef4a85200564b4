"""Slow work never holds all threads of a web process: a request that finds no place is told at once when to try again.

Each case sends more requests for one kind of slow work than the server has threads, lets none of the work end, and then
asks for a plain page.
"""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Lock, Semaphore
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.cache import BaseCache, caches
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.test import Client
from django.test.utils import override_settings
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from accounts.services import tokens
from annotations.drafts.selectors import states
from annotations.drafts.services.lifecycle import from_nothing
from annotations.models import Collection, Draft, Membership, Query, Role
from common.capacity import Capacity, CrowdedError, slow_work
from common.limits import QUICK
from evaluation.models import Submission
from qc4.problems import InputError, Problem
from qc4site.caches import MemoryMeanwhile
from tests.qc4site.raw_http import Heard, asked, head
from tests.qc4site.server_thread import Running
from tests.samples.scores import give
from tests.waiting import PATIENCE

THREADS, PLACES = 4, 2
PERSONS = THREADS + 2


@dataclass
class World:
    """A collection, and what an address may name."""

    collection: Collection
    query: Query
    submission: Submission
    draft: Draft
    people: list[User]
    sessions: list[str]
    tokens: list[str]
    one: int = 1

    @property
    def slug(self) -> str:
        return self.collection.slug


class Blocked:
    """Stands in for slow work: counts who begins it, and lets nobody end before the test says so."""

    def __init__(self) -> None:
        self.begun, self.may_end = Semaphore(0), Event()
        self.number, self._lock = 0, Lock()

    def __call__(self, *_: Any, **__: Any) -> Any:
        with self._lock:
            self.number += 1
        self.begun.release()
        assert self.may_end.wait(PATIENCE)
        raise InputError([Problem("tried", "here", "slow work", "a test")])


def bomb() -> bytes:
    """A ZIP of a few KB that is read in a process of its own."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b"[" + b"[]," * QUICK.json_values + b"1]")
    return packed.getvalue()


def upload(world: World, person: int) -> bytes:
    return _request(world, person, "POST", f"/api/v1/collections/{world.slug}/submissions/check", bomb())


def page(name: str, *arguments: str) -> Callable[[World, int], bytes]:
    """A request for a page by a session; the arguments are attributes of the world."""

    def request(world: World, person: int) -> bytes:
        address = reverse(name, args=[_of(world, argument) for argument in arguments])
        return head("GET", address, Connection="close", Cookie=f"sessionid={world.sessions[person]}")

    return request


def api(name: str, *arguments: str) -> Callable[[World, int], bytes]:
    def request(world: World, person: int) -> bytes:
        address = reverse(f"api:{name}", args=[_of(world, argument) for argument in arguments])
        return _request(world, person, "GET", address)

    return request


def _of(world: World, argument: str) -> Any:
    found: Any = world
    for name in argument.split("."):
        found = getattr(found, name)
    return found


def _request(world: World, person: int, method: str, address: str, body: bytes = b"") -> bytes:
    headers = {"Authorization": f"Bearer {world.tokens[person]}", "Connection": "close"}
    if body:
        headers |= {"Content-Length": str(len(body)), "Content-Type": "application/octet-stream"}
    return head(method, address, **headers) + body


OF_SUBMISSION = ("submission.pk", "query.key")
OF_QUERY = ("slug", "query.key")
CASES: dict[str, tuple[str, Callable[[World, int], bytes]]] = {
    "reading a file": ("common.file_reading.call_apart", upload),
    "heat map": ("evaluation.boards.heat_map.views.heat_map_for_parameters", page("heat-map", "slug")),
    "heat map, file": ("evaluation.boards.heat_map.views.heat_map_for_parameters", page("heat-map-csv", "slug")),
    "heat map, API": ("evaluation.boards.heat_map.api.heat_map_for_parameters", api("heat-map", "slug")),
    "predictions": ("annotations.workspace.api.predictions", api("draft-predictions", "draft.pk")),
    "download": ("evaluation.collections.query_views.json_line", page("gold-download", "slug", "one")),
    "export of an account": ("evaluation.account_data.views.export_account", page("account-export")),
}


@pytest.fixture
def world(transactional_db: None, settings: Settings, request: pytest.FixtureRequest) -> World:
    """People who may do everything in one collection."""
    settings.SLOW_WORK_AT_ONCE = PLACES
    collection: Collection = request.getfixturevalue("collection")
    query = collection.queries.get(key="mercury")
    people = [User.objects.create_user(f"person{n}") for n in range(PERSONS)]
    owner = collection.memberships.get(role=Role.OWNER).user
    for user in people:
        Membership.objects.create(collection=collection, user=user, role=Role.OWNER)
    submission, run = request.getfixturevalue("submit")(owner)
    request.getfixturevalue("finish")(run)
    give(collection, {"A": [0.2, 0.4], "B": [0.6, 0.7]}, owner)
    clients = [Client() for _ in people]
    for client, user in zip(clients, people, strict=True):
        client.force_login(user)
    return World(
        collection,
        query,
        submission,
        from_nothing(query=query, user=owner, name="draft", kind=Draft.Kind.SHARED),
        people,
        [client.cookies["sessionid"].value for client in clients],
        [tokens.create(user, "script")[1] for user in people],
    )


@pytest.fixture
def site() -> Iterator[Running]:
    running = Running(get_wsgi_application(), threads=THREADS)
    yield running
    running.close()


def plain_page(site: Running) -> int:
    return asked(site.port, head("GET", "/sign-in/", Connection="close")).status


def ended(under_way: set[Future[Heard]], number: int) -> tuple[list[Heard], set[Future[Heard]]]:
    """The responses to this many of these requests, and to the other requests."""
    found: list[Heard] = []
    while len(found) < number:
        done, under_way = wait(under_way, PATIENCE, FIRST_COMPLETED)
        assert done, f"{len(under_way)} requests wait, though {number} should have an answer"
        found += [one.result() for one in done]
    return found, under_way


@pytest.mark.parametrize("case", CASES)
def test_slow_work_leaves_half_of_the_threads_to_plain_pages(
    case: str, world: World, site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, request = CASES[case]
    work = Blocked()
    monkeypatch.setattr(place, work)
    with ThreadPoolExecutor(PERSONS) as pool:
        under_way = {pool.submit(asked, site.port, request(world, person)) for person in range(PERSONS)}
        try:
            for _ in range(PLACES):
                assert work.begun.acquire(timeout=PATIENCE)
            sent_back, under_way = ended(under_way, PERSONS - PLACES)
            assert [heard.status for heard in sent_back] == [503] * (PERSONS - PLACES)
            assert all(b"Retry-After: 5" in heard.raw for heard in sent_back)
            assert all(b"work for other people" in heard.body for heard in sent_back)
            assert plain_page(site) == 200
            assert work.number == PLACES
        finally:
            work.may_end.set()
        assert not {heard.status for heard in ended(under_way, PLACES)[0]} & {500, 503}
    assert asked(site.port, request(world, 0)).status != 503, "places are given back"


def test_one_person_has_one_place(world: World, site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    place, request = CASES["heat map, API"]
    work = Blocked()
    monkeypatch.setattr(place, work)
    with ThreadPoolExecutor(3) as pool:
        under_way = {pool.submit(asked, site.port, request(world, 0)) for _ in range(3)}
        try:
            sent_back, under_way = ended(under_way, 2)
            assert [heard.status for heard in sent_back] == [503, 503]
            assert {json.loads(heard.body)["error"]["code"] for heard in sent_back} == {"slow-work-own"}
            assert {json.loads(heard.body)["error"]["retry_after"] for heard in sent_back} == {3}
        finally:
            work.may_end.set()
        ended(under_way, 1)


def test_an_answer_of_an_adjudicator_is_taken_while_their_page_asks_for_news(
    world: World, site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of an adjudication asks every few seconds: it must not keep its own answers out."""
    work = Blocked()
    monkeypatch.setattr("annotations.adjudication.views.open_adjudication", work)
    address = reverse("adjudicate", args=[world.draft.pk])
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(asked, site.port, page("adjudicate", "draft.pk")(world, 0))
        try:
            assert work.begun.acquire(timeout=PATIENCE)
            assert asked(site.port, sent(world, 0, address)).status != 503
        finally:
            work.may_end.set()
        asking.result()


def test_the_page_that_sends_somebody_back_asks_again_by_itself_but_never_sends_a_form_again(
    world: World, client: Client
) -> None:
    client.force_login(world.people[0])
    with all_places_taken():
        shown = client.get(reverse("heat-map", args=[world.slug]))
        assert shown.status_code == 503
        assert shown["Refresh"] == shown["Retry-After"] == "5"
        file = io.BytesIO(bomb())
        file.name = "answers.zip"
        sent = client.post(reverse("submit", args=[world.slug]), {"file": file, "algorithm": "Mine"})
    assert sent.status_code == 503
    assert "Refresh" not in sent
    assert "reload this page: your browser sends the form again, with its file" in sent.content.decode()


@contextmanager
def all_places_taken() -> Iterator[None]:
    """Slow work of people who are not known to the site, in this thread's stead."""
    with ThreadPoolExecutor(PLACES) as pool:
        taken, may_end = Semaphore(0), Event()

        def work() -> None:
            with slow_work("something"):
                taken.release()
                assert may_end.wait(PATIENCE)

        held = [pool.submit(work) for _ in range(PLACES)]
        for _ in held:
            assert taken.acquire(timeout=PATIENCE)
        try:
            yield
        finally:
            may_end.set()


def test_an_answer_that_is_sent_as_it_is_made_holds_its_place_to_the_end(world: World, client: Client) -> None:
    site_places = override_settings(SLOW_WORK_AT_ONCE=1)
    client.force_login(world.people[0])
    other = Client()
    other.force_login(world.people[1])
    heat_map = reverse("heat-map", args=[world.slug])
    with site_places:
        streamed = client.get(reverse("account-export"))
        assert streamed.streaming
        assert in_another_thread(lambda: other.get(heat_map).status_code) == 503
        streamed.close()
        assert in_another_thread(lambda: other.get(heat_map).status_code) == 200


def in_another_thread(call: Callable[[], int]) -> int:
    """A thread that holds a place needs no other, so somebody else's request has a thread of its own."""

    def work() -> int:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_waiting_for_a_draft_that_another_thread_changes_takes_a_place(world: World) -> None:
    begun, may_end = Event(), Event()

    def change() -> None:
        with states.alone(world.draft.pk):
            begun.set()
            assert may_end.wait(PATIENCE)

    with ThreadPoolExecutor(1) as pool:
        changing = pool.submit(change)
        assert begun.wait(PATIENCE)
        try:
            with all_places_taken(), pytest.raises(CrowdedError), states.alone(world.draft.pk):
                pass
        finally:
            may_end.set()
        changing.result()
    with states.alone(world.draft.pk):
        pass


def test_places_are_given_back_whatever_happens_and_nested_work_needs_one() -> None:
    capacity = Capacity()
    for _ in range(3):
        with suppress(RuntimeError), capacity.place("outer"), capacity.place("inner", at_once=1):
            with pytest.raises(CrowdedError), capacity.place("inner", at_once=1):
                pass
            raise RuntimeError
    assert not capacity._taken


@contextmanager
def somebody_writes() -> Iterator[None]:
    """Another process has the lock of SQLite for as long as the block runs."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no lock of all")
def test_requests_that_wait_to_write_leave_half_of_the_threads_to_plain_pages(world: World, site: Running) -> None:
    with ThreadPoolExecutor(PERSONS) as pool, ExitStack() as writing:
        writing.enter_context(somebody_writes())
        under_way = {pool.submit(asked, site.port, write(world, person)) for person in range(PERSONS)}
        sent_back, under_way = ended(under_way, PERSONS - PLACES)
        assert [heard.status for heard in sent_back] == [503] * (PERSONS - PLACES)
        assert plain_page(site) == 200
        writing.close()
        assert [heard.status for heard in ended(under_way, PLACES)[0]] == [302] * PLACES


def write(world: World, person: int) -> bytes:
    """Choose no notices."""
    return sent(world, person, reverse("notices-choose"))


def sent(world: World, person: int, address: str) -> bytes:
    """A request that sends an empty form."""
    body = urlencode({"csrfmiddlewaretoken": "c" * 32}).encode()
    cookie = f"sessionid={world.sessions[person]}; csrftoken={'c' * 32}"
    form = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
    return head("POST", address, Connection="close", **form) + body


class Hanging(BaseCache):
    """A Redis that does not answer; it counts how often it is asked."""

    asked = 0

    def get(self, *_: Any, **__: Any) -> Any:
        self.asked += 1
        raise TimeoutError

    set = get  # type: ignore[assignment]  # both fail alike


def test_a_shared_cache_that_does_not_answer_is_left_alone_for_a_while() -> None:
    class Cache(MemoryMeanwhile, Hanging):
        broken = (OSError,)
        pause = 60.0

    cache = Cache({})
    try:
        assert [cache.get("a", 1) for _ in range(3)] == [1, 1, 1]
        cache.set("a", 2)
        assert cache.get("a") == 2
        assert cache.asked == 1
    finally:
        caches["memory"].clear()
