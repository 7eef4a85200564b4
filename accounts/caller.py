"""Which request is being answered: the audit log asks, so that services need not be told."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse

from accounts.client_address import client_address

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class RememberCaller:
    """Middleware: the request is known while it is answered. Workers and commands have none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        before = _request.set(request)
        try:
            return self._get_response(request)
        finally:
            _request.reset(before)


def caller_address() -> str:
    """Where the request comes from; "" where there is none."""
    request = _request.get()
    return client_address(request) if request else ""


def caller() -> AbstractBaseUser | None:
    """Who asks, with a session or a token; None for nobody who is signed in, and where there is no request."""
    user = getattr(_request.get(), "user", None)
    return user if isinstance(user, AbstractBaseUser) else None
