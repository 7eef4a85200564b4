"""Pages of a challenge: one for everyone, and the settings for owners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.person import person
from annotations.access import May, capabilities, get_collection
from annotations.challenges.access import challenge_of
from annotations.gold.query_list import query_table_rows
from annotations.models import Challenge, ChallengeResults, Collection
from common.page_files import PageFiles
from common.routes import Cost
from evaluation.breadcrumbs import trail
from evaluation.challenges import services as challenges
from evaluation.challenges.final_results import results_csv
from evaluation.challenges.forms import ChallengeSettings
from evaluation.challenges.selectors import ChallengeSummary, challenge_summary
from evaluation.problems import problems_to_json
from evaluation.ranking.leaderboard import board_or_partial
from evaluation.ranking.own_means import SubmissionMean
from qc4.measures.registry import REGISTRY
from qc4.problems import InputError

SHOWN_ROWS = 10


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show state, rules, hidden queries and final results. Owners can view it ``?as=participant``."""
    collection = get_collection(request.user, slug)
    challenge = challenges.freeze_results_if_due(collection, waits=False)
    if challenge is None:
        raise Http404("This collection is not a challenge.")
    may = {str(right) for right in capabilities(request.user, collection)}
    is_preview = May.MANAGE in may and request.GET.get("as") == "participant"
    seen_by = AnonymousUser() if is_preview else request.user
    version = collection.gold_versions.order_by("-number").first()
    board = board_or_partial(collection, seen_by)
    results = challenge.final.content if challenge.final else None
    context = {
        "collection": collection,
        "challenge": challenge_summary(challenge, seen_by),
        "may": {str(May.VIEW)} if is_preview else may,
        "is_preview": is_preview,
        "may_preview": May.MANAGE in may,
        "queries": query_table_rows(list(collection.queries.order_by("position", "pk")), seen_by, version),
        "board": board,
        "rows": board.compared[:SHOWN_ROWS] if board else (),
        "results": results,
        "lines": [_line(row, results["measures"]) for row in results["rows"]] if results else [],
        "measures": [REGISTRY.get(key) for key in results["measures"]] if results else [],
        "trail": trail(collection, ("challenge", "")),
    }
    return render(request, "challenges/challenge.html", context)


def _read_results(request: HttpRequest, slug: str) -> ChallengeResults:
    challenge = challenges.freeze_results_if_due(get_collection(request.user, slug), waits=False)
    if challenge is None or challenge.final is None:
        raise Http404("There are no final results here.")
    return challenge.final


FILES = PageFiles(
    name="challenge",
    route="c/<slug:slug>/challenge/results",
    file_name="{slug}-final-results",
    read=_read_results,
    has_json=False,
    tables={"results": lambda final: results_csv(final.content)},
    cost=Cost.ANSWERS,
)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the collection a challenge, or change its settings."""
    collection = get_collection(request.user, slug, May.MANAGE)
    challenge = challenges.freeze_results_if_due(collection, waits=request.method == "POST")
    start = ChallengeSettings.start(challenge)
    form = ChallengeSettings(request.POST or None, initial=start, collection=collection)
    if request.method != "POST":
        return _page(request, collection, challenge, form)
    if not form.is_valid():
        return _page(request, collection, challenge, form, 400)
    try:
        challenges.save(collection, user=person(request), **form.facts())
    except InputError as error:
        return _page(request, collection, challenge, form, 400, problems=problems_to_json(error.problems))
    messages.success(request, "Saved. This is what participants see.")
    return redirect(f"{reverse('challenge', args=[slug])}?as=participant")


@login_required
@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a challenge an ordinary collection again, if nobody has submitted."""
    collection = get_collection(request.user, slug, May.MANAGE)
    try:
        challenges.remove(collection)
    except InputError as error:
        messages.error(request, str(error.problems[0]))
        return redirect("challenge-settings", slug)
    messages.success(request, "This collection is no longer a challenge.")
    return redirect("collection", slug)


def _line(
    row: dict[str, Any], measures: Sequence[str]
) -> tuple[dict[str, Any], list[SubmissionMean | None], SubmissionMean | None]:
    """Return a row of the results, its means in the order of these measures, and its mean of the public part."""
    return row, [_mean(row["means"].get(key)) for key in measures], _mean(row["public"])


def _mean(stored: dict[str, Any] | None) -> SubmissionMean | None:
    if stored is None or stored["value"] is None:
        return None
    return SubmissionMean(stored["value"], stored["counted"], stored["total"])


def _page(
    request: HttpRequest,
    collection: Collection,
    challenge: Challenge | None,
    form: ChallengeSettings,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    context = {
        "collection": collection,
        "form": form,
        "challenge": challenge_summary(challenge, request.user) if challenge else None,
        "has_gold": collection.gold_versions.exists(),
        "is_begun": challenge is not None and challenge.counted.exists(),
        "trail": trail(
            collection, ("settings", reverse("collection-settings", args=[collection.slug])), ("challenge", "")
        ),
    }
    return render(request, "challenges/settings.html", context | more, status=status)


def challenge_context(request: HttpRequest, collection: Collection) -> dict[str, ChallengeSummary | None]:
    """Return the template variables for the challenge of a collection."""
    challenge = challenge_of(collection)
    return {"challenge": challenge_summary(challenge, request.user) if challenge else None}
