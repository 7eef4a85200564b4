"""Pages of runs: the list, one run, its live status, cancel and re-run."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.person import administers, person
from evaluation.access import get_own_run, get_run, own_run, visible_runs
from evaluation.breadcrumbs import Trail, trail
from evaluation.charts.marks import marks
from evaluation.models import Run
from evaluation.runs import services as runs
from evaluation.runs.selectors import chosen_options, command_for, status

PER_PAGE = 50
STOP_POLLING = 286
"""The status at which htmx stops polling."""


@login_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the runs that this person started."""
    user = person(request)
    own = visible_runs(user).filter(created_by=user).select_related("collection", "submission__algorithm")
    own = own.select_related("stream", "stream_submission__algorithm")
    page = Paginator(own.order_by("-pk"), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "runs/runs.html", {"page": page})


@never_cache
@require_safe
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a run's status, its log, its input and the command that repeats it."""
    found = get_run(request.user, pk)
    return render(
        request,
        "runs/run.html",
        {
            **_live(request, found),
            "collection": found.collection,
            "marks": marks(found.collection) if found.collection else {},
            "file": found.upload or (found.submission.upload if found.submission else None),
            "choices": chosen_options(found),
            "trail": _trail(found),
        },
    )


@never_cache
@require_safe
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the part of the page that changes.

    The log is included only if it has more than the ``known`` events, so that a reader is not scrolled back to its top.
    The last response tells htmx to stop polling.
    """
    found = get_run(request.user, pk)
    context = _live(request, found)
    context["is_news"] = request.GET.get("known") != str(len(context["latest_first"]))
    ended = bool(context["status"]["has_ended"])
    return render(request, "runs/update.html", context, status=STOP_POLLING if ended else 200)


@login_required
@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel a queued or running run."""
    found = get_own_run(request.user, pk)
    if runs.cancel(found, person(request)):
        messages.success(request, f"Run {pk} is cancelled. Finished parts are kept.")
    else:
        messages.info(request, f"Run {pk} had already ended; nothing was cancelled.")
    return redirect("run", pk)


@login_required
@require_POST
def rerun(request: HttpRequest, pk: int) -> HttpResponse:
    """Repeat an ended run as a new run."""
    found = get_own_run(request.user, pk)
    again = runs.rerun(found, person(request))
    messages.success(request, f"This is run {again.pk}, which repeats run {pk}.")
    return redirect("run", again.pk)


def _live(request: HttpRequest, found: Run) -> dict[str, Any]:
    operates, owns = administers(request.user), _owns(request, found)
    now = status(found, operates=operates)
    return {
        "run": found,
        "status": now,
        "owns": owns,
        "operates": operates,
        "command": command_for(found) if owns or operates else "",
        "latest_first": now["events"][::-1],
    }


def _owns(request: HttpRequest, found: Run) -> bool:
    try:
        own_run(request.user, found)
    except PermissionDenied:
        return False
    return True


def _trail(found: Run) -> Trail:
    here = (f"run {found.pk}", "")
    return trail(found.collection, here) if found.collection else [here]
