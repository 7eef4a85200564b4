"""Answers to nonsense are bounded: what nobody knows is named a few times, shortened, and the rest counted."""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client

from accounts.models import User
from common.limits import REQUEST_FIELDS, UNKNOWN_NAMES
from qc4.problems import MAX_SHOWN, MAX_TEXT_CHARS, Problem
from tests.fixtures.api import Api, error
from tests.whole_site.test_permissions import SITE, World, built, world

__all__ = ["built", "world"]
MORE_BYTES = 64 * 1024
"""That an answer to nonsense may have beyond the answer to a sensible request."""
LONG = "x" * 4_000
"""As long as one line of a request may be for the web server in front."""


ASKED = (
    ("leaderboard", "measures"),
    ("leaderboard", "sort"),
    ("api:leaderboard", "measures"),
    ("api:measures", "q"),
    ("docs-search", "q"),
    ("compare", "algorithms"),
    ("api:collections", "q"),
    ("api:submissions", "algorithm"),
    ("collection", "q"),
    ("submission:published", "measures"),
)
"""Names of addresses that show what they are asked for, and the name of what is asked."""


def answered(world: World, name: str, which: str, query: dict[str, str]) -> int:
    """How long the owner's answer is."""
    browser = Client(raise_request_exception=True)
    browser.handler = SITE
    browser.cookies[settings.SESSION_COOKIE_NAME] = world.sessions["owner"]
    with transaction.atomic():
        response = browser.get(world.address(name, which), query)
        transaction.set_rollback(True)
    assert response.status_code < 500, name
    return len(response.getvalue() if response.streaming else response.content)


@pytest.mark.parametrize(("name", "asked"), ASKED)
def test_no_address_answers_nonsense_at_length(world: World, name: str, asked: str) -> None:
    name, _, which = name.rpartition(":") if name.endswith(":published") else (name, "", "")
    plain = answered(world, name, which, {})
    for query in ({asked: LONG}, {asked: ",".join(map(str, range(700)))}, {f"{n}{LONG[:100]}": "x" for n in range(40)}):
        assert answered(world, name, which, query) < plain + MORE_BYTES


def test_unknown_options_are_named_a_few_times_and_counted(api: Api, owner: User, collection_url: str) -> None:
    names = {f"{'n' * 15_000}{number}": "x" for number in range(60)}
    answer = api(owner).post(f"{collection_url}/invitations", json.dumps(names), content_type="application/json")
    problems = error(answer, 400)["problems"]
    assert len(problems) == UNKNOWN_NAMES + 1
    assert problems[-1]["found"] == f"{60 - UNKNOWN_NAMES} more unknown names"
    assert len(answer.content) < MORE_BYTES


@pytest.mark.parametrize("place", ["assignments", "invitations", "baselines", "sweeps"])
def test_an_object_of_very_many_fields_is_refused_for_their_number(
    api: Api, owner: User, collection_url: str, place: str
) -> None:
    body = json.dumps({f"k{number}": 1 for number in range(60_000)})
    answer = api(owner).post(f"{collection_url}/{place}", body, content_type="application/json")
    [problem] = error(answer, 400)["problems"]
    assert problem["code"] == "too-many-fields"
    assert problem["expected"] == f"at most {REQUEST_FIELDS}"


def test_very_many_values_are_refused_before_they_are_parsed(api: Api, owner: User, collection_url: str) -> None:
    answer = api(owner).post(
        f"{collection_url}/sweeps", b"[" + b"[]," * 300_000 + b"1]", content_type="application/json"
    )
    assert error(answer, 400)["problems"][0]["code"] == "limit-json-values"


def test_a_list_of_wrong_values_is_answered_with_the_first(api: Api, owner: User, collection_url: str) -> None:
    body = json.dumps({"algorithms": ["x" * 50] * 15_000, "clusters": ["y"] * 15_000, "seed": "z"})
    answer = api(owner).post(f"{collection_url}/sweeps", body, content_type="application/json")
    assert len(error(answer, 400)["problems"]) <= MAX_SHOWN
    assert len(answer.content) < 4 * MORE_BYTES


def test_a_problem_tells_of_long_texts_how_long_they_are() -> None:
    problem = Problem("x", "w" * 10_000, "f" * 10_000, "e" * 10_000, "g" * 10_000)
    for text in (problem.where, problem.found, problem.expected, problem.fix):
        assert text.endswith(f"… ({10_000 - MAX_TEXT_CHARS:,} more characters)")
        assert len(text) < MAX_TEXT_CHARS + 40
