"""What is published is held on both databases alike, and whoever may delete it still can."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model

from annotations.models import Collection, Gold, Page, Removal
from evaluation.deletion.services import delete_collection, delete_submission
from evaluation.models import Clustering, Evaluation, Run, Score, Submission
from evaluation.runs.execution import run_here
from tests.work.sandbox import BOTH_DATABASES, Sandbox

pytestmark = BOTH_DATABASES


def refused(statement: str, says: str) -> None:
    with pytest.raises(IntegrityError, match=says), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_nothing_below_the_services_changes_or_removes_facts(sandbox: Sandbox, queued_run: Run) -> None:
    assert run_here(queued_run).state == Run.State.DONE
    held: list[type[Model]] = [Gold, Page, Clustering, Score, Evaluation, Submission]
    for model in held:
        table = model._meta.db_table
        refused(f"DELETE FROM {table}", "cannot be deleted")
        if connection.vendor == "postgresql":
            refused(f"TRUNCATE {table} CASCADE", "cannot be deleted")
    refused("UPDATE annotations_page SET text = 'another'", "never change")
    refused("UPDATE evaluation_score SET value = 1", "never change")
    refused("UPDATE evaluation_submission SET sha256 = 'another'", "never change")
    refused("UPDATE evaluation_run SET engine = 'another'", "never change")
    delete_submission(Submission.objects.get())
    assert not Score.objects.exists()
    delete_collection(Collection.objects.get())
    assert not Page.objects.exists()
    assert not Removal.objects.exists()
