"""Bodies that an address does not take, or not from this person, are refused before Django reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.parsers import MultiPartParser

from accounts.models import ApiToken, User
from accounts.services import tokens
from annotations.models import Collection
from common.body_sizes import ANONYMOUS, LARGEST, ONE_FILE
from common.limits import BODY_BYTES, REQUEST_BYTES
from common.routes import declared
from tests.qc4site.url_paths import path_of

BACKEND = "django.contrib.auth.backends.ModelBackend"
FORM, FIELDS, JSON = "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "application/json"
SUBMIT, PUSH = "/c/{slug}/submit/", "/api/v1/collections/{slug}/submissions"
HUGE = 100 * 1024 * 1024


class Unread:
    """A body that nobody may read."""

    def read(self, *_: object) -> bytes:
        raise AssertionError("the body was read")

    readline = read


def sent(
    user: User | None, address: str, kind: str, length: int, method: str = "POST", **more: Any
) -> HttpResponseBase:
    """The response to a request whose body must not be read."""
    client = Client()
    if user is not None:
        client.force_login(user, BACKEND)
    head = {"CONTENT_LENGTH": str(length), "CONTENT_TYPE": kind, "wsgi.input": Unread(), **more}
    return client.generic(method, address, b"", kind, **head)


@pytest.mark.parametrize(
    ("who", "address", "kind", "length", "status"),
    [
        (None, "/sign-in/", FORM, 500, 415),
        (None, "/sign-in/", " Multipart/FORM-data; boundary=x", 500, 415),
        (None, "/sign-in/", FORM, HUGE, 413),
        (None, "/sign-in/", FIELDS, BODY_BYTES + 1, 413),
        (None, "/sign-in/", FIELDS, ANONYMOUS + 1, 302),
        (None, SUBMIT, FORM, 500, 302),
        ("outsider", SUBMIT, FORM, 500, 404),
        ("reader", SUBMIT, FORM, 500, 403),
        ("submitter", SUBMIT, FORM, ONE_FILE.max_bytes + 1, 413),
        (None, "/new/", FORM, 500, 302),
        ("owner", "/account/tokens/", FORM, 500, 415),
        (None, PUSH, FORM, 500, 404),
        (None, PUSH, JSON, BODY_BYTES, 404),
        ("reader", PUSH, FORM, 500, 403),
        ("submitter", PUSH, "text/csv", ONE_FILE.max_bytes + 1, 413),
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
    assert (error["code"], error["problems"][0]["expected"]) == (
        "too-large",
        f"at most {ONE_FILE.max_bytes:,} bytes here",
    )


@pytest.mark.parametrize(
    "name", [name for name, endpoint in declared().items() if endpoint.body and name.startswith("api:")]
)
def test_the_api_checks_rights_before_it_reads_a_body(collection: Collection, outsider: User, name: str) -> None:
    path = path_of(name, {"slug": collection.slug, "key": "mercury", "pk": 1})
    body = declared()[name].body
    kind, method = FORM if body and body.files else JSON, "PUT" if name == "api:query-vectors" else "POST"
    assert sent(None, path, kind, REQUEST_BYTES, method).status_code in {401, 404}
    if name != "api:collections":  # where everybody may create one
        assert sent(outsider, path, kind, REQUEST_BYTES, method).status_code in {403, 404}


def test_tokens_are_checked_before_the_body_is_read(collection: Collection, submitter: User) -> None:
    push = PUSH.format(slug=collection.slug)
    row, old = tokens.create(submitter, "old")
    ApiToken.objects.filter(pk=row.pk).update(expires_at=row.created_at)
    _, reads = tokens.create(submitter, "reads", scopes=())
    refused = ((old, 401, "token-expired"), (reads, 403, "scope-missing"), ("qc4_x", 401, "not-authenticated"))
    for secret, status, code in refused:
        for address in (push, PUSH.format(slug="what-there-is-not")):
            answer = sent(None, address, FORM, HUGE // 2, HTTP_AUTHORIZATION=f"Bearer {secret}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_a_form_without_a_good_csrf_token_leaves_no_file(collection: Collection, submitter: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(submitter, BACKEND)
    client.cookies["csrftoken"] = "c" * 32
    file = SimpleUploadedFile("a.json", b"x" * 100_000)
    answer = client.post(SUBMIT.format(slug=collection.slug), {"file": file, "csrfmiddlewaretoken": "d" * 32})
    assert answer.status_code == 403
    assert list(settings.TEMPORARY_DIR.iterdir()) == []


def test_endpoints_declare_files_exactly_if_they_parse_them() -> None:
    parsing = {name for name, view in _endpoints() if MultiPartParser in view.parser_classes}
    declaring = {name for name, each in declared().items() if each.body and each.body.files}
    assert {name for name in declaring if name.startswith("api:")} == parsing


def test_the_server_accepts_the_largest_body_of_any_page() -> None:
    assert max(each.body.max_bytes for each in declared().values() if each.body) == LARGEST


def _endpoints(patterns: list[URLPattern | URLResolver] | None = None, space: str = "") -> Iterator[tuple[str, Any]]:
    for each in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(each, URLResolver):
            inner = f"{each.namespace}:" if each.namespace else space
            yield from _endpoints(each.url_patterns, inner)
        elif hasattr(each.callback, "cls"):
            yield f"{space}{each.name}", each.callback.cls
