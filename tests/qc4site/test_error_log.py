"""The site's log: a refused request is one line, a failure of ours has a traceback."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.test import Client
from django.utils.module_loading import import_string

from accounts.models import User
from annotations.models import Collection


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the site writes about requests, by the filters of its settings."""
    text = io.StringIO()
    console = logging.StreamHandler(text)
    for name in settings.LOGGING["handlers"]["console"].get("filters", ()):
        console.addFilter(import_string(settings.LOGGING["filters"][name]["()"])())
    loggers = [logging.getLogger(name) for name in ("django.request", "django.security")]
    levels = [one.level for one in loggers]
    for one in loggers:
        one.setLevel(logging.WARNING)
        one.addHandler(console)
    yield text
    for one, level in zip(loggers, levels, strict=True):
        one.setLevel(level)
        one.removeHandler(console)


def test_403_is_logged_as_one_line(collection: Collection, reader: User, log: io.StringIO) -> None:
    client = Client()
    client.force_login(reader, "django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/c/{collection.slug}/people/").status_code == 403
    assert log.getvalue().startswith("Forbidden")
    assert log.getvalue().count("\n") == 1


@pytest.mark.parametrize(
    ("error", "status", "has_traceback"),
    [(PermissionDenied("no"), 403, False), (SuspiciousOperation("odd"), 400, False), (RuntimeError("oh"), 500, True)],
)
def test_only_failures_of_ours_have_a_traceback(
    public_collection: Collection,
    log: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    has_traceback: bool,
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("evaluation.collections.views.challenge_context", fails)
    answer = Client(raise_request_exception=False).get(f"/c/{public_collection.slug}/")
    assert answer.status_code == status
    assert ("Traceback" in log.getvalue()) == has_traceback
