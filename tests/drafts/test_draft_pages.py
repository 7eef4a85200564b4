"""The pages of drafts: start one in every way, open, submit, reopen, archive and restore it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection, Draft, Page
from evaluation.baseline_runs import services as baselines
from evaluation.models import Submission
from tests.fixtures.api import changed_gold
from tests.trigger_bypass import unguarded

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
    """Return the JSON that the workspace's scripts start from."""
    html = client.get(reverse("draft", args=[draft.pk])).content.decode()
    _, _, rest = html.partition('<script id="workspace" type="application/json">')
    found: dict[str, dict[str, object]] = json.loads(rest.partition("</script>")[0])
    return found


def test_every_way_to_start_a_draft(browser: Browser, owner: User, page: str, scored: Submission) -> None:
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
    names = {source: [topic["name"] for topic in found] for source, found in topics.items()}
    assert names["nothing"] == []
    assert names["gold"] == ["Planet", "Engines", "Outboards", "Spare parts"]
    assert names["document"] == ["Planets", "Engines", "Outboards", "Spare parts"]
    assert len(names["clustering"]) == 3
    assert all(topic["suggested"] for topic in topics["clustering"])


def test_clusterings_to_start_from_are_distinguishable(
    browser: Browser,
    owner: User,
    page: str,
    collection: Collection,
    submit: Callable[..., tuple[Submission, object]],
    finish: Callable[..., None],
) -> None:
    submit(owner, "Lingo")
    finish(baselines.enqueue(collection=collection, keys=["gold", "random", "singletons"], user=owner))
    submit(owner, "Anaphora", {"mercury": (("p1", "p2"), ("p3",)), "saturn": (("p1",),)})
    html = browser(owner).get(page).content.decode()
    found = {each.algorithm.name: each.pk for each in Submission.objects.select_related("algorithm")}
    _, _, select = html.partition('<select name="submission"')
    assert re.findall(r'<(?:option value|optgroup label)="([^"]*)"( selected)?', select.partition("</select>")[0]) == [
        ("", " selected"),
        ("Algorithms", ""),
        (str(found["Anaphora"]), ""),
        (str(found["Lingo"]), ""),
        ("Baselines", ""),
        (str(found["Singletons"]), ""),
    ], "the latest algorithm comes first, and baselines made from the gold standard are excluded"
    assert f"Anaphora · #{found['Anaphora']} · 2 clusters<" in select
    assert f"Singletons · #{found['Singletons']} · 8 clusters · baseline<" in select
    client = browser(owner)
    for left_out in ("Gold standard", "Random"):
        chosen = {"source": "clustering", "kind": "own", "submission": found[left_out]}
        assert client.post(page, chosen).status_code == 400
        address = reverse("api:drafts-from-clustering", args=[collection.slug, "mercury"])
        answer = client.post(address, {"submission": found[left_out], "kind": "own"}, "application/json")
        assert (answer.status_code, answer.json()["error"]["problems"][0]["code"]) == (400, "made-from-gold")
    assert b"Choose one to start from." in client.post(page, {"source": "clustering", "kind": "own"}).content
    assert not Draft.objects.exists()


def test_form_without_source_shows_error(browser: Browser, curator: User, page: str) -> None:
    client = browser(curator)
    answer = client.post(page, {"source": "gold", "kind": "own"})
    assert answer.status_code == 400
    assert b"Choose one to start from." in answer.content
    wrong = SimpleUploadedFile("mine.json", b'{"format": "qc4-gold/1", "query": {"id": "mercury"}, "pages": []}')
    answer = client.post(page, {"source": "document", "kind": "own", "file": wrong})
    assert answer.status_code == 400
    assert b"8 pages of the collection are missing" in answer.content
    assert not Draft.objects.exists()


def test_submit_reopen_archive_restore(browser: Browser, curator: User, page: str) -> None:
    client = browser(curator)
    draft = start(client, page, "nothing", name="Mine")
    for action, words in (
        ("submit", b"is submitted"),
        ("reopen", b"is open again"),
        ("archive", b"you can restore it"),
        ("restore", b"is restored"),
    ):
        told = client.post(reverse(f"draft-{action}", args=[draft.pk]), follow=True)
        assert words in told.content
    draft.refresh_from_db()
    assert (draft.status, draft.archived_at) == ("open", None)


def test_blind_drafts_show_only_progress(browser: Browser, curator: User, adjudicator: User, page: str) -> None:
    mine = start(browser(curator), page, "nothing", name="Of the curator")
    theirs = start(browser(adjudicator), page, "gold", version="1", name="Of the adjudicator")
    html = browser(curator).get(page).content.decode()
    assert "Of the adjudicator" not in html, "its name is hidden"
    assert reverse("draft", args=[mine.pk]) in html
    assert f"/drafts/{theirs.pk}" not in html
    assert "gold version 1" not in html, "its source is hidden"
    assert browser(curator).get(reverse("draft", args=[theirs.pk])).status_code == 404
    answer = browser(curator).post(page, {"source": "draft", "kind": "own", "draft": theirs.pk})
    assert answer.status_code == 400, "it cannot be the source of a draft"


def test_workspace_urls_work(browser: Browser, owner: User, page: str) -> None:
    client = browser(owner)
    draft = start(client, page, "gold", version="1")
    found = workspace(client, draft)
    assert found["me"] == "owner"
    assert found["draft"]["may_edit"] is True
    assert [shown["host"] for shown in found["pages"]][:2] == ["p1.example", "p2.example"]
    for name, address in found["urls"].items():
        if name not in {"operations", "presence", "submit", "reopen", "suggestions"}:
            assert client.get(str(address).replace("{key}", "p1").replace("{topic}", "space")).status_code == 200, name


def test_workspace_contains_function_words_of_its_pages(browser: Browser, owner: User, page: str) -> None:
    """Scripts mark the words of topics in texts, so "the" was once marked for a topic named "The planet"."""
    with unguarded(Page):
        Page.objects.filter(query__key="mercury").update(snippet="The planet is the one of the sun and not of the moon")
    client = browser(owner)
    words = workspace(client, start(client, page, "nothing"))["query"]["function_words"]
    assert isinstance(words, list)
    assert {"the", "and", "not"} <= set(words)
    assert not {"planet", "sun"} & set(words)


def test_blank_text_counts_as_no_text(browser: Browser, owner: User, page: str) -> None:
    """A blank text was once shown as an empty box under "Text of the page"."""
    with unguarded(Page):
        Page.objects.filter(query__key="mercury").update(text=" \n\t ", snippet="  ")
    client = browser(owner)
    draft = start(client, page, "nothing")
    detail = client.get(reverse("api:draft-page", args=[draft.pk]), {"key": "p1"}).json()
    assert (detail["text"], detail["snippet"]) == ("", "")
