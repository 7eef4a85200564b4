"""Record of which curators have seen others' work on a query. The first exposure is stored, because the curator's own
draft of the query may then be dependent (`annotations.drafts.selectors.dependence`). Views that show the contents of a
draft fetch it from here."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied

from accounts.models import User
from accounts.person import Person
from annotations.access import May
from annotations.drafts.access import DraftAccess, contains_others_work, reach_adjudication, reach_draft
from annotations.models import Adjudication, Draft, DraftEntry, OthersSeen

What = OthersSeen.What


def open_draft(person: Person, pk: int, may: May = May.CURATE) -> DraftAccess:
    """Return a draft whose contents will be shown, and record the exposure; otherwise like `reach_draft`."""
    access = reach_draft(person, pk, may)
    record_exposure(access)
    return access


def record_exposure(access: DraftAccess) -> None:
    """Record that a person is shown a draft. One query to the database the first time they see others' work, then
    none."""
    if access.shows_others:
        is_outcome = access.draft.kind == Draft.Kind.ADJUDICATION
        _note([_exposure(access.person, What.ADJUDICATION if is_outcome else What.DRAFT, access.draft)])


def open_adjudication(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """Return an adjudication whose decisions will be shown, and record the exposure; otherwise like
    `reach_adjudication`."""
    access, found = reach_adjudication(person, pk)
    record_exposure(access)
    return access, found


def open_adjudication_to_decide(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """Return an adjudication for a person who decides in it; PermissionDenied for people who may only read it."""
    access, found = open_adjudication(person, pk)
    if not access.may_edit:
        raise PermissionDenied("Only people who may publish can adjudicate. You may read the outcome.")
    return access, found


def record_exposure_to_drafts(person: Person, what: str, drafts: Sequence[Draft]) -> None:
    """Record that a person is shown these drafts of one query. One query to the database if others' drafts are among
    them, and a few more the first time."""
    others = [draft for draft in drafts if draft.kind == Draft.Kind.SHARED or draft.curator_id != person.pk]
    if not others or not isinstance(person, User):
        return
    if OthersSeen.objects.filter(query=others[0].query_id, user=person).exists():
        return
    entries = DraftEntry.objects.exclude(user=person)
    for draft in others:
        if contains_others_work(person, draft, entries.filter(draft=draft).exists()):
            _note([_exposure(person, what, draft)])
            return


def _note(rows: list[OthersSeen]) -> None:
    """Store the exposures. Concurrent exposures of one person to one query are stored once."""
    if rows:
        OthersSeen.objects.bulk_create(rows, ignore_conflicts=True)


def _exposure(person: User, what: str, draft: Draft) -> OthersSeen:
    return OthersSeen(query_id=draft.query_id, user=person, what=what, draft=draft)
