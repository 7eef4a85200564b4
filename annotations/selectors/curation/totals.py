"""Each curator over all queries, and who waits for whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Q

from accounts.models import User
from annotations.models import Collection, Draft, DraftPresence
from annotations.selectors.curation.outlines import Outline
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Total(Record):
    """One curator over all queries. Pages are those of own drafts: in a shared one nobody's are counted. What is hidden
    from whoever looks (`annotations.draft_access.hides_progress`) is in neither ``placed`` nor ``last_active``."""

    KEYS = "curator=curator.username assigned done begun overdue placed last_active"

    curator: User
    assigned: int
    done: int
    begun: int
    overdue: int
    placed: int
    last_active: datetime | None


@dataclass(frozen=True, slots=True)
class Wait(Record):
    """On how many queries somebody who has submitted waits for somebody who was assigned the same ones."""

    KEYS = "waiting=waiting.username for=late.username queries=n_queries"

    waiting: User
    late: User
    n_queries: int


def totals(
    collection: Collection, person: User, people: Mapping[int, User], outlines: Sequence[Outline]
) -> list[Total]:
    """Everybody who may curate or did, in the order of ``people``."""
    assigned = Counter(who for one in outlines for who in one.given)
    overdue = Counter(who for one in outlines for who in one.overdue)
    own = [(who, one, draft) for one in outlines for who, draft in one.own.items()]
    done = Counter(who for who, _, draft in own if draft.is_submitted)
    begun = Counter(who for who, _, draft in own if not draft.is_submitted)
    placed: Counter[int] = Counter()
    for who, one, draft in own:
        if who == person.pk or not one.progress_hidden:
            placed[who] += draft.placed
    active = _last_active(collection, person, outlines)
    return [
        Total(user, assigned[who], done[who], begun[who], overdue[who], placed[who], active.get(who))
        for who, user in people.items()
    ]


def waits(people: Mapping[int, User], outlines: Sequence[Outline]) -> list[Wait]:
    """Who waits for whom, most queries first."""
    pairs = Counter(pair for one in outlines for pair in one.waits)
    return [Wait(people[who], people[late], count) for (who, late), count in pairs.most_common()]


def _last_active(collection: Collection, person: User, outlines: Sequence[Outline]) -> dict[int, datetime]:
    """Person -> when they were last seen in a draft, or last changed one of their own."""
    hidden = {one.query.pk for one in outlines if one.progress_hidden}
    told = Q(user=person) | ~Q(draft__query__in=hidden) | Q(draft__kind=Draft.Kind.SHARED)
    seen = DraftPresence.objects.filter(told, draft__query__collection=collection).order_by()
    found = dict(seen.values_list("user_id").annotate(latest=Max("seen_at")))
    for who, at in _changes(person, outlines):
        found[who] = max(found.get(who, at), at)
    return found


def _changes(person: User, outlines: Sequence[Outline]) -> Iterator[tuple[int, datetime]]:
    """Per draft of one curator: who, and when it was last changed, as far as that is told."""
    for one in outlines:
        for draft in one.drafts:
            who = draft.curator_id
            if who is not None and (who == person.pk or not one.progress_hidden):
                yield who, draft.updated
