"""What collections hold of a person who leaves the site: roles go, work stays under a neutral name."""

from __future__ import annotations

import re

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from annotations.models import (
    ChallengeResults,
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
    PairAgreement,
    ThreadReader,
)
from annotations.selectors.dependence import dependence_of
from annotations.services.people import take_what_it_gave

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
        Comment.named.through.objects.filter(user=user).delete()
        _rename(user, neutral)


def _keep_dependence(user: User) -> None:
    """Their drafts stay, and what agreement is worth with them: without what they saw, dependent ones would pass for
    independent."""
    own = list(Draft.objects.filter(curator=user, kind=Draft.Kind.OWN).select_related("curator"))
    Draft.objects.filter(pk__in=dependence_of(own)).update(is_dependent=True)


def _rename(user: User, neutral: str) -> None:
    """Where the name was written down: names of drafts and what is worked out of them, and final results."""
    name = user.get_username()
    whole = re.compile(rf"(?<![\w.@+-]){re.escape(name)}(?![\w@+-])")
    own = Draft.objects.filter(curator=user)
    PairAgreement.objects.filter(Q(first__in=own) | Q(second__in=own)).delete()
    for draft in own.filter(name__startswith=name):
        draft.name = whole.sub(neutral, draft.name, count=1)
        draft.save(update_fields=["name"])
    for draft in Draft.objects.filter(started_from__words__icontains=name):
        if draft.started_from["from"] in {"draft", "adjudication"}:
            draft.started_from["words"] = whole.sub(neutral, draft.started_from["words"])
            draft.save(update_fields=["started_from"])
    _in_results(name, neutral)


def _in_results(name: str, neutral: str) -> None:
    """Final results never change, but for this: a row is made anew in which nothing but the name is another."""
    for results in ChallengeResults.objects.filter(challenge__counted__user__username=name).distinct():
        if any(line.get("by") == name for line in _lines(results.content)):
            for line in _lines(results.content):
                if line.get("by") == name:
                    line["by"] = neutral
            settled_at = results.settled_at
            ChallengeResults.objects.filter(pk=results.pk).delete()
            ChallengeResults.objects.create(challenge=results.challenge, content=results.content, settled_at=settled_at)


def _lines(content: object) -> list[dict[str, object]]:
    """Every object in a content that names who submitted."""
    if isinstance(content, list):
        return [line for part in content for line in _lines(part)]
    if not isinstance(content, dict):
        return []
    inner = [line for part in content.values() for line in _lines(part)]
    return [content, *inner] if "by" in content else inner
