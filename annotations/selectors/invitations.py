"""Invitations: which one a link names, and whether it still works."""

from __future__ import annotations

from enum import StrEnum

from django.utils import timezone

from annotations.models import Invitation
from common.digests import digest


class Standing(StrEnum):
    """Whether an invitation still works; where several reasons speak against it, the first one counts."""

    REVOKED = "revoked"
    USED = "used"
    EXPIRED = "expired"
    OPEN = "open"


def find(secret: str) -> Invitation | None:
    """The invitation behind a secret; None if there is none, while who made it is suspended (they would come back
    by it under another name), and while the collection is hidden."""
    rows = Invitation.objects.select_related("collection", "created_by").filter(sha256=digest(secret))
    return rows.filter(created_by__suspended_at=None, collection__hidden_for="").first()


def standing(invitation: Invitation) -> Standing:
    """Whether it still works, now."""
    if invitation.revoked_at is not None:
        return Standing.REVOKED
    if invitation.used >= invitation.most_uses:
        return Standing.USED
    return Standing.EXPIRED if invitation.expires_at <= timezone.now() else Standing.OPEN
