"""How often one may ask for pages. `common.throttles` counts them, as it counts requests to the API.

Files that come with the site are answered before, and are not counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from common.routes import API, Cost, declaration_of
from common.throttles import take_page
from qc4site.errors.api import Told
from qc4site.errors.pages import page

HEAVY = {Cost.COMPUTES, Cost.ANSWERS}
"""Pages of these costs, and the files that they offer, count against a lower limit, too."""


class PageLimits:
    """Refuses, in words, what is asked for too often."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """429 for one request too many; None lets it through."""
        found = request.resolver_match
        if found is None or API in found.namespaces:
            return None
        wait = take_page(request, is_heavy=declaration_of(found).cost in HEAVY)
        return page(request, _told(math.ceil(wait))) if wait else None


def _told(seconds: int) -> Told:
    sentence = "This site was asked for more pages than one person or address may within a minute."
    fix = f"Wait {seconds} seconds and reload the page. Programs ask the API, which says how often they may."
    return Told(429, sentence, fix=fix, headers={"Retry-After": str(seconds)}, more={"retry_after": seconds})
