"""The committed schema is what the code says, and what the code does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import yaml
from django.contrib.auth.models import User
from django.core.management import call_command
from hypothesis import HealthCheck, Phase, settings
from pytest_django import DjangoDbBlocker, Settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from annotations.services import tokens
from evaluation.models import Submission
from qc4site.wsgi import application

COMMITTED = Path(__file__).parent.parent.parent / "docs" / "api" / "openapi.yaml"
SCHEMA = yaml.safe_load(COMMITTED.read_text(encoding="utf-8"))


def test_the_committed_schema_is_current(tmp_path: Path) -> None:
    now = tmp_path / "openapi.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(now))
    assert now.read_text() == COMMITTED.read_text(), "run `make schema` and commit docs/api/openapi.yaml"


def test_every_operation_has_a_name_a_description_and_the_error_shape() -> None:
    for path, methods in SCHEMA["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], f"{method} {path}"
            assert {"401", "404", "429", "500"} <= set(operation["responses"]), f"{method} {path}"
    names = [operation["operationId"] for methods in SCHEMA["paths"].values() for operation in methods.values()]
    assert len(names) == len(set(names))
