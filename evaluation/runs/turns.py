"""Whose run is next: decided here alone, both when a worker takes one and when a page says how many are before it.

What people wait for comes before bulk work. Within either, people take turns: next is whoever had a run started least
recently, with the first of their runs.
"""

from __future__ import annotations

from collections.abc import Collection as AnyOf
from dataclasses import dataclass

from django.db.models import Case, Count, F, Min, OuterRef, QuerySet, Subquery, When

from accounts.models import User
from evaluation.models import Run
from work.leases import State
from work.sources import QUEUES


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody's runs that wait in a queue; ``person`` is None for the site's own."""

    person: int | None
    waiting: int
    first: int


def waiting(queue: str) -> QuerySet[Run]:
    """The runs of a queue that may be taken."""
    return Run.objects.filter(state=State.QUEUED, queue=queue)


def next_run(queues: AnyOf[str]) -> int | None:
    """The id of the run to take next from these queues."""
    for queue in QUEUES:
        if queue in queues and (turns := _turns(queue)):
            return turns[0].first
    return None


def before(run: Run) -> int:
    """How many runs are taken before a waiting one, if nobody queues more."""
    own = waiting(run.queue).filter(created_by=run.created_by_id, pk__lt=run.pk).count()
    return _ahead(run.queue, run.created_by_id, own)


def before_another(user: User | None, queue: str) -> int:
    """The same of a run that this person would queue now."""
    person = user.pk if user else None
    return _ahead(queue, person, waiting(queue).filter(created_by=person).count())


def _ahead(queue: str, person: int | None, own: int) -> int:
    """Each round takes a run of each person; the one after ``own`` of the person's is taken in round ``own`` + 1."""
    turns = _turns(queue)
    place = next((number for number, turn in enumerate(turns) if turn.person == person), len(turns))
    others = sum(
        min(turn.waiting, own + (number < place)) for number, turn in enumerate(turns) if turn.person != person
    )
    sooner = QUEUES[: QUEUES.index(queue)]
    return own + others + sum(waiting(name).count() for name in sooner)


def _turns(queue: str) -> list[Turn]:
    """Who waits in a queue, in the order of their turns: first who never had a run started, by their oldest run."""
    started = Run.objects.filter(queue=queue, started_at__isnull=False).order_by("-started_at").values("started_at")
    last = Case(
        When(created_by=None, then=Subquery(started.filter(created_by=None)[:1])),
        default=Subquery(started.filter(created_by=OuterRef("created_by"))[:1]),
    )
    people = waiting(queue).order_by().values("created_by")
    found = people.annotate(waits=Count("pk"), first=Min("pk"), last=last)
    in_turn = found.order_by(F("last").asc(nulls_first=True), "first")
    return [Turn(*one) for one in in_turn.values_list("created_by", "waits", "first")]
