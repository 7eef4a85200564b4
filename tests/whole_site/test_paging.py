"""Every list comes in pages. Those of the API have each row once, in order, whatever is added or deleted meanwhile; the
database finds every page by an index, and sorts nothing."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
from django.core.paginator import Paginator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.http import urlencode
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from accounts.models import User
from annotations.collections.removal import allow_removal
from annotations.models import Collection, Page, Query
from common.api.pagination import KnownRows, ListPagination
from evaluation.scoring import api as scores
from qc4.problems import InputError
from tests.profiles import thorough
from tests.samples.many_rows import grow
from tests.whole_site.test_permissions import World, build_world

SIZE = 2
OF_API = """
    collections queries gold-versions submissions algorithms streams stream-submissions scores vectors assignments
    curation collection-log offers requests own-requests own-offers account-log runs run-events
"""
OF_SITE = """
    collections collection query algorithm my-submissions submission runs streams people people-log account-log curate
"""
SORTED = {"assignments", "vectors", "people", "account-log", "my-submissions"}
"""Lists of a collection or of one person that are found by two indexes, or ordered by two tables: a few thousand rows
are sorted."""


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
            wrong[name] = "one page: give the list more rows in tests/samples/many_rows.py"
        if name not in SORTED and (plans := _sorting(asked)):
            wrong[name] = plans[0]
    assert wrong == {}


def test_every_page_with_a_list_leads_on_and_back(
    world: World, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short(self: Paginator[Any], rows: Any, size: int) -> None:
        made(self, rows, SIZE)

    made = Paginator.__init__
    monkeypatch.setattr(Paginator, "__init__", short)
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
    for sql in {query["sql"] for query in asked if query["sql"].endswith((f"LIMIT {SIZE}", f"LIMIT {SIZE + 1}"))}:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            if any(row[-1] == "USE TEMP B-TREE FOR ORDER BY" for row in cursor.fetchall()):
                found.append(sql)
    return found


# --- Pages of the API -------------------------------------------------------------------------------------------------


@pytest.fixture
def queries(db: None) -> Any:
    """Ten queries at four positions, of a collection of their own."""
    collection = Collection.objects.create(slug="ten", name="Ten")
    Query.objects.bulk_create(Query(collection=collection, key=f"q{n}", text="", position=n // 3) for n in range(10))
    return collection.queries.order_by("-position", "pk")


def _page(rows: Any, size: int, address: str = "") -> tuple[list[Any], str | None, str | None]:
    """The rows of a page, and the addresses of the next and the previous one."""
    pages = ListPagination()
    request = APIRequestFactory().get(address or f"/?page_size={size}")
    return pages.paginate_queryset(rows, Request(request)), pages.get_next_link(), pages.get_previous_link()


def _all(rows: Callable[[], Any], size: int, meanwhile: Callable[[], object] = lambda: None) -> list[Any]:
    found, address, _ = _page(rows(), size)
    while address:
        meanwhile()
        more, address, _ = _page(rows(), size, address)
        found += more
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 9, 10, 11])
def test_rows_that_share_a_value_are_listed_once_each(queries: Any, size: int) -> None:
    assert _all(lambda: queries, size) == list(queries)


def test_rows_that_come_and_go_between_two_pages_move_no_others(queries: Any) -> None:
    collection = Collection.objects.get()
    before = list(queries)
    keys = iter(range(100))

    def meanwhile() -> None:
        collection.queries.create(key=f"new{next(keys)}", text="", position=9)
        with allow_removal("the first one"):
            collection.queries.filter(key="q9").delete()

    assert _all(lambda: queries, 3, meanwhile) == before
    assert _all(lambda: KnownRows(list(queries), lambda one: one.key), 3, meanwhile)[-9:] == before[1:]


def test_a_row_that_left_a_list_in_memory_loses_nobodys_place() -> None:
    first, onwards, _ = _page(KnownRows("abcdef", str), 2)
    assert first == ["a", "b"]
    for rows in ("abcdef", "acdef", "xyabcd"):
        second, _, back = _page(KnownRows(rows, str), 2, onwards)
        assert second == ["c", "d"], rows
    assert _page(KnownRows("abcdef", str), 2, back)[0] == ["a", "b"]


def test_before_rows_that_are_all_gone_the_list_begins(queries: Any) -> None:
    first, onwards, _ = _page(queries, 2)
    later = queries.exclude(pk__in=[one.pk for one in first])
    _, _, back = _page(queries, 2, onwards)
    again, following, before = _page(later, 2, back)
    assert (again, before, bool(following)) == (list(later)[:2], None, True)


def _cursor(place: str) -> str:
    return b64encode(urlencode({"p": place}).encode()).decode()


NO_PLACES = (
    "[]",
    "[1]",
    "[1, 1, 1]",
    "[[1], 1]",
    "[Infinity, 1]",
    f"[{2**63}, 1]",
    "[" * 2_900,
    "x",
)
WRONG = ["x", "é", "W" * 9_000, *map(_cursor, NO_PLACES)]


@pytest.mark.parametrize("cursor", WRONG, ids=lambda cursor: cursor[:12])
def test_a_cursor_from_no_list_is_an_error_that_names_it(queries: Any, cursor: str) -> None:
    address = f"/?{urlencode({'cursor': cursor, 'page_size': 2})}"
    for rows in (queries, KnownRows("abc", str)):
        with pytest.raises(InputError) as refused:
            _page(rows, 2, address)
        assert refused.value.problems[0].code == "no-such-page"


def test_half_of_a_character_is_no_cursor(queries: Any) -> None:
    cursor = _cursor('["\\ud800", 1]')
    with pytest.raises(InputError):
        _page(queries.order_by("key", "pk"), 2, f"/?{urlencode({'cursor': cursor})}")


@pytest.mark.parametrize("beyond", [2**63, -(2**63) - 1])
def test_a_number_that_no_column_holds_is_no_cursor(db: None, beyond: int) -> None:
    """Comparing foreign keys, Django hands it to the database, which cannot read it."""
    rows = Page.objects.order_by("query_id", "pk")
    with pytest.raises(InputError):
        _page(rows, 2, f"/?{urlencode({'cursor': _cursor(f'[{beyond}, 1]')})}")


@pytest.mark.parametrize(("asked", "number"), [("", 1), ("x", 1), ("0", 4), ("9" * 30, 4), ("9" * 5_000, 1), ("2", 2)])
def test_a_page_of_the_site_that_does_not_exist_leads_to_one_that_does(
    world: World, visitor: Client, monkeypatch: pytest.MonkeyPatch, asked: str, number: int
) -> None:
    monkeypatch.setattr("evaluation.collections.views.QUERIES_PER_PAGE", 1)
    page = visitor.get(world.address("collection", ""), {"queries": asked})
    n_pages = page.context["queries"].paginator.num_pages
    assert page.context["queries"].number == (n_pages if number == 4 else number)


def test_pages_of_scores_that_few_fit_are_short_and_go_on(
    world: World, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "MAX_RUN_QUERIES", 1)
    address = world.address("api:scores", "")
    whole = visitor.get(address, {"undefined": "true", "page_size": 1000})
    pages = list(_walk(visitor, address + "?undefined=true"))
    assert [] in [page["results"] for page in pages] or len(pages) > 1
    assert all(row["value"] is None for page in pages for row in page["results"])
    assert whole.json()["results"] == pages[0]["results"]
