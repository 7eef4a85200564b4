"""Tell people of a new gold version. There may be hundreds: a worker does it, when no run waits for it."""

from __future__ import annotations

import logging

from django.db.models import Q, QuerySet

from accounts import notices
from accounts.models import User
from accounts.services import mail
from accounts.services.notices import letters
from annotations.models import GoldVersion
from evaluation.models import Submission

log = logging.getLogger(__name__)


def announce(version_id: int) -> None:
    """Write to everybody a version concerns, if it is still there."""
    version = GoldVersion.objects.select_related("collection", "published_by").filter(pk=version_id).first()
    if version is None:
        return
    collection, publisher = version.collection, version.published_by
    facts = {
        "collection": collection.name,
        "number": str(version.number),
        "by": publisher.get_username() if publisher else "The site",
        "page": mail.link("leaderboard", collection.slug) + f"?gold={version.number}",
    }
    sent = mail.send_all(letters(concerned(version), notices.GOLD_VERSIONS, "gold_published", **facts))
    if sent:
        log.info("%s of %s: told to %d people", version, collection.slug, sent)


def concerned(version: GoldVersion) -> QuerySet[User]:
    """The people of the collection, and who submitted to it, as long as they see it; not who published."""
    collection = version.collection
    to_it = Q(memberships__collection=collection)
    if collection.is_public:
        to_it |= Q(pk__in=Submission.objects.filter(collection=collection).values("created_by"))
    reached = User.objects.filter(to_it, is_active=True).exclude(email="")
    return reached.exclude(pk=version.published_by_id or 0).distinct().order_by("pk")
