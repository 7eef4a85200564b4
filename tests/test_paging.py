"""Every list is told page by page: each row once, in order, whoever comes and goes meanwhile; the database goes
straight to each page by an index, and sorts nothing."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import paging
from accounts.audit import of_account
from accounts.models import AuditEntry, User
from accounts.paging import ListPage, WrongCursorError, asked_page, list_page, page_of_known, pages_of
from annotations.models import Collection, Page, Query
from annotations.services.removals import removing
from evaluation.selectors import overview, score_list, streams
from tests.crowd import grow
from tests.profiles import thorough
from tests.test_permissions import World, build_world

SIZE = 2
OF_API = """
    collections queries gold-versions submissions algorithms streams stream-submissions scores vectors assignments
    curation collection-log offers requests own-requests own-offers account-log runs run-events
"""
OF_SITE = """
    collections collection query algorithm my-submissions submission runs streams people people-log account-log curate
"""
SORTED = {"assignments", "vectors", "people"}
"""Lists in an order of two tables: a collection's few thousand are sorted."""


@pytest.fixture
def world(db: None) -> World:
    found = build_world()
    grow(found, range(1, 4))
    return found


@pytest.fixture
def visitor(world: World) -> Client:
    client = Client()
    client.force_login(User.objects.get(username="owner"), "django.contrib.auth.backends.ModelBackend")
    return client


@thorough("every list of the API")
def test_every_list_of_the_api_is_told_once_and_in_order_both_ways_by_an_index(world: World, visitor: Client) -> None:
    wrong = {}
    for name in OF_API.split():
        whole = visitor.get(world.address(f"api:{name}", ""), {"page_size": 1000}).json()["results"]
        with CaptureQueriesContext(connection) as asked:
            pages = list(_walk(visitor, world.address(f"api:{name}", "") + f"?page_size={SIZE}"))
        back = [*_walk(visitor, pages[-1]["previous"], "previous")][::-1]
        if _rows(pages) != whole or _rows([*back, pages[-1]]) != whole:
            wrong[name] = f"{len(_rows(pages))} and {len(_rows(back))} of {len(whole)} rows"
        if len(pages) < 2:
            wrong[name] = "one page: give the list more rows in tests/crowd.py"
        if name not in SORTED and (plans := _sorting(asked)):
            wrong[name] = plans[0]
    assert wrong == {}


