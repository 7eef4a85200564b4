"""Tell people of a new gold version: queue the run that does it, and record who was told."""

from __future__ import annotations

from accounts.models import User
from annotations.models import GoldVersion
from evaluation.models import Announced, Run
from evaluation.selectors.announcements import concerned
from evaluation.services import runs
from work.sources import BULK


def enqueue(version: GoldVersion, user: User | None) -> Run | None:
    """Queue the e-mails about a version; None if it concerns nobody who gave an address."""
    if not concerned(version).exists():
        return None
    run = Run(kind=Run.Kind.ANNOUNCEMENT, queue=BULK, collection=version.collection, gold_version=version)
    return runs.enqueue(run, user, limited=False)


def claim_recipient(version: GoldVersion, user: int) -> bool:
    """Record that a person is being told, before it is done.

    Returns:
        False if that is recorded already, or if the version concerns them no longer: an account may be deleted or
        suspended, and a collection become private, while e-mails to others are sent.
    """
    if not concerned(version).filter(pk=user).exists():
        return False
    return Announced.objects.get_or_create(gold_version=version, user_id=user)[1]


def release_recipient(version: GoldVersion, user: int) -> None:
    """Record that an e-mail was not sent after all."""
    Announced.objects.filter(gold_version=version, user=user).delete()
