"""Upload vectors of a collection's pages, or make them from page text."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.person import person
from annotations.access import May, get_collection
from evaluation.form_messages import add_form_errors
from evaluation.uploads import services as uploads
from evaluation.vectors import services as vectors
from evaluation.vectors.forms import TextVectors, UploadVectors
from qc4.io.kinds import VECTORS


@login_required
@require_POST
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue a run that reads the file, and redirect to it."""
    collection = get_collection(request.user, slug, May.CURATE)
    form = UploadVectors(request.POST, request.FILES)
    if not form.is_valid():
        add_form_errors(request, form)
        return redirect("collection", slug)
    file, user = form.cleaned_data["file"], person(request)
    with uploads.deleted_on_error(uploads.store(file, file.name, user, VECTORS)) as stored:
        run = vectors.enqueue_file(collection=collection, upload=stored, user=user)
    return redirect("run", run.pk)


@login_required
@require_POST
def from_text(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue a run that makes vectors from page text, and redirect to it."""
    collection = get_collection(request.user, slug, May.CURATE)
    form = TextVectors(request.POST)
    if not form.is_valid():
        add_form_errors(request, form)
        return redirect("collection", slug)
    run = vectors.enqueue_from_text(collection=collection, user=person(request), **form.cleaned_data)
    return redirect("run", run.pk)
