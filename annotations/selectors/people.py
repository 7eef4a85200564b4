"""People of a collection."""

from __future__ import annotations

from accounts.models import User
from annotations.access import MAY, May
from annotations.models import Collection


def curators(collection: Collection) -> list[User]:
    """Everybody who may curate here, by name."""
    roles = [role for role, allowed in MAY.items() if May.CURATE in allowed]
    members = User.objects.filter(memberships__collection=collection, memberships__role__in=roles, is_active=True)
    return list(members.distinct().order_by("username"))
