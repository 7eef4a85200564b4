"""The pages of drafts: start one in each way, open it, submit, reopen, archive, restore."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotations.models import Collection, Draft
from evaluation.models import Submission
from tests.api.answers import changed_gold

Browser = Callable[[User], Client]


@pytest.fixture
def browser() -> Browser:
    def signed_in(user: User) -> Client:
        client = Client()
        client.force_login(user, "django.contrib.auth.backends.ModelBackend")
        return client

    return signed_in


@pytest.fixture
def page(collection: Collection) -> str:
    return reverse("drafts", args=[collection.slug, "mercury"])


def start(client: Client, page: str, source: str, **more: object) -> Draft:
    answer = client.post(page, {"source": source, "kind": "own"} | more)
    assert answer.status_code == 302, answer.content.decode()
    draft = Draft.objects.latest("pk")
    assert answer["Location"] == reverse("draft", args=[draft.pk])
    return draft


def workspace(client: Client, draft: Draft) -> dict[str, dict[str, object]]:
    """The JSON the workspace's scripts begin with."""
    html = client.get(reverse("draft", args=[draft.pk])).content.decode()
    _, _, rest = html.partition('<script id="workspace" type="application/json">')
    found: dict[str, dict[str, object]] = json.loads(rest.partition("</script>")[0])
    return found


def test_each_way_to_start(browser: Browser, owner: User, page: str, scored: Submission) -> None:
    client = browser(owner)
    topics: dict[str, object] = {}
    for source, more in {
        "nothing": {},
        "gold": {"version": "1"},
        "document": {"file": SimpleUploadedFile("mine.json", changed_gold(name="Planets"))},
        "clustering": {"submission": scored.pk},
    }.items():
        draft = start(client, page, source, **more)
        topics[source] = workspace(client, draft)["state"]["topics"]
    names = {source: [topic["name"] for topic in found] for source, found in topics.items()}  # type: ignore[attr-defined]
    assert names["nothing"] == []
    assert names["gold"] == ["Planet", "Engines", "Outboards", "Spare parts"]
    assert names["document"] == ["Planets", "Engines", "Outboards", "Spare parts"]
    assert len(names["clustering"]) == 3
    assert all(topic["suggested"] for topic in topics["clustering"])  # type: ignore[attr-defined]
