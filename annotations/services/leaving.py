"""What collections hold of a person who leaves the site: roles go, work stays under a neutral name."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from annotations.models import (
    Collection,
    Comment,
    DraftLoss,
    DraftPresence,
    DraftTime,
    GuidelinesReader,
    InvitationUse,
    Membership,
    ThreadReader,
)
from annotations.services.people import take_what_it_gave
from annotations.services.written_names import rename

PERSONAL = (DraftLoss, DraftPresence, DraftTime, GuidelinesReader, InvitationUse, ThreadReader)
"""What somebody looked at, how long, and by which link they came: nobody else's work."""


def leave(user: User, neutral: str) -> None:
    """Take a person out of every collection; what they made there stays, under a neutral name.

    Args:
        neutral: what is written where their name was copied.
    """
    with transaction.atomic():
        collections = list(Collection.objects.filter(memberships__user=user).distinct())
        Membership.objects.filter(user=user).delete()
        for collection in collections:
            take_what_it_gave(collection, user)
        user.role_offers.all().delete()
        user.participation_requests.all().delete()
        for model in PERSONAL:
            model._default_manager.filter(user=user).delete()
        Comment.named.through.objects.filter(user=user).delete()
        rename(user, neutral)
