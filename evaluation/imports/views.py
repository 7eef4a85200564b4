"""The page that imports a collection: it shows every problem of the files, or queues a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.person import person
from annotations.collections.services import name_problems
from annotations.models.collections import SPDX
from evaluation.imports import services as imports
from evaluation.imports.forms import ImportCollection
from evaluation.problems import problems_to_json
from evaluation.uploads import services as uploads
from evaluation.uploads import tickets
from evaluation.uploads.services import files_in_folder

COMPLETING = "import-completed"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_collection(request: HttpRequest) -> HttpResponse:
    """Queue an import run for valid files; for others, show everything that is wrong with them."""
    if request.method != "POST":
        return _page(request, ImportCollection())
    if "ticket" in request.POST:
        return _completed(request)
    form = ImportCollection(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form, status=400)
    wanted = form.cleaned_data
    user = person(request)
    with files_in_folder(wanted["files"]) as source:
        report = imports.check(
            source,
            completion=wanted["completion"],
            split_levels=wanted["split_levels"],
            html_entities=wanted["html_entities"],
        )
        problems = [*name_problems(wanted["name"], user), *report.problems]
        if any(problem.severity == "error" for problem in problems):
            ticket = _ticket(source, user, _asked(form)) if imports.completable(problems) else ""
            return _page(request, form, status=400, problems=problems_to_json(problems), ticket=ticket)
        # If there are too many runs, the response says when to try again with the file.
        with uploads.deleted_on_error(uploads.store_path(source, user)) as upload:
            run = imports.enqueue(upload=upload, user=user, completion=wanted["completion"], **_asked(form))
    for warning in report.text_warnings:
        messages.warning(request, f"{warning.found}. {warning.fix}")
    return redirect("run", run.pk)


ASKED = ("name", "split_levels", "html_entities", "public", "description", "participation")


def _asked(form: ImportCollection) -> dict[str, Any]:
    """All chosen options except the rule for pages in no topic, as `imports.enqueue` takes them."""
    return {**{name: form.cleaned_data[name] for name in ASKED}, "face": form.face}


def _ticket(source: Path, user: User, chosen: dict[str, Any]) -> str:
    """A ticket for the button that imports the same files with the rule ``complete``."""
    return tickets.issue(COMPLETING, uploads.store_path(source, user), user, **chosen)


def _completed(request: HttpRequest) -> HttpResponse:
    """Import the files that were just rejected only for pages in no topic, with the rule ``complete``."""
    user = person(request)
    ticket = tickets.redeem(COMPLETING, request.POST["ticket"], user)
    if ticket is None:
        messages.error(request, tickets.TOO_OLD)
        return redirect("import")
    run = imports.enqueue(upload=ticket.upload, user=user, completion="complete", **ticket.chosen)
    return redirect("run", run.pk)


def _page(request: HttpRequest, form: ImportCollection, status: int = 200, **more: object) -> HttpResponse:
    return render(
        request,
        "imports/import.html",
        {"form": form, "licences": SPDX, "trail": [("new", "")], **more},
        status=status,
    )
