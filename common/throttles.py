"""The one mechanism of all rate limits: whether something may be done now, and if not, when to try again.

`common.rates` has the table of limits. Requests are counted by `common.host_counts`, on each host for itself: that
keeps order, and no request waits for the database because of it. What guards secrets is counted by
`accounts.throttles`, in the database.
"""

from __future__ import annotations

import math
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from rest_framework.request import Request

from common import host_counts
from common.caller import client_address
from common.host_counts import Place, Store
from common.rates import read_rate

BUCKETS = 65_536
"""For each kind: rows of the table at most."""


def bucket(kind: str, key: str) -> str:
    """The bucket in which something falls that strangers can have many of."""
    digest = salted_hmac("accounts.rate_counters", f"{kind} {key}", algorithm="sha256").digest()
    return str(int.from_bytes(digest[:8]) % BUCKETS)


def refused(answer: HttpResponse, seconds: float) -> HttpResponse:
    """The answer as one that says too much was asked for: 429, and after how many seconds to ask again."""
    answer.status_code, answer["Retry-After"] = 429, str(math.ceil(seconds))
    return answer


class Counted:
    """Events of one address, person, account or device. A limited number is allowed in a window of time.

    Args:
        whose: a request stands for its address; a number or text is counted for itself.
        scope: the name of the limit in `common.rates`, unless the class has one.
    """

    scope = ""
    kind = ""
    """What is counted, if several kinds of events have the same rate and are counted separately."""
    store: ClassVar[Store] = host_counts
    """Where the events are counted, as the table says it: ``Where.EACH_HOST``, unless a subclass has another store."""

    def __init__(self, whose: Request | HttpRequest | int | str, scope: str = "") -> None:
        self.scope = scope or self.scope
        self.kind = self.kind or self.scope
        rate = read_rate(settings.RATES[self.scope])
        self.limit, self.window = rate.number, timedelta(seconds=rate.seconds)
        if isinstance(whose, int | str):
            self.whose = str(whose)
        else:
            self.whose = bucket(self.kind, client_address(whose))
        self._place: Place | None = None

    def take(self) -> bool:
        """Take a place for one more; False if all are taken."""
        self._place = self.store.take(self.kind, self.whose, self.window, self.limit)
        return self._place is not None

    def give_back(self) -> None:
        """Give back the place, of a try that was right or of something that did not happen."""
        if self._place is not None:
            self.store.give_back(self._place)
            self._place = None

    def was_right(self) -> None:
        """Count nothing for a secret that was right."""
        self.give_back()

    @property
    def is_last(self) -> bool:
        """True if the place that was taken is the last one."""
        return self._place is not None and self._place.number >= self.limit

    def wait(self) -> float:
        """Return the seconds until there is a place again; 0 if there is one."""
        count = self.store.so_far(self.kind, self.whose, self.window)
        if count.number < self.limit:
            return 0.0
        return max(0.0, (count.since + self.window - timezone.now()).total_seconds())


def take_page(request: HttpRequest, *, is_heavy: bool) -> float:
    """Count a request for a page. Return 0, or the seconds to wait if it is above the limit.

    Args:
        is_heavy: True if the page takes long to compute; it is counted once more then.
    """
    is_known = request.user.is_authenticated
    whose = f"person-{request.user.pk}" if is_known else request
    for scope in ["pages" if is_known else "pages-anon", *(["pages-heavy"] if is_heavy else [])]:
        count = Counted(whose, scope)
        if not count.take():
            return max(1.0, count.wait())
    return 0.0
