"""Remove a person from all collections: delete their roles, and keep their work under a neutral name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Model, Q

from accounts.models import User
from annotations.adjudication.services import FEWEST, name_share
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
from annotations.people.services.roles import remove_lost_privileges
from qc4.wording import clipped
from work.answers import delete_answers

PERSONAL_MODELS = (DraftLoss, DraftPresence, DraftTime, GuidelinesReader, InvitationUse, OthersSeen, ThreadReader)
"""Rows about a person's own activity: what they viewed, for how long, and the invitation they used."""


def remove_from_collections(user: User, neutral: str) -> None:
    """Remove a person from every collection. Their work stays, under a neutral name.

    Args:
        neutral: the text that replaces copies of their user name.
    """
    with transaction.atomic():
        collections = list(Collection.objects.filter(memberships__user=user).distinct())
        Membership.objects.filter(user=user).delete()
        for collection in collections:
            remove_lost_privileges(collection, user)
        user.role_offers.all().delete()
        user.participation_requests.all().delete()
        _mark_dependent_drafts(user)
        for model in PERSONAL_MODELS:
            model._default_manager.filter(user=user).delete()
        Quota.objects.filter(person=user).delete()
        Comment.named.through.objects.filter(user=user).delete()
        replace_name(user, neutral)


def _mark_dependent_drafts(user: User) -> None:
    """Mark the person's dependent drafts before their exposure log is deleted.

    Without the log, agreement would treat these drafts as independent.
    """
    own = list(Draft.objects.filter(curator=user, kind=Draft.Kind.OWN).select_related("curator"))
    Draft.objects.filter(pk__in=dependence_of(own)).update(is_dependent=True)


# --- Names that are stored as text ------------------------------------------------------------------------------------
# Most rows refer to people by id. The user name itself is copied into the names of drafts, the descriptions of drafts
# made from them, the reasons why a step was skipped, and final results. Rows that a trigger protects are replaced by
# copies in which only the name differs (`annotations.collections.removal`).


def replace_name(user: User, neutral: str) -> None:
    """Replace all stored copies of this person's user name by a neutral name."""
    name = user.get_username()
    own = list(Draft.objects.filter(curator=user).values_list("pk", "query__collection"))
    for collection in {collection for _, collection in own}:
        delete_answers(f"collection {collection}", [f"draft {pk}" for pk, of in own if of == collection])
    _replace_in_drafts([pk for pk, _ in own], name, neutral)
    _replace_in_logs(user, neutral)
    _replace_in_results(name, neutral)


def _replace_in_drafts(own: Sequence[int], name: str, neutral: str) -> None:
    """Replace the name in own drafts, in adjudications of them, and in descriptions of drafts made from them."""
    # Match the name only at the start of a draft's name. Anywhere else it may be an ordinary word.
    rooms = [name_share(n) for n in range(FEWEST, COMPARED_DRAFTS + 1)]
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
    changed_rows = [row for row in compared if begins.search(row.name)]
    for row in changed_rows:
        row.name = begins.sub(neutral, row.name)
    _replace_rows(ComparedDraft, changed_rows)


def _replace_in_logs(user: User, neutral: str) -> None:
    """Replace the name in other people's log entries, where it explains why a step was skipped."""
    name = user.get_username()
    worked_in = DraftEntry.objects.filter(user=user).values("draft")
    candidates = DraftEntry.objects.filter(draft__in=worked_in).exclude(skipped=[]).iterator(500)
    changed_rows = [entry for entry in candidates if any(reason["by"] == name for reason in entry.skipped)]
    for entry in changed_rows:
        for reason in entry.skipped:
            if reason["by"] == name:
                message = reason["message"].replace(f"({name}: ", f"({neutral}: ")
                reason |= {"by": neutral, "message": message.replace(f" where {name} had ", f" where {neutral} had ")}
    _replace_rows(DraftEntry, changed_rows)


def _replace_in_results(name: str, neutral: str) -> None:
    """Replace the name in the final results of challenges, among participants and organisers."""
    changed_rows = []
    for results in ChallengeResults.objects.all():
        lines = [line for line in results.content["rows"] if line["by"] == name]
        for line in lines:
            line["by"] = neutral
        changed_rows += [results] if lines else []
    _replace_rows(ChallengeResults, changed_rows)


def _replace_rows(model: type[Model], rows: Iterable[Any]) -> None:
    rows = list(rows)
    model._default_manager.filter(pk__in=[row.pk for row in rows]).delete()
    model._default_manager.bulk_create(rows, batch_size=500)
