"""Rows that must never change are held by the database itself."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model

from accounts.models import AuditEntry
from annotations.collections.removal import allow_removal
from annotations.models import (
    Adjudication,
    AdjudicationDecision,
    AdjudicationStep,
    ChallengeResults,
    Collection,
    ComparedDraft,
    DraftEntry,
    DraftPublication,
    DraftSnapshot,
    DraftTouch,
    Gold,
    GoldFile,
    GoldVersion,
    GoldVersionEntry,
    GuidelinesVersion,
    Page,
    Query,
    Removal,
    Stream,
    StreamFile,
    VectorFile,
    VectorSet,
)
from common.append_only import removal_trigger_name, trigger_name
from evaluation.deletion.services import delete_algorithm, delete_collection
from evaluation.models import (
    Clustering,
    ClusteringFile,
    CountedSubmission,
    Evaluation,
    Run,
    RunColumn,
    RunEvent,
    RunQuery,
    Score,
    StreamMoment,
    StreamResult,
    StreamSubmission,
    StreamSubmissionFile,
    Submission,
    SubmissionReport,
    Upload,
)

NEVER_CHANGE: list[type[Model]] = [Gold, GoldFile, GoldVersion, GoldVersionEntry, RunEvent]


HELD_IN_PART: dict[type[Model], dict[str, object]] = {
    Query: {"key": "another"},
    Submission: {"parameters": {"k": 9}},
    Evaluation: {"gold_sha256": "0"},
    Run: {"engine": "9.9"},
}
"""Models of which only what they say is held, with a change of it."""
OTHERS_HELD: list[type[Model]] = [Page, Clustering, ClusteringFile, RunColumn, RunQuery, Score, SubmissionReport]
KEPT = [*NEVER_CHANGE, *OTHERS_HELD, Query, Submission, Evaluation]


@pytest.mark.parametrize("model", [*NEVER_CHANGE, *OTHERS_HELD], ids=lambda model: model.__name__)
def test_rows_cannot_be_changed(model: type[Model], scored: Submission) -> None:
    assert model.objects.exists()
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        model.objects.update(**{model._meta.pk.attname: model.objects.first().pk})


@pytest.mark.parametrize(("model", "change"), HELD_IN_PART.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_what_rows_say_cannot_be_changed(model: type[Model], change: dict[str, object], scored: Submission) -> None:
    assert model.objects.exists()
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        model.objects.update(**change)


def test_what_is_no_fact_may_be_changed(scored: Submission) -> None:
    Submission.objects.update(published=False, algorithm=scored.algorithm)
    assert not Submission.objects.get().published


@pytest.mark.parametrize("model", KEPT, ids=lambda model: model.__name__)
def test_rows_cannot_be_removed_below_the_services(model: type[Model], scored: Submission) -> None:
    table = connection.ops.quote_name(model._meta.db_table)
    with pytest.raises(IntegrityError, match="cannot be deleted"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table}")
    assert model.objects.exists()


def test_the_door_is_shut_again_and_nothing_goes_that_was_not_let_out(scored: Submission) -> None:
    with allow_removal("a test"):
        Score.objects.all().delete()
    assert not Removal.objects.exists()
    with pytest.raises(IntegrityError, match="cannot be deleted"), transaction.atomic():
        RunColumn.objects.all().delete()
    with pytest.raises(IntegrityError, match="never change"), allow_removal("a test"):
        Gold.objects.update(n_pages=1)
    assert not Removal.objects.exists()


def test_whatever_people_may_delete_still_goes(
    scored: Submission, public_collection: Collection, collection: Collection
) -> None:
    delete_algorithm(scored.algorithm)
    assert not Submission.objects.exists()
    assert not Evaluation.objects.exists()
    delete_collection(collection)
    delete_collection(public_collection)
    assert not Gold.objects.exists()
    assert not RunEvent.objects.exists()


def test_deleting_a_collection_still_takes_them_along(scored: Submission, collection: Collection) -> None:
    with allow_removal("a test"):
        collection.delete()
    assert not any(model.objects.exists() for model in NEVER_CHANGE)


ON_DEMAND: list[type[Model]] = [
    *(Adjudication, AdjudicationDecision, AdjudicationStep, ChallengeResults, ComparedDraft, DraftEntry),
    *(DraftPublication, DraftSnapshot, DraftTouch, GuidelinesVersion, Stream, StreamFile, VectorFile, VectorSet),
    *(CountedSubmission, StreamMoment, StreamResult, StreamSubmission, StreamSubmissionFile, Upload),
]


@pytest.mark.parametrize("model", [*KEPT, *ON_DEMAND, AuditEntry], ids=lambda model: model.__name__)
def test_no_migration_lost_a_trigger(model: type[Model], db: None) -> None:
    catalogue = "sqlite_master WHERE type = 'trigger' AND name" if connection.vendor == "sqlite" else (
        "pg_trigger WHERE tgname"
    )  # fmt: skip
    names = [trigger_name(model._meta.db_table)]
    if model is not AuditEntry:  # its lines go by age
        names.append(removal_trigger_name(model._meta.db_table))
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"SELECT count(*) FROM {catalogue} = %s", [name])
            assert cursor.fetchone()[0] == 1, name
