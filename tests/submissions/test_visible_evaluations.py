"""Evaluations are visible exactly if their submissions are; two database queries follow one rule."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts.models import User
from accounts.person import Person
from annotations.models import Challenge, Collection
from evaluation.access import visible_evaluations, visible_submissions
from evaluation.models import Run, Submission
from tests.trigger_bypass import unguarded
from tests.whole_site.test_permissions import ROLES, build_world

pytestmark = pytest.mark.django_db


def test_evaluations_are_visible_with_their_submissions() -> None:
    collection = build_world().collection
    people: dict[str, Person] = {
        role: AnonymousUser() if role == "anonymous" else User.objects.get(username=role) for role in ROLES
    }
    told: set[tuple[int, ...]] = set()
    swept: set[int] = set()

    def compare() -> None:
        for role, person in people.items():
            within = Run.objects.filter(
                kind=Run.Kind.EVALUATION, submission__in=visible_submissions(person, collection)
            )
            found = tuple(sorted(visible_evaluations(person, collection).values_list("pk", flat=True)))
            assert not swept & {*found}, role
            assert found == tuple(sorted(within.values_list("pk", flat=True))), role
            told.add(found)

    compare()
    Collection.objects.filter(pk=collection.pk).update(visibility="public")
    compare()
    challenge = Challenge.objects.create(collection=collection, board_hidden=True)
    compare()
    Challenge.objects.filter(pk=challenge.pk).update(closes_at=timezone.now() - timedelta(days=1))
    compare()
    submission = collection.submissions.filter(published=True, runs__isnull=False).first()
    assert submission is not None
    swept |= {*submission.runs.values_list("pk", flat=True)}
    with unguarded(Submission):
        Submission.objects.filter(pk=submission.pk).update(sweep=submission.runs.first())
    compare()
    # The five cases: all, own and published, only own, only published, and none.
    assert len(told) >= 4
