"""Which adjudication: of an address, or of two drafts."""

from __future__ import annotations

from django.db.models import Q
from django.http import Http404

from accounts.person import Person
from annotations.access import DraftAccess, reach_compared
from annotations.models import Adjudication, Draft


def reach_adjudication(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """An adjudication, for people who may see it. Drafts it was made of may have been opened again since: it shows
    them as they were submitted (`reopened_sources`).

    Raises:
        Http404: there is none, or it may not be seen.
        ReopenedError: not now, because the person's own draft of the query was opened again.
    """
    access = reach_compared(person, pk)
    found = Adjudication.objects.filter(draft=access.draft).first()
    if found is None:
        raise Http404("This draft is no adjudication.")
    found.draft = access.draft
    return access, found


def existing(first: Draft, second: Draft) -> Draft | None:
    """The adjudication of two drafts that is not archived."""
    pairs = Q(first=first, second=second) | Q(first=second, second=first)
    found = Draft.objects.filter(pairs, kind=Draft.Kind.ADJUDICATION, archived_at=None, adjudication__isnull=False)
    return found.order_by("-pk").first()
