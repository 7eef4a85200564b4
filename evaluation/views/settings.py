"""A collection's settings, and its end."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.person import person
from annotations.access import May, get_collection
from annotations.challenges.access import challenge_of
from annotations.collections.forms import Settings, TypedName
from annotations.collections.services import change_settings
from annotations.collections.storage import of_collection
from annotations.models import Collection, Page
from annotations.models.collections import SPDX
from evaluation.services.deletion import delete_collection
from evaluation.views.trails import trail
from qc4.problems import InputError
from qc4.wording import counted


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Name, description, licence and the like, who may read and who may submit."""
    collection = get_collection(request.user, slug, May.MANAGE)
    form = Settings(request.POST or None, initial=_start(collection))
    if request.method == "POST" and form.is_valid():
        try:
            named = ("name", "description", "visibility", "participation", "timing")
            given = {name: form.cleaned_data[name] for name in named}
            change_settings(collection, user=person(request), face=form.face, **given)
        except InputError as error:
            form.add_error("name", str(error.problems[0]))
        else:
            messages.success(request, "Saved.")
            return redirect("collection", slug)
    status = 400 if request.method == "POST" else 200
    return _page(request, collection, form, TypedName(expected=collection.name), status)


@login_required
@require_POST
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete it with everything in it, once its name was typed."""
    collection = get_collection(request.user, slug, May.MANAGE)
    confirmation = TypedName(request.POST, expected=collection.name)
    if not confirmation.is_valid():
        return _page(request, collection, Settings(initial=_start(collection)), confirmation, status=400)
    delete_collection(collection)
    messages.success(request, f"The collection “{collection.name}” is deleted.")
    return redirect("collections")


def _start(collection: Collection) -> dict[str, str]:
    names = ("name", "description", "visibility", "participation", "timing", *Collection.FACE)
    return {name: getattr(collection, name) for name in names}


def _page(
    request: HttpRequest, collection: Collection, form: Settings, confirmation: TypedName, status: int = 200
) -> HttpResponse:
    consequences = [
        counted(collection.queries.count(), "query", "queries"),
        counted(Page.objects.filter(query__collection=collection).count(), "page"),
        counted(collection.gold_versions.count(), "gold version"),
        counted(collection.submissions.count(), "submission"),
        counted(collection.runs.count(), "run"),
    ]
    context = {
        "collection": collection,
        "form": form,
        "confirmation": confirmation,
        "consequences": consequences,
        "is_challenge": challenge_of(collection) is not None,
        "licences": SPDX,
        "storage": of_collection(collection),
        "trail": trail(collection, ("settings", "")),
    }
    return render(request, "collections/settings.html", context, status=status)
