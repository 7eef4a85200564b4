"""Publishing of drafts: rejected drafts, new versions and scores, and the preview."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import DraftRequest, perform
from annotations.drafts.state_machine.difference import difference
from annotations.gold import selectors as gold
from annotations.models import Collection, Draft, DraftPublication, GoldVersion, GoldVersionEntry
from common.limits import LIMITS
from evaluation.baseline_runs import services as baselines
from evaluation.drafts import selectors as selector
from evaluation.drafts.selectors import publication
from evaluation.drafts.services import publish_draft
from evaluation.gold.selectors import changed_golds
from evaluation.models import Evaluation, Run, Submission
from qc4.problems import InputError
from tests.page_text import flat

Do = Callable[..., None]


@pytest.fixture
def draft(collection: Collection, owner: User) -> Draft:
    """A draft of mercury that starts from its published gold standard."""
    entry = GoldVersionEntry.objects.get(query__collection=collection, query__key="mercury", version__number=1)
    return drafts.from_gold(entry=entry, query=entry.query, user=owner, kind="own")


@pytest.fixture
def do(owner: User) -> Do:
    def change(draft: Draft, *operations: dict[str, Any]) -> None:
        perform(draft, owner, DraftRequest(uuid4(), draft.revision, list(operations)))

    return change


def test_unchanged_draft_creates_no_version(draft: Draft, owner: User, scored: Submission) -> None:
    found = publication(draft)
    assert found.changes_nothing
    assert found.errors == ()
    done = publish_draft(draft=draft, revision=0, user=owner)
    assert (done.is_new, done.version.number, done.runs) == (False, 1, [])


def test_draft_over_size_limit_is_not_published(
    draft: Draft, owner: User, do: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise its own file could not be imported again."""
    monkeypatch.setattr(gold, "LIMITS", replace(LIMITS, topics=len(publication(draft).document.topics)))
    do(draft, {"kind": "add_topic", "topic": "more", "name": "More", "pages": ["p1"]})
    assert [problem.code for problem in publication(draft).errors] == ["limit-topics"]
    with pytest.raises(InputError, match=r"query 'mercury'.*topics of one query"):
        publish_draft(draft=draft, revision=1, user=owner)


def test_older_version_can_be_published_again(draft: Draft, owner: User, do: Do) -> None:
    do(draft, {"kind": "rename", "topic": "space", "name": "Space"})
    assert publish_draft(draft=draft, revision=1, user=owner).version.number == 2
    entry = GoldVersionEntry.objects.get(query=draft.query, version__number=1)
    again = drafts.from_gold(entry=entry, query=draft.query, user=owner, kind="own")
    version = publish_draft(draft=again, revision=0, user=owner).version
    assert version.number == 3
    assert [one.difference.lines for one in changed_golds(version) if one.difference] == [("Renamed Space to Planet",)]


def test_only_changed_query_is_rescored(
    draft: Draft, owner: User, scored: Submission, do: Do, finish: Callable[[], None]
) -> None:
    before = set(Evaluation.objects.values_list("pk", flat=True))
    old = GoldVersion.objects.get(number=1).entries.get(query__key="saturn").gold
    do(draft, {"kind": "assign", "pages": ["p1"], "topics": ["parts"]})
    told = publication(draft).rescoring
    assert (told.submissions, told.runs) == (1, 1)
    done = publish_draft(draft=draft, revision=1, user=owner, note="p1 is about parts, too")
    assert done.is_new
    assert [run.kind for run in done.runs] == [Run.Kind.EVALUATION]
    finish()
    new = Evaluation.objects.exclude(pk__in=before)
    assert {row.gold_sha256 for row in new} == {done.version.entries.get(query__key="mercury").gold.sha256}
    assert done.version.entries.get(query__key="saturn").gold == old


def test_draft_with_errors_is_not_published(draft: Draft, owner: User, do: Do) -> None:
    do(draft, {"kind": "clear_outlier", "pages": ["p8"]}, {"kind": "unassign", "pages": ["p4"], "topics": ["outboard"]})
    with pytest.raises(InputError) as refused:
        publish_draft(draft=draft, revision=1, user=owner)
    assert {problem.code for problem in refused.value.problems} == {"page-without-topic"}
    assert GoldVersion.objects.count() == 1
    assert not DraftPublication.objects.exists()


def test_publishing_outdated_revision_is_rejected(draft: Draft, owner: User, do: Do) -> None:
    do(draft, {"kind": "rename", "topic": "space", "name": "Space"})
    with pytest.raises(InputError, match="at revision 1 now"):
        publish_draft(draft=draft, revision=0, user=owner)
    assert GoldVersion.objects.count() == 1


def test_published_version_excludes_and_counts_suggestions(draft: Draft, owner: User, do: Do) -> None:
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


def test_gold_standard_records_its_origin(draft: Draft, owner: User, do: Do) -> None:
    do(draft, {"kind": "rename", "topic": "space", "name": "Space"})
    version = publish_draft(draft=draft, revision=1, user=owner).version
    (changed,) = changed_golds(version)
    assert changed.query == draft.query
    assert changed.publication is not None
    assert (changed.publication.draft, changed.publication.revision) == (draft, 1)


