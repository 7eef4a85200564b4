"""Reading writes nothing: who asks for a page or an answer waits for nobody who writes, and fails for nobody.

Every address with a line for GET in the permission table is asked for. What a few leave all the same stands in `LEFT`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError, connection, transaction
from django.http import HttpResponseBase
from django.test import Client

from tests.profiles import thorough
from tests.stored_answers import leave_all_to_workers
from tests.whole_site.test_permissions import BODIES, LINES, SITE, Line, World, build_world, token_of
from work.models import StoredAnswer

LEFT = {
    "accounts_apitoken": "when a token was used, once an hour; may be left out",
    "annotations_guidelinesreader": "which version of the guidelines somebody has read; may be left out",
    "annotations_othersseen": "who sees others' work on a query for the first time; without it nothing is shown",
    "work_storedanswer": "what was worked out, or is left to a worker; may be left out",
    "work_answerpart": "its content; may be left out",
}
"""Table -> what reading leaves there, and what becomes of the request where it cannot be written."""
WRITES = ("INSERT", "UPDATE", "DELETE")
READ = [line for line in LINES if line.method == "GET"]

Wrapper = Callable[..., Any]


@pytest.fixture
def world(db: None) -> World:
    return build_world()


def read(world: World, line: Line, role: str, secret: str, wrapper: Wrapper) -> HttpResponseBase:
    """What this person gets, by a token where programs ask; the request's own transactions go through the wrapper."""
    cache.clear()
    browser = Client(raise_request_exception=False)
    if line.name.startswith("api:"):
        browser.defaults["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    else:
        browser.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[role]
    browser.handler = SITE
    body = BODIES.get(("GET", line.name), dict)()
    with transaction.atomic():
        with connection.execute_wrapper(wrapper):
            response = browser.get(world.address(line.name, line.which), **body)
        transaction.set_rollback(True)
    return response


def busy(execute: Wrapper, sql: str, *rest: Any) -> Any:
    """As a database in which somebody else writes: no transaction begins, and nothing is written."""
    if sql.startswith((*WRITES, "SAVEPOINT")):
        raise OperationalError("database is locked")
    return execute(sql, *rest)


def asking(world: World) -> Iterator[tuple[Line, str, str]]:
    for role in ("owner", "curator"):
        secret = token_of(role)
        for line in READ:
            if role == "owner" or line.name in {"agreement", "api:agreement-all", "adjudicate", "api:draft"}:
                yield line, role, secret


@thorough("what reading each address leaves")
def test_reading_leaves_nothing_but_what_is_listed_and_needs_none_of_it(world: World) -> None:
    wrong, found = [], set()
    for line, role, secret in asking(world):
        written: list[str] = []

        def note(execute: Wrapper, sql: str, *rest: Any, written: list[str] = written) -> Any:
            if sql.startswith((*WRITES, "SAVEPOINT")):
                written.append(sql)
            return execute(sql, *rest)

        status = read(world, line, role, secret, note).status_code
        if status != line.private[role]:
            wrong.append(f"{line}: {status}, not {line.private[role]}")
        tables = {table for sql in written for table in LEFT if f'"{table}"' in sql and sql.startswith(WRITES)}
        others = [sql for sql in written if sql.startswith(WRITES) and not any(f'"{table}"' in sql for table in LEFT)]
        wrong += [f"{line}: {sql[:80]}" for sql in others]
        found |= tables
        if written:
            expected = 503 if "annotations_othersseen" in tables else status
            if (busy_status := read(world, line, role, secret, busy).status_code) != expected:
                wrong.append(f"{line} while somebody writes: {busy_status}, not {expected}")
    assert wrong == []
    assert found == set(LEFT)


@pytest.mark.parametrize("sql", ["INSERT", "SAVEPOINT"])
def test_what_cannot_be_left_to_a_worker_while_somebody_writes_is_asked_for_again(
    world: World, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    leave_all_to_workers(monkeypatch)
    address = world.address("leaderboard-json", "")

    def busy_once(execute: Wrapper, statement: str, *rest: Any) -> Any:
        if statement.startswith(sql):
            raise OperationalError("database is locked")
        return execute(statement, *rest)

    browser = Client(raise_request_exception=False)
    browser.cookies[settings.SESSION_COOKIE_NAME] = world.sessions["owner"]
    with connection.execute_wrapper(busy_once):
        assert browser.get(address).status_code == 202
    assert not StoredAnswer.objects.exclude(state="done").exists()
    assert browser.get(address).status_code == 202
    assert StoredAnswer.objects.filter(state="queued").exists()
