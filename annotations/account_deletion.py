"""Take a person out of every collection: roles go, work stays under a neutral name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Model, Q

from accounts.models import User
from annotations.adjudication.services import FEWEST, share
from annotations.drafts.selectors.dependence import dependence_of
from annotations.limits import COMPARED_DRAFTS
from annotations.models import (
    ChallengeResults,
    Collection,
    Comment,
    ComparedDraft,
    Draft,
    DraftEntry,
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
from annotations.people.services.roles import take_what_it_gave
from qc4.wording import clipped
from work.answers import delete_answers

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


# --- Names that are stored as text ------------------------------------------------------------------------------------
# Most rows refer to people by number. The name itself is copied into the names of drafts, into the descriptions of
# drafts that were made from these, into the reasons why a step was skipped, and into final results. Rows that a trigger
# protects are replaced by copies in which only the name differs (`annotations.collections.removal`).


def rename(user: User, neutral: str) -> None:
    """Write a neutral name wherever this person's was written down."""
    name = user.get_username()
    own = list(Draft.objects.filter(curator=user).values_list("pk", "query__collection"))
    for collection in {collection for _, collection in own}:
        delete_answers(f"collection {collection}", [f"draft {pk}" for pk, of in own if of == collection])
    _in_drafts([pk for pk, _ in own], name, neutral)
    _in_logs(user, neutral)
    _in_results(name, neutral)


def _in_drafts(own: Sequence[int], name: str, neutral: str) -> None:
    """Names of own drafts, of adjudications that compare them, and what those and copies say they come from."""
    # Where a draft's name begins: anywhere else it is a word like any other.
    rooms = [share(n) for n in range(FEWEST, COMPARED_DRAFTS + 1)]
    cut = [rf"{re.escape(clipped(name, room))}(?=$| \+ )" for room in rooms if room < len(name)]
    either = "|".join([rf"{re.escape(name)}(?![\w@+-])", *cut])
    begins = re.compile(rf"(?:^|(?<=['\"])|(?<= \+ ))(?:{either})")
    compared = list(ComparedDraft.objects.filter(draft__in=own))
    of_own = Q(pk__in=own) | Q(adjudication__in=[row.adjudication_id for row in compared])
    for draft in Draft.objects.filter(of_own | Q(started_from__draft__in=own)):
        draft.name = begins.sub(neutral, draft.name)
        if draft.started_from.get("from") in {"draft", "adjudication"}:
            draft.started_from["words"] = begins.sub(neutral, draft.started_from["words"])
        draft.save(update_fields=["name", "started_from"])
    told = [row for row in compared if begins.search(row.name)]
    for row in told:
        row.name = begins.sub(neutral, row.name)
    _make_anew(ComparedDraft, told)


def _in_logs(user: User, neutral: str) -> None:
    """Steps of others in the same drafts, which were not done because this person had decided otherwise."""
    name = user.get_username()
    worked_in = DraftEntry.objects.filter(user=user).values("draft")
    may = DraftEntry.objects.filter(draft__in=worked_in).exclude(skipped=[]).iterator(500)
    told = [entry for entry in may if any(reason["by"] == name for reason in entry.skipped)]
    for entry in told:
        for reason in entry.skipped:
            if reason["by"] == name:
                said = reason["message"].replace(f"({name}: ", f"({neutral}: ")
                reason |= {"by": neutral, "message": said.replace(f" where {name} had ", f" where {neutral} had ")}
    _make_anew(DraftEntry, told)


def _in_results(name: str, neutral: str) -> None:
    """Final results of challenges, of who took part and who organised."""
    told = []
    for results in ChallengeResults.objects.all():
        lines = [line for line in results.content["rows"] if line["by"] == name]
        for line in lines:
            line["by"] = neutral
        told += [results] if lines else []
    _make_anew(ChallengeResults, told)


def _make_anew(model: type[Model], rows: Iterable[Any]) -> None:
    rows = list(rows)
    model._default_manager.filter(pk__in=[row.pk for row in rows]).delete()
    model._default_manager.bulk_create(rows, batch_size=500)
