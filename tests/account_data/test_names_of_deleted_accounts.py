"""Deleting an account removes the person's name from every feature that stores it as text."""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry, User
from accounts.services import tokens
from annotations.adjudication.services import start as adjudicate
from annotations.drafts import services as drafts
from annotations.drafts.services.performing import perform
from annotations.drafts.services.planning import DraftRequest
from annotations.models import Challenge, ChallengeResults, Collection, Draft, DraftEntry, Role
from annotations.people.services import roles
from evaluation.account_data.services import delete_account
from evaluation.challenges import services as challenges
from evaluation.scoring.columns import DEFAULT_MEASURES
from tests.account_data.test_account_deletion import every_text
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.samples.submissions import hand_in

Finish = Callable[..., None]


@pytest.fixture
def vera(curator: User, collection: Collection) -> User:
    curator.username = "vera-7"
    curator.save()
    roles.add_role(collection=collection, user=curator, role=Role.SUBMITTER)
    return curator


def nothing_of_her_is_left(vera: User) -> None:
    delete_account(User.objects.get(pk=vera.pk))
    assert "vera-7" not in every_text().lower()
    told = io.StringIO()
    call_command("verify", stdout=told)


def did(draft: Draft, user: User, base: int, *operations: dict[str, object], **more: int) -> None:
    perform(draft, user, DraftRequest(uuid.uuid4(), base, operations=list(operations) or None, **more))


def test_final_results_rename_a_deleted_organiser(collection: Collection, vera: User, finish: Finish) -> None:
    """Organisers are not ranked, but the results contain their names."""
    closes = timezone.now() + timedelta(hours=1)
    challenges.save(
        collection, user=None, shown=list(collection.queries.filter(key="saturn")), hides="some", closes_at=closes
    )
    hand_in(collection, submission_document(GOOD_ANSWER, "Lingo"), vera, measures=DEFAULT_MEASURES)
    finish()
    Challenge.objects.update(closes_at=timezone.now() - timedelta(milliseconds=1))
    assert challenges.freeze_results_if_due(collection)
    assert [row["by"] for row in ChallengeResults.objects.get().content["rows"]] == ["vera-7"]
    nothing_of_her_is_left(vera)


def test_draft_logs_rename_a_deleted_person(collection: Collection, vera: User, owner: User) -> None:
    query = collection.queries.get(key="mercury")
    draft = drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.SHARED)
    did(draft, owner, 0, {"kind": "add_topic", "topic": "oat", "name": "Oat"})
    did(draft, owner, 1, {"kind": "assign", "pages": ["p1"], "topics": ["oat"]})
    did(draft, vera, 2, {"kind": "unassign", "pages": ["p1"], "topics": ["oat"]})
    did(draft, owner, 3, undo=2)
    assert "vera-7" in str(DraftEntry.objects.get(revision=4).skipped)
    nothing_of_her_is_left(vera)
    [reason] = DraftEntry.objects.get(revision=4).skipped
    assert reason["by"] == f"deleted account {vera.pk}"
    assert reason["by"] in reason["message"]


def test_adjudications_rename_the_owner_of_a_draft(collection: Collection, vera: User, owner: User) -> None:
    query = collection.queries.get(key="mercury")
    both = [drafts.from_nothing(query=query, user=one, kind=Draft.Kind.OWN) for one in (vera, owner)]
    for draft, user in zip(both, (vera, owner), strict=True):
        did(draft, user, 0, {"kind": "add_topic", "topic": "oat", "name": "Oat"})
        Draft.objects.filter(pk=draft.pk).update(status="submitted", submitted_at=timezone.now())
    adjudicate(query=query, drafts=[Draft.objects.get(pk=one.pk) for one in both], user=owner)
    nothing_of_her_is_left(vera)


def test_adjudications_with_long_names_rename_a_deleted_person(collection: Collection, vera: User, owner: User) -> None:
    long = "vera-7" + "a" * 140
    User.objects.filter(pk=vera.pk).update(username=long)
    vera.refresh_from_db()
    test_adjudications_rename_the_owner_of_a_draft(collection, vera, owner)
    assert Draft.objects.filter(name=f"deleted account {vera.pk} + owner").exists()


def test_similar_words_of_others_are_not_renamed(
    collection: Collection, person: Callable[[str], User], owner: User
) -> None:
    called = person("draft")
    query = collection.queries.get(key="mercury")
    source = drafts.from_nothing(query=query, user=owner, kind=Draft.Kind.SHARED)
    made = drafts.from_draft(query=query, user=owner, kind=Draft.Kind.SHARED, source=source)
    before = made.started_from
    delete_account(called)
    made.refresh_from_db()
    assert made.started_from == before


def test_token_names_are_removed(vera: User) -> None:
    row, _ = tokens.create(vera, "laptop of vera-7")
    nothing_of_her_is_left(vera)
    told = AuditEntry.objects.filter(kind__in=["token-made", "token-revoked"]).values_list("about", flat=True)
    assert list(told) == [f"{row.prefix}…"] * 2


def test_wrong_passwords(vera: User) -> None:
    for name in ("VERA-7", "vera-7"):
        Client().post(reverse("sign-in"), {"username": name, "password": "wrong"})
    nothing_of_her_is_left(vera)