def test_every_page_with_a_list_leads_on_and_back(
    world: World, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short(cursor: str, size: int, *rows: Any) -> ListPage[Any]:
        return list_page(cursor, SIZE, *rows)

    for module in (paging, overview, streams):
        monkeypatch.setattr(module, "list_page", short)
    monkeypatch.setattr("annotations.views.curate.OVERVIEW_ROWS", SIZE)
    monkeypatch.setattr("evaluation.views.submissions.SUBMISSION_QUERIES", SIZE)
    wrong = {}
    for name in OF_SITE.split():
        address = world.address(name, "")
        with CaptureQueriesContext(connection) as asked:
            later = _links(visitor.get(address).content.decode(), "next")
            answers = [visitor.get(address + link) for link in later]
        if not later or any(answer.status_code != 200 for answer in answers):
            wrong[name] = f"{len(later)} links, {[answer.status_code for answer in answers]}"
        elif not all(_links(answer.content.decode(), "prev") for answer in answers):
            wrong[name] = "no way back"
        elif name not in SORTED and (plans := _sorting(asked)):
            wrong[name] = plans[0]
    assert wrong == {}


def _walk(client: Client, address: str | None, way: str = "next") -> Iterator[dict[str, Any]]:
    while address:
        answer = client.get(address)
        assert answer.status_code == 200, address
        yield answer.json()
        address = answer.json()[way]


def _rows(pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for page in pages for row in page["results"]]


def _links(content: str, rel: str) -> list[str]:
    return [unescape(link).partition("#")[0] for link in re.findall(rf'href="(\?[^"]*)"\s+rel="{rel}"', content)]


def _sorting(asked: CaptureQueriesContext) -> list[str]:
    """Questions for a page that the database answers by sorting everything."""
    if connection.vendor != "sqlite":
        return []
    found = []
    for sql in {query["sql"] for query in asked if query["sql"].endswith(f"LIMIT {SIZE + 1}")}:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            if any(row[-1] == "USE TEMP B-TREE FOR ORDER BY" for row in cursor.fetchall()):
                found.append(sql)
    return found


# --- The rule itself --------------------------------------------------------------------------------------------------


@pytest.fixture
def queries(db: None) -> Any:
    """Ten queries at four positions, of a collection of their own."""
    collection = Collection.objects.create(slug="ten", name="Ten")
    Query.objects.bulk_create(Query(collection=collection, key=f"q{n}", text="", position=n // 3) for n in range(10))
    return collection.queries.order_by("-position", "pk")


def _all(page: Callable[[str], ListPage[Any]], meanwhile: Callable[[], object] = lambda: None) -> list[Any]:
    cursor, rows = "", []
    while True:
        found = page(cursor)
        rows += found.rows
        if not found.next:
            return rows
        cursor = found.next
        meanwhile()


@pytest.mark.parametrize("size", [1, 2, 3, 9, 10, 11])
def test_rows_that_share_a_value_are_told_once_each(queries: Any, size: int) -> None:
    assert _all(lambda cursor: list_page(cursor, size, queries)) == list(queries)
    last = list_page("last", size, queries)
    assert list(last) == list(queries)[-size:]
    assert (last.next, bool(last.previous)) == ("", size < 10)


def test_rows_that_come_and_go_between_two_pages_move_no_others(queries: Any) -> None:
    collection = Collection.objects.get()
    before = list(queries)
    keys = iter(range(100))

    def meanwhile() -> None:
        collection.queries.create(key=f"new{next(keys)}", text="", position=9)
        with removing("the first one"):
            collection.queries.filter(key="q9").delete()

    assert _all(lambda cursor: list_page(cursor, 3, queries), meanwhile) == before
    assert _all(lambda cursor: page_of_known(cursor, 3, list(queries), lambda one: one.key))[-9:] == before[1:]


def test_a_row_that_left_a_known_list_loses_nobodys_place() -> None:
    first = page_of_known("", 2, "abcdef", str)
    assert (list(first), list(page_of_known(first.next, 2, "abcdef", str))) == (["a", "b"], ["c", "d"])
    assert list(page_of_known(first.next, 2, "acdef", str)) == ["c", "d"]
    assert list(page_of_known(first.next, 2, "xyabcd", str)) == ["c", "d"]
    second = page_of_known(first.next, 2, "abcdef", str)
    assert list(page_of_known(second.previous, 2, "abcdef", str)) == ["a", "b"]
    assert list(page_of_known("last", 2, "abcde", str)) == ["d", "e"]


def test_before_rows_that_are_all_gone_the_list_begins(queries: Any) -> None:
    first = list_page("", 2, queries)
    later = queries.exclude(pk__in=[one.pk for one in first])
    back = list_page(list_page(first.next, 2, queries).previous, 2, later)
    assert (list(back), back.previous, bool(back.next)) == (list(later)[:2], "", True)


def test_several_tables_make_one_list(db: None) -> None:
    user = User.objects.create(username="ada")
    now = timezone.now()
    for n, who in enumerate(["actor", "account", "actor", "account", "actor"]):
        AuditEntry.objects.create(at=now - timedelta(days=n), kind="signed-in", **{who: user.pk})
    for _ in range(3):
        AuditEntry.objects.create(kind="signed-in", actor=user.pk)  # at a moment of the database's
    made = sorted(AuditEntry.objects.all(), key=lambda entry: (entry.at, entry.pk), reverse=True)
    parts = [AuditEntry.objects.filter(**{f"{who}": user.pk}).order_by("-at", "-pk") for who in ("actor", "account")]
    for size in (1, 2):
        assert _all(lambda cursor, size=size: list_page(cursor, size, *parts)) == made
    assert {entry.pk for entry in of_account(user)} == {entry.pk for entry in made}


def _told(text: str) -> str:
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


NO_CURSORS = (
    "[]",
    '[">"]',
    '[">", 1, 1, 1]',
    '[">", [1], 1]',
    '[">", Infinity, 1]',
    '[">", "\\ud800", 1]',
    "[" * 2_900,
)
WRONG = ["x", "é", "W" * 9_000, *map(_told, NO_CURSORS)]


@pytest.mark.parametrize("cursor", WRONG, ids=lambda cursor: cursor[:12])
def test_what_is_no_cursor_of_a_list_leads_to_its_first_page_which_says_so(queries: Any, cursor: str) -> None:
    with pytest.raises(WrongCursorError):
        list_page(cursor, 2, queries)
    with pytest.raises(WrongCursorError):
        page_of_known(cursor, 2, "abc", str)
    address = QueryDict(mutable=True)
    address["cursor"] = cursor
    page = asked_page(address, 2, pages_of(queries))
    assert (page.is_lost, list(page)) == (True, list(queries)[:2])


@pytest.mark.parametrize("beyond", [2**63, -(2**63) - 1])
def test_a_number_that_no_column_holds_is_no_cursor(db: None, beyond: int) -> None:
    """Comparing foreign keys, Django hands it to the database, which cannot read it."""
    rows = Page.objects.order_by("query_id", "pk")
    with pytest.raises(WrongCursorError):
        list_page(_told(f'[">", {beyond}, 1]'), 2, rows)


def test_pages_of_scores_that_few_fit_are_short_and_go_on(
    world: World, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_list, "ANSWERS_READ", 1)
    address = world.address("api:scores", "")
    whole = visitor.get(address, {"undefined": "true", "page_size": 1000})
    pages = list(_walk(visitor, address + "?undefined=true"))
    assert [] in [page["results"] for page in pages] or len(pages) > 1
    assert all(row["value"] is None for page in pages for row in page["results"])
    assert whole.json()["results"] == pages[0]["results"]
