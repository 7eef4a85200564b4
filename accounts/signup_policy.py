"""The sign-up policy (the setting ``SIGN_UP``), and the links that let people sign up on sites that need an invitation.

An app whose links allow sign-up registers the URL name of their page here. The `accounts` app knows nothing of
collections.
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
    """The sign-up policy of a site."""

    OPEN = "open"
    INVITATION = "invitation"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Voucher:
    """The rules for one kind of link. Both functions receive the arguments of the link's URL.

    Attributes:
        is_good: returns True if the link currently lets somebody make an account.
        use: counts one account that is being made through the link. It returns False if the link is no longer valid.
    """

    is_good: Callable[..., bool]
    use: Callable[..., bool]


_BY_PAGE: dict[str, Voucher] = {}


def register(page: str, voucher: Voucher) -> None:
    """Register the links to the page with this URL name as valid for sign-up."""
    _BY_PAGE[page] = voucher


def sign_up() -> SignUp:
    """Return the sign-up policy of this site."""
    return SignUp(settings.SIGN_UP)


def may_sign_up(address: str) -> bool:
    """True if a visitor can make an account, given the URL that they came from or want to open."""
    if sign_up() != SignUp.INVITATION:
        return sign_up() == SignUp.OPEN
    voucher, held = _behind(address)
    return voucher is not None and voucher.is_good(**held)


def ways_to_sign_up(wanted: str) -> dict[str, object]:
    """Return the template variables that tell a visitor how to sign up, given the URL that they want to open."""
    return {"may_sign_up": may_sign_up(wanted), "sign_up": str(sign_up())}


def use(address: str) -> bool:
    """Count an account that is made through this URL. Return False if the URL no longer allows one."""
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
