"""Vectors of a collection's pages, brought in or made from their text."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.person import person
from annotations.access import May, get_collection
from annotations.models import Collection
from evaluation.forms import TextVectors, UploadVectors
from evaluation.models import Run
from evaluation.services import uploads, vectors


@login_required
@require_POST
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue reading the file and go to its run."""
    collection = get_collection(request.user, slug, May.CURATE)
    form = UploadVectors(request.POST, request.FILES)
    if not form.is_valid():
        return _told(request, form, collection)
    file, user = form.cleaned_data["file"], person(request)
    kept = uploads.store(file, file.name, user)
    try:
        run = vectors.enqueue_file(collection=collection, upload=kept, user=user)
    except BaseException:
        uploads.delete_unused(kept)
        raise
    return _to(run)


@login_required
@require_POST
def from_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue making vectors from page text and go to its run."""
    collection = get_collection(request.user, slug, May.CURATE)
    form = TextVectors(request.POST)
    if not form.is_valid():
        return _told(request, form, collection)
    run = vectors.enqueue_from_text(collection=collection, user=person(request), **form.cleaned_data)
    return _to(run)


def _to(run: Run) -> HttpResponse:
    return redirect("run", run.pk)


def _told(request: HttpRequest, form: UploadVectors | TextVectors, collection: Collection) -> HttpResponse:
    for name, errors in form.errors.items():
        for error in errors:
            messages.error(request, f"{name}: {error}")
    return redirect("collection", collection.slug)
