"""Which adjudication: of an address, or of some drafts."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404

from accounts.person import Person
from annotations.draft_access import DraftAccess, reach_compared
from annotations.models import Adjudication, Draft


def reach_adjudication(person: Person, pk: int) -> tuple[DraftAccess, Adjudication]:
    """An adjudication, for people who may see it. Drafts it was made of may have been opened again since: it shows
    them as they were submitted, and says so.

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


def existing(drafts: Sequence[Draft]) -> Draft | None:
    """The adjudication of just these drafts, in whatever order, that is not archived."""
    wanted = {draft.pk for draft in drafts}
    found = Draft.objects.filter(adjudication__compared__draft=min(wanted), archived_at=None).order_by("-pk")
    rows = found.prefetch_related("adjudication__compared")
    same = (draft for draft in rows if {each.draft_id for each in draft.adjudication.compared.all()} == wanted)
    return next(same, None)
