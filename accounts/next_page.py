"""Where somebody wanted to go before they had to sign in."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme


def next_page(request: HttpRequest) -> str:
    """The page they wanted, if that is a place of this site; else ""."""
    address: str = request.POST.get("next", request.GET.get("next", ""))
    own = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if own else ""


def name_of_page(address: str) -> str:
    """What somebody came for, by the name of the page they go to next. What an invitation is to is told only to whoever
    is signed in."""
    try:
        return resolve(urlsplit(address).path).url_name or ""
    except (Resolver404, ValueError):
        return ""
