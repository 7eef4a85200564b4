"""What tests of the API send and expect."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from rest_framework.test import APIClient

from accounts.models import User
from qc4.io import write_gold
from qc4.model.rules import prepare
from tests.samples import mercury

Api = Callable[[User | None], APIClient]


def changed_gold(**changes: Any) -> bytes:
    """The gold standard of ``mercury`` with another first topic."""
    document = prepare(mercury()).document
    assert document is not None
    value = json.loads(write_gold(document))
    value["topics"][0] |= changes or {"name": "Planets"}
    return json.dumps(value).encode()


def error(response: Any, status: int) -> dict[str, Any]:
    """The error of a response, which must have the one shape."""
    assert response.status_code == status, response.content
    found: dict[str, Any] = response.json()["error"]
    assert set(found) >= {"code", "sentence", "fix", "problems"}
    assert "Traceback" not in response.content.decode()
    return found
