"""Pages that have submissions scored with chosen scoring options: all of a collection, or one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.person import person
from annotations.access import May, get_collection
from evaluation.access import get_submission, own_submission, visible_submissions
from evaluation.form_messages import add_form_errors
from evaluation.runs.services import computable_in
from evaluation.scoring import services as scoring
from evaluation.scoring.forms import Score
from evaluation.scoring.options import BoardOptions, url_query
from evaluation.scoring.selectors import chosen_version, count_being_scored
from evaluation.scoring.services import Scoring
from qc4.problems import InputError

PAGES = ("leaderboard", "compare", "heat-map", "trade-off", "measures-compared", "robustness", "topic-coverage")
"""Pages with a form that starts scoring."""


@login_required
@require_POST
def score_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Score the latest submissions with these scoring options, and return to the page with the form.

    Measures that the page names are computed in addition to all applicable ones of the catalogue.
    """
    collection = get_collection(request.user, slug, May.COMPUTE)
    name = request.POST.get("page", "")
    board, form = reverse(name if name in PAGES else PAGES[0], args=[slug]), Score(request.POST)
    if not form.is_valid():
        add_form_errors(request, form)
        return redirect(board)
    version, others = chosen_version(collection, form.cleaned_data["gold"]), form.cleaned_data["measures"]
    measures = [*(one.key for one in computable_in(collection.pk)), *others] if others else None
    done = scoring.score_latest(version, form.policies(), user=person(request), measures=measures)
    return _back_with_message(request, done, board)


@require_safe
def progress(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the progress of scoring, which pages poll; when all scores are there, tell the page to reload."""
    collection = get_collection(request.user, slug)
    form = Score(request.GET)
    if not form.is_valid():
        raise BadRequest("no such policies")
    version, policies = chosen_version(collection, form.cleaned_data["gold"]), form.policies()
    waiting = count_being_scored(version, policies, visible_submissions(request.user, collection))
    if not waiting:
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = {"collection": collection, "waiting": waiting, "version": version, "policies": policies}
    return render(request, "boards/scoring_progress.html", context)


@login_required
@require_POST
def score_submission(request: HttpRequest, pk: int) -> HttpResponse:
    """Score one submission with these scoring options, and return to its page."""
    found = own_submission(request.user, get_submission(request.user, pk))
    page, form = reverse("submission", args=[pk]), Score(request.POST)
    if not form.is_valid():
        add_form_errors(request, form)
        return redirect(page)
    version = chosen_version(found.collection, form.cleaned_data["gold"])
    done = scoring.score_submission(
        found, version, form.policies(), user=person(request), measures=form.cleaned_data["measures"] or None
    )
    return _back_with_message(request, done, page)


def _back_with_message(request: HttpRequest, done: Scoring, page: str) -> HttpResponse:
    """Return to the page with the options chosen there, and the scoring options that were used."""
    (messages.success if done.queued else messages.info)(request, done.words)
    try:
        choice = BoardOptions.read(request.GET)
    except InputError:
        choice = BoardOptions()
    return redirect(page + url_query(choice, policies=done.policies))
