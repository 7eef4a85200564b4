"""A database that is busy or away: a sentence and when to try again, and the next request works by itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection
from django.test import Client

from accounts.models import ApiToken, User
from accounts.services import tokens
from annotations.collections.services import create_collection
from common.capacity import CrowdedError
from common.database import write_unless_locked
from qc4site.errors.unavailable import AWAY, BUSY, CROWDED, OWN_WORK, Unavailable, unavailable
from tests.fixtures.api import error


def caused(cause: Exception, kind: type[Exception] = OperationalError) -> Exception:
    """As Django wraps what a database raises."""
    error = kind(*cause.args)
    error.__cause__ = cause
    return error


def on_sqlite(name: str) -> Exception:
    cause = sqlite3.OperationalError(name)
    cause.sqlite_errorname = name
    return caused(cause)


def interrupted(by: Exception) -> Exception:
    """As Django tells that a session could not be stored, whatever the reason."""
    update, told = UpdateError(), SessionInterrupted()
    update.__context__, told.__context__ = by, update
    return told


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (on_sqlite("SQLITE_BUSY"), BUSY),
        (on_sqlite("SQLITE_BUSY_SNAPSHOT"), BUSY),
        (CrowdedError("a file"), CROWDED),
        (CrowdedError("a file", own=True), OWN_WORK),
        (on_sqlite("SQLITE_FULL"), None),
        (on_sqlite("SQLITE_ERROR"), None),
        (caused(psycopg.errors.LockNotAvailable()), BUSY),
        (caused(psycopg.errors.DeadlockDetected()), BUSY),
        (caused(psycopg.errors.SerializationFailure()), BUSY),
        (caused(psycopg.errors.AdminShutdown()), AWAY),
        (caused(psycopg.errors.CannotConnectNow()), AWAY),
        (caused(psycopg.errors.TooManyConnections()), AWAY),
        (caused(psycopg.OperationalError("connection refused")), AWAY),
        (caused(psycopg.InterfaceError("the connection is closed"), InterfaceError), AWAY),
        (caused(psycopg.errors.DiskFull()), None),
        (caused(psycopg.errors.UniqueViolation(), IntegrityError), None),
        (DatabaseError("something else"), None),
        (interrupted(on_sqlite("SQLITE_BUSY")), BUSY),
        (interrupted(DatabaseError("it was deleted meanwhile")), None),
        (RuntimeError(), None),
        (None, None),
    ],
    ids=lambda value: repr(getattr(value, "__cause__", None) or value)[:50],
)
def test_what_waiting_helps_against(raised: Exception | None, said: Unavailable | None) -> None:
    assert unavailable(raised) is said


@contextmanager
def somebody_writes() -> Iterator[None]:
    """Another process has the lock of the database, for longer than anybody waits."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture
def token(transactional_db: None) -> str:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no lock over everything")
    return tokens.create(User.objects.create_user("ada", password="x"), "nightly", ["manage"])[1]


def test_while_somebody_writes_programs_and_people_read_and_writing_says_when_to_try_again(token: str) -> None:
    program = Client(headers={"authorization": f"Bearer {token}"})
    browser = Client(raise_request_exception=False)
    browser.force_login(User.objects.get())
    collection = create_collection(name="Space", user=User.objects.get())
    face = f"/api/v1/collections/{collection.slug}"
    new = {"name": "X", "scopes": ["read"], "days": 1}

    def change(client: Client) -> Any:
        return client.patch(face, {"contact": "ada"}, content_type="application/json")

    with somebody_writes():
        assert program.get("/api/v1/tokens").status_code == 200
        assert ApiToken.objects.get().last_used_at is None
        assert browser.get("/account/").status_code == 200
        refused = change(program)
        page = browser.post("/account/tokens/", new)
        entry = Client(raise_request_exception=False).post("/sign-in/", {"username": "ada", "password": "wrong"})
    told = error(refused, 503)
    assert (told["code"], refused["Retry-After"]) == ("database-busy", str(told["retry_after"]))
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert "busy writing" in page.content.decode()
    assert entry.status_code == 503
    assert change(program).status_code == 200
    assert program.get("/api/v1/tokens").status_code == 200
    assert ApiToken.objects.get().last_used_at is not None


def test_what_may_be_left_out_changes_nothing_about_how_long_others_wait(transactional_db: None) -> None:
    def patience() -> object:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout")
            return cursor.fetchone()

    before = patience()
    assert write_unless_locked(lambda: User.objects.create_user("ada"), "somebody")
    assert patience() == before
