"""Publish a gold version in the browser."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.person import person
from annotations.access import May, get_collection, get_gold_version
from annotations.limits import LIMITS
from annotations.models import Collection
from evaluation.forms import PublishGold
from evaluation.problems import told
from evaluation.selectors.gold_changes import changed_golds
from evaluation.services.gold import publish_and_reevaluate
from evaluation.views.sent_files import gathered
from evaluation.views.trails import trail
from qc4.formats import read_collection
from qc4.problems import InputError
from qc4.problems.wording import counted


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Sound files become the next version, and every algorithm is scored against it; others are refused in full."""
    collection = get_collection(request.user, slug, May.PUBLISH)
    form = PublishGold(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, collection, form, 400 if request.method == "POST" else 200)
    try:
        with gathered(form.cleaned_data["files"]) as source:
            documents = read_collection(source, limits=LIMITS).documents
        version, started = publish_and_reevaluate(
            collection=collection,
            documents=documents,
            user=person(request),
            note=form.cleaned_data["note"],
            completion=form.cleaned_data["completion"],
        )
    except InputError as error:
        return _page(request, collection, form, 400, problems=told(error.problems))
    messages.success(request, f"Gold v{version.number} is the latest; {counted(len(started), 'run')} queued.")
    return redirect("collection", slug)


@require_safe
def changes(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What a version changed against the one before it."""
    version = get_gold_version(request.user, slug, number)
    collection = version.collection
    context = {
        "collection": collection,
        "version": version,
        "changed": changed_golds(version, request.user),
        "total": version.entries.count(),
        "trail": trail(collection, (f"gold v{number}", "")),
    }
    return render(request, "curate/gold_changes.html", context)


def _page(request: HttpRequest, collection: Collection, form: PublishGold, status: int, **more: object) -> HttpResponse:
    context = {"collection": collection, "form": form, "trail": trail(collection, ("publish a gold version", ""))}
    return render(request, "collections/publish_gold.html", context | more, status=status)
