"""Where a service is said to be there (``.ci/run`` asks its port), its tests fail instead of being skipped."""

from __future__ import annotations

import pytest

from tests.jobs import sandbox
from tests.jobs.sandbox import ON_REDIS, POSTGRESQL, REDIS, require


def silent(*services: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "answers", lambda service: service not in services)


@pytest.mark.parametrize("required", ["redis", "postgresql,redis", "1"])
def test_a_required_service_that_does_not_answer_fails(monkeypatch: pytest.MonkeyPatch, required: str) -> None:
    silent(REDIS, monkeypatch=monkeypatch)
    monkeypatch.setenv("QC4_REQUIRE_SERVICES", required)
    with pytest.raises(pytest.fail.Exception, match="redis does not answer"):
        require(ON_REDIS)


@pytest.mark.parametrize("required", ["", "postgresql"])
def test_one_that_is_not_required_is_skipped(monkeypatch: pytest.MonkeyPatch, required: str) -> None:
    silent(REDIS, monkeypatch=monkeypatch)
    monkeypatch.setenv("QC4_REQUIRE_SERVICES", required)
    with pytest.raises(pytest.skip.Exception):
        require(ON_REDIS)


def test_one_that_answers_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    silent(monkeypatch=monkeypatch)
    monkeypatch.setenv("QC4_REQUIRE_SERVICES", f"{POSTGRESQL},{REDIS}")
    require(ON_REDIS)
