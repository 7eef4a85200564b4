"""What is stored beside an entry of the log: which pages it concerned, and who lost placements by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from django.utils import timezone

from accounts.models import User
from annotations.drafting import DraftState
from annotations.models import Draft, DraftEntry, DraftLoss, DraftTouch
from annotations.selectors.drafts.touches import new_touches, who_placed


def keep_account(draft: Draft, entry: DraftEntry, before: DraftState) -> None:
    """Store it in the transaction of the entry; ``before`` is the state without it."""
    deleted = {change["topic"]["id"] for change in entry.changes if change["c"] == "topic-"}
    if lost := _lost(entry, deleted):
        DraftLoss.objects.bulk_create(_losses(draft, entry, lost, before))
    if entry.restores is not None:
        settle(draft, [entry.restores])
    DraftTouch.objects.bulk_create(new_touches(draft, entry))


def settle(draft: Draft, revisions: Collection[int] | None = None, user: User | None = None) -> None:
    """Nobody, or not this person, is told any more of what these revisions (None: all) took away."""
    rows = draft.losses.filter(settled_at=None)
    if user is not None:
        rows = rows.filter(user=user)
    if revisions is not None:
        rows = rows.filter(revision__in=revisions)
    rows.update(settled_at=timezone.now())


def _lost(entry: DraftEntry, deleted: set[str]) -> dict[str, list[str]]:
    """Topic that was deleted -> the pages it held. What is merged away keeps its pages together, also when redone."""
    merged = {
        topic for operation in entry.operations or () if operation["kind"] == "merge" for topic in operation["topics"]
    }
    turned = entry.changes if entry.operations is None else []
    kept = {page for change in turned if change["c"] == "in+" for page in change["pages"]}
    found: dict[str, list[str]] = defaultdict(list)
    for change in entry.changes:  # an entry may take pages out of one topic several times
        if change["c"] == "in-" and change["topic"] in deleted - merged:
            found[change["topic"]] += [page for page in change["pages"] if page not in kept]
    return found


def _losses(draft: Draft, entry: DraftEntry, lost: dict[str, list[str]], before: DraftState) -> list[DraftLoss]:
    pages_lost = list({page for pages in lost.values() for page in pages})
    placed = who_placed(draft, entry.revision - 1, lost.keys(), pages_lost)
    found: dict[tuple[int, str], list[str]] = defaultdict(list)
    for topic, pages in lost.items():
        for page in pages:
            user = placed.get((page, topic))
            if user is not None and user != entry.user_id:
                found[user, topic].append(page)
    return [
        DraftLoss(
            draft=draft,
            user_id=user,
            revision=entry.revision,
            topic=topic,
            name=before.topics[topic].name,
            pages=pages,
        )
        for (user, topic), pages in found.items()
    ]
