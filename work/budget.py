"""How much a request may work out itself, and how many costly answers somebody may have worked out by workers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from common.caller import caller, caller_address
from common.throttles import Counted
from work.models import StoredAnswer

MOST_WAITING = 300
"""Answers that wait for a worker; beyond, people are asked to come back."""
FULL_SECONDS = 30

_left: ContextVar[list[float] | None] = ContextVar("left", default=None)
_waits: ContextVar[bool] = ContextVar("waits", default=True)


class TooManyAnswers(Exception):  # noqa: N818  # nothing is wrong: it becomes a 429
    """No more costly answers are begun for the caller just now.

    Attributes:
        retry_after: seconds.
        sentence: the explanation for people.
    """

    def __init__(self, retry_after: float, sentence: str) -> None:
        super().__init__(sentence)
        self.retry_after, self.sentence = max(1, math.ceil(retry_after)), sentence

    fix = "What was worked out before is still shown. Try again then, or sign in."


class AnswersInRequests:
    """Middleware that gives each request a budget for computing answers, which all its answers share."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        before = _left.set([1.0])
        try:
            return self._get_response(request)
        finally:
            _left.reset(before)


@contextmanager
def beforehand() -> Iterator[None]:
    """Answers that are asked for within this block are left to workers, who compute them when nobody waits."""
    left, waits = _left.set([1.0]), _waits.set(False)
    try:
        yield
    finally:
        _left.reset(left)
        _waits.reset(waits)


def somebody_waits() -> bool:
    """True unless the answer is computed before anybody asks for it."""
    return _waits.get()


def is_in_request() -> bool:
    """False in workers and commands, which work everything out at once: nobody else would."""
    return _left.get() is not None


def cheap_in_this_request(share: float) -> bool:
    """Take a share of the request's budget. Return False if not enough is left."""
    left = _left.get()
    if left is None or share > left[0]:
        return False
    left[0] -= share
    return True


def begin() -> None:
    """Count a costly answer that is begun for the caller.

    Raises:
        TooManyAnswers: the caller began too many lately, or all visitors without an account did, or too many wait.
    """
    person, address = caller(), caller_address()
    if person is not None:
        counts = [Counted(f"person-{person.pk}", "answers")]
    else:
        counts = [Counted(f"address-{address}", "answers"), Counted("everybody", "answers-visitors")]
    if StoredAnswer.objects.filter(Q(state="queued", waited_for=True)).count() >= MOST_WAITING:
        raise TooManyAnswers(FULL_SECONDS, "The site is working out as much as it can for others just now.")
    for count in counts:
        if not count.take():
            whose = "you asked for" if count.scope == "answers" else "visitors without an account asked for"
            raise TooManyAnswers(count.wait(), f"This takes long to work out, and {whose} many such answers lately.")
