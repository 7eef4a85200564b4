"""Publish a gold version in the browser."""

from __future__ import annotations

from itertools import chain, islice

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from accounts.person import person
from annotations.access import May, get_collection, get_gold_version
from annotations.models import Collection
from common.file_reading import read_sent
from evaluation.breadcrumbs import trail
from evaluation.gold.forms import PublishGold
from evaluation.gold.selectors import changed_golds
from evaluation.gold.services import publish_and_reevaluate
from evaluation.imports.services import completable
from evaluation.problems import problems_to_json
from evaluation.uploads import services as uploads
from evaluation.uploads import tickets
from evaluation.uploads.services import files_in_folder
from qc4.io import read_collection
from qc4.io.source import FileSource
from qc4.model.gold_document import Completion
from qc4.model.spelling import unusual_gold_texts
from qc4.problems import InputError
from qc4.wording import counted

COMPLETING = "gold-completed"
WARNINGS_SHOWN = 5


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish valid files as the next version and queue the evaluations; for others, show every problem."""
    collection = get_collection(request.user, slug, May.PUBLISH)
    if "ticket" in request.POST:
        return _completed(request, collection)
    form = PublishGold(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, collection, form, 400 if request.method == "POST" else 200)
    user, note = person(request), form.cleaned_data["note"]
    with files_in_folder(form.cleaned_data["files"]) as source:
        try:
            _publish(request, collection, source, note, form.cleaned_data["completion"])
        except InputError as error:
            ticket = ""
            if completable(error.problems):
                chosen = {"note": note, "collection": collection.pk}
                ticket = tickets.issue(COMPLETING, uploads.store_path(source, user), user, **chosen)
            return _page(request, collection, form, 400, problems=problems_to_json(error.problems), ticket=ticket)
    return redirect("collection", slug)


def _completed(request: HttpRequest, collection: Collection) -> HttpResponse:
    """Publish the files that were just rejected only for pages in no topic, with the rule ``complete``."""
    ticket = tickets.redeem(COMPLETING, request.POST["ticket"], person(request))
    if ticket is None or ticket.chosen["collection"] != collection.pk:
        messages.error(request, tickets.TOO_OLD)
        return redirect("gold-publish", collection.slug)
    try:
        with uploads.opened(ticket.upload) as file:
            _publish(request, collection, file, ticket.chosen["note"], "complete", ticket.upload.name)
    except InputError as error:
        form = PublishGold(initial={"note": ticket.chosen["note"], "completion": "complete"})
        return _page(request, collection, form, 400, problems=problems_to_json(error.problems))
    return redirect("collection", collection.slug)


def _publish(
    request: HttpRequest,
    collection: Collection,
    source: FileSource,
    note: str,
    completion: Completion,
    name: str | None = None,
) -> None:
    documents = read_sent(read_collection, source, name=name).documents
    version, started = publish_and_reevaluate(
        collection=collection, documents=documents, user=person(request), note=note, completion=completion
    )
    messages.success(request, f"Gold v{version.number} is now the latest; {counted(len(started), 'run')} queued.")
    for warning in islice(chain.from_iterable(map(unusual_gold_texts, documents)), WARNINGS_SHOWN):
        messages.warning(request, f"{warning.found}. {warning.fix}")


@require_safe
def changes(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show how a version differs from the one before it."""
    version = get_gold_version(request.user, slug, number)
    collection = version.collection
    context = {
        "collection": collection,
        "version": version,
        "changed": changed_golds(version, request.user),
        "total": version.entries.count(),
        "trail": trail(collection, (f"gold v{number}", "")),
    }
    return render(request, "gold/changes.html", context)


def _page(request: HttpRequest, collection: Collection, form: PublishGold, status: int, **more: object) -> HttpResponse:
    context = {"collection": collection, "form": form, "trail": trail(collection, ("publish a gold version", ""))}
    return render(request, "gold/publish.html", context | more, status=status)
