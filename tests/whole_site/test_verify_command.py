"""`manage.py verify` finds what was changed below the triggers, and says where and what to do."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Model
from django.db.models.functions import Now

from accounts.models import User
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.guidelines import services as guidelines
from annotations.models import (
    Collection,
    Draft,
    DraftEntry,
    Gold,
    GoldFile,
    GoldVersion,
    GuidelinesVersion,
    Page,
    Query,
    VectorFile,
)
from evaluation.models import (
    Clustering,
    ClusteringFile,
    Evaluation,
    Run,
    RunColumn,
    Score,
    Submission,
    Upload,
)
from evaluation.runs.execution import run_here
from evaluation.uploads import services as uploads
from evaluation.vectors import services as vectors
from tests.trigger_bypass import unguarded


@pytest.fixture
def whole(scored: Submission, collection: Collection, owner: User, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Something of everything."""
    run_here(vectors.enqueue_from_text(collection=collection, user=owner))
    draft = drafts.from_nothing(query=collection.queries.get(key="mercury"), user=owner, kind="own")
    for number in range(3):
        added = {"kind": "add_topic", "topic": f"t{number}", "name": f"T{number}", "parent": None, "pages": ["p1"]}
        perform(draft, owner, DraftRequest(uuid4(), draft.revision, [added]))
    guidelines.save_guidelines(collection=collection, text="Split late.", base=0, user=owner)
    file = tmp_path_factory.mktemp("given") / "a.jsonl"
    file.write_bytes(b"as submitted")
    upload = uploads.store_path(file, owner)
    Submission.objects.update(upload=upload)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command finds; it must find something, and end with 1."""
    with pytest.raises(CommandError, match=r"problems? in") as ended:
        call_command("verify", *arguments)
    assert ended.value.returncode == 1
    return capsys.readouterr().out


def test_what_is_as_stored_is_said_to_be(
    whole: None, collection: Collection, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify")
    assert "all as stored" in capsys.readouterr().out
    call_command("verify", collection=collection.slug)
    assert "all as stored" in capsys.readouterr().out


def test_a_cluster_without_pages_is_no_fault(
    submit: Callable[..., tuple[Submission, Run | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    submission, _ = submit(None, answers={"mercury": (("p1",), ())})
    assert submission.clusterings.get().n_clusters == 1
    call_command("verify")
    assert "all as stored" in capsys.readouterr().out


def test_what_is_still_on_its_way_in_is_not_looked_at(db: None) -> None:
    """Its queries are stored before their pages."""
    coming = Collection.everything.create(name="on its way in", slug="arriving-1", arriving_at=Now())
    Query.objects.create(collection=coming, key="q", text="Q", position=1, stored_bytes=5, stored_rows=1)
    call_command("verify")


def _gold_file(_: object = None) -> None:
    row = GoldFile.objects.first()
    GoldFile.objects.filter(pk=row.pk).update(packed=zlib.compress(row.content.replace(b"p1", b"p2", 1)))


TAMPERED: dict[str, tuple[tuple[type[Model], ...], Callable[[], object], str]] = {
    "a gold standard's file": ((GoldFile,), _gold_file, "annotations.Gold "),
    "a gold standard's hash": ((Gold,), lambda: Gold.objects.update(sha256="0" * 64), "annotations.Gold "),
    "its file is gone": ((GoldFile,), lambda: GoldFile.objects.first().delete(), "no file"),
    "a version's hash": ((GoldVersion,), lambda: GoldVersion.objects.update(sha256="0"), "annotations.GoldVersion"),
    "a page's text": ((Page,), lambda: Page.objects.update(title="Another"), "other pages than gold standard"),
    "vectors": ((VectorFile,), lambda: VectorFile.objects.update(packed=zlib.compress(b"")), "annotations.VectorSet"),
    "an entry of a log": (
        (DraftEntry,),
        lambda: DraftEntry.objects.filter(revision=2).delete(),
        "no entry 2 of its log",
    ),
    "what an entry did": ((DraftEntry,), lambda: DraftEntry.objects.filter(revision=3).update(changes=[]), "figures"),
    "a draft's head": ((), lambda: Draft.objects.update(revision=2), "a log that ends at revision 3"),
    "guidelines": ((GuidelinesVersion,), lambda: GuidelinesVersion.objects.all().delete(), "0 versions of its"),
    "a clustering's hash": ((Clustering,), lambda: Clustering.objects.update(sha256="0"), "evaluation.Clustering"),
    "a clustering's file": (
        (ClusteringFile,),
        lambda: ClusteringFile.objects.update(packed=zlib.compress(b"no JSON")),
        "cannot be read",
    ),
    "a submission's hash": ((Submission,), lambda: Submission.objects.update(sha256="0"), "evaluation.Submission"),
    "whose scores they are": (
        (Evaluation,),
        lambda: Evaluation.objects.update(gold_sha256="0"),
        "scores of a different",
    ),
    "under which policies": (
        (Evaluation,),
        lambda: Evaluation.objects.update(policies_sha256="0"),
        "different scoring options",
    ),
    "a score": ((Score,), lambda: Score.objects.filter(value__gt=0).update(value=0.123), "differs from its scores"),
    "a column": ((RunColumn,), lambda: RunColumn.objects.update(packed=b"12345678"), "differs from its scores"),
    "no scores": ((Score,), lambda: Score.objects.all().delete(), "no score by any measure"),
    "an upload's bytes": (
        (),
        lambda: uploads.path_of(Upload.objects.get()).write_bytes(b"other bytes"),
        "uploads folder",
    ),
    "an upload is gone": ((), lambda: uploads.path_of(Upload.objects.get()).unlink(), "no file"),
}


def test_what_was_tampered_with_is_named(whole: None, capsys: pytest.CaptureFixture[str]) -> None:
    """One after the other, each taken back: to make what is tampered with takes longest."""
    silent = []
    for what, (models, tamper, words) in TAMPERED.items():
        with transaction.atomic():
            with unguarded(*models):
                tamper()
            if words not in (told := said(capsys)):
                silent.append((what, told))
            transaction.set_rollback(True)
    assert not silent


def test_only_the_collection_asked_for_is_looked_at(
    whole: None, collection: Collection, public_collection: Collection, capsys: pytest.CaptureFixture[str]
) -> None:
    with unguarded(GoldVersion):
        GoldVersion.objects.filter(collection=collection).update(sha256="0")
    call_command("verify", collection=public_collection.slug)
    assert "all as stored" in capsys.readouterr().out
    assert "gold v1" in said(capsys, f"--collection={collection.slug}")


def test_a_run_that_is_not_done_is_no_fault(
    whole: None, submit: Callable[..., tuple[Submission, Run | None]], owner: User
) -> None:
    submit(owner, "Waits")
    call_command("verify")
