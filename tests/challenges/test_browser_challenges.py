"""The pages of a challenge at phone and desk width, light and dark, full of long text."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotations.collections.removal import allow_removal
from annotations.models import Challenge
from evaluation.challenges import services as challenges
from evaluation.models import Submission
from tests.browser.page_layout import open_all
from tests.fixtures.browser import Browse
from tests.profiles import thorough

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), thorough("how pages fit")]


def test_challenge_pages_fit(browse: Browse, owner: User, hostile_submission: Submission) -> None:
    collection = hostile_submission.collection
    later = timezone.now() + timedelta(days=3)
    challenges.save(collection, user=owner, hides=Challenge.Hides.ALL, per_day=3, in_all=20, closes_at=later)
    slug, page = collection.slug, browse(owner)
    face = reverse("challenge", args=[slug])
    open_all(page, [reverse("collection", args=[slug]), face, f"{face}?as=participant"])
    open_all(page, [reverse("challenge-settings", args=[slug]), reverse("leaderboard", args=[slug])])
    with allow_removal("a test"):
        hostile_submission.runs.filter(state="queued").delete()
    Challenge.objects.update(closes_at=timezone.now())
    open_all(page, [face])
