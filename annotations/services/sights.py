"""What somebody who curates opens of others' work on a query is remembered, once: their own draft of it may count as
dependent then (`annotations.selectors.dependence`). Views that show what a draft holds fetch it here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from accounts.models import User
from accounts.person import Person
from annotations.access import May, capabilities
from annotations.draft_access import DraftAccess, reach_draft
from annotations.models import Adjudication, Collection, Draft, DraftPublication, Gold, OthersSeen
from annotations.selectors.adjudication.finding import reach_adjudication

What = OthersSeen.What


def open_draft(person: Person, pk: int, may: May = May.CURATE) -> DraftAccess:
    """As `annotations.draft_access.reach_draft`, for whoever is shown what the draft holds."""
    access = reach_draft(person, pk, may)
    is_outcome = access.draft.kind == Draft.Kind.ADJUDICATION
    note_seen(access.person, What.ADJUDICATION if is_outcome else What.DRAFT, [access.draft])
    return access


def open_adjudication(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """As `reach_adjudication`, for whoever is shown what was decided."""
    access, found = reach_adjudication(person, pk)
    note_seen(access.person, What.ADJUDICATION, [access.draft])
    return access, found


def open_to_decide(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """The same for whoever decides in it; PermissionDenied for who may only read it."""
    access, found = open_adjudication(person, pk)
    if not access.may_edit:
        raise PermissionDenied("Only who may publish adjudicates. You may read the outcome.")
    return access, found


def note_seen(person: Person, what: str, drafts: Iterable[Draft]) -> None:
    """Somebody is shown these drafts of one query. One query to the database where others' are among them, two more
    the first time."""
    others = [draft for draft in drafts if _may_be_of_others(person, draft)]
    if not others or not isinstance(person, User):
        return
    query = others[0].query_id
    if OthersSeen.objects.filter(query=query, user=person).exists():
        return
    if (seen := next((draft for draft in others if _holds_others(person, draft)), None)) is not None:
        _note([OthersSeen(query_id=query, user=person, what=what, draft=seen)])


def note_gold(person: Person, collection: Collection, golds: Iterable[Gold] | QuerySet[Any, Any]) -> None:
    """Somebody is shown published gold standards of a collection. Of people who curate it, those that were made from
    others' drafts are noted; two queries to the database, one more the first time."""
    if isinstance(person, User) and May.CURATE in capabilities(person, collection):
        _note_gold(person, golds)


def _note_gold(person: User, golds: Iterable[Gold] | QuerySet[Any, Any]) -> None:
    known = OthersSeen.objects.filter(user=person).values("query")
    published = DraftPublication.objects.filter(gold__in=golds).exclude(draft__query__in=known)
    rows = published.exclude(draft__curator=person).order_by("-pk").values_list("draft__query", "draft")
    _note([OthersSeen(query_id=query, user=person, what=What.GOLD, draft_id=draft) for query, draft in rows])


def _note(rows: list[OthersSeen]) -> None:
    """Keep them; whoever looks twice at once has looked once."""
    if rows:
        OthersSeen.objects.bulk_create(rows, ignore_conflicts=True)


def _may_be_of_others(person: Person, draft: Draft) -> bool:
    return draft.kind == Draft.Kind.SHARED or draft.curator_id != person.pk


def _holds_others(person: User, draft: Draft) -> bool:
    """Whether a draft that may be of others is: in a shared one nobody but this person may have worked."""
    if draft.kind != Draft.Kind.SHARED:
        return True
    is_filled = draft.created_by_id != person.pk and draft.started_from.get("from") != "nothing"
    return is_filled or draft.entries.exclude(user=person).exists()
