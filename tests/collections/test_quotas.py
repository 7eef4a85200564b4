"""Quotas: all large objects count for the right account, and an upload that does not fit is rejected completely."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from annotations.collections import streams
from annotations.collections.storage import (
    check_quota,
    quota_models,
    set_quota,
    storage_of_collection,
    storage_of_person,
)
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.imports.services import import_documents
from annotations.models import Collection, Page, Quota
from annotations.models.collections import size_of_pages
from evaluation.baseline_runs import services as baselines
from evaluation.deletion.services import delete_one
from evaluation.models import Run, Submission, Upload
from evaluation.runs.execution import run_here
from evaluation.uploads import services as uploads
from evaluation.vectors import services as vectors
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError
from tests.samples import streams as stream_samples
from tests.samples.documents import submission_document
from tests.samples.submissions import hand_in


@pytest.fixture
def filled(scored: Submission, collection: Collection, owner: User) -> Collection:
    """A collection that contains an object of every kind."""
    run_here(vectors.enqueue_from_text(collection=collection, user=owner))
    streams.add_stream(collection, streams.read_stream_file(stream_samples.STREAM, "mercury.csv"), owner)
    drafts.from_nothing(query=collection.queries.first(), user=owner, kind="own")
    run_here(baselines.enqueue(collection=collection, keys=["singletons"], user=owner))
    return collection


def test_storage_counts_the_size_of_every_object(filled: Collection) -> None:
    for model in quota_models():
        for row in model._default_manager.all():
            assert (row.stored_bytes, row.stored_rows) == row.measured()
    held = storage_of_collection(filled)
    assert {"pages", "gold standards", "drafts", "streams", "vectors", "submissions", "scores"} == {
        part.part for part in held.parts
    }
    assert all(part.bytes and part.rows for part in held.parts)
    rows = {part.part: part.rows for part in held.parts}
    assert rows["pages"] == Page.objects.filter(query__collection=filled).count()
    assert storage_of_person(filled.created_by).rows == held.rows


def test_deleting_frees_storage(filled: Collection, owner: User, scored: Submission) -> None:
    before = storage_of_collection(filled).bytes
    delete_one(scored)
    assert storage_of_collection(filled).bytes < before


def test_check_with_nothing_to_store_reports_only_current_use(filled: Collection, owner: User) -> None:
    set_quota(owner, bytes=1, rows=1)
    with pytest.raises(InputError) as refused:
        check_quota(owner, None, 0, 0)
    assert [problem.code for problem in refused.value.problems] == ["quota-bytes", "quota-rows"]
    assert "more" not in " ".join(problem.found for problem in refused.value.problems)


@pytest.mark.parametrize("amount", [{"bytes": 1}, {"rows": 1}])
@pytest.mark.parametrize("whose", ["person", "collection"])
def test_submission_over_quota_stores_nothing(
    collection: Collection, owner: User, amount: dict[str, int], whose: str
) -> None:
    set_quota(owner if whose == "person" else collection, **amount)
    before = Submission.objects.count()
    with pytest.raises(InputError) as refused:
        hand_in(collection, submission_document({"mercury": [["p1"]]}, "Full"), owner)
    [problem] = refused.value.problems
    assert problem.code == f"quota-{next(iter(amount))}"
    assert (owner.get_username() if whose == "person" else collection.name) in problem.where
    assert "at most 1" in problem.expected
    assert "Delete submissions" in problem.fix
    assert Submission.objects.count() == before


def test_import_quota_includes_gold_standards_and_concurrent_uploads(
    person: Callable[[str], User], gold_documents: tuple[GoldDocument, ...]
) -> None:
    """Neither counts while an import is in progress."""
    first, other = person("first"), person("other")

    def bring(user: User, **more: Any) -> None:
        with pytest.raises(InputError) as refused:
            import_documents(name="Full", documents=gold_documents, user=user, **more)
        assert {problem.code for problem in refused.value.problems} <= {"quota-bytes", "quota-rows"}
        assert not Collection.everything.filter(created_by=user, name="Full").exists()

    pages = sum(size for size, _ in (size_of_pages(document.pages) for document in gold_documents))
    set_quota(first, bytes=pages)
    bring(first)
    assert not Collection.everything.exists()
    set_quota(other, rows=sum(len(document.pages) for document in gold_documents) + 2)
    meanwhile = iter([lambda: import_documents(name="Sooner", documents=gold_documents, user=other)])
    bring(other, progress=lambda *_: next(meanwhile, lambda: None)())
    assert Collection.everything.get().name == "Sooner"


def test_pending_uploads_count_for_their_sender(owner: User, collection: Collection) -> None:
    set_quota(owner, bytes=100)
    before = set(settings.UPLOAD_DIR.iterdir())
    with pytest.raises(InputError, match="at most 100 bytes"):
        uploads.store(BytesIO(b"x" * 101), "a.json", owner)
    assert not Upload.objects.exists()
    assert set(settings.UPLOAD_DIR.iterdir()) == before


def test_quota_blocks_new_drafts_but_not_their_steps(collection: Collection, owner: User) -> None:
    query = collection.queries.first()
    draft = drafts.from_nothing(query=query, user=owner, kind="own")
    set_quota(collection, rows=1)
    with pytest.raises(InputError, match="at most 1"):
        drafts.from_nothing(query=query, user=owner, kind="shared")
    added = {"kind": "add_topic", "topic": "t", "name": "T", "parent": None, "pages": ["p1"]}
    perform(draft, owner, DraftRequest(uuid4(), 0, [added]))
    draft.refresh_from_db()
    assert (draft.stored_bytes, draft.stored_rows) == draft.measured()


def test_full_quota_is_reported_on_pages_and_in_the_api(
    owner: User, client: Client, collection: Collection, settings: Settings
) -> None:
    settings.QUOTA_PERSON_ROWS = 1
    client.force_login(owner)
    assert "Quota" in client.get(reverse("storage")).content.decode()
    told = client.get(reverse("api:own-storage")).json()
    assert (told["rows_quota"], told["rows"]) == (1, sum(part["rows"] for part in told["parts"]))
    sweep = {"algorithms": ["random"], "clusters": [2]}
    answer = client.post(reverse("api:sweeps", args=[collection.slug]), sweep, content_type="application/json")
    assert answer.status_code == 413
    assert [problem["code"] for problem in answer.json()["error"]["problems"]] == ["quota-rows"]
    assert not Run.objects.filter(kind=Run.Kind.SWEEP).exists()


def test_operator_can_set_and_reset_a_quota(
    owner: User, collection: Collection, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("quota", "owner", gigabytes=1, rows=0)
    assert "of 1.0" in capsys.readouterr().out
    assert (storage_of_person(owner).bytes_quota, storage_of_person(owner).rows_quota) == (1024**3, None)
    call_command("quota", "owner", gigabytes=-1, rows=-1)
    assert not Quota.objects.exists()
    call_command("quota", collection=collection.slug, rows=7)
    assert storage_of_collection(collection).rows_quota == 7
    assert "of 7 rows" in capsys.readouterr().out
