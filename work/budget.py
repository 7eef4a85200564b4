"""Limits on computing: a budget for each request, and a rate for costly answers that workers compute."""

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

MAX_WAITING = 300
"""Maximum number of answers that wait for a worker. Beyond it, people are asked to come back later."""
RETRY_IF_FULL_SECONDS = 30

_remaining_budget: ContextVar[list[float] | None] = ContextVar("remaining_budget", default=None)
_awaited: ContextVar[bool] = ContextVar("awaited", default=True)


class TooManyAnswers(Exception):  # noqa: N818  # nothing is wrong: it becomes a 429
    """The caller cannot request another costly answer now.

    Attributes:
        retry_after: seconds after which the client can try again.
        sentence: an explanation for the user.
    """

    def __init__(self, retry_after: float, sentence: str) -> None:
        super().__init__(sentence)
        self.retry_after, self.sentence = max(1, math.ceil(retry_after)), sentence

    fix = "Results that are already computed are still shown. Try again later, or sign in."


class AnswerBudgetMiddleware:
    """Middleware that gives each request a budget for computing answers. All answers of the request share it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        before = _remaining_budget.set([1.0])
        try:
            return self._get_response(request)
        finally:
            _remaining_budget.reset(before)


@contextmanager
def precomputing() -> Iterator[None]:
    """Leave the answers requested in this block to workers, which compute them when nobody is waiting."""
    left, awaited = _remaining_budget.set([1.0]), _awaited.set(False)
    try:
        yield
    finally:
        _remaining_budget.reset(left)
        _awaited.reset(awaited)


def is_awaited() -> bool:
    """Return False while answers are computed in advance, before anybody asks for them."""
    return _awaited.get()


def is_in_request() -> bool:
    """Return False in workers and commands, which compute every answer immediately."""
    return _remaining_budget.get() is not None


def spend_request_budget(share: float) -> bool:
    """Spend a share of the request's budget. Return False if not enough is left, or outside a request."""
    left = _remaining_budget.get()
    if left is None or share > left[0]:
        return False
    left[0] -= share
    return True


def count_costly_answer() -> None:
    """Count a costly answer that the caller requests.

    Raises:
        TooManyAnswers: the caller, or all visitors without an account together, have recently requested too many, or
            too many answers are waiting for a worker.
    """
    person, address = caller(), caller_address()
    if person is not None:
        counts = [Counted(f"person-{person.pk}", "answers")]
    else:
        counts = [Counted(f"address-{address}", "answers"), Counted("everybody", "answers-visitors")]
    if StoredAnswer.objects.filter(Q(state="queued", waited_for=True)).count() >= MAX_WAITING:
        raise TooManyAnswers(RETRY_IF_FULL_SECONDS, "The site is busy computing results for other people.")
    for count in counts:
        if not count.take():
            who = "you have" if count.scope == "answers" else "visitors without an account have"
            raise TooManyAnswers(
                count.wait(), f"This result takes long to compute, and {who} recently requested many such results."
            )
