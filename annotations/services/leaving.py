"""What collections hold of a person who leaves the site: roles go, work stays under a neutral name."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from annotations.models import (
    Collection,
    Comment,
    Draft,
    DraftLoss,
    DraftPresence,
    DraftTime,
    GuidelinesReader,
    InvitationUse,
    Membership,
    OthersSeen,
    Quota,
    ThreadReader,
)
from annotations.selectors.dependence import dependence_of
from annotations.services.people import take_what_it_gave
from annotations.services.written_names import rename

PERSONAL = (DraftLoss, DraftPresence, DraftTime, GuidelinesReader, InvitationUse, OthersSeen, ThreadReader)
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
        _keep_dependence(user)
        for model in PERSONAL:
            model._default_manager.filter(user=user).delete()
        Quota.objects.filter(person=user).delete()
        Comment.named.through.objects.filter(user=user).delete()
        rename(user, neutral)


def _keep_dependence(user: User) -> None:
    """Their drafts stay, and what agreement is worth with them: without what they saw, dependent ones would pass for
    independent."""
    own = list(Draft.objects.filter(curator=user, kind=Draft.Kind.OWN).select_related("curator"))
    Draft.objects.filter(pk__in=dependence_of(own)).update(is_dependent=True)
