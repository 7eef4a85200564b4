"""Publish submissions of either kind, take them back, delete them."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.person import Person
from evaluation.access import may_change_submission, own_submission, visible_runs
from evaluation.models import StreamSubmission, Submission
from evaluation.selectors.marks import marks
from evaluation.services import submissions
from evaluation.services.submission_deletion import delete_one
from qc4.problems import InputError

Get = Callable[[Person, int], Submission | StreamSubmission]
"""How the addresses of one kind find theirs: an access function."""


@login_required
@require_POST
def publish(request: HttpRequest, pk: int, get: Get) -> HttpResponse:
    """Show it to everybody who sees the collection."""
    found = own_submission(request.user, get(request.user, pk))
    submissions.publish(found)
    messages.success(request, "Everybody who sees the collection sees this submission now.")
    return redirect(found.address, pk)


@login_required
@require_POST
def unpublish(request: HttpRequest, pk: int, get: Get) -> HttpResponse:
    """Show it to its owner and the owners of the collection only."""
    found = own_submission(request.user, get(request.user, pk))
    submissions.publish(found, published=False)
    messages.success(request, "Only you and the owners of the collection see this submission now.")
    return redirect(found.address, pk)


@login_required
@require_POST
def delete(request: HttpRequest, pk: int, get: Get) -> HttpResponse:
    """Delete it with its runs and scores or results, for good; its page told the consequences."""
    found = own_submission(request.user, get(request.user, pk))
    name, slug = str(found), found.collection.slug
    try:
        delete_one(found)
    except InputError as error:
        messages.error(request, f"{name} stays: {error.problems[0].found}.")
        return redirect(found.address, pk)
    messages.success(request, f"{name} is deleted.")
    if isinstance(found, StreamSubmission):
        return redirect("stream", slug, found.stream.key)
    return redirect("collection", slug)


def about(request: HttpRequest, found: Submission | StreamSubmission) -> dict[str, object]:
    """What the pages of both kinds show."""
    return {
        "submission": found,
        "collection": found.collection,
        "marks": marks(found.collection),
        "may_change": may_change_submission(request.user, found),
        "runs": visible_runs(request.user).filter(pk__in=found.runs.values("pk")).select_related("gold_version"),
    }


def known_names(visible: QuerySet[Submission] | QuerySet[StreamSubmission]) -> list[str]:
    """Names that forms offer: of the algorithms that submitted before, baselines aside."""
    known = visible.filter(algorithm__baseline="").order_by("algorithm__name")
    return list(known.values_list("algorithm__name", flat=True).distinct())
