"""Every error has one shape and speaks to a person; no traceback ever."""

from __future__ import annotations

import json
from unittest.mock import patch

import pytest
from django.core.exceptions import RequestDataTooBig
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.models import User
from evaluation.uploads import services as uploads
from qc4.io import Limits
from qc4.problems import InputError, Problem
from qc4site.errors.api import told
from qc4site.errors.pages import server_error
from tests.fixtures.api import Api, error

ROOT = "/api/v1/"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/", "/api/nothing", "/api/v1/nothing", "/api/v2/collections", "/api/v1/runs/x"])
def test_unknown_addresses_answer_in_json(client: Client, path: str) -> None:
    assert error(client.get(path), 404)["code"] == "not-found"
    assert error(client.post(path), 404)["code"] == "not-found"


@pytest.mark.django_db
def test_a_slash_too_many_is_explained(client: Client) -> None:
    assert "/api/v1/collections ?" in error(client.get("/api/v1/collections/"), 404)["fix"]


@pytest.mark.django_db
def test_what_fails_before_the_api_is_reached_has_the_same_shape(client: Client) -> None:
    assert error(client.get(ROOT, headers={"host": "evil.example"}), 400)["code"] == "bad-request"


@pytest.mark.django_db
def test_wrong_method(client: Client) -> None:
    assert error(client.delete("/api/v1/measures"), 405)["code"] == "method-not-allowed"


def test_not_json(api: Api, owner: User, collection_url: str) -> None:
    response = api(owner).post(f"{collection_url}/baselines", b"{", content_type="application/json")
    assert error(response, 400)["problems"][0]["code"] == "not-json"


@pytest.mark.parametrize("place", ["assignments", "invitations", "baselines", "sweeps"])
@pytest.mark.parametrize(
    "body",
    [b"[" * 50_000, b'{"a":' * 50_000, b'{"role": "reader", "note": "\\ud800"}', b'{"a": 1, "a": 2}', b'{"days": NaN}'],
)
def test_json_that_nobody_means_is_refused_everywhere(
    api: Api, owner: User, collection_url: str, place: str, body: bytes
) -> None:
    error(api(owner).post(f"{collection_url}/{place}", body, content_type="application/json"), 400)


def test_wrong_content_type(api: Api, owner: User, collection_url: str) -> None:
    response = api(owner).post(f"{collection_url}/baselines", b"{}", content_type="text/plain")
    assert error(response, 415)["code"] == "unsupported-media-type"


def test_every_wrong_value_is_named(api: Api, owner: User, collection_url: str) -> None:
    found = error(api(owner).post(f"{collection_url}/baselines", {"only": ["nothing"], "seed": "x"}), 400)
    assert {problem["where"] for problem in found["problems"]} == {"only.0", "seed"}


def test_a_misspelt_option_is_an_error(api: Api, owner: User, collection_url: str) -> None:
    found = error(api(owner).get(f"{collection_url}/scores?algoritm=x"), 400)
    assert found["problems"][0]["fix"] == "Did you mean 'algorithm'?"


def test_bad_input_lists_every_problem(api: Api, owner: User, collection_url: str) -> None:
    bad = b'{"format": "qc4-clustering/1", "query": "mercury", "clusters": [{"id": "a", "pages": ["yy", "zz"]}]}'
    response = api(owner).post(f"{collection_url}/submissions?algorithm=X", bad, content_type="application/json")
    found = error(response, 400)
    assert found["code"] == "invalid-input"
    said = " ".join(problem["found"] for problem in found["problems"])
    assert "yy" in said
    assert "zz" in said
    assert set(found["problems"][0]) == {"code", "severity", "where", "found", "expected", "fix"}


def test_of_very_many_problems_the_first_are_told_and_all_are_counted() -> None:
    refused = InputError(Problem("unknown-page", f"clusters[{number}]", "'x'", "a page") for number in range(100_000))
    body = told(refused).body()["error"]
    assert body["sentence"] == "The input has 100,000 problems (the first 200 are told); nothing was changed."
    assert len(body["problems"]) == 200


def test_too_much_unfinished_work_says_where_it_would_stand(
    api: Api, owner: User, collection_url: str, submission_file: bytes, settings: Settings
) -> None:
    settings.JOB_LIMIT_PER_USER = 1
    client = api(owner)

    def send():
        return client.post(f"{collection_url}/submissions", submission_file, content_type="application/json")

    assert send().status_code == 201
    response = send()
    found = error(response, 429)
    assert found["code"] == "too-many-runs"
    assert found["queue_position"] == 2
    assert int(response["Retry-After"]) == found["retry_after"] > 0


def test_a_fault_of_ours_is_said_without_a_traceback(api: Api, owner: User) -> None:
    with patch("evaluation.runs.api.paged", side_effect=RuntimeError("secret detail")):
        response = api(owner).get("/api/v1/runs")
    assert error(response, 500)["code"] == "internal-error"
    assert b"secret detail" not in response.content


def test_a_fault_around_the_api_has_the_same_shape(rf: RequestFactory) -> None:
    response = server_error(rf.get(ROOT))
    assert response.status_code == 500
    assert json.loads(response.content)["error"]["code"] == "internal-error"


def test_a_request_that_is_too_large_is_413() -> None:
    assert told(RequestDataTooBig("x")).status == 413


def test_a_file_that_is_too_large_is_413(api: Api, owner: User, collection_url: str) -> None:
    with patch.object(uploads, "LIMITS", Limits(file_bytes=10)):
        response = api(owner).post(f"{collection_url}/submissions?algorithm=X", b"x" * 100, content_type="text/csv")
    assert error(response, 413)["problems"][0]["code"] == "limit-file-bytes"


def test_a_request_that_says_it_is_too_large_is_not_even_read(api: Api, owner: User, collection_url: str) -> None:
    response = api(owner).post(
        f"{collection_url}/submissions?algorithm=X", b"x", content_type="text/csv", CONTENT_LENGTH=str(10**10)
    )
    found = error(response, 413)
    assert (found["code"], found["problems"][0]["code"]) == ("too-large", "limit-file-bytes")


def test_a_body_of_unknown_length_is_explained(api: Api, owner: User, collection_url: str) -> None:
    response = api(owner).post(
        f"{collection_url}/submissions?algorithm=X",
        content_type="text/csv",
        CONTENT_LENGTH="",
        HTTP_TRANSFER_ENCODING="chunked",
    )
    assert error(response, 400)["problems"][0]["code"] == "no-length"


def test_an_empty_body_is_called_so_whatever_its_content_type(api: Api, owner: User, collection_url: str) -> None:
    for content_type in ("application/x-www-form-urlencoded", "text/csv", "application/json"):
        response = api(owner).post(f"{collection_url}/submissions?algorithm=X", b"", content_type=content_type)
        assert error(response, 400)["problems"][0]["code"] == "empty-file"


def test_what_one_may_not_see_does_not_exist_and_what_one_may_not_do_is_forbidden(
    api: Api, outsider: User, reader: User, collection_url: str
) -> None:
    error(api(outsider).get(collection_url), 404)
    error(api(reader).post(f"{collection_url}/baselines", {}), 403)
