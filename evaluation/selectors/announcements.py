"""Who is told by e-mail of a new gold version."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import User
from annotations.models import GoldVersion
from evaluation.models import Submission


def concerned(version: GoldVersion) -> QuerySet[User]:
    """Return the people of the collection and those who submitted to it, as long as they see it; not the publisher."""
    collection = version.collection
    to_it = Q(memberships__collection=collection)
    if collection.is_public:
        to_it |= Q(pk__in=Submission.objects.filter(collection=collection).values("created_by"))
    reached = User.objects.filter(to_it, is_active=True).exclude(email="")
    return reached.exclude(pk=version.published_by_id or 0).distinct().order_by("pk")


def not_told_yet(version: GoldVersion) -> QuerySet[User]:
    """Return the people a version concerns who got no e-mail about it yet."""
    return concerned(version).exclude(pk__in=version.announced.values("user"))
