"""What is compressed on the wire, and what never is."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.models import Draft
from tests.samples.searchable_draft import findable_draft


@pytest.fixture
def draft(owner: User, curator: User) -> Draft:
    return findable_draft(owner, curator)


@pytest.fixture
def client(owner: User) -> Client:
    client = Client(headers={"accept-encoding": "gzip, deflate, br"})
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    return client


def test_pages_and_json_are_compressed(client: Client, draft: Draft) -> None:
    for address, holds in (
        (reverse("draft", args=[draft.pk]), b'id="workspace"'),
        (reverse("api:draft", args=[draft.pk]), b'"topics"'),
    ):
        answer = client.get(address)
        assert answer["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer["Vary"]
        assert holds in gzip.decompress(answer.content)
        assert len(answer.content) < len(gzip.decompress(answer.content)) / 2
        assert "Content-Encoding" not in Client().get(address)


def test_answers_with_secrets_and_files_are_not(client: Client, draft: Draft) -> None:
    made = client.post(reverse("token-create"), {"name": "notebook"})
    assert made.status_code == 200
    assert "Content-Encoding" not in made
    slug = draft.query.collection.slug
    invited = client.post(f"/api/v1/collections/{slug}/invitations", {"role": "reader"}, "application/json")
    assert invited.status_code == 201
    assert "Content-Encoding" not in invited
