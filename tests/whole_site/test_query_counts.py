"""Every page and answer asks the database as often for many rows as for few.

Every address that is read (all with a line for GET in the permission table) is asked in a small world and in one with
twice as many rows of every kind. If you add a list, add its rows to `tests/samples/many_rows.py`: an address whose
answer does not grow fails the test, unless it is listed in `OF_ONE_THING`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import DEFAULT_CACHE_ALIAS, cache, caches
from django.db import connection, reset_queries
from django.test.utils import CaptureQueriesContext

from accounts.services import second_factor
from annotations.agreement import views as agreement
from common.api.pagination import ListPagination
from evaluation.collections import views as collections
from evaluation.runs import views as runs
from evaluation.streams import page as stream_page
from tests.profiles import thorough
from tests.samples.many_rows import grow
from tests.whole_site.test_permissions import LINES, OF_THE_SITE, Line, World, ask, build_world
from work import answers
from work.answer_worker import answer_kinds

FEW, MANY = 3, 6
WHOLE = 100_000
ROLES = ("owner", "curator")
FILES = ("-csv", "-json", "-tex", "-svg")
"""Of pages, which both ask for; these are made of the same answer, and so are asked for by one."""
ANSWERED = {200, 286}

OF_ONE_THING = """
    api:collection api:guidelines api:guidelines-changes api:notices take-part api:challenge challenge-csv
    api:gold api:query-vectors api:stream stream-download invitation guidelines-edit
    api:clustering api:explain api:what-if api:chance api:alike api:matrix api:run
    api:stream-submission-file stream-submission-download gold-publish
    measures-compared-csv measures-compared-tex score-progress
    api:submission-scores submission-scores-csv algorithm-edit algorithm-delete
    api:agreement api:agreement-all agreement-csv agreement-json api:draft-adjudication collection-settings
    api:draft-predictions api:draft-groups password-change second-factor storage api:own-storage api:collection-storage
"""
"""Answers that are no lists, or lists of what one document holds."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one request took and brought."""

    queries: Counter[str]
    size: int


Answers = Mapping[tuple[str, str], Answer]
"""(address, of which thing and to whom) -> the answer."""


def asked(world: World) -> Answers:
    """Every address that may be read, by people with different rights."""
    found = {}
    read = [line for line in LINES if line.method == "GET" and line.name not in OF_THE_SITE]
    for line in read:
        reading = [role for role in ROLES if line.private[role] in ANSWERED]
        for role in reading[:1] if line.name.endswith(FILES) else reading:
            found[line.name, f"{line.which} as {role}"] = _answer(world, line, role)
    return found


def _answer(world: World, line: Line, role: str) -> Answer:
    """What caches and workers spare is not asked for: whoever put something there is asked again."""
    cache.clear()
    WORKED_OUT.clear()
    with _keeping() as kept:
        answer = _asked_once(world, line, role)
    return _asked_once(world, line, role) if kept or WORKED_OUT else answer


WORKED_OUT: dict[str, Any] = {}
"""Key of an answer -> what was worked out for the address that is asked just now."""


def _once(kind: answers.Answer[Any, Any]) -> Callable[[Any], Any]:
    """What works out an answer of this kind the first time, and after that asks the database for nothing."""
    compute = kind.compute

    def worked_out(asked: Any) -> Any:
        key = kind.key(asked)
        if key not in WORKED_OUT:
            WORKED_OUT[key] = compute(asked)
        return WORKED_OUT[key]

    return worked_out


def _asked_once(world: World, line: Line, role: str) -> Answer:
    reset_queries()  # the log of a connection holds no more than 9,000
    with CaptureQueriesContext(connection) as found:
        answer = ask(world, role, "GET", line.name, line.which)
    assert answer.status_code in ANSWERED, f"{line} as {role}: {answer.status_code}"
    assert found.captured_queries, f"{line} as {role}: no query was seen"
    return Answer(_reads(found), len(answer.getvalue()))


@contextmanager
def _keeping() -> Iterator[list[str]]:
    """What is put into the cache."""
    kept: list[str] = []
    put = cache.set

    def noted(key: str, *args: Any, **options: Any) -> None:
        kept.append(key)
        put(key, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(caches[DEFAULT_CACHE_ALIAS], "set", noted)
        yield kept


def _reads(found: CaptureQueriesContext) -> Counter[str]:
    """The queries by their tables and columns; what a test's own transactions take is left out.

    `ask` undoes what a request keeps for the next one, so each request keeps its standings anew, in one query.
    """
    asked = (query["sql"] for query in found.captured_queries if "SAVEPOINT" not in query["sql"])
    return Counter(sql.partition(" WHERE ")[0].partition(" VALUES ")[0].partition(" SET ")[0] for sql in asked)


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    """That of the permission table. Lists come whole: one whose first page is full in any world would prove nothing."""
    monkeypatch.setattr(ListPagination, "page_size", WHOLE)
    monkeypatch.setattr(ListPagination, "max_page_size", WHOLE)
    for name in ("SUBMISSIONS_PER_PAGE", "QUERIES_PER_PAGE", "VERSIONS_PER_PAGE", "STREAMS_PER_PAGE"):
        monkeypatch.setattr(collections, name, WHOLE)
    monkeypatch.setattr(runs, "PER_PAGE", WHOLE)
    monkeypatch.setattr(agreement, "COMPARED_DRAFTS", MANY)
    monkeypatch.setattr(stream_page, "DRAWN", WHOLE)
    monkeypatch.setattr(second_factor, "new_secret", lambda: "A" * 32)  # a picture of chance has a size of chance
    # Requests ask for answers, and workers work them out: only what requests ask the database for is counted.
    for kind in answer_kinds().values():
        monkeypatch.setattr(kind, "compute", _once(kind))
    monkeypatch.setattr(answers, "STORED_FROM_SHARE", float("inf"))
    return build_world()


@thorough("how many queries each address takes")
def test_many_rows_take_as_many_queries_as_few(world: World) -> None:
    grow(world, range(1, FEW + 1))
    few = asked(world)
    grow(world, range(FEW + 1, MANY + 1))
    many = asked(world)
    longer = {key[0] for key in few if many[key].size - few[key].size > 20 * (MANY - FEW)}
    same = {address for address, _ in few} - longer
    assert same == set(OF_ONE_THING.split()), "give the list more rows in tests/samples/many_rows.py"
    more = {key: many[key].queries - answer.queries for key, answer in few.items()}
    assert {key: queries for key, queries in more.items() if queries} == {}, "more queries for more rows"
