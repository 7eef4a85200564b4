"""Publishing drafts: what is refused, what becomes of versions and scores, and what one is told first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotations.models import Collection, Draft, DraftPublication, GoldVersion, GoldVersionEntry
from annotations.services import drafts
from annotations.services.drafts.performing import Asked, perform
from evaluation.models import Evaluation, Run, Submission
from evaluation.selectors.gold_changes import changed_golds
from evaluation.selectors.publication import publication
from evaluation.services.draft_publishing import publish_draft
from measures.problems import InputError

Do = Callable[..., None]


@pytest.fixture
def draft(collection: Collection, owner: User) -> Draft:
    """A draft of mercury that begins with its published gold standard."""
    entry = GoldVersionEntry.objects.get(query__collection=collection, query__key="mercury", version__number=1)
    return drafts.from_gold(entry=entry, query=entry.query, user=owner, kind="own")


@pytest.fixture
def do(owner: User) -> Do:
    def change(draft: Draft, *operations: dict[str, Any]) -> None:
        perform(draft, owner, Asked(uuid4(), draft.revision, list(operations)))

    return change


def test_a_draft_that_says_the_same_makes_no_version(draft: Draft, owner: User, scored: Submission) -> None:
    found = publication(draft)
    assert found.changes_nothing
    assert found.errors == ()
    done = publish_draft(draft=draft, revision=0, user=owner)
    assert (done.is_new, done.version.number, done.runs) == (False, 1, [])


def test_an_older_version_can_be_published_again(draft: Draft, owner: User, do: Do) -> None:
    do(draft, {"kind": "rename", "topic": "space", "name": "Space"})
    assert publish_draft(draft=draft, revision=1, user=owner).version.number == 2
    entry = GoldVersionEntry.objects.get(query=draft.query, version__number=1)
    again = drafts.from_gold(entry=entry, query=draft.query, user=owner, kind="own")
    version = publish_draft(draft=again, revision=0, user=owner).version
    assert version.number == 3
    assert [one.difference.lines for one in changed_golds(version) if one.difference] == [("Renamed Space to Planet",)]


def test_only_the_changed_query_is_scored_anew(
    draft: Draft, owner: User, scored: Submission, do: Do, finish: Callable[[], None]
) -> None:
    before = set(Evaluation.objects.values_list("pk", flat=True))
    old = GoldVersion.objects.get(number=1).entries.get(query__key="saturn").gold
    do(draft, {"kind": "assign", "pages": ["p1"], "topics": ["parts"]})
    assert publication(draft).submissions == 1
    done = publish_draft(draft=draft, revision=1, user=owner, note="p1 is about parts, too")
    assert done.is_new
    assert [run.kind for run in done.runs] == [Run.Kind.EVALUATION]
    finish()
    new = Evaluation.objects.exclude(pk__in=before)
    assert {row.gold_sha256 for row in new} == {done.version.entries.get(query__key="mercury").gold.sha256}
    assert done.version.entries.get(query__key="saturn").gold == old


def test_what_breaks_a_rule_is_not_published(draft: Draft, owner: User, do: Do) -> None:
    do(draft, {"kind": "clear_outlier", "pages": ["p8"]}, {"kind": "unassign", "pages": ["p4"], "topics": ["outboard"]})
    with pytest.raises(InputError) as refused:
        publish_draft(draft=draft, revision=1, user=owner)
    assert {problem.code for problem in refused.value.problems} == {"page-without-topic"}
    assert GoldVersion.objects.count() == 1
    assert not DraftPublication.objects.exists()


def test_nobody_publishes_what_they_have_not_seen(draft: Draft, owner: User, do: Do) -> None:
    do(draft, {"kind": "rename", "topic": "space", "name": "Space"})
    with pytest.raises(InputError, match="at 1 by now"):
        publish_draft(draft=draft, revision=0, user=owner)
    assert GoldVersion.objects.count() == 1


def test_suggestions_are_left_out_and_counted(draft: Draft, owner: User, do: Do) -> None:
    do(
        draft,
        {
            "kind": "suggest",
            "source": "test",
            "topics": [{"topic": "gods", "name": "Gods", "parent": None}],
            "hints": [["gods", ["p1", "p2"]]],
        },
    )
    found = publication(draft)
    assert found.suggestions == 2
    assert found.changes_nothing


def test_where_a_gold_standard_came_from(draft: Draft, owner: User, do: Do) -> None:
    do(draft, {"kind": "rename", "topic": "space", "name": "Space"})
    version = publish_draft(draft=draft, revision=1, user=owner).version
    (changed,) = changed_golds(version)
    assert changed.query == draft.query
    assert changed.publication is not None
    assert (changed.publication.draft, changed.publication.revision) == (draft, 1)


def test_the_page_tells_before_it_publishes(
    draft: Draft, owner: User, client: Client, scored: Submission, do: Do
) -> None:
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    do(draft, {"kind": "merge", "topics": ["parts"], "into": "outboard"})
    address = reverse("draft-publish", args=[draft.pk])
    page = client.get(address).content.decode()
    assert "Merged Spare parts into Outboards" in page
    assert "1 clustering of this query is scored anew" in page
    assert GoldVersion.objects.count() == 1
    assert client.post(address, {"revision": 0}).status_code == 409
    answer = client.post(address, {"revision": 1, "note": "Too fine"}, follow=True)
    assert "Gold v2 is the latest" in answer.content.decode()
    changes = client.get(reverse("gold-changes", args=[draft.query.collection.slug, 2])).content.decode()
    assert "Merged Spare parts into Outboards" in changes
    assert "Too fine" in changes


def test_the_page_names_what_is_missing(draft: Draft, owner: User, client: Client, do: Do) -> None:
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    do(draft, {"kind": "clear_outlier", "pages": ["p8"]})
    address = reverse("draft-publish", args=[draft.pk])
    assert "1 page in no topic and not outliers" in client.get(address).content.decode()
    assert client.post(address, {"revision": 1}).status_code == 400


def test_by_api_with_a_dry_run_first(draft: Draft, owner: User, client: Client, do: Do) -> None:
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    do(draft, {"kind": "rename", "topic": "space", "name": "Space"})
    address = reverse("api:draft-publish", args=[draft.pk])

    def post(**body: Any) -> tuple[int, Any]:
        answer = client.post(address, body, "application/json")
        return answer.status_code, answer.json()

    status, told = post(revision=1, dry_run=True)
    assert (status, told["gold_version"], told["difference"]["lines"]) == (200, None, ["Renamed Planet to Space"])
    assert GoldVersion.objects.count() == 1
    status, told = post(revision=1, note="clearer")
    assert (status, told["gold_version"]["number"], told["gold_version"]["note"]) == (201, 2, "clearer")
    status, told = post(revision=1)
    assert (status, told["gold_version"]["number"]) == (200, 2)
    status, told = post(revision=7)
    assert (status, told["error"]["problems"][0]["code"]) == (400, "draft-moved-on")
    for nonsense in (b'"a"', b"[null]", b"1.5", b"true"):
        answer = client.post(address, nonsense, "application/json")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid-input"), nonsense
