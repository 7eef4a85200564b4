"""The worker's part of answers: claim one, work it out, store it, unless somebody else has taken it over meanwhile."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Sum
from django.db.models.functions import Now

from qc4.problems import InputError
from work.answers import Answer, Gone, failure
from work.clock import from_now
from work.models import StoredAnswer
from work.models.leased import WORKER_CHARS
from work.records import RECORDS

log = logging.getLogger(__name__)

State = StoredAnswer.State
KEPT_DAYS = 30
"""Answers that nobody looked at for so long are forgotten; whoever asks again has them worked out anew."""
KEPT_BYTES = 2 * 1024**3
"""What answers may take together; the ones longest unused go first."""
WAITING_DAYS = 1
"""Answers that no worker took for so long are forgotten."""
OUR_FAULT = "Something went wrong that is our fault, not yours: the details are in the worker's log."
NO_MEMORY = "The worker ran out of memory. Choose less at once, or ask the administrator for a worker with more memory."


@dataclass(frozen=True, slots=True)
class Held:
    """An answer that this worker holds, while the row has this token."""

    key: str
    token: int
    worker: str

    def extend(self) -> bool:
        """Hold it for another lease; False where somebody else has it."""
        return bool(self._mine.update(lease_until=from_now(settings.JOB_LEASE_SECONDS)))

    @property
    def _mine(self):  # type: ignore[no-untyped-def]
        return StoredAnswer.objects.filter(pk=self.key, state=State.RUNNING, token=self.token)

    def work_out(self) -> None:
        """Work it out and store it. What fails is stored as a failure.

        Raises:
            MemoryError: after that was stored; another process had better do the next one.
            BaseException: what ends this process; the answer is queued again.
        """
        row = StoredAnswer.objects.filter(pk=self.key).first()
        if row is None:
            return  # forgotten since it was claimed
        try:
            answer = Answer.KINDS[row.name]
            found = answer.work_out(RECORDS.structure(row.asked, answer.asked))
            with transaction.atomic():
                if self._mine.update(state=State.DONE, lease_until=None, error=None, made_at=Now(), used_at=Now()):
                    answer.write_parts(self.key, found)
                else:
                    log.info("%s was taken from %s before it was stored", row, self.worker)
        except Gone:
            self._mine.delete()
        except InputError as error:
            self._fail(failure(error))
        except DatabaseError:
            log.exception("%s: the database failed; it is tried again", row)
            if not connection.in_atomic_block:
                connection.close_if_unusable_or_obsolete()
            self.hand_back()
        except MemoryError:
            self._fail(failure(None, NO_MEMORY))
            raise
        except Exception:
            log.exception("%s failed", row)
            self._fail(failure(None, OUR_FAULT))
        except BaseException:
            self.hand_back()
            raise

    def hand_back(self) -> None:
        """Back to the queue for another worker."""
        self._mine.update(state=State.QUEUED, lease_until=None, worker="")

    def _fail(self, error: object) -> None:
        self._mine.update(state=State.FAILED, lease_until=None, error=error, made_at=Now())


def claim(worker: str, *, waited_for: bool) -> Held | None:
    """Take the answer that waits longest, of those a page waits for or of the others; None if there is none."""
    while True:
        waiting = StoredAnswer.objects.filter(state=State.QUEUED, waited_for=waited_for).order_by("created_at", "pk")
        key = waiting.values_list("pk", flat=True).first()
        if key is None:
            return None
        with transaction.atomic():
            taken = StoredAnswer.objects.filter(pk=key, state=State.QUEUED).update(
                state=State.RUNNING,
                token=F("token") + 1,
                attempts=F("attempts") + 1,
                worker=worker[:WORKER_CHARS],
                lease_until=from_now(settings.JOB_LEASE_SECONDS),
            )
            if taken:
                return Held(key, StoredAnswer.objects.values_list("token", flat=True).get(pk=key), worker)


def work_off(worker: str = "here") -> int:
    """Work out everything that waits, in this process; returns how many these were. For commands and tests."""
    done = 0
    for waited_for in (True, False):
        while (held := claim(worker, waited_for=waited_for)) is not None:
            held.work_out()
            done += 1
    return done


def sweep() -> Counter[str]:
    """Queue what dead workers held, or give it up where several died of it."""
    silent = StoredAnswer.objects.filter(state=State.RUNNING, lease_until__lt=from_now(0))
    died = f"The worker died {settings.JOB_MAX_ATTEMPTS} times while working on this. It may need more memory."
    given_up = silent.filter(attempts__gte=settings.JOB_MAX_ATTEMPTS)
    done: Counter[str] = Counter()
    done["given_up"] = given_up.update(
        state=State.FAILED, lease_until=None, made_at=Now(), token=F("token") + 1, error=dict(failure(None, died))
    )
    done["requeued"] = silent.update(state=State.QUEUED, lease_until=None, worker="", token=F("token") + 1)
    return done


def tidy() -> None:
    """Forget what nobody uses, what no worker took, and the longest unused of too much."""
    StoredAnswer.objects.filter(used_at__lt=from_now(-KEPT_DAYS * 86_400)).delete()
    StoredAnswer.objects.exclude(state=State.DONE).filter(created_at__lt=from_now(-WAITING_DAYS * 86_400)).delete()
    over = (StoredAnswer.objects.aggregate(size=Sum("size"))["size"] or 0) - KEPT_BYTES
    if over <= 0:
        return
    gone = []
    for key, size in StoredAnswer.objects.order_by("used_at", "pk").values_list("pk", "size").iterator():
        if over <= 0:
            break
        gone.append(key)
        over -= size
    for start in range(0, len(gone), 500):
        StoredAnswer.objects.filter(pk__in=gone[start : start + 500]).delete()
