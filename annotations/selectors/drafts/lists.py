"""The drafts of a query, as lists show them."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.models import User
from accounts.person import Person
from annotations.access import is_blind, own_open_drafts
from annotations.models import Draft, Query


@dataclass(frozen=True, slots=True)
class ListedDraft:
    """A draft in a list; of a blind one only name and progress may be shown."""

    draft: Draft
    blind: bool
    may_manage: bool

    @property
    def id(self) -> int | None:
        """Its number; None for a blind one."""
        return None if self.blind else self.draft.pk


def drafts_of(person: Person, query: Query, *, may_publish: bool, archived: bool = False) -> list[ListedDraft]:
    """The drafts of a query, for somebody who curates: the latest first."""
    if not isinstance(person, User):
        return []
    drafts = query.drafts.filter(archived_at__isnull=not archived).select_related("curator", "created_by")
    alone = own_open_drafts(person).filter(query=query).exists()
    found = []
    for draft in drafts.order_by("-pk"):
        blind = is_blind(person, draft, alone)
        found.append(ListedDraft(draft, blind, not blind and (may_publish or draft.curator_id == person.pk)))
    return found
