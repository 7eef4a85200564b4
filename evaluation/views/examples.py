"""What somebody starts from who submits: the pages to cluster, and a file to try the site with."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.person import person
from annotations.access import get_collection
from common.downloads import attachment
from evaluation.selectors.examples import example_submission, page_rows


@require_safe
def pages(request: HttpRequest, slug: str) -> HttpResponse:
    """The pages of every query."""
    rows = "".join(page_rows(get_collection(request.user, slug)))
    return attachment(rows.encode(), f"{slug}-pages.csv", "text/csv; charset=utf-8")


@login_required
@require_safe
def submission(request: HttpRequest, slug: str) -> HttpResponse:
    """An example that answers every query, named for who takes it: a name belongs to who submits under it first."""
    lines = example_submission(get_collection(request.user, slug), f"Example of {person(request).get_username()}")
    return attachment(b"".join(lines), f"{slug}-example.jsonl", "application/jsonl")
