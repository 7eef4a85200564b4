"""How often one may ask. Rates stand in the settings; the counts lie in Django's cache, which all processes share.

Counting is not atomic (two requests in one instant may count as one): the limits keep order, they are not a promise.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class FromSettings(SimpleRateThrottle):
    """Reads its rate when it is used, not when it is imported, so that an override takes effect."""

    # So many requests within so many seconds; set by `SimpleRateThrottle`.
    num_requests: int
    duration: int

    def get_rate(self) -> str:
        rate: str = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"][str(self.scope)]
        return rate


class _Noted(FromSettings):
    """Things of one address or account that are counted one by one, where they happen."""

    def __init__(self, whose: Request | HttpRequest | int | str) -> None:
        super().__init__()
        ident = whose if isinstance(whose, int | str) else self.get_ident(whose)  # type: ignore[arg-type]  # REST framework types its own request here
        self.key = self.cache_format % {"scope": self.scope, "ident": ident}
        self.now: float = self.timer()
        history: list[float] = self.cache.get(self.key, [])
        self.history = [at for at in history if at > self.now - self.duration]

    def too_many(self) -> bool:
        return len(self.history) >= self.num_requests

    def note(self) -> None:
        """Count one more."""
        self.cache.set(self.key, [self.now, *self.history], self.duration)

    def wait(self) -> float:
        """Seconds until one more try is allowed."""
        seconds: float = self.duration - (self.now - self.history[-1])
        return seconds


class WrongSecrets(_Noted):
    """Wrong tokens and passwords from one address. Right ones are not counted, so nobody is slowed down by them."""

    scope = "login"


class SignUps(_Noted):
    """New accounts from one address: limits per person mean little where anybody can be many."""

    scope = "sign-up"


class Emails(_Noted):
    """E-mails to one account: its address may be somebody else's, whom nobody may bury with our help."""

    scope = "e-mail"
