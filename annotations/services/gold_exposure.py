"""Remember who has seen published gold standards that were made from others' drafts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from accounts.person import Person
from annotations.access import May, capabilities
from annotations.models import Collection, DraftPublication, Gold, OthersSeen


def note_gold(person: Person, collection: Collection, golds: Iterable[Gold] | QuerySet[Any, Any]) -> None:
    """Somebody is shown published gold standards of a collection. Of people who curate it, those that were made from
    others' drafts are noted; two queries to the database, one more the first time."""
    if isinstance(person, User) and May.CURATE in capabilities(person, collection):
        _note_gold(person, golds)


def _note_gold(person: User, golds: Iterable[Gold] | QuerySet[Any, Any]) -> None:
    known = OthersSeen.objects.filter(user=person).values("query")
    published = DraftPublication.objects.filter(gold__in=golds).exclude(draft__query__in=known)
    rows = published.exclude(draft__curator=person).order_by("-pk").values_list("draft__query", "draft")
    seen = [OthersSeen(query_id=query, user=person, what=OthersSeen.What.GOLD, draft_id=draft) for query, draft in rows]
    OthersSeen.objects.bulk_create(seen, ignore_conflicts=True)
