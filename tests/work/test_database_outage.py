"""A database that goes away for a while: people are told to wait, and then everything goes on by itself."""

from __future__ import annotations

import psycopg
import pytest
from django.db import close_old_connections, connection
from django.test import Client

from evaluation.models import Run
from tests.fixtures.api import error
from tests.profiles import thorough
from tests.waiting import wait_for
from tests.work.sandbox import ADMIN_URL, POSTGRESQL, Backend, Sandbox, assert_scored_once, lapse, wait_until_ended

ON_POSTGRESQL = Backend("postgresql", "", (POSTGRESQL,))


@pytest.mark.services
@thorough("a database that restarts")
@pytest.mark.parametrize("backend", [ON_POSTGRESQL], indirect=True, ids=str)
def test_requests_say_so_and_the_next_ones_work_and_no_run_fails(sandbox: Sandbox, queued_run: Run) -> None:
    browser, name = Client(raise_request_exception=False), connection.settings_dict["NAME"]
    assert browser.get("/api/v1/collections").status_code == 200
    sandbox.hold_at("computing-q2")
    worker = sandbox.worker()
    sandbox.held_at("computing-q2")
    with psycopg.connect(ADMIN_URL, autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        refused, page = browser.get("/api/v1/collections"), browser.get("/")
        sandbox.release("computing-q2")
        wait_for(lambda: worker.said("its lease will expire"), "the worker gives up for now")
        admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert error(refused, 503)["code"] == "database-away"
    assert (page.status_code, page["Retry-After"]) == (503, "15")
    assert "does not answer" in page.content.decode()
    close_old_connections()  # as between any two requests; the test's client leaves it out
    assert [browser.get(address).status_code for address in ("/api/v1/collections", "/")] == [200, 200]
    lapse(queued_run)
    wait_until_ended(queued_run)
    assert_scored_once(queued_run)
