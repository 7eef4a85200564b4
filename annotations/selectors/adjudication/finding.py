"""Which adjudication: of an address, or of two drafts."""

from __future__ import annotations

from django.db.models import Q
from django.http import Http404

from accounts.person import Person
from annotations.access import DraftAccess, get_draft, reach_draft
from annotations.models import Adjudication, Draft


def reach_adjudication(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """An adjudication, for people who may see it and both drafts it was made of.

    Raises:
        Http404: there is none, or one of the three may not be seen.
    """
    access = reach_draft(person, pk)
    found = Adjudication.objects.filter(draft=access.draft).first()
    if found is None:
        raise Http404("This draft is no adjudication.")
    for source in (access.draft.first_id, access.draft.second_id):
        if source is not None:
            get_draft(person, source)
    found.draft = access.draft
    return access, found


def existing(first: Draft, second: Draft) -> Draft | None:
    """The adjudication of two drafts that is not archived."""
    pairs = Q(first=first, second=second) | Q(first=second, second=first)
    found = Draft.objects.filter(pairs, kind=Draft.Kind.ADJUDICATION, archived_at=None, adjudication__isnull=False)
    return found.order_by("-pk").first()
