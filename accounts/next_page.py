"""Where somebody wanted to go before they had to sign in."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def next_page(request: HttpRequest) -> str:
    """The page they wanted, if that is a place of this site; else ""."""
    address: str = request.POST.get("next", request.GET.get("next", ""))
    own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if own else ""
