"""Rows that must never change are held by the database itself."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model

from accounts.append_only import trigger_name
from accounts.models import AuditEntry
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
    Stream,
    StreamFile,
    VectorFile,
    VectorSet,
)
from evaluation.models import RunEvent, Submission

NEVER_CHANGE: list[type[Model]] = [Gold, GoldFile, GoldVersion, GoldVersionEntry, RunEvent]


@pytest.mark.parametrize("model", NEVER_CHANGE, ids=lambda model: model.__name__)
def test_rows_cannot_be_changed(model: type[Model], scored: Submission) -> None:
    assert model.objects.exists()
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        model.objects.update(**{model._meta.pk.attname: model.objects.first().pk})


def test_deleting_a_collection_still_takes_them_along(scored: Submission, collection: Collection) -> None:
    collection.delete()
    assert not any(model.objects.exists() for model in NEVER_CHANGE)


@pytest.mark.parametrize(
    "model",
    [
        *NEVER_CHANGE,
        Adjudication,
        AdjudicationDecision,
        AdjudicationStep,
        AuditEntry,
        ChallengeResults,
        ComparedDraft,
        DraftEntry,
        DraftPublication,
        DraftSnapshot,
        DraftTouch,
        GuidelinesVersion,
        Stream,
        StreamFile,
        VectorFile,
        VectorSet,
    ],
    ids=lambda model: model.__name__,
)
def test_no_migration_lost_a_trigger(model: type[Model], db: None) -> None:
    catalogue = "sqlite_master WHERE type = 'trigger' AND name" if connection.vendor == "sqlite" else (
        "pg_trigger WHERE tgname"
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {catalogue} = %s", [trigger_name(model._meta.db_table)])
        assert cursor.fetchone()[0] == 1
