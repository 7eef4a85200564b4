"""Who may make an account (the setting ``SIGN_UP``), and the links that vouch for somebody where that is by invitation.

An app whose links vouch says so here, by the name of their page: accounts know nothing of collections.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import Resolver404, resolve


class SignUp(StrEnum):
    """Who may make an account."""

    OPEN = "open"
    INVITATION = "invitation"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Voucher:
    """Links of one kind. Both are called with what the address of the link holds.

    Attributes:
        is_good: whether somebody may make an account by it, now.
        use: count one account that is being made by it; False if it is too late for that.
    """

    is_good: Callable[..., bool]
    use: Callable[..., bool]


_BY_PAGE: dict[str, Voucher] = {}


def register(page: str, voucher: Voucher) -> None:
    """Links to the page of this name vouch for who opens them."""
    _BY_PAGE[page] = voucher


def sign_up() -> SignUp:
    """Who may make an account on this site."""
    return SignUp(settings.SIGN_UP)


def may_sign_up(address: str) -> bool:
    """Whether somebody who came by this address, or wants to go there, may make an account."""
    if sign_up() != SignUp.INVITATION:
        return sign_up() == SignUp.OPEN
    voucher, held = _behind(address)
    return voucher is not None and voucher.is_good(**held)


def ways_to_sign_up(wanted: str) -> dict[str, object]:
    """What a page says of making an account to somebody who wants to go there."""
    return {"may_sign_up": may_sign_up(wanted), "sign_up": str(sign_up())}


def use(address: str) -> bool:
    """Count an account that is made by way of this address; False if none may be made by it any more."""
    if sign_up() != SignUp.INVITATION:
        return sign_up() == SignUp.OPEN
    voucher, held = _behind(address)
    return voucher is not None and voucher.use(**held)


def _behind(address: str) -> tuple[Voucher | None, dict[str, Any]]:
    try:
        match = resolve(urlsplit(address).path)
    except (Resolver404, ValueError):
        return None, {}
    return _BY_PAGE.get(match.url_name or ""), match.kwargs