def test_publish_page_previews_changes(draft: Draft, owner: User, client: Client, scored: Submission, do: Do) -> None:
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    do(draft, {"kind": "merge", "topics": ["parts"], "into": "outboard"})
    address = reverse("draft-publish", args=[draft.pk])
    page = flat(client.get(address).content.decode())
    assert "Merged Spare parts into Outboards" in page
    assert "1 run is queued, and 1 submission scored against v2" in page
    assert GoldVersion.objects.count() == 1
    assert client.post(address, {"revision": 0}).status_code == 409
    answer = client.post(address, {"revision": 1, "note": "Too fine"}, follow=True)
    assert "Gold v2 is now the latest" in answer.content.decode()
    changes = client.get(reverse("gold-changes", args=[draft.query.collection.slug, 2])).content.decode()
    assert "Merged Spare parts into Outboards" in changes
    assert "Too fine" in changes


def test_publish_page_names_missing_parts(draft: Draft, owner: User, client: Client, do: Do) -> None:
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    do(draft, {"kind": "clear_outlier", "pages": ["p8"]})
    address = reverse("draft-publish", args=[draft.pk])
    page = flat(client.get(address).content.decode())
    assert "1 page in no topic, and not outliers." in page
    assert "Rule R1: every page is in a topic of each level, or an outlier." in page
    assert f'<a href="{reverse("draft", args=[draft.pk])}?queue=level-1&amp;page=p8"><bdi>Page 8</bdi></a>' in page
    assert "Make them outliers" in page
    assert client.post(address, {"revision": 1}).status_code == 400
    leave = {"kind": "unassign", "pages": ["p4"], "topics": ["outboard"]}
    do(draft, {"kind": "rest_outliers"}, leave, {"kind": "assign", "pages": ["p4"], "topics": ["boats"]})
    page = flat(client.get(address).content.decode())
    assert "1 page of &#x27;Engines&#x27; in none of its subtopics." in page
    assert "qc4" not in page.partition("<main")[2].partition("</main>")[0], "files are not mentioned"


def test_announced_runs_equal_queued_runs(
    draft: Draft, owner: User, client: Client, scored: Submission, do: Do, finish: Callable[..., None]
) -> None:
    for seed in (0, 7):
        finish(
            baselines.enqueue(
                collection=draft.query.collection, keys=["gold", "random"], seed=seed, draws=1, user=owner
            )
        )
    finish()
    do(
        draft,
        {"kind": "rename", "topic": "space", "name": "Space"},
        {"kind": "assign", "pages": ["p1"], "topics": ["parts"]},
    )
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    api = reverse("api:draft-publish", args=[draft.pk])
    told = client.post(api, {"revision": 1, "dry_run": True}, "application/json").json()
    page = flat(client.get(reverse("draft-publish", args=[draft.pk])).content.decode())
    promise = f"{told['queued']} runs are queued, and {told['submissions']} submissions scored against v2"
    assert promise in page
    assert "3 of them are first made again from the gold standard" in page
    done = client.post(reverse("draft-publish", args=[draft.pk]), {"revision": 1}, follow=True).content.decode()
    assert f"Gold v2 is now the latest; {told['queued']} runs queued." in done
    finish()
    against = Run.objects.filter(kind="evaluation", state="done", gold_version__number=2)
    assert against.values("submission").distinct().count() == told["submissions"] == 4


def test_open_pages_cause_warnings(draft: Draft, owner: User, client: Client, do: Do) -> None:
    hint = {"kind": "suggest", "source": "test", "topics": [], "hints": [["parts", ["p1", "p2"]]]}
    do(
        draft,
        {"kind": "flag", "pages": ["p5"]},
        {"kind": "describe", "topic": "outboard", "text": "Motors that hang off a boat"},
        hint,
    )
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    page = flat(client.get(reverse("draft-publish", args=[draft.pk])).content.decode())
    look = page.partition("Worth a look")[2]
    address = reverse("draft", args=[draft.pk])
    for queue, words in (
        ("flagged", "1 page flagged for later."),
        ("stale", "2 pages assigned before one of their topics was changed"),
        ("suggested", "2 pages with a suggestion that nobody accepted or rejected"),
    ):
        assert words in look
        assert f'href="{address}?queue={queue}"' in look
    assert "Not yet" not in page
    body = {"revision": 1, "dry_run": True}
    told = client.post(reverse("api:draft-publish", args=[draft.pk]), body, "application/json").json()
    assert told["open_pages"] == {"flagged": ["p5"], "stale": ["p4", "p5"], "suggested": ["p1", "p2"]}


def test_publish_through_api_after_dry_run(draft: Draft, owner: User, client: Client, do: Do) -> None:
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


def test_publishing_computes_difference_once(
    draft: Draft, owner: User, client: Client, do: Do, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[object] = []
    monkeypatch.setattr(selector, "difference", lambda old, new: compared.append(new) or difference(old, new))
    client.force_login(owner, "django.contrib.auth.backends.ModelBackend")
    do(draft, {"kind": "rename", "topic": "space", "name": "Space"})
    api, page = reverse("api:draft-publish", args=[draft.pk]), reverse("draft-publish", args=[draft.pk])
    assert client.get(page).status_code == 200
    assert len(compared) == 1
    done = client.post(api, {"revision": 1}, "application/json")
    assert (done.status_code, done.json()["difference"]["lines"]) == (201, ["Renamed Planet to Space"])
    assert len(compared) == 2
    do(draft, {"kind": "rename", "topic": "space", "name": "Planets"})
    assert client.post(page, {"revision": 2}).status_code == 302
    assert len(compared) == 2, "publishing does not compute the difference again"
