"""The committed schema is what the code says, and what the code does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
import yaml
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, Phase, given, seed, strategies
from pytest_django import DjangoDbBlocker, Settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import User
from accounts.services import tokens
from annotations.imports.services import import_documents
from evaluation.models import Run, Submission
from evaluation.runs.execution import run_here
from qc4site.wsgi import application
from tests.paths import DOCS
from tests.samples.documents import GOOD_ANSWER, PASSWORD, mercury, saturn, submission_document
from tests.samples.submissions import hand_in

COMMITTED = DOCS / "api" / "openapi.yaml"
SCHEMA = yaml.load(COMMITTED.read_text(encoding="utf-8"), yaml.CSafeLoader)  # ten times as fast as `safe_load`
EXAMPLES = isqrt(hypothesis.settings.default.max_examples)
"""For each operation, of which there are more than a hundred, and whose examples are requests."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def _operations() -> list[Any]:
    schema = schemathesis.openapi.from_dict(SCHEMA)
    schema.app = application
    return [found.ok() for found in schema.get_all_operations()]


def _good_and_bad(operation: Any) -> strategies.SearchStrategy[Any]:
    """Requests as the schema allows them, and others."""
    bad = operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)
    return strategies.one_of(operation.as_strategy(), bad)


OPERATIONS = _operations()


def test_the_committed_schema_is_current(tmp_path: Path) -> None:
    now = tmp_path / "openapi.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(now))
    assert now.read_text() == COMMITTED.read_text(), "run `make schema` and commit docs/api/openapi.yaml"


def test_the_site_answers_with_it(client: Client, db: None) -> None:
    """Also the second time, when nothing is built or written any more, and to who asks for YAML by another name."""
    for accepted in ("*/*", "*/*", "application/yaml"):
        answer = client.get(reverse("api:schema"), headers={"Accept": accepted})
        assert (answer.status_code, answer.content) == (200, COMMITTED.read_bytes())


def test_every_operation_has_a_name_a_description_and_the_error_shape() -> None:
    for path, methods in SCHEMA["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], f"{method} {path}"
            assert {"401", "404", "429", "500"} <= set(operation["responses"]), f"{method} {path}"
    names = [operation["operationId"] for methods in SCHEMA["paths"].values() for operation in methods.values()]
    assert len(names) == len(set(names))


@pytest.fixture
def _one_connection() -> Iterator[None]:
    """Requests use the test's own database connection, and leave it open."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@dataclass(frozen=True, slots=True)
class World:
    """What there is to ask about: a scored submission, its run, and a token of the collection's owner."""

    submission: Submission
    run: Run
    token: str


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Made once, as every request is undone; gone from the database when its tests are over."""
    with django_db_blocker.unblock(), transaction.atomic():
        owner = User.objects.create_user("owner", password=PASSWORD)
        collection = import_documents(name="Space and cars", documents=[mercury(), saturn()], user=owner)
        submission, run = hand_in(collection, submission_document(GOOD_ANSWER, "Lingo"), owner)
        assert run is not None
        run_here(run)
        yield World(submission, run, tokens.create(owner, "schemathesis")[1])
        transaction.set_rollback(True)


@pytest.fixture
def program(world: World, settings: Settings) -> dict[str, str]:
    """The headers of a program of the collection's owner, which may ask as often as it likes."""
    settings.RATES = dict.fromkeys(settings.RATES, "100000/s")
    # What runs the requests within this process does not unpack answers.
    return {
        "Authorization": f"Bearer {world.token}",
        "Accept-Encoding": "identity",
    }


@pytest.mark.usefixtures("_one_connection")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_generated_requests_find_no_server_error_and_nothing_undocumented(
    operation: Any, program: dict[str, str], world: World, django_db_blocker: DjangoDbBlocker
) -> None:
    there = {
        "slug": world.submission.collection.slug,
        "key": "aq" if "/measures/" in operation.path else "mercury",
        "number": 1,
        "id": (world.run if "/runs/" in operation.path else world.submission).pk,
    }

    @seed(0)
    @hypothesis.settings(
        max_examples=EXAMPLES,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=_good_and_bad(operation), exists=strategies.sampled_from([True, True, False]))
    def check(case: Any, exists: bool) -> None:
        if exists:
            case.path_parameters = {name: there[name] for name in case.path_parameters or {}}
        with transaction.atomic():
            case.call_and_validate(headers=program, checks=CHECKS)
            transaction.set_rollback(True)

    with django_db_blocker.unblock():
        check()
