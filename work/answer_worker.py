"""Computing answers in a worker: claim an answer, compute it, and store it if the worker still holds it."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Q, Sum
from django.db.models.functions import Now
from django.urls import get_resolver

from qc4.problems import InputError
from work.answers import Answer, InputsDeleted, failure
from work.clock import from_now
from work.leases import SWEEPER, Heartbeat, Lease, LeaseLost, Reason, State, claim, sweep_leases, transition
from work.models import StoredAnswer
from work.records import RECORDS
from work.sources import INTERACTIVE, QUEUES, Source

log = logging.getLogger(__name__)

MAX_UNUSED_DAYS = 30
"""Answers that nobody has read for this many days are deleted. They are computed again if somebody asks."""
MAX_TOTAL_BYTES = 2 * 1024**3
"""The maximum total size of all answers. The least recently used are deleted first."""
MAX_WAITING_DAYS = 1
"""Failures, and answers that no worker has claimed, are deleted after this many days."""
OUR_FAULT = "Something went wrong. This is our fault, not yours. The details are in the worker's log."
NO_MEMORY = "The worker ran out of memory. Select less data, or ask the administrator for a worker with more memory."


@dataclass(frozen=True, slots=True)
class ClaimedAnswer:
    """An answer that this process has claimed."""

    lease: Lease

    def run(self) -> bool:
        """Compute the answer and store it, or store its failure."""
        row = StoredAnswer.objects.filter(pk=self.lease.pk).first()
        if row is None:
            return True  # deleted since it was claimed
        try:
            with Heartbeat(self.lease):
                answer = answer_kinds()[row.name]
                found = answer.compute(RECORDS.structure(row.asked, answer.inputs))
                with transaction.atomic():
                    self.lease.finish("", error=None, made_at=Now(), used_at=Now())
                    answer.write_parts(row.pk, found)
        except LeaseLost as lost:
            log.info("%s", lost)
        except InputsDeleted:
            StoredAnswer.objects.filter(pk=row.pk, token=self.lease.token).delete()
        except InputError as error:
            self._fail(failure(error))
        except DatabaseError:
            log.exception("%s: the database failed; the answer goes back to the queue", row)
            if not connection.in_atomic_block:
                connection.close_if_unusable_or_obsolete()
            self.lease.hand_back("", count_attempt=True)
            return False
        except MemoryError:
            self._fail(failure(None, NO_MEMORY))
            raise
        except Exception:
            log.exception("%s failed", row)
            self._fail(failure(None, OUR_FAULT))
        except BaseException:
            self.lease.hand_back("", count_attempt=False)
            raise
        return True

    def _fail(self, error: Any) -> None:
        self.lease.fail("", error=error, made_at=Now())


class Answers(Source):
    """The table of answers. The answers that pages wait for are interactive work; the others are bulk work."""

    model = StoredAnswer
    has_own_process = True

    def claim(self, worker: str, queue: str) -> ClaimedAnswer | None:
        waiting = StoredAnswer.objects.filter(state=State.QUEUED, waited_for=queue == INTERACTIVE)
        while (key := waiting.order_by("created_at", "pk").values_list("pk", flat=True).first()) is not None:
            if (lease := claim(StoredAnswer, key, worker)) is not None:
                return ClaimedAnswer(lease)
        return None

    def load(self) -> None:
        answer_kinds()

    def sweep(self) -> Counter[str]:
        return sweep_leases(StoredAnswer, _give_up)

    def tidy(self) -> int:
        return delete_old_answers()


SOURCE = Answers()


def answer_kinds() -> dict[str, Answer[Any, Any]]:
    """Return all kinds of answers by name.

    The modules that use answers declare them. The site's URLs import all these modules.
    """
    get_resolver().url_patterns  # noqa: B018  # reading them imports the views
    return Answer.KINDS


def compute_waiting_answers(worker: str = "here") -> int:
    """Compute all waiting answers in this process. Return how many. For commands and tests."""
    done = 0
    for queue in QUEUES:
        while (claimed := SOURCE.claim(worker, queue)) is not None:
            claimed.run()
            done += 1
    return done


def _give_up(row: StoredAnswer, reason: Reason, only_if: Q) -> bool:
    died = f"The worker died {settings.JOB_MAX_ATTEMPTS} times while working on this. It may need more memory."
    late = f"This takes longer than {settings.JOB_TIME_LIMIT_SECONDS / 3600:g} hours, which is the limit."
    error = dict(failure(None, late if reason == "time-limit" else died))
    return transition(
        StoredAnswer, row.pk, State.RUNNING, State.FAILED,
        actor=SWEEPER, why="", only_if=only_if, error=error, made_at=Now(),
    )  # fmt: skip


def delete_old_answers() -> int:
    """Delete answers that nobody uses, that no worker has claimed, or that take too much space. Return how many."""
    unused = StoredAnswer.objects.filter(used_at__lt=from_now(-MAX_UNUSED_DAYS * 86_400))
    unclaimed = StoredAnswer.objects.exclude(state=State.DONE).filter(
        created_at__lt=from_now(-MAX_WAITING_DAYS * 86_400)
    )
    expired = list((unused | unclaimed).values_list("pk", flat=True))
    over = (StoredAnswer.objects.aggregate(size=Sum("size"))["size"] or 0) - MAX_TOTAL_BYTES
    if over > 0:
        for key, size in StoredAnswer.objects.order_by("used_at", "pk").values_list("pk", "size").iterator():
            if over <= 0:
                break
            expired.append(key)
            over -= size
    for start in range(0, len(expired), 500):
        StoredAnswer.objects.filter(pk__in=expired[start : start + 500]).delete()
    return len(expired)
