"""Programs that use the API: a client with somebody's token, and files to send."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.services import tokens
from annotations.models import Collection
from qc4.io import write_gold, write_submission
from qc4.model.rules import prepare
from tests.api.answers import Api
from tests.samples import GOOD_ANSWER, mercury, submission_document


@pytest.fixture
def api(db: None) -> Api:
    """``api(user)``: a client that sends a token of this person; ``api(None)`` sends none."""

    def client(user: User | None) -> APIClient:
        found = APIClient(raise_request_exception=False)
        if user is not None:
            _, secret = tokens.create(user, "a test")
            found.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
        return found

    return client


@pytest.fixture
def address(collection: Collection) -> str:
    """Where `collection` lies."""
    return f"/api/v1/collections/{collection.slug}"


@pytest.fixture
def answer_file() -> bytes:
    """A good submission of algorithm ``Lingo`` for the queries of `collection`."""
    return write_submission(submission_document(GOOD_ANSWER, "Lingo"))


@pytest.fixture
def gold_file() -> bytes:
    """A gold standard of one query, as a file."""
    document = prepare(mercury()).document
    assert document is not None
    return write_gold(document)
