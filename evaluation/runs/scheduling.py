"""Scheduling: which run is next, how many runs one person can queue, and when bulk runs are preempted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as AnyOf
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import Avg, Case, Count, F, Min, OuterRef, QuerySet, Subquery, When

from accounts.models import User
from evaluation.models import Run
from evaluation.runs.errors import Preempted, TooManyRuns
from work.leases import Lease, State
from work.sources import INTERACTIVE, QUEUES, all_sources
from work.workers import live_workers


@dataclass(frozen=True, slots=True)
class WaitingPerson:
    """One person's waiting runs in a queue; ``person`` is None for the site's own runs."""

    person: int | None
    waiting: int
    first: int


def waiting(queue: str) -> QuerySet[Run]:
    """Return the runs of a queue that can be claimed."""
    return Run.objects.filter(state=State.QUEUED, queue=queue)


def next_run(queues: AnyOf[str]) -> int | None:
    """Return the id of the next run to claim from these queues."""
    for queue in QUEUES:
        if queue in queues and (turns := _waiting_people(queue)):
            return turns[0].first
    return None


def runs_before(run: Run) -> int:
    """Return the number of runs that start before this waiting one, if nobody queues more."""
    own = waiting(run.queue).filter(created_by=run.created_by_id, pk__lt=run.pk).count()
    return _count_ahead(run.queue, run.created_by_id, own)


def runs_before_new(user: User | None, queue: str) -> int:
    """Return the number of runs that would start before a run that this person queues now."""
    person = user.pk if user else None
    return _count_ahead(queue, person, waiting(queue).filter(created_by=person).count())


def _count_ahead(queue: str, person: int | None, own: int) -> int:
    """Return the number of runs before a person's next one, of whose runs ``own`` come first.

    Each round starts one run of each person, so the next one starts in round ``own`` + 1.
    """
    turns = _waiting_people(queue)
    place = next((number for number, turn in enumerate(turns) if turn.person == person), len(turns))
    others = sum(
        min(turn.waiting, own + (number < place)) for number, turn in enumerate(turns) if turn.person != person
    )
    sooner = QUEUES[: QUEUES.index(queue)]
    return own + others + sum(waiting(name).count() for name in sooner)


def _waiting_people(queue: str) -> list[WaitingPerson]:
    """Return who waits in a queue, in scheduling order.

    People without any started run come first, by their oldest run; then those whose last run started longest ago.
    """
    started = Run.objects.filter(queue=queue, started_at__isnull=False).order_by("-started_at").values("started_at")
    last = Case(
        When(created_by=None, then=Subquery(started.filter(created_by=None)[:1])),
        default=Subquery(started.filter(created_by=OuterRef("created_by"))[:1]),
    )
    people = waiting(queue).order_by().values("created_by")
    found = people.annotate(waits=Count("pk"), first=Min("pk"), last=last)
    in_turn = found.order_by(F("last").asc(nulls_first=True), "first")
    return [WaitingPerson(*one) for one in in_turn.values_list("created_by", "waits", "first")]


# --- Limits on unfinished runs, so that one person cannot fill the queue for everyone ---

UNFINISHED = (State.QUEUED, State.RUNNING)


def admit(user: User | None, queue: str) -> None:
    """Raise TooManyRuns if one more run would exceed a limit.

    Two simultaneous requests may both pass: the limits need not be exact. A person's limit applies to each queue. Runs
    that follow automatically from their work use another queue, and so do not block them.

    Raises:
        TooManyRuns: has the queue position of the run and the time to wait.
    """
    unfinished = Run.objects.filter(state__in=UNFINISHED)
    if user is not None and unfinished.filter(created_by=user, queue=queue).count() >= settings.JOB_LIMIT_PER_USER:
        _reject(user, settings.JOB_LIMIT_PER_USER, queue, "You have")
    if unfinished.count() >= settings.JOB_LIMIT_TOTAL:
        _reject(user, settings.JOB_LIMIT_TOTAL, queue, "This site has")


def seconds_per_run() -> float:
    """Return the mean duration of the last 20 finished runs; 10 without any."""
    last = Run.objects.filter(state=State.DONE).order_by("-finished_at").values("pk")[:20]
    mean = Run.objects.filter(pk__in=list(last.values_list("pk", flat=True))).aggregate(
        mean=Avg(F("finished_at") - F("started_at"))
    )["mean"]
    return mean.total_seconds() if mean else 10.0


def _reject(user: User | None, limit: int, queue: str, whose: str) -> None:
    position = runs_before_new(user, queue) + 1
    seconds = seconds_per_run() * position / max(live_workers().count(), 1)
    raise TooManyRuns(limit=limit, position=position, retry_after=int(min(max(seconds, 5), 600)), whose=whose)


# --- Preemption: a bulk run leaves its slot to an interactive run if no other slot is free ---


def needs_preemption() -> bool:
    """True if more interactive runs wait than there are free slots for them."""
    return (number := waiting(INTERACTIVE).count()) > 0 and number > _free_slots()


def preempt(lease: Lease) -> None:
    """Let an interactive run preempt this bulk run, if one waits without a free slot.

    Raises:
        Preempted: the run was preempted.
    """
    why = "Preempted by a run that a person is waiting for; it continues where it stopped."
    with transaction.atomic():
        # One after another: the next bulk run already sees the slot that the first one left.
        list(live_workers().select_for_update().order_by("pk"))
        gave = needs_preemption() and lease.hand_back(why, count_attempt=False, gave_way=F("gave_way") + 1)
    if gave:
        raise Preempted(f"{lease} was preempted")


def _free_slots() -> int:
    serving = [worker for worker in live_workers() if INTERACTIVE in worker.queues.split(",")]
    held: Counter[str] = Counter()
    for source in all_sources():
        if source.model is None:
            continue
        running = source.model._default_manager.filter(state=State.RUNNING, worker__in=[one.name for one in serving])
        for worker, number in running.order_by().values_list("worker").annotate(Count("pk")):
            held[worker] += number - source.has_own_process  # a run in the worker's own process uses no slot
    return sum(max(worker.slots - held[worker.name], 0) for worker in serving)
