"""How often one may ask for pages. `accounts.throttles` counts them, as it counts requests to the API.

Files that come with the site are answered before, and are not counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.throttles import take_page
from qc4site.error_pages import page
from qc4site.errors import Told

API = "api"
COMPUTED = frozenset(
    {
        *("gold-changes", "gold-download", "pages-csv", "example-submission", "submission-download"),
        *("draft-publish", "account-export", "submission-scores-csv"),
        *("heat-map", "stream", "stream-download", "stream-submission-download"),
    }
)
"""Pages that work out what they show each time, or send what is stored as a whole."""
STORED = frozenset(
    {
        *("agreement", "challenge", "compare", "measures-compared", "trade-off", "robustness", "topic-coverage"),
        *("gold-ranks", "model-selection", "why"),
    }
)
"""Pages of what is worked out once and stored."""
HEAVY = COMPUTED | STORED
"""What they offer as files counts as they do."""
FILES = ("-csv", "-json", "-tex", "-svg")


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
        wait = take_page(request, is_heavy=is_heavy(found.url_name or "", HEAVY))
        return page(request, _told(math.ceil(wait))) if wait else None


def is_heavy(name: str, among: frozenset[str]) -> bool:
    """True if the address of this name, or the page that it is a file of, is among these."""
    return any(name.removesuffix(ending) in among for ending in ("", *FILES))


def _told(seconds: int) -> Told:
    sentence = "This site was asked for more pages than one person or address may within a minute."
    fix = f"Wait {seconds} seconds and reload the page. Programs ask the API, which says how often they may."
    return Told(429, sentence, fix=fix, headers={"Retry-After": str(seconds)}, more={"retry_after": seconds})
