"""What a body may be is decided from the head of its request: it is refused before anything reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.parsers import MultiPartParser

from accounts.models import ApiToken, User
from accounts.services import tokens
from annotations.limits import BODY_BYTES, REQUEST_BYTES
from annotations.models import Collection
from qc4site.body_limits import ONE_FILE, TAKES, UNKNOWN_SENDERS
from qc4site.serving import protocol

BACKEND = "django.contrib.auth.backends.ModelBackend"
FORM, FIELDS, JSON = "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "application/json"
SUBMIT, PUSH = "/c/{slug}/submit/", "/api/v1/collections/{slug}/submissions"
HUGE = 100 * 1024 * 1024


class Unread:
    """A body that nobody may read."""

    def read(self, *_: object) -> bytes:
        raise AssertionError("the body was read")

    readline = read


def sent(user: User | None, address: str, kind: str, length: int, **more: Any) -> HttpResponseBase:
    """What answers a request of which only the head is looked at."""
    client = Client()
    if user is not None:
        client.force_login(user, BACKEND)
    head = {"CONTENT_LENGTH": str(length), "CONTENT_TYPE": kind, "wsgi.input": Unread(), **more}
    return client.generic("POST", address, b"", kind, **head)


@pytest.mark.parametrize(
    ("who", "address", "kind", "length", "status"),
    [
        (None, "/sign-in/", FORM, 500, 415),
        (None, "/sign-in/", " Multipart/FORM-data; boundary=x", 500, 415),
        (None, "/sign-in/", FORM, HUGE, 413),
        (None, "/sign-in/", FIELDS, BODY_BYTES + 1, 413),
        (None, "/sign-in/", FIELDS, UNKNOWN_SENDERS + 1, 302),
        (None, SUBMIT, FORM, 500, 302),
        ("outsider", SUBMIT, FORM, 500, 404),
        ("reader", SUBMIT, FORM, 500, 403),
        ("submitter", SUBMIT, FORM, ONE_FILE + 1, 413),
        (None, "/new/", FORM, 500, 302),
        ("owner", "/account/tokens/", FORM, 500, 415),
        (None, PUSH, FORM, 500, 401),
        (None, PUSH, JSON, BODY_BYTES, 401),
        ("reader", PUSH, FORM, 500, 403),
        ("submitter", PUSH, "text/csv", ONE_FILE + 1, 413),
        ("owner", "/api/v1/drafts/1/operations", JSON, REQUEST_BYTES + 1, 413),
        ("owner", "/api/v1/drafts/1/operations", FORM, 500, 415),
        ("owner", "/api/v1/drafts/1/presence", JSON, BODY_BYTES + 1, 413),
    ],
)
def test_a_body_is_refused_unread(
    request: pytest.FixtureRequest, collection: Collection, who: str | None, address: str, kind: str, length: int,
    status: int,
) -> None:  # fmt: skip
    user = request.getfixturevalue(who) if who else None
    answer = sent(user, address.format(slug=collection.slug), kind, length)
    assert answer.status_code == status
    assert list(settings.TEMPORARY_DIR.iterdir()) == []


def test_refusals_name_the_limit_on_pages_and_in_the_shape_of_the_api(owner: User) -> None:
    page = sent(owner, "/sign-in/", FIELDS, HUGE)
    assert b"104,857,600 bytes" in page.content
    assert b"1,048,576 bytes" in page.content
    error = sent(owner, "/api/v1/collections", JSON, HUGE).json()["error"]
    assert (error["code"], error["problems"][0]["expected"]) == ("too-large", f"at most {ONE_FILE:,} bytes here")


def test_tokens_count_as_signing_in(collection: Collection, submitter: User) -> None:
    _, secret = tokens.create(submitter, "laptop")
    push, asked = PUSH.format(slug=collection.slug), {protocol.STATE: protocol.ASKED}
    good = sent(None, push, FORM, HUGE // 2, HTTP_AUTHORIZATION=f"Bearer {secret}", **asked)
    assert (good.status_code, good[protocol.PERSON]) == (204, str(submitter.pk))
    assert sent(None, push, FORM, HUGE // 2, HTTP_AUTHORIZATION="Bearer qc4_x", **asked).status_code == 401


def test_no_body_comes_for_a_token_that_is_not_good_for_it(collection: Collection, submitter: User) -> None:
    """It has expired, or its scopes do not hold this: the view says so from the head alone."""
    push, asked = PUSH.format(slug=collection.slug), {protocol.STATE: protocol.ASKED}
    row, old = tokens.create(submitter, "old")
    ApiToken.objects.filter(pk=row.pk).update(expires_at=row.created_at)
    _, reads = tokens.create(submitter, "reads", scopes=())
    for secret, status, code in ((old, 401, "token-expired"), (reads, 403, "scope-missing")):
        for address in (push, PUSH.format(slug="what-there-is-not")):
            answer = sent(None, address, FORM, HUGE // 2, HTTP_AUTHORIZATION=f"Bearer {secret}", **asked)
            assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_the_server_is_told_to_go_on_where_the_body_may_come(collection: Collection, submitter: User) -> None:
    asked = {protocol.STATE: protocol.ASKED}
    submit = SUBMIT.format(slug=collection.slug)
    good = sent(submitter, submit, FORM, HUGE // 2, **asked)
    assert (good.status_code, good[protocol.MOST_BYTES]) == (204, str(ONE_FILE))
    assert sent(None, submit, FORM, HUGE // 2, **asked).status_code == 302
    # Of a body of unknown length nobody knows yet whether it is large.
    assert sent(None, "/sign-in/", FIELDS, 0, **asked).status_code == 302


@pytest.mark.parametrize(
    ("state", "status", "code"),
    [
        (protocol.LATE, 408, "too-slow"),
        (protocol.CROWDED, 429, "too-many-requests"),
        (protocol.TOO_LONG, 413, "too-large"),
    ],
)
def test_what_the_server_cut_short_is_explained(owner: User, state: str, status: int, code: str) -> None:
    answer = sent(owner, "/api/v1/collections", JSON, 0, **{protocol.STATE: state})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert sent(owner, "/new/", FORM, 0, **{protocol.STATE: state}).status_code == status


def test_the_table_knows_every_endpoint_that_takes_files() -> None:
    taking = {name for name, view in _endpoints() if MultiPartParser in view.parser_classes}
    assert {name for name, takes in TAKES.items() if takes.files and name.startswith("api:")} == taking


def _endpoints(patterns: list[URLPattern | URLResolver] | None = None, space: str = "") -> Iterator[tuple[str, Any]]:
    for each in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(each, URLResolver):
            inner = f"{each.namespace}:" if each.namespace else space
            yield from _endpoints(each.url_patterns, inner)
        elif hasattr(each.callback, "cls"):
            yield f"{space}{each.name}", each.callback.cls
