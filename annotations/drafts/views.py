"""Start, submit, reopen, archive and restore drafts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.person import person
from annotations.access import May, get_query
from annotations.drafts import services as drafts
from annotations.drafts.access import DraftAccess, reach_managed, reach_reopenable
from annotations.drafts.services.errors import DraftError
from annotations.models import Draft

WORDS: dict[Callable[[Draft], None], str] = {
    drafts.submit: "is submitted: it can no longer be changed, and other curators may see it",
    drafts.reopen: "is open again",
    drafts.archive: "is archived; nothing is lost, you can restore it",
    drafts.restore: "is restored",
}


@login_required
@require_POST
def start(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Start your own draft from nothing, or open the one that is open already; the only button of the overview."""
    query = get_query(request.user, slug, key, May.CURATE)
    draft, is_new = drafts.begin(query=query, user=person(request))
    if is_new:
        messages.success(request, f"The draft {draft.name} starts from {draft.started_from['words']}.")
    return redirect("draft", draft.pk)


@login_required
@require_POST
def submit(request: HttpRequest, pk: int) -> HttpResponse:
    """Submit a draft."""
    return _done(request, reach_managed(request.user, pk), drafts.submit)


@login_required
@require_POST
def reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Reopen a submitted draft."""
    access = reach_reopenable(request.user, pk)
    return _done(request, access, partial(drafts.reopen, by=access.person), WORDS[drafts.reopen])


@login_required
@require_POST
def archive(request: HttpRequest, pk: int) -> HttpResponse:
    """Archive a draft."""
    return _done(request, reach_managed(request.user, pk), drafts.archive)


@login_required
@require_POST
def restore(request: HttpRequest, pk: int) -> HttpResponse:
    """Restore an archived draft."""
    access = reach_managed(request.user, pk)
    return _done(request, access, partial(drafts.restore, closed=access.restores_closed), WORDS[drafts.restore])


def _done(request: HttpRequest, access: DraftAccess, service: Callable[[Draft], None], words: str = "") -> HttpResponse:
    draft = access.draft
    try:
        service(draft)
        messages.success(request, f"The draft {draft.name} {words or WORDS[service]}.")
    except DraftError as error:
        messages.error(request, f"{error.sentence} {error.fix}".strip())
    return redirect("drafts", draft.query.collection.slug, draft.query.key)
