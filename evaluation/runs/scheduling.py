"""Which run is next, how many one person may queue, and when bulk work is preempted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as AnyOf
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import Avg, Case, Count, F, Min, OuterRef, QuerySet, Subquery, When

from accounts.models import User
from evaluation.models import Run
from evaluation.runs.errors import GaveWay, TooManyRuns
from work.leases import Lease, State
from work.sources import INTERACTIVE, QUEUES, all_sources
from work.workers import live_workers


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


# Limits on unfinished work, so that one person cannot fill the queue for everybody.

UNFINISHED = (State.QUEUED, State.RUNNING)


def admit(user: User | None, queue: str) -> None:
    """Refuse one more run where a limit is reached. Two requests in the same instant may both pass: the limits
    keep order, they are not a promise. A person's limit is for each queue: what follows by itself from their work
    waits in another one, and keeps them from nothing.

    Raises:
        TooManyRuns: with the queue position it would have had and when to try again.
    """
    unfinished = Run.objects.filter(state__in=UNFINISHED)
    if user is not None and unfinished.filter(created_by=user, queue=queue).count() >= settings.JOB_LIMIT_PER_USER:
        _refuse(user, settings.JOB_LIMIT_PER_USER, queue, "You have")
    if unfinished.count() >= settings.JOB_LIMIT_TOTAL:
        _refuse(user, settings.JOB_LIMIT_TOTAL, queue, "This site has")


def seconds_per_run() -> float:
    """How long the last runs took on average; 10 while nothing is known."""
    last = Run.objects.filter(state=State.DONE).order_by("-finished_at").values("pk")[:20]
    mean = Run.objects.filter(pk__in=list(last.values_list("pk", flat=True))).aggregate(
        mean=Avg(F("finished_at") - F("started_at"))
    )["mean"]
    return mean.total_seconds() if mean else 10.0


def _refuse(user: User | None, limit: int, queue: str, whose: str) -> None:
    position = before_another(user, queue) + 1
    seconds = seconds_per_run() * position / max(live_workers().count(), 1)
    raise TooManyRuns(limit=limit, position=position, retry_after=int(min(max(seconds, 5), 600)), whose=whose)


# Bulk work leaves its process to what somebody waits for, where no other one is free.


def somebody_waits() -> bool:
    """Whether more interactive runs wait than there are slots to take them."""
    return (number := waiting(INTERACTIVE).count()) > 0 and number > _free()


def give_way(lease: Lease) -> None:
    """Leave the slot to an interactive run, if one waits that finds none.

    Raises:
        GaveWay: it did.
    """
    why = "Gave way to a run that somebody waits for; after that it goes on where it stopped."
    with transaction.atomic():
        # One after another: who comes next finds the slot that the first one left.
        list(live_workers().select_for_update().order_by("pk"))
        gave = somebody_waits() and lease.hand_back(why, count_attempt=False, gave_way=F("gave_way") + 1)
    if gave:
        raise GaveWay(f"{lease} gave way")


def _free() -> int:
    serving = [worker for worker in live_workers() if INTERACTIVE in worker.queues.split(",")]
    held: Counter[str] = Counter()
    for source in all_sources():
        if source.model is None:
            continue
        running = source.model._default_manager.filter(state=State.RUNNING, worker__in=[one.name for one in serving])
        for worker, number in running.order_by().values_list("worker").annotate(Count("pk")):
            held[worker] += number - source.has_own_process  # its own process is none of the slots
    return sum(max(worker.slots - held[worker.name], 0) for worker in serving)
